//! Windows does not tell whether its free memory is handed back.

use std::io;

pub(super) struct Pages;

pub(super) fn keep(_bytes: u64, _block_bytes: u64, _goes_on: &dyn Fn() -> bool) -> io::Result<(u64, Pages)> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "Windows has no free page reporting"))
}
