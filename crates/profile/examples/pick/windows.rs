//! What Windows does in its own way.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use crate::ways::Way::{self, Paths};
use crate::ways::{read_and_write, size_of, with_permissions};

pub(crate) const WAYS: &[(&str, Way)] = &[
    // The standard library calls CopyFileEx, of which CopyFile is the short form.
    ("one_call", Paths(|source, destination| std::fs::copy(source, destination))),
    ("write_through", Paths(write_through)),
];

/// Each write waits for the device: few of them.
const THROUGH_BYTES: usize = 4 << 20;

/// Gives the file its length, and with it its blocks.
pub(crate) fn make_room(file: &File, bytes: u64) -> io::Result<()> {
    file.set_len(bytes)
}

/// The hint that a file is read or written from its first byte to its last.
pub(crate) fn open_sequential(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    /// `FILE_FLAG_SEQUENTIAL_SCAN`.
    const SEQUENTIAL_SCAN: u32 = 0x0800_0000;
    options.custom_flags(SEQUENTIAL_SCAN).open(path)
}

/// Windows does not renew the time of the last access, as it is usually set up.
pub(crate) fn open_without_access_time(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Windows copies no part of a file by itself.
pub(crate) fn move_part(_from: &File, _to: &File, _offset: u64, _bytes: usize) -> Option<usize> {
    None
}

pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => (bytes, offset) = (&bytes[count..], offset + count as u64),
        }
    }
    Ok(())
}

fn write_through(source: &Path, destination: &Path) -> io::Result<u64> {
    /// `FILE_FLAG_WRITE_THROUGH`.
    const WRITE_THROUGH: u32 = 0x8000_0000;
    let mut options = OpenOptions::new();
    let to = options.write(true).create(true).truncate(true).custom_flags(WRITE_THROUGH).open(destination)?;
    let from = File::open(source)?;
    make_room(&to, size_of(&from)?)?;
    let copied = read_and_write(&from, &to, THROUGH_BYTES)?;
    with_permissions(&from, &to, copied)
}
