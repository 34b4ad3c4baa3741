//! Room for a file, as Windows gives it.

use std::fs::File;
use std::io;

/// Gives the file its length, and with it its blocks.
pub(crate) fn make_room(file: &File, bytes: u64) -> io::Result<()> {
    file.set_len(bytes)
}
