//! The techniques; those that differ in a detail share a file. What exists on every system is listed first, and the
//! historical programs before the others, under their modern names.
//!
//! Left out, each with its reason:
//! - intrinsics for `vpmovzxbw`: compilers make the same of the plain loop (`kernel_vectorized_avx2`);
//! - one pass over each byte by simdutf: it has no call that converts ASCII and stops at other bytes, so `kernel_simdutf`
//!   looks at 16 KiB and then converts them;
//! - `MAP_POPULATE` for a whole file: `MADV_POPULATE_READ` piece by piece does the same with less memory in use at a time;
//! - `io_submit`, the asynchronous calls of the kernel before io_uring: without `O_DIRECT` they are done before they return;
//! - on Windows, `O_NOATIME`, `RWF_DONTCACHE`, `SIGEV_THREAD` and `MADV_POPULATE_READ`: it has none of them. NTFS notes the
//!   time of access late or never, and `completion_routines` is what calls a routine there;
//! - `PrefetchVirtualMemory` on Windows: it reads from the device, but no call spares the fault of a page's first touch. The
//!   families `copy` (`presized_mmap_prefetch`) and `search` (`mmap_populate`) compare it;
//! - `SetFileValidData`, which spares Windows the zeros of a presized file: it takes an administrator's privilege and shows
//!   what was on the disk before.

mod direct;
mod double_buffered;
pub(super) mod kernel_encoding_rs;
pub(super) mod kernel_scalar;
pub(super) mod kernel_simdutf;
mod kernel_vectorized;
mod memory_convert;
mod mmap_to_mmap;
mod mmap_write;
mod parallel_mapping;
mod parallel_regions;
mod presized;
mod rayon_regions;
mod read_write;
mod split_mapping;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod completion_callback;
    pub(super) mod io_uring;
    pub(super) mod mmap_to_mmap_populate;
    pub(super) mod posix_aio;
    pub(super) mod presized_mmap_populate_ahead;
    pub(super) mod presized_mmap_write;
    pub(super) mod presized_no_atime;
    pub(super) mod uncached;
}

#[cfg(windows)]
mod windows {
    pub(super) mod completion_port;
    pub(super) mod completion_routines;
    pub(super) mod io_ring;
    pub(super) mod overlapped_events;
}

#[cfg(target_os = "linux")]
use linux::presized_mmap_write::convert_with as convert_by_best_mover;

use crate::contract::{Technique, joined};
use crate::convert::job::ConvertJob;

/// Converts as all techniques do that are about kernels.
#[cfg(windows)]
fn convert_by_best_mover(
    job: &ConvertJob, kernel: crate::convert::kernel::Kernel, notes: &mut crate::convert::job::Notes,
) -> std::io::Result<()> {
    presized::convert_through(job, kernel, 256 << 10, notes)
}

pub(crate) const TECHNIQUES: &[Technique<ConvertJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<ConvertJob>] = &[
    read_write::SMALL_BUFFER,
    read_write::HINTED_SMALL,
    read_write::LARGE_BUFFER_8K,
    read_write::HINTED_8K,
    presized::PRESIZED_HINTED_8K,
    mmap_to_mmap::MMAP_TO_MMAP_UNHINTED,
    parallel_regions::PARALLEL_RECORDS,
    parallel_regions::PARALLEL_REGIONS,
    read_write::READ_WRITE,
    presized::PRESIZED,
    presized::PRESIZED_HINTED,
    double_buffered::DOUBLE_BUFFERED,
    rayon_regions::RAYON_REGIONS,
    mmap_to_mmap::MMAP_TO_MMAP,
    mmap_to_mmap::MMAP_TO_MMAP_STREAMING,
    split_mapping::SPLIT_MAPPING,
    parallel_mapping::PARALLEL_MAPPING,
    mmap_write::MMAP_WRITE,
    direct::DIRECT,
    direct::DIRECT_DOUBLE_BUFFERED,
    direct::DIRECT_WRITE_THROUGH,
    kernel_scalar::KERNEL_SCALAR,
    kernel_vectorized::KERNEL_VECTORIZED_SSE2,
    kernel_vectorized::KERNEL_VECTORIZED_AVX2,
    kernel_vectorized::KERNEL_VECTORIZED_AVX512,
    kernel_encoding_rs::KERNEL_ENCODING_RS,
    kernel_simdutf::KERNEL_SIMDUTF,
    memory_convert::MEMORY_CONVERT,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<ConvertJob>] = &[
    linux::io_uring::IO_URING_32K,
    linux::completion_callback::COMPLETION_CALLBACK_8K,
    linux::io_uring::IO_URING,
    linux::completion_callback::COMPLETION_CALLBACK,
    linux::posix_aio::POSIX_AIO,
    linux::posix_aio::POSIX_AIO_CALLBACK,
    linux::presized_no_atime::PRESIZED_NO_ATIME,
    linux::uncached::UNCACHED,
    linux::mmap_to_mmap_populate::MMAP_TO_MMAP_POPULATE,
    linux::presized_mmap_write::PRESIZED_MMAP_WRITE,
    linux::presized_mmap_write::PRESIZED_MMAP_READ_AHEAD,
    linux::presized_mmap_populate_ahead::PRESIZED_MMAP_POPULATE_AHEAD,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<ConvertJob>] = &[
    windows::overlapped_events::OVERLAPPED_EVENTS_32K,
    windows::completion_routines::COMPLETION_ROUTINES_8K,
    windows::overlapped_events::OVERLAPPED_EVENTS,
    windows::completion_routines::COMPLETION_ROUTINES,
    windows::completion_port::COMPLETION_PORT,
    windows::io_ring::IO_RING,
];
