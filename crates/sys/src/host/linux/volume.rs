//! The file system, mount and device below a path.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use model::Volume;
use rustix::fs::{major, minor, statvfs};

use super::{chosen, text};
use crate::failure::named;

/// Returns what holds `path`.
pub fn describe(path: &Path) -> io::Result<Volume> {
    let real = fs::canonicalize(path).map_err(|error| named(path, error))?;
    let device = fs::metadata(&real).map_err(|error| named(path, error))?.dev();
    let space = statvfs(&real).ok();
    let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let mount = find(&mounts, &real, (major(device), minor(device)));
    let block = mount.as_ref().and_then(Mount::block_device);
    let of_queue = |file: &str| text(block.as_ref()?.join("queue").join(file));
    Ok(Volume {
        directory: path.to_path_buf(),
        rotational: of_queue("rotational").map(|flag| flag == "1"),
        read_ahead_bytes: of_queue("read_ahead_kb")
            .and_then(|kib| kib.parse::<u64>().ok()?.checked_mul(1024)),
        scheduler: of_queue("scheduler").and_then(|schedulers| chosen(&schedulers)),
        total_bytes: space.as_ref().map(|space| space.f_blocks * space.f_frsize),
        free_bytes: space.as_ref().map(|space| space.f_bavail * space.f_frsize),
        block_bytes: space.as_ref().map(|space| space.f_frsize),
        file_system: mount.as_ref().map(|mount| mount.file_system.clone()),
        mount_point: mount.as_ref().map(|mount| mount.point.clone()),
        mount_options: mount.as_ref().map(|mount| mount.options.clone()),
        device: mount.map(|mount| mount.source),
    })
}

/// One line of `/proc/self/mountinfo` (proc(5)).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mount {
    device: (u32, u32),
    point: PathBuf,
    options: String,
    file_system: String,
    source: String,
}

impl Mount {
    fn block_device(&self) -> Option<PathBuf> {
        block_device(self.device).or_else(|| named_device(&self.source))
    }

    fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|&byte| byte == b' ');
        let device = std::str::from_utf8(fields.nth(2)?).ok()?.split_once(':')?;
        let point = PathBuf::from(unescaped(fields.nth(1)?));
        let own = fields.next()?;
        let mut rest = fields.skip_while(|field| *field != b"-").skip(1);
        let lossy = |field: &[u8]| unescaped(field).to_string_lossy().into_owned();
        let (file_system, source, system) = (lossy(rest.next()?), lossy(rest.next()?), rest.next()?);
        Some(Self {
            device: (device.0.parse().ok()?, device.1.parse().ok()?),
            point,
            options: merged(&lossy(own), &lossy(system)),
            file_system,
            source,
        })
    }
}

fn merged(own: &str, system: &str) -> String {
    let mut all: Vec<&str> = own.split(',').collect();
    all.extend(system.split(',').filter(|option| !own.split(',').any(|known| known == *option)));
    all.join(",")
}

/// Reads spaces and the like back, which stand as a backslash and three octal digits.
fn unescaped(field: &[u8]) -> OsString {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, tail)) = rest.split_first() {
        let digits = tail.get(..3).filter(|_| first == b'\\');
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &tail[3..] } else { tail };
    }
    OsString::from_vec(bytes)
}

/// Returns the mount with the path's device and the longest mount point above it; of equals the last, which covers the others. Files
/// of btrfs and overlay have other device numbers than their mount: then the path decides.
fn find(mounts: &[u8], path: &Path, device: (u32, u32)) -> Option<Mount> {
    let above =
        mounts.split(|&byte| byte == b'\n').filter_map(Mount::parse).filter(|m| path.starts_with(&m.point));
    above.max_by_key(|mount| (mount.device == device, mount.point.as_os_str().len()))
}

/// Returns the folder in `/sys` of the whole disk behind a device number. Tmpfs, overlay and network have none.
fn block_device((major, minor): (u32, u32)) -> Option<PathBuf> {
    let own = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    // A partition has no queue of its own; its disk is the folder above.
    own.ancestors().take(2).find(|folder| folder.join("queue").is_dir()).map(Path::to_path_buf)
}

/// Returns the same for a source such as `/dev/sda1`: btrfs has device numbers that are no disk's.
fn named_device(source: &str) -> Option<PathBuf> {
    let device = fs::metadata(source).ok()?.rdev();
    (device != 0).then(|| block_device((major(device), minor(device)))).flatten()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    const MOUNTS: &[u8] = b"\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
23 22 0:20 / /proc rw - proc proc rw
24 22 8:1 / /mnt/a\\040disk rw,noatime shared:1 - xfs /dev/sda1 rw,attr2
25 22 8:2 /sub /mnt rw - btrfs /dev/sdb rw,ssd,subvol=/sub
26 24 8:3 / /mnt/a\\040disk ro - ext4 /dev/sdc ro";

    #[test]
    fn the_longest_mount_point_with_the_right_device_holds_the_path() {
        let found = |path: &str, device| find(MOUNTS, Path::new(path), device).expect("mounted");
        assert_eq!(found("/srv/x", (254, 0)).source, "/dev/vda");
        assert_eq!(found("/mnt/a disk/x", (8, 1)).file_system, "xfs");
        assert_eq!(found("/mnt/a disk/x", (8, 1)).options, "rw,noatime,attr2");
        // The later of two mounts at one place covers the earlier.
        assert_eq!(found("/mnt/a disk/x", (8, 3)).source, "/dev/sdc");
        // Btrfs numbers its subvolumes by itself.
        assert_eq!(found("/mnt/b", (0, 99)).file_system, "btrfs");
    }

    #[test]
    fn names_with_spaces_and_backslashes_are_read_back() {
        assert_eq!(unescaped(b"a\\040b\\134c\\"), OsStr::from_bytes(b"a b\\c\\"));
    }
}
