//! The techniques; those that differ in a detail share a file. The three historical programs stand first, under their modern names.
//! What follows changes how the files are shared out, how they are read, then how the pattern is found. In a tree on Linux,
//! the sequential ones, `parallel_walk` and `rayon_walk` open files by name in their open folder, all others by whole path.
//!
//! What is left out, and why:
//! - `O_NOATIME` on Windows: there is no such flag, and NTFS writes no time of access unless it is asked to.
//! - Asynchronous reading on Windows (overlapped calls, IoRing): the families `copy` and `convert` compare these forms. A
//!   search reads and writes nothing else meanwhile, and `FILE_FLAG_SEQUENTIAL_SCAN` has the system read ahead already.
//! - The C library's `memmem` on Windows: the C runtime has none.
//! - Waiting for processes by `pidfd` and `epoll`: what a process found must be read from its pipe anyway, and the end of the
//!   pipe reports the end of the process. `poll` over a few dozen pipes costs nothing next to a start.
//! - `getdents64` through io_uring: the kernel has no such operation.

mod automata;
mod mmap;
mod naive_loop;
mod parallel_walk;
mod processes;
mod rayon_walk;
mod sequential;
mod split_mmap;
mod str_find;
mod stringzilla;
mod thread_per_file;
mod thread_pool;
mod whole_file;
mod windowed_mmap;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod io_uring;
    pub(super) mod libc_memmem;
    pub(super) mod noatime;
    pub(super) mod posix_aio;
}

#[cfg(windows)]
mod windows {
    pub(super) mod large_fetch;
}

use crate::contract::{Technique, joined};
use crate::search::job::SearchJob;

pub(super) const TECHNIQUES: &[Technique<SearchJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<SearchJob>] = &[
    processes::PROCESS_PER_FILE,
    thread_per_file::THREAD_PER_FILE,
    processes::PROCESS_IN_TURN,
    sequential::SEQUENTIAL,
    processes::PROCESS_PER_PROCESSOR,
    thread_pool::THREAD_POOL,
    thread_pool::SPLIT_RANGES,
    split_mmap::SPLIT_MMAP,
    parallel_walk::PARALLEL_WALK,
    rayon_walk::RAYON_WALK,
    whole_file::WHOLE_FILE,
    sequential::ROLLING_BUFFER,
    sequential::HINTED_LARGE_BUFFER,
    mmap::MMAP,
    mmap::MMAP_POPULATE,
    windowed_mmap::WINDOWED_MMAP,
    naive_loop::NAIVE_LOOP,
    str_find::STR_FIND,
    naive_loop::RARE_BYTE,
    stringzilla::STRINGZILLA,
    automata::AHO_CORASICK,
    automata::REGULAR_EXPRESSION,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<SearchJob>] = &[
    linux::noatime::NOATIME,
    linux::posix_aio::POSIX_AIO,
    linux::io_uring::IO_URING,
    linux::libc_memmem::LIBC_MEMMEM,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<SearchJob>] = &[windows::large_fetch::LARGE_FETCH];
