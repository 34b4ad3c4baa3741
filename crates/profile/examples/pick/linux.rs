#![allow(unsafe_code, reason = "techniques map files")]
//! The techniques that only Linux has.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZero;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::ptr::NonNull;
use std::thread;

use rustix::fs::{Advice, FallocateFlags, OFlags, copy_file_range, fadvise, fallocate, sendfile};
use rustix::io::{Errno, IoSlice, IoSliceMut, ReadWriteFlags, preadv2, pwritev2, retry_on_intr};
use rustix::mm::{self, MapFlags, ProtFlags};
use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice};

use crate::ways::Way::{self, Files, Paths};
use crate::ways::{read_and_write, size_of, with_permissions};

pub(crate) const WAYS: &[(&str, Way)] = &[
    (
        "presized_keep_size",
        Files(|from, to, _| {
            allocate(to, FallocateFlags::KEEP_SIZE, size_of(from)?)?;
            read_and_write(from, to, BUFFER_BYTES)
        }),
    ),
    (
        "presized_truncate",
        Files(|from, to, _| {
            to.set_len(size_of(from)?)?;
            read_and_write(from, to, BUFFER_BYTES)
        }),
    ),
    ("one_call", Files(one_call)),
    ("sendfile", Files(by_sendfile)),
    ("splice", Files(through_a_pipe)),
    (
        "presized_splice",
        Files(|from, to, _| {
            make_room(to, size_of(from)?)?;
            through_a_pipe(from, to, 0)
        }),
    ),
    ("read_ahead", Files(read_ahead)),
    ("uncached", Files(uncached)),
    ("write_through", Paths(write_through)),
    (
        "mmap_write",
        Files(|from, to, _| {
            shared(from, to, |memory, _, to| {
                memory.advise(mm::Advice::Sequential, 0, memory.bytes);
                write_pieces(memory, to)
            })
        }),
    ),
    (
        "mmap_write_populate",
        Files(|from, to, _| {
            let flags = MapFlags::SHARED | MapFlags::POPULATE;
            from_memory(from, to, flags, |memory, _, to| write_pieces(memory, to))
        }),
    ),
    ("presized_mmap_write", Files(|from, to, _| shared(from, to, presized_mmap_write))),
    ("presized_mmap_read_ahead", Files(|from, to, _| shared(from, to, presized_mmap_read_ahead))),
    ("presized_mmap_populate_ahead", Files(|from, to, _| shared(from, to, presized_mmap_populate_ahead))),
    ("mmap_to_mmap", Files(|from, to, _| shared(from, to, mmap_to_mmap))),
];

const BUFFER_BYTES: usize = 256 << 10;
/// Each write waits for the device: few of them.
const THROUGH_BYTES: usize = 4 << 20;
const PIECE_BYTES: usize = 1 << 20;
const AHEAD_BYTES: u64 = 32 << 20;
/// Bytes of one call: below the kernel's own limit of 2 GiB less a page.
const CALL_BYTES: usize = 1 << 30;

/// Gives the file its blocks and its length. Where the file system cannot, the file grows as it is written.
pub(crate) fn make_room(file: &File, bytes: u64) -> io::Result<()> {
    allocate(file, FallocateFlags::empty(), bytes)
}

/// The hint that a file is read or written from its first byte to its last.
pub(crate) fn open_sequential(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.open(path)?;
    // A hint that is not taken is no error.
    let _ = fadvise(&file, 0, None, Advice::Sequential);
    Ok(file)
}

/// A source whose time of last access stays as it was, where this user may ask for that.
pub(crate) fn open_without_access_time(path: &Path) -> io::Result<File> {
    let quiet = OpenOptions::new().read(true).custom_flags(OFlags::NOATIME.bits() as i32).open(path);
    quiet.or_else(|_| File::open(path))
}

/// Lets the kernel copy a part from one file to the same place in the other; `None` where it does not.
pub(crate) fn move_part(from: &File, to: &File, offset: u64, bytes: usize) -> Option<usize> {
    let (mut source, mut target) = (offset, offset);
    let moved = retry_on_intr(|| copy_file_range(from, Some(&mut source), to, Some(&mut target), bytes));
    moved.ok().filter(|moved| *moved > 0)
}

pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

fn allocate(file: &File, flags: FallocateFlags, bytes: u64) -> io::Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    match fallocate(file, flags, 0, bytes) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        allocated => Ok(allocated?),
    }
}

