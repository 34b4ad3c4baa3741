//! An open file that knows its path, so that every failing step can name it.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::path::Path;
use std::slice;

use model::{Availability, Setting};
use rustix::fs::{
    Advice, AtFlags, FallocateFlags, Mode, OFlags, StatxFlags, fadvise, fallocate, fdatasync, fstat, fsync,
    ftruncate, open, openat, statx,
};
use rustix::io::{Errno, ReadWriteFlags, pread, preadv2, pwrite, pwritev2, read, retry_on_intr, write};

use crate::files::{at, tried_out};

/// A file opened by one system call; every call that is interrupted is repeated.
pub(crate) struct OpenFile<'path> {
    fd: OwnedFd,
    path: &'path Path,
}

/// An open file as a further thread uses it: descriptors that read and write at an offset may be shared.
pub(crate) type ThreadFile<'file> = &'file OpenFile<'file>;

/// `O_DSYNC` alone; the constant of this name in rustix is `O_SYNC`, which waits for the times of the file as well.
const DSYNC: OFlags = OFlags::from_bits_retain(libc::O_DSYNC as u32);

impl AsFd for OpenFile<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl<'path> OpenFile<'path> {
    pub(super) fn path(&self) -> &Path {
        self.path
    }

    pub(crate) fn open(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::RDONLY)
    }

    /// Opens a file with these flags; a file that it creates gets mode 0666 less the process' mask.
    pub(crate) fn open_with(path: &'path Path, flags: OFlags) -> io::Result<Self> {
        let mode = Mode::from_raw_mode(0o666);
        let opened = retry_on_intr(|| open(path, flags | OFlags::CLOEXEC, mode));
        let step = if flags.contains(OFlags::CREATE) { "create" } else { "open" };
        Ok(Self { fd: opened.map_err(at(step, path))?, path })
    }

    /// Opens a file by its name in an open folder; errors name `path`.
    pub(crate) fn open_in(folder: &OpenFile, name: &Path, path: &'path Path) -> io::Result<Self> {
        let opened = retry_on_intr(|| openat(folder, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()));
        Ok(Self { fd: opened.map_err(at("openat", path))?, path })
    }

    /// Creates a file by its name in an open folder; errors name `path`.
    pub(crate) fn create_in(folder: &OpenFile, name: &Path, path: &'path Path) -> io::Result<Self> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let opened = retry_on_intr(|| openat(folder, name, flags, Mode::from_raw_mode(0o666)));
        Ok(Self { fd: opened.map_err(at("create", path))?, path })
    }

    pub(crate) fn open_folder(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::RDONLY | OFlags::DIRECTORY)
    }

    /// Creates a file that must not exist: a left-over would be another piece of work (its blocks are freed first).
    pub(crate) fn create(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL)
    }

    pub(crate) fn open_sequential(path: &'path Path) -> io::Result<Self> {
        Self::open(path)?.advised_sequential()
    }

    pub(crate) fn create_sequential(path: &'path Path) -> io::Result<Self> {
        Self::create(path)?.advised_sequential()
    }

    /// Opens a file to map it: the hint about access is given to the mapping.
    pub(crate) fn open_to_map(path: &'path Path) -> io::Result<Self> {
        Self::open(path)
    }

    /// Creates a file to map it: a shared mapping that is written needs the right to read as well.
    pub(crate) fn create_to_map(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL)
    }

    /// Opens a file that is there already to write into it.
    pub(crate) fn open_to_change(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::WRONLY)
    }

    pub(crate) fn create_write_through(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | DSYNC)
    }

    pub(crate) fn open_direct(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, OFlags::RDONLY | OFlags::DIRECT)
    }

    pub(crate) fn create_direct(path: &'path Path, through: bool) -> io::Result<Self> {
        let further = if through { DSYNC } else { OFlags::empty() };
        Self::open_with(path, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::DIRECT | further)
    }

    /// Opens a file such that reading it leaves its access time alone. Only its owner may do that.
    pub(crate) fn open_without_access_time(path: &'path Path, notes: &mut Vec<String>) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        match retry_on_intr(|| open(path, flags | OFlags::NOATIME, Mode::empty())) {
            Err(Errno::PERM) => {
                notes.push("fell back: only the owner of a file may leave its access time alone".into());
                Self::open(path)
            }
            opened => Ok(Self { fd: opened.map_err(at("open", path))?, path }),
        }
    }

    pub(crate) fn for_thread_to_read(&self) -> io::Result<ThreadFile<'_>> {
        Ok(self)
    }

    pub(crate) fn for_thread_to_write(&self) -> io::Result<ThreadFile<'_>> {
        Ok(self)
    }

    /// Advises without a length: OpenZFS takes an explicit one as an order to read that much now.
    fn advised_sequential(self) -> io::Result<Self> {
        fadvise(&self, 0, None, Advice::Sequential).map_err(self.at("posix_fadvise"))?;
        Ok(self)
    }

    /// Asks the device for bytes that will be read later. Refused, they come when they are touched.
    pub(crate) fn ask_for(&self, offset: u64, bytes: u64) {
        let _ = fadvise(self, offset, NonZero::new(bytes), Advice::WillNeed);
    }

    pub(crate) fn size_bytes(&self) -> io::Result<u64> {
        let status = fstat(&self.fd).map_err(self.at("fstat"))?;
        Ok(u64::try_from(status.st_size).unwrap_or(0))
    }

    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        retry_on_intr(|| read(&self.fd, &mut *buffer)).map_err(self.at("read"))
    }

    /// Reads by one call into memory that was not filled before; nothing is the end of the file.
    pub(crate) fn read_into<'room>(&self, room: &'room mut [MaybeUninit<u8>]) -> io::Result<&'room mut [u8]> {
        let count = retry_on_intr(|| read(&self.fd, &mut *room).map(|(filled, _)| filled.len()))
            .map_err(self.at("read"))?;
        // SAFETY: the call has filled as many bytes.
        Ok(unsafe { slice::from_raw_parts_mut(room.as_mut_ptr().cast(), count) })
    }

    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        retry_on_intr(|| pread(&self.fd, &mut *buffer, offset)).map_err(self.at("pread"))
    }

    pub(crate) fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = retry_on_intr(|| write(&self.fd, bytes)).map_err(self.at("write"))?;
            bytes = &bytes[self.progress("write", count)?..];
        }
        Ok(())
    }

    pub(crate) fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = retry_on_intr(|| pwrite(&self.fd, bytes, offset)).map_err(self.at("pwrite"))?;
            bytes = &bytes[self.progress("pwrite", count)?..];
            offset += count as u64;
        }
        Ok(())
    }

    /// Refuses a step that moved nothing: repeated for ever it would hang.
    pub(crate) fn progress(&self, step: &str, count: usize) -> io::Result<usize> {
        match count {
            0 => Err(self.at(step)(io::Error::new(io::ErrorKind::WriteZero, "nothing more was taken"))),
            count => Ok(count),
        }
    }

    pub(crate) fn set_length(&self, bytes: u64) -> io::Result<()> {
        retry_on_intr(|| ftruncate(&self.fd, bytes)).map_err(self.at("ftruncate"))
    }

    pub(crate) fn flush(&self) -> io::Result<()> {
        self.flush_data()?;
        let folder = Self::open_folder(folder_of(self.path))?;
        retry_on_intr(|| fsync(&folder.fd)).map_err(folder.at("fsync"))
    }

    pub(crate) fn flush_data(&self) -> io::Result<()> {
        retry_on_intr(|| fdatasync(&self.fd)).map_err(self.at("fdatasync"))
    }

    pub(crate) fn finish(self, durable: bool) -> io::Result<()> {
        if durable {
            self.flush()?;
        }
        self.close()
    }

    /// Finishes one of many files; [`super::flush_folder`] flushes their folder after the last.
    pub(crate) fn finish_one_of_many(self, durable: bool) -> io::Result<()> {
        if durable {
            self.flush_data()?;
        }
        self.close()
    }

    /// Closes with an error: some network file systems report a full disk only there.
    fn close(self) -> io::Result<()> {
        let path = self.path;
        // SAFETY: the descriptor was owned by `self`, is given up here and not used afterwards.
        match unsafe { libc::close(self.fd.into_raw_fd()) } {
            0 => Ok(()),
            _ => Err(at("close", path)(io::Error::last_os_error())),
        }
    }

    pub(crate) fn at<E: Into<io::Error>>(&self, step: &str) -> impl FnOnce(E) -> io::Error {
        at(step, self.path)
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A multiple of the sectors of all devices in use, where the kernel does not report the alignment.
const FALL_BACK_BYTES: usize = 4_096;

/// Returns the alignment in bytes of offsets, lengths and memory for `O_DIRECT`.
pub(crate) fn alignment_bytes(file: &OpenFile) -> io::Result<usize> {
    let Ok(status) = statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) else {
        return Ok(FALL_BACK_BYTES);
    };
    if status.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
        // A tmpfs takes the flag since Linux 6.6, reports no alignment, and copies from and to the cache all the same.
        return if sys::page_cache::lives_in_memory(file.path()) {
            Err(refused(file, "this file lives in memory, in the file cache itself"))
        } else {
            Ok(FALL_BACK_BYTES)
        };
    }
    match status.stx_dio_offset_align.max(status.stx_dio_mem_align) as usize {
        0 => Err(refused(file, "this file cannot be accessed past the cache")),
        alignment => Ok(alignment),
    }
}

