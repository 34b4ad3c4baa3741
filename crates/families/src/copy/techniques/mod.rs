//! The techniques; those that differ in a detail share a file. What exists on every system is listed first, and the
//! five historical programs before the others, under their modern names.
//!
//! Left out, each for a reason:
//!
//! - Large pages on Windows: they need the right to lock pages in memory, which no account has by default, and file
//!   I/O through a buffer of 256 KiB hardly misses the TLB.
//! - Uncached buffered access (`RWF_DONTCACHE`) on Windows, which has nothing like it.
//! - Read-ahead on Windows without a mapping: no call asks for it. `presized_mmap_prefetch` does so with one.
//! - `sendfile` and `splice` on Windows: `TransmitFile` takes a socket only.
//! - `SetFileValidData`: it needs the right to manage volumes and shows what other users have deleted.
//! - `FALLOC_FL_KEEP_SIZE` and an `ftruncate` without blocks on Windows: a new length allocates on NTFS.
//! - `FileAllocationInfo` on Windows: it reserves the clusters that `SetEndOfFile` reserves too, and does not set the length.
//! - `ioDesiredSize` and `ioDesiredRate` of `CopyFile2`: the rate can only slow a copy down, and the size of a piece is the
//!   parameter of `read_write`.
//! - `COPY_FILE_NO_OFFLOAD` of `CopyFile2`: only storage that copies by itself is reported by it, and the copy without that is
//!   what `copy_file_2` does on all other storage.
//! - Opening by name in an open folder on Windows: the documented calls take whole paths.
//! - A ring that opens files on Windows: IoRing only reads, writes and flushes files that are open.
//! - io_uring without the file cache: `direct_double_buffered` and `io_uring` show both halves of it.

mod c_stdio;
mod direct;
mod memory_copy;
mod mmap_to_mmap;
mod mmap_to_mmap_streaming;
mod mmap_write;
mod parallel_files;
mod posix_layer;
mod presized;
mod rayon_ranges;
mod read_write;
mod small_buffer;
mod std_copy;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod huge_page_buffer;
    pub(super) mod io_uring;
    pub(super) mod io_uring_files;
    pub(super) mod mmap_write_populate;
    pub(super) mod one_call;
    pub(super) mod openat;
    pub(super) mod parallel_ranges;
    pub(super) mod posix_aio_threads;
    pub(super) mod presized_mmap_populate_ahead;
    pub(super) mod presized_mmap_write;
    pub(super) mod presized_truncate;
    pub(super) mod read_ahead;
    pub(super) mod reflink;
    pub(super) mod sendfile;
    pub(super) mod splice;
    pub(super) mod uncached;
}

#[cfg(windows)]
mod windows {
    pub(super) mod completion_routines;
    pub(super) mod copy_file_2;
    pub(super) mod io_ring;
    pub(super) mod one_call;
    pub(super) mod overlapped;
    pub(super) mod parallel_ranges;
    pub(super) mod presized_mmap_prefetch;
    pub(super) mod reflink;
}

use crate::contract::{Technique, joined};
use crate::copy::job::CopyJob;

pub(crate) const TECHNIQUES: &[Technique<CopyJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<CopyJob>] = &[
    c_stdio::C_STDIO,
    small_buffer::SMALL_BUFFER,
    read_write::HINTED_8K,
    posix_layer::POSIX_LAYER,
    c_stdio::C_STDIO_LARGE_BUFFER,
    read_write::READ_WRITE,
    read_write::HINTED_LARGE_BUFFER,
    read_write::NO_ACCESS_TIME,
    presized::PRESIZED,
    mmap_write::MMAP_WRITE,
    mmap_to_mmap::MMAP_TO_MMAP,
    mmap_to_mmap::MMAP_TO_MMAP_SPLIT,
    mmap_to_mmap_streaming::MMAP_TO_MMAP_STREAMING,
    direct::DIRECT,
    direct::DIRECT_DOUBLE_BUFFERED,
    direct::DIRECT_WRITE_THROUGH,
    presized::WRITE_THROUGH,
    rayon_ranges::RAYON_RANGES,
    parallel_files::PARALLEL_FILES,
    std_copy::STD_COPY,
    memory_copy::MEMORY_COPY,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<CopyJob>] = &[
    linux::one_call::ONE_CALL,
    linux::read_ahead::READ_AHEAD,
    linux::huge_page_buffer::HUGE_PAGE_BUFFER,
    linux::presized_truncate::PRESIZED_TRUNCATE,
    linux::presized_truncate::PRESIZED_KEEP_SIZE,
    linux::presized_mmap_write::PRESIZED_MMAP_WRITE,
    linux::presized_mmap_write::PRESIZED_MMAP_READ_AHEAD,
    linux::presized_mmap_populate_ahead::PRESIZED_MMAP_POPULATE_AHEAD,
    linux::splice::PRESIZED_SPLICE,
    linux::sendfile::SENDFILE,
    linux::splice::SPLICE,
    linux::mmap_write_populate::MMAP_WRITE_POPULATE,
    linux::io_uring::IO_URING,
    linux::posix_aio_threads::POSIX_AIO_THREADS,
    linux::parallel_ranges::PARALLEL_RANGES,
    linux::uncached::UNCACHED,
    linux::reflink::REFLINK,
    linux::openat::OPENAT,
    linux::io_uring_files::IO_URING_FILES,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<CopyJob>] = &[
    windows::one_call::ONE_CALL,
    windows::presized_mmap_prefetch::PRESIZED_MMAP_PREFETCH,
    windows::copy_file_2::COPY_FILE_2,
    windows::copy_file_2::COPY_FILE_2_UNBUFFERED,
    windows::overlapped::OVERLAPPED_COPY,
    windows::completion_routines::COMPLETION_ROUTINES,
    windows::io_ring::IO_RING,
    windows::parallel_ranges::PARALLEL_RANGES,
    windows::reflink::REFLINK,
];