fn one_call(from: &File, to: &File, _buffer_bytes: usize) -> io::Result<u64> {
    let bytes = size_of(from)?;
    if rustix::fs::ioctl_ficlone(to, from).is_ok() {
        return Ok(bytes);
    }
    let mut copied = 0;
    loop {
        match retry_on_intr(|| copy_file_range(from, None, to, None, CALL_BYTES)) {
            Ok(0) if copied > 0 || bytes == 0 => return Ok(copied),
            Ok(0) | Err(Errno::XDEV | Errno::INVAL | Errno::OPNOTSUPP | Errno::NOSYS) if copied == 0 => {
                return read_and_write(from, to, BUFFER_BYTES);
            }
            Ok(count) => copied += count as u64,
            Err(error) => return Err(error.into()),
        }
    }
}

fn by_sendfile(from: &File, to: &File, _buffer_bytes: usize) -> io::Result<u64> {
    let mut sent = 0;
    loop {
        match retry_on_intr(|| sendfile(to, from, None, CALL_BYTES))? {
            0 => return Ok(sent),
            count => sent += count as u64,
        }
    }
}

/// Fills a pipe of 1 MiB and drains it until the source ends.
fn through_a_pipe(from: &File, to: &File, _buffer_bytes: usize) -> io::Result<u64> {
    let (outlet, inlet) = pipe_with(PipeFlags::CLOEXEC)?;
    // A smaller pipe does the same in more calls.
    let room = fcntl_setpipe_size(&inlet, PIECE_BYTES).unwrap_or(64 << 10);
    let mut passed = 0;
    loop {
        let mut inside = retry_on_intr(|| splice(from, None, &inlet, None, room, SpliceFlags::MOVE))?;
        if inside == 0 {
            return Ok(passed);
        }
        passed += inside as u64;
        while inside > 0 {
            match retry_on_intr(|| splice(&outlet, None, to, None, inside, SpliceFlags::MOVE))? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                moved => inside -= moved,
            }
        }
    }
}

fn read_ahead(from: &File, mut to: &File, _buffer_bytes: usize) -> io::Result<u64> {
    ask_for(from, 0, AHEAD_BYTES);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut offset = 0;
    loop {
        match from.read_at(&mut buffer, offset)? {
            0 => return Ok(offset),
            count => {
                ask_for(from, offset + AHEAD_BYTES, count as u64);
                to.write_all(&buffer[..count])?;
                offset += count as u64;
            }
        }
    }
}

/// Asks the device for bytes that will be read later; a hint that is not taken is no error.
fn ask_for(file: &File, offset: u64, bytes: u64) {
    let _ = fadvise(file, offset, NonZero::new(bytes), Advice::WillNeed);
}

fn uncached(from: &File, to: &File, _buffer_bytes: usize) -> io::Result<u64> {
    /// `RWF_DONTCACHE`, of Linux 6.14.
    const DONT_CACHE: ReadWriteFlags = ReadWriteFlags::from_bits_retain(0x80);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut offset = 0;
    loop {
        let mut room = [IoSliceMut::new(&mut buffer)];
        let count = retry_on_intr(|| preadv2(from, &mut room, offset, DONT_CACHE))?;
        let mut written = 0;
        while written < count {
            let part = [IoSlice::new(&buffer[written..count])];
            let at = offset + written as u64;
            match retry_on_intr(|| pwritev2(to, &part, at, DONT_CACHE))? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                some => written += some,
            }
        }
        if count == 0 {
            return Ok(offset);
        }
        offset += count as u64;
    }
}

fn write_through(source: &Path, destination: &Path) -> io::Result<u64> {
    let flags = OFlags::SYNC.bits() as i32;
    let mut options = OpenOptions::new();
    let to = options.write(true).create(true).truncate(true).custom_flags(flags).open(destination)?;
    let from = File::open(source)?;
    make_room(&to, size_of(&from)?)?;
    let copied = read_and_write(&from, &to, THROUGH_BYTES)?;
    with_permissions(&from, &to, copied)
}

fn presized_mmap_write(memory: &Memory, _from: &File, to: &File) -> io::Result<()> {
    make_room(to, memory.bytes as u64)?;
    memory.advise(mm::Advice::Sequential, 0, memory.bytes);
    write_populated(memory, to, |_| {})
}