fn refused(file: &OpenFile, why: &str) -> io::Error {
    file.at("statx")(io::Error::new(io::ErrorKind::Unsupported, why))
}

pub(crate) fn presize(file: &OpenFile, bytes: u64, notes: &mut Vec<String>) -> io::Result<()> {
    allocate(file, FallocateFlags::empty(), bytes, notes)
}

/// Allocates the first `bytes` bytes where the file system can. `posix_fallocate` would write every block where it cannot.
pub(crate) fn allocate(
    file: &OpenFile, flags: FallocateFlags, bytes: u64, notes: &mut Vec<String>,
) -> io::Result<()> {
    if bytes > 0 && !has_allocated(file, flags, bytes)? {
        notes.push(
            "fell back: this file system cannot allocate ahead, the file grew as it was written".into(),
        );
    }
    Ok(())
}

/// Reserves the blocks of a file that is to be mapped: in a mere hole, a full disk would show as SIGBUS during the work.
pub(crate) fn reserve(file: &OpenFile, bytes: u64, notes: &mut Vec<String>) -> io::Result<()> {
    if has_allocated(file, FallocateFlags::empty(), bytes)? {
        return Ok(());
    }
    notes.push("fell back: this file system cannot allocate ahead, a hole was mapped".into());
    file.set_length(bytes)
}

