//! `/proc/meminfo`, `syncfs` and `fsync`.

use std::fs::{self, File};
use std::io;
use std::path::Path;

pub(super) fn dirty_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |key: &str| -> Option<u64> {
        text.lines().find_map(|line| line.strip_prefix(key))?.split_whitespace().next()?.parse().ok()
    };
    Some((kib("Dirty:")? + kib("Writeback:")?) * 1024)
}

pub(super) fn write_back_file_system(directory: &Path) -> io::Result<()> {
    let folder = File::open(directory).map_err(|error| named(directory, &error))?;
    rustix::fs::syncfs(&folder).map_err(|error| named(directory, &error.into()))
}

pub(super) fn flush_directory(directory: &Path) -> io::Result<()> {
    let folder = File::open(directory).map_err(|error| named(directory, &error))?;
    folder.sync_all().map_err(|error| named(directory, &error))
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    crate::failure::in_context(path.display(), error)
}