fn presized_mmap_read_ahead(memory: &Memory, from: &File, to: &File) -> io::Result<()> {
    ask_for(from, 0, AHEAD_BYTES);
    make_room(to, memory.bytes as u64)?;
    write_populated(memory, to, |start| ask_for(from, start as u64 + AHEAD_BYTES, PIECE_BYTES as u64))
}

fn presized_mmap_populate_ahead(memory: &Memory, from: &File, to: &File) -> io::Result<()> {
    if memory.bytes <= PIECE_BYTES {
        make_room(to, memory.bytes as u64)?;
        return write_populated(memory, to, |_| {});
    }
    ask_for(from, 0, AHEAD_BYTES);
    thread::scope(|scope| {
        scope.spawn(|| {
            for start in (0..memory.bytes).step_by(PIECE_BYTES) {
                ask_for(from, start as u64 + AHEAD_BYTES, PIECE_BYTES as u64);
                memory.populate(start);
            }
        });
        make_room(to, memory.bytes as u64)?;
        write_pieces(memory, to)
    })
}

fn mmap_to_mmap(memory: &Memory, _from: &File, to: &File) -> io::Result<()> {
    make_room(to, memory.bytes as u64)?;
    to.set_len(memory.bytes as u64)?;
    let access = ProtFlags::READ | ProtFlags::WRITE;
    Memory::of(to, memory.bytes, access, MapFlags::SHARED)?.write().copy_from_slice(memory.read());
    Ok(())
}

fn write_pieces(memory: &Memory, mut to: &File) -> io::Result<()> {
    memory.read().chunks(PIECE_BYTES).try_for_each(|piece| to.write_all(piece))
}

/// Writes each piece once its pages are looked up; `before` gets where the piece begins.
fn write_populated(memory: &Memory, to: &File, before: impl Fn(usize)) -> io::Result<()> {
    for start in (0..memory.bytes).step_by(PIECE_BYTES) {
        before(start);
        memory.populate(start);
        (&*to).write_all(&memory.read()[start..memory.bytes.min(start + PIECE_BYTES)])?;
    }
    Ok(())
}

/// Copies from the mapped source: the memory, the source and the destination.
type CopyMapped = fn(&Memory, &File, &File) -> io::Result<()>;

fn shared(from: &File, to: &File, copy: CopyMapped) -> io::Result<u64> {
    from_memory(from, to, MapFlags::SHARED, copy)
}

/// Copies from the mapped source; a file without a byte cannot be mapped.
fn from_memory(from: &File, to: &File, flags: MapFlags, copy: CopyMapped) -> io::Result<u64> {
    let bytes = size_of(from)?;
    if bytes > 0 {
        let memory = Memory::of(from, usize::try_from(bytes).unwrap_or(usize::MAX), ProtFlags::READ, flags)?;
        copy(&memory, from, to)?;
    }
    Ok(bytes)
}

/// A mapped file. It must not be cut off meanwhile: touching what is gone ends the program.
struct Memory {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: it is memory like any other, and shared references only read it.
unsafe impl Sync for Memory {}

impl Memory {
    fn of(file: &File, bytes: usize, access: ProtFlags, flags: MapFlags) -> io::Result<Self> {
        // SAFETY: the kernel chooses the place, so that no memory of this program is replaced.
        let start = unsafe { mm::mmap(std::ptr::null_mut(), bytes, access, flags, file, 0) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, bytes })
    }

    fn read(&self) -> &[u8] {
        // SAFETY: all of it is mapped for reading until this value is dropped.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }

    fn write(&mut self) -> &mut [u8] {
        // SAFETY: only a mapping for writing is asked for this, and nothing else borrows it.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }

    /// Looks up the pages of the piece that begins at `start`. Kernels before 5.14 refuse: then each comes when it is touched.
    fn populate(&self, start: usize) {
        self.advise(mm::Advice::LinuxPopulateRead, start, PIECE_BYTES.min(self.bytes - start));
    }

    fn advise(&self, advice: mm::Advice, start: usize, bytes: usize) {
        assert!(start + bytes <= self.bytes, "{start} and {bytes} more lie outside of {} bytes", self.bytes);
        // SAFETY: the range lies inside the mapping, and neither advice that is given changes what it holds.
        let _ = unsafe { mm::madvise(self.start.as_ptr().add(start).cast(), bytes, advice) };
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: nothing borrows from it any more.
        let _ = unsafe { mm::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}
