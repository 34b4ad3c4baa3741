//! The mount that holds a path.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// One line of `/proc/self/mountinfo` (proc(5)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Major and minor number of the device.
    pub device: (u32, u32),
    /// Where it is mounted.
    pub point: PathBuf,
    /// Options of the mount and of the file system, each once.
    pub options: String,
    /// Name of the file system: `ext4`.
    pub file_system: String,
    /// What is mounted: `/dev/vda`.
    pub source: String,
}

impl Mount {
    /// Finds the mount that holds a path without links, which lies on `device`.
    pub fn of(real: &Path, device: u64) -> Option<Self> {
        let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
        find(&mounts, real, numbers(device))
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

/// Options of the mount and of the file system in one list, each once.
fn merged(own: &str, system: &str) -> String {
    let mut all: Vec<&str> = own.split(',').collect();
    all.extend(system.split(',').filter(|option| !own.split(',').any(|known| known == *option)));
    all.join(",")
}

/// Spaces and the like stand as a backslash and three octal digits.
fn unescaped(field: &[u8]) -> OsString {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, tail)) = rest.split_first() {
        let code =
            tail.get(..3).filter(|_| first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[3..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    OsString::from_vec(bytes)
}

/// The mount with the path's device and the longest mount point above it; of equals the last, which covers the
/// others. Some file systems (btrfs, overlay) give files other device numbers than the mount: then the path decides.
fn find(mounts: &[u8], path: &Path, device: (u32, u32)) -> Option<Mount> {
    let above =
        mounts.split(|&byte| byte == b'\n').filter_map(Mount::parse).filter(|m| path.starts_with(&m.point));
    above.max_by_key(|mount| (mount.device == device, mount.point.as_os_str().len()))
}

/// Returns major and minor number, which the C library has at these bits.
fn numbers(device: u64) -> (u32, u32) {
    let major = ((device >> 32) & 0xffff_f000) | ((device >> 8) & 0xfff);
    let minor = ((device >> 12) & 0xffff_ff00) | (device & 0xff);
    (major as u32, minor as u32)
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

    #[test]
    fn device_numbers_are_taken_apart() {
        assert_eq!(numbers(0xfe00), (254, 0));
        assert_eq!(numbers(0x1234_5678_9abc_def0), (0x1234_5cde, 0x6789_abf0));
    }
}
