//! The file system, mount and device below a path.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use model::Volume;
use profile::host::Mount;
use rustix::fs::{major, minor, statvfs};

use super::system::chosen;
use super::text;

pub(super) fn describe(path: &Path) -> io::Result<Volume> {
    let named = |error: io::Error| crate::failure::in_context(path.display(), error);
    let real = fs::canonicalize(path).map_err(named)?;
    let device = fs::metadata(&real).map_err(named)?.dev();
    let space = statvfs(&real).ok();
    let mount = Mount::of(&real, device);
    let block = mount.as_ref().and_then(block_device_of);
    Ok(Volume {
        directory: path.to_path_buf(),
        rotational: block
            .as_deref()
            .and_then(|block| text(block.join("queue/rotational")))
            .map(|flag| flag == "1"),
        scheduler: block.as_deref().and_then(|block| chosen(&text(block.join("queue/scheduler"))?)),
        total_bytes: space.as_ref().map(|space| space.f_blocks * space.f_frsize),
        free_bytes: space.as_ref().map(|space| space.f_bavail * space.f_frsize),
        block_bytes: space.as_ref().map(|space| space.f_frsize),
        file_system: mount.as_ref().map(|mount| mount.file_system.clone()),
        mount_point: mount.as_ref().map(|mount| mount.point.clone()),
        mount_options: mount.as_ref().map(|mount| mount.options.clone()),
        device: mount.map(|mount| mount.source),
    })
}

pub(super) fn read_ahead_bytes(path: &Path) -> Option<u64> {
    let real = fs::canonicalize(path).ok()?;
    let device = fs::metadata(&real).ok()?.dev();
    let block = block_device_of(&Mount::of(&real, device)?)?;
    let kib: u64 = text(block.join("queue/read_ahead_kb"))?.parse().ok()?;
    kib.checked_mul(1024)
}

fn block_device_of(mount: &Mount) -> Option<PathBuf> {
    block_device(mount.device).or_else(|| named_device(&mount.source))
}

/// The folder in `/sys` of the whole disk behind a device number. Tmpfs, overlay and network have none.
fn block_device((major, minor): (u32, u32)) -> Option<PathBuf> {
    let own = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    // A partition has no queue of its own; its disk is the folder above.
    own.ancestors().take(2).find(|folder| folder.join("queue").is_dir()).map(Path::to_path_buf)
}

/// The same for a source such as `/dev/sda1`: btrfs has device numbers that are no disk's.
fn named_device(source: &str) -> Option<PathBuf> {
    let device = fs::metadata(source).ok()?.rdev();
    (device != 0).then(|| block_device((major(device), minor(device)))).flatten()
}