/// Allocates the first `bytes` bytes; returns whether the file system can.
pub(crate) fn has_allocated(file: &OpenFile, flags: FallocateFlags, bytes: u64) -> io::Result<bool> {
    match retry_on_intr(|| fallocate(file, flags, 0, bytes)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
        allocated => allocated.map(|()| true).map_err(file.at("fallocate")),
    }
}

/// `RWF_DONTCACHE` of `linux/fs.h`, which the libraries do not name yet.
pub(crate) const DONTCACHE: ReadWriteFlags = ReadWriteFlags::from_bits_retain(0x80);

/// As an offset: from the file's own position onwards.
const HERE: u64 = u64::MAX;

pub(crate) fn read_uncached(source: &OpenFile, buffer: &mut [u8]) -> io::Result<usize> {
    retry_on_intr(|| preadv2(source, &mut [IoSliceMut::new(buffer)], HERE, DONTCACHE))
        .map_err(source.at("preadv2 with RWF_DONTCACHE"))
}

pub(crate) fn write_all_uncached(destination: &OpenFile, mut bytes: &[u8]) -> io::Result<()> {
    const STEP: &str = "pwritev2 with RWF_DONTCACHE";
    while !bytes.is_empty() {
        let count = retry_on_intr(|| pwritev2(destination, &[IoSlice::new(bytes)], HERE, DONTCACHE))
            .map_err(destination.at(STEP))?;
        bytes = &bytes[destination.progress(STEP, count)?..];
    }
    Ok(())
}

pub(crate) fn probe_uncached(setting: &Setting) -> Availability {
    tried_out(setting, 4_096, "it needs Linux 6.14 and a file system that knows RWF_DONTCACHE", |file| {
        let absent = file.absent();
        let mut page = [0; 4_096];
        read_uncached(&OpenFile::open(file.path())?, &mut page)?;
        write_all_uncached(&OpenFile::create(&absent)?, &page)
    })
}

#[cfg(test)]
mod tests {
    use model::{Availability, Durability, Host, Setting};

    #[test]
    fn in_a_file_system_that_is_memory_nothing_passes_the_cache() {
        let folder = tempfile::tempdir_in("/dev/shm").expect("a file system in memory");
        let setting = Setting::warm(folder.path(), Durability::Returned);
        let mut asked = 0;
        for family in crate::all() {
            for entry in family.entries().into_iter().filter(|entry| entry.name.contains("direct")) {
                match family.probe(&entry.name, &Host::default(), &setting) {
                    Availability::Missing(_) => asked += 1,
                    Availability::Ready => panic!("{}/{} is ready in a tmpfs", family.name(), entry.name),
                }
            }
        }
        assert!(asked >= 10, "{asked} entries pass the cache");
    }
}
