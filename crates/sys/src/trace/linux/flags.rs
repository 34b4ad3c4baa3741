//! The flags and operations that tell one use of a call from another.

use libc::c_int;

/// Where in a call a flag stands, under which mask, and with which value.
struct Flag {
    call: &'static str,
    argument: usize,
    mask: u64,
    value: u64,
    name: &'static str,
}

/// A flag of its own bits.
const fn bits(call: &'static str, argument: usize, value: c_int, name: &'static str) -> Flag {
    Flag { call, argument, mask: value as u32 as u64, value: value as u32 as u64, name }
}

/// One value of an argument that has several.
const fn is(call: &'static str, argument: usize, value: c_int, name: &'static str) -> Flag {
    Flag { call, argument, mask: 0xffff_ffff, value: value as u32 as u64, name }
}

/// An operation of `futex`; two bits next to it say between whom and by which clock.
const fn futex(operation: c_int, name: &'static str) -> Flag {
    Flag { call: "futex", argument: 1, mask: 127, value: operation as u64, name }
}

/// `FICLONE` and `FICLONERANGE` of `linux/fs.h`.
const FICLONE: c_int = 0x4004_9409;
const FICLONERANGE: c_int = 0x4020_940d;

const FLAGS: &[Flag] = &[
    bits("open", 1, libc::O_DIRECT, "O_DIRECT"),
    bits("open", 1, libc::O_SYNC, "O_SYNC"),
    bits("open", 1, libc::O_DSYNC, "O_DSYNC"),
    bits("open", 1, libc::O_NOATIME, "O_NOATIME"),
    bits("open", 1, libc::O_CREAT, "O_CREAT"),
    bits("openat", 2, libc::O_DIRECT, "O_DIRECT"),
    bits("openat", 2, libc::O_SYNC, "O_SYNC"),
    bits("openat", 2, libc::O_DSYNC, "O_DSYNC"),
    bits("openat", 2, libc::O_NOATIME, "O_NOATIME"),
    bits("openat", 2, libc::O_CREAT, "O_CREAT"),
    bits("mmap", 3, libc::MAP_POPULATE, "MAP_POPULATE"),
    bits("mmap", 3, libc::MAP_HUGETLB, "MAP_HUGETLB"),
    Flag { call: "mmap", argument: 3, mask: libc::MAP_ANONYMOUS as u64, value: 0, name: "file" },
    Flag { call: "mmap", argument: 3, mask: 0x0f, value: libc::MAP_SHARED as u64, name: "MAP_SHARED" },
    is("madvise", 2, libc::MADV_SEQUENTIAL, "MADV_SEQUENTIAL"),
    is("madvise", 2, libc::MADV_WILLNEED, "MADV_WILLNEED"),
    is("madvise", 2, libc::MADV_DONTNEED, "MADV_DONTNEED"),
    is("madvise", 2, libc::MADV_HUGEPAGE, "MADV_HUGEPAGE"),
    is("madvise", 2, libc::MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE"),
    is("madvise", 2, libc::MADV_POPULATE_READ, "MADV_POPULATE_READ"),
    is("madvise", 2, libc::MADV_POPULATE_WRITE, "MADV_POPULATE_WRITE"),
    is("fadvise64", 3, libc::POSIX_FADV_SEQUENTIAL, "POSIX_FADV_SEQUENTIAL"),
    is("fadvise64", 3, libc::POSIX_FADV_RANDOM, "POSIX_FADV_RANDOM"),
    is("fadvise64", 3, libc::POSIX_FADV_WILLNEED, "POSIX_FADV_WILLNEED"),
    is("fadvise64", 3, libc::POSIX_FADV_DONTNEED, "POSIX_FADV_DONTNEED"),
    is("fadvise64", 3, libc::POSIX_FADV_NOREUSE, "POSIX_FADV_NOREUSE"),
    bits("fallocate", 1, libc::FALLOC_FL_KEEP_SIZE, "FALLOC_FL_KEEP_SIZE"),
    bits("preadv2", 5, libc::RWF_DONTCACHE, "RWF_DONTCACHE"),
    bits("pwritev2", 5, libc::RWF_DONTCACHE, "RWF_DONTCACHE"),
    bits("pwritev2", 5, libc::RWF_DSYNC, "RWF_DSYNC"),
    bits("pwritev2", 5, libc::RWF_SYNC, "RWF_SYNC"),
    bits("msync", 2, libc::MS_SYNC, "MS_SYNC"),
    bits("msync", 2, libc::MS_ASYNC, "MS_ASYNC"),
    is("ioctl", 1, FICLONE, "FICLONE"),
    is("ioctl", 1, FICLONERANGE, "FICLONERANGE"),
    is("fcntl", 1, libc::F_SETPIPE_SZ, "F_SETPIPE_SZ"),
    is("fcntl", 1, libc::F_SETFL, "F_SETFL"),
    is("sched_setscheduler", 1, libc::SCHED_BATCH, "SCHED_BATCH"),
    bits("sync_file_range", 3, libc::SYNC_FILE_RANGE_WRITE as c_int, "SYNC_FILE_RANGE_WRITE"),
    bits("sync_file_range", 3, libc::SYNC_FILE_RANGE_WAIT_AFTER as c_int, "SYNC_FILE_RANGE_WAIT_AFTER"),
    futex(libc::FUTEX_WAIT, "FUTEX_WAIT"),
    futex(libc::FUTEX_WAIT_BITSET, "FUTEX_WAIT"),
    futex(libc::FUTEX_WAKE, "FUTEX_WAKE"),
    futex(libc::FUTEX_REQUEUE, "FUTEX_REQUEUE"),
    futex(libc::FUTEX_CMP_REQUEUE, "FUTEX_REQUEUE"),
];

/// The flags that a call has.
pub(super) fn told(call: &'static str, arguments: &[u64; 6]) -> impl Iterator<Item = &'static str> {
    let has = move |flag: &&Flag| flag.call == call && arguments[flag.argument] & flag.mask == flag.value;
    FLAGS.iter().filter(has).map(|flag| flag.name)
}
