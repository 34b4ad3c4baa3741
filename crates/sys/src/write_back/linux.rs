//! `/proc/meminfo`, `syncfs` and `fsync`.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::failure::named;
use crate::host::system::{number_after, text};

pub(super) fn dirty_bytes() -> Option<u64> {
    let text = text("/proc/meminfo")?;
    let kib = |key: &str| number_after(&text, key);
    Some((kib("Dirty:")? + kib("Writeback:")?) * 1024)
}

pub(super) fn write_back_file_system(directory: &Path) -> io::Result<()> {
    let done = File::open(directory).and_then(|folder| Ok(rustix::fs::syncfs(&folder)?));
    done.map_err(|error| named(directory, error))
}

pub(super) fn flush_directory(directory: &Path) -> io::Result<()> {
    File::open(directory).and_then(|folder| folder.sync_all()).map_err(|error| named(directory, error))
}
