//! How do I copy a file?
//!
//! Every technique opens the source, creates the destination, copies, and closes both inside the clock; with
//! durability it also waits for the device. The five historical programs stand first, under their modern names.

mod exhibit;
mod job;

mod c_stdio;
mod c_stdio_large_buffer;
mod memory_copy;
mod posix_layer;
mod std_copy;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod direct;
    pub(super) mod direct_double_buffered;
    pub(super) mod hinted_8k;
    pub(super) mod io_uring;
    pub(super) mod mmap_to_mmap;
    pub(super) mod mmap_write;
    pub(super) mod mmap_write_populate;
    pub(super) mod one_call;
    pub(super) mod parallel_ranges;
    pub(super) mod presized;
    pub(super) mod presized_keep_size;
    pub(super) mod presized_mmap_populate_ahead;
    pub(super) mod presized_mmap_read_ahead;
    pub(super) mod presized_mmap_write;
    pub(super) mod presized_splice;
    pub(super) mod presized_truncate;
    pub(super) mod read_write;
    pub(super) mod reflink;
    pub(super) mod sendfile;
    pub(super) mod small_buffer;
    pub(super) mod splice;
    pub(super) mod uncached;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    pub(super) mod direct;
    pub(super) mod hinted_8k;
    pub(super) mod io_ring;
    pub(super) mod mmap_to_mmap;
    pub(super) mod mmap_write;
    pub(super) mod one_call;
    pub(super) mod overlapped;
    pub(super) mod parallel_ranges;
    pub(super) mod presized;
    pub(super) mod read_write;
    pub(super) mod reflink;
    pub(super) mod small_buffer;

    #[cfg(test)]
    mod tests;
}

#[cfg(test)]
mod tests;

pub use exhibit::Copy;

use crate::contract::Technique;
use job::CopyJob;

/// The entry that is entered twice: fast, steady, and available wherever the family is.
const TWIN: &str = "read_write@256K";

#[cfg(target_os = "linux")]
const TECHNIQUES: &[Technique<CopyJob>] = &[
    c_stdio::C_STDIO,
    linux::small_buffer::SMALL_BUFFER,
    linux::hinted_8k::HINTED_8K,
    linux::one_call::ONE_CALL,
    posix_layer::POSIX_LAYER,
    c_stdio_large_buffer::C_STDIO_LARGE_BUFFER,
    linux::read_write::READ_WRITE,
    linux::presized::PRESIZED,
    linux::presized_truncate::PRESIZED_TRUNCATE,
    linux::presized_keep_size::PRESIZED_KEEP_SIZE,
    linux::presized_mmap_write::PRESIZED_MMAP_WRITE,
    linux::presized_mmap_read_ahead::PRESIZED_MMAP_READ_AHEAD,
    linux::presized_mmap_populate_ahead::PRESIZED_MMAP_POPULATE_AHEAD,
    linux::presized_splice::PRESIZED_SPLICE,
    linux::sendfile::SENDFILE,
    linux::splice::SPLICE,
    linux::mmap_write::MMAP_WRITE,
    linux::mmap_write_populate::MMAP_WRITE_POPULATE,
    linux::mmap_to_mmap::MMAP_TO_MMAP,
    linux::direct::DIRECT,
    linux::direct_double_buffered::DIRECT_DOUBLE_BUFFERED,
    linux::io_uring::IO_URING,
    linux::parallel_ranges::PARALLEL_RANGES,
    linux::uncached::UNCACHED,
    std_copy::STD_COPY,
    linux::reflink::REFLINK,
    memory_copy::MEMORY_COPY,
];

#[cfg(windows)]
const TECHNIQUES: &[Technique<CopyJob>] = &[
    c_stdio::C_STDIO,
    windows::small_buffer::SMALL_BUFFER,
    windows::hinted_8k::HINTED_8K,
    windows::one_call::ONE_CALL,
    posix_layer::POSIX_LAYER,
    c_stdio_large_buffer::C_STDIO_LARGE_BUFFER,
    windows::read_write::READ_WRITE,
    windows::presized::PRESIZED,
    windows::mmap_write::MMAP_WRITE,
    windows::mmap_to_mmap::MMAP_TO_MMAP,
    windows::direct::DIRECT,
    windows::overlapped::OVERLAPPED_COPY,
    windows::io_ring::IO_RING,
    windows::parallel_ranges::PARALLEL_RANGES,
    std_copy::STD_COPY,
    windows::reflink::REFLINK,
    memory_copy::MEMORY_COPY,
];
