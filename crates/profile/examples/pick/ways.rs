//! The techniques that every system has.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::system;

use Way::{Files, Paths};

/// A technique, which gives the bytes that it copied.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// Opens the files itself.
    Paths(fn(&Path, &Path) -> io::Result<u64>),
    /// From one open file to another, with a buffer of the size of its parameter, if it has one.
    Files(fn(&File, &File, usize) -> io::Result<u64>),
}

impl Way {
    /// Copies, and gives the destination what else belongs to it.
    pub(crate) fn copy(self, source: &Path, destination: &Path, buffer_bytes: usize) -> io::Result<u64> {
        match self {
            Paths(copy) => copy(source, destination),
            Files(copy) => {
                let (from, to) = (File::open(source)?, create(destination)?);
                let copied = copy(&from, &to, buffer_bytes)?;
                with_permissions(&from, &to, copied)
            }
        }
    }
}

/// By their names in bakeoff.
pub(crate) const WAYS: &[(&str, Way)] = &[
    (PLAIN.0, PLAIN.1),
    ("read_write", Files(read_and_write)),
    (
        "presized",
        Files(|from, to, buffer_bytes| {
            system::make_room(to, size_of(from)?)?;
            read_and_write(from, to, buffer_bytes)
        }),
    ),
    ("small_buffer", Files(|from, to, _| read_and_write(from, to, 256))),
    ("posix_layer", Files(|from, to, _| read_and_write(from, to, 256))),
    // The calls that the C library makes, whose buffers have 4 KiB.
    ("c_stdio", Files(|from, to, _| read_and_write(from, to, 4_096))),
    ("hinted_8k", Paths(|source, destination| hinted(source, destination, 8_192))),
    ("hinted_large_buffer", Paths(|source, destination| hinted(source, destination, BUFFER_BYTES))),
    ("no_access_time", Paths(no_access_time)),
    ("parallel_ranges", Files(parallel_ranges)),
    // Ranges of 1 MiB, each taken by the thread that is free: what rayon's threads do.
    ("rayon_ranges", Files(|from, to, _| in_ranges(from, to, GRAIN_BYTES, |_, _| None))),
];

/// The baseline: whatever the standard library does.
pub(crate) const PLAIN: (&str, Way) =
    ("std_copy", Paths(|source, destination| fs::copy(source, destination)));

const BUFFER_BYTES: usize = 256 << 10;
/// No page or large folio belongs to two threads.
const GRAIN_BYTES: u64 = 1 << 20;

fn hinted(source: &Path, destination: &Path, buffer_bytes: usize) -> io::Result<u64> {
    let from = system::open_sequential(source, OpenOptions::new().read(true))?;
    let mut options = OpenOptions::new();
    let to = system::open_sequential(destination, options.write(true).create(true).truncate(true))?;
    let copied = read_and_write(&from, &to, buffer_bytes)?;
    with_permissions(&from, &to, copied)
}

fn no_access_time(source: &Path, destination: &Path) -> io::Result<u64> {
    let (from, to) = (system::open_without_access_time(source)?, create(destination)?);
    let copied = read_and_write(&from, &to, BUFFER_BYTES)?;
    with_permissions(&from, &to, copied)
}

/// One thread a processor, each with its own range of both files: the system copies it, or the thread reads and writes.
fn parallel_ranges(from: &File, to: &File, _buffer_bytes: usize) -> io::Result<u64> {
    let each = size_of(from)?.div_ceil(processors() as u64).next_multiple_of(GRAIN_BYTES).max(GRAIN_BYTES);
    in_ranges(from, to, each, |offset, wanted| system::move_part(from, to, offset, wanted))
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Copies ranges of this many bytes, each by the thread that is free. `at_once` copies a part without a buffer, where possible.
fn in_ranges(
    from: &File, to: &File, each: u64, at_once: impl Fn(u64, usize) -> Option<usize> + Sync,
) -> io::Result<u64> {
    let bytes = size_of(from)?;
    to.set_len(bytes)?;
    let ranges = bytes.div_ceil(each);
    let next = AtomicU64::new(0);
    let work = || -> io::Result<()> {
        let mut buffer = Vec::new();
        loop {
            let start = next.fetch_add(1, Ordering::Relaxed) * each;
            if start >= bytes {
                return Ok(());
            }
            copy_range(from, to, start..bytes.min(start + each), &mut buffer, &at_once)?;
        }
    };
    let threads = processors().min(usize::try_from(ranges).unwrap_or(usize::MAX));
    thread::scope(|scope| {
        let mut threads = (0..threads).map(|_| scope.spawn(work)).collect::<Vec<_>>().into_iter();
        threads.try_for_each(|thread| thread.join().map_err(|_| io::Error::other("a thread ended early"))?)
    })?;
    Ok(bytes)
}

fn copy_range(
    from: &File, to: &File, range: Range<u64>, buffer: &mut Vec<u8>,
    at_once: impl Fn(u64, usize) -> Option<usize>,
) -> io::Result<()> {
    let mut offset = range.start;
    while offset < range.end {
        let wanted = usize::try_from(range.end - offset).unwrap_or(usize::MAX);
        if let Some(moved) = at_once(offset, wanted) {
            offset += moved as u64;
            continue;
        }
        buffer.resize(BUFFER_BYTES, 0);
        match system::read_at(from, &mut buffer[..wanted.min(BUFFER_BYTES)], offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                system::write_all_at(to, &buffer[..count], offset)?;
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// A destination that can be written, and mapped.
fn create(destination: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).open(destination)
}

pub(crate) fn size_of(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

/// Ends a copy: a source that has become shorter meanwhile leaves room that nothing has filled.
pub(crate) fn with_permissions(from: &File, to: &File, copied: u64) -> io::Result<u64> {
    if size_of(to)? > copied {
        to.set_len(copied)?;
    }
    to.set_permissions(from.metadata()?.permissions())?;
    Ok(copied)
}

/// Reads and writes in turn until nothing is left, through a buffer that is no larger than the file.
pub(crate) fn read_and_write(mut from: &File, mut to: &File, buffer_bytes: usize) -> io::Result<u64> {
    let whole = usize::try_from(size_of(from)?).unwrap_or(usize::MAX);
    let mut buffer = vec![0; buffer_bytes.min(whole).max(1)];
    let mut poured = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(poured),
            Ok(read) => {
                to.write_all(&buffer[..read])?;
                poured += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
