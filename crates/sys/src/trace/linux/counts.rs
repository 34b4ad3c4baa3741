//! The calls that are counted, by their number.

use std::collections::{BTreeMap, HashMap};

use libc::c_int;
use model::SystemCall;
use syscalls::Sysno;

use super::super::{Edge, Scope};
use super::edge_of;

/// The kernel's mark of a process whose calls have 64-bit numbers of their own.
const IS_64_BIT: u32 = 0x8000_0000;

/// Calls whose return value is a number of bytes that they moved.
const MOVERS: &str = "read readv pread64 preadv preadv2 recvfrom recvmsg mq_timedreceive getrandom write writev pwrite64 pwritev \
                      pwritev2 sendto sendmsg sendfile splice tee vmsplice copy_file_range";
/// Calls whose return value is a number of requests that they handed over.
const SUBMITTERS: &str = "io_uring_enter io_submit";

/// A call: the architecture that its number belongs to, and the number.
type Number = (u32, u64);

pub(super) struct Made(Number);

#[derive(Default)]
struct Count {
    calls: u64,
    errors: u64,
    unreturned: u64,
    moved: u64,
    flags: BTreeMap<&'static str, u64>,
}

#[derive(Default)]
pub(super) struct Counts {
    by_number: HashMap<Number, Count>,
    scope: Scope,
    /// The call that started the program is still to be counted: it had begun before there was a trace.
    is_started: bool,
    begun: bool,
    over: bool,
    /// A call that begins now lies between two marks that let it count.
    is_on: bool,
    pub(super) processes: u64,
    pub(super) threads: u64,
}

impl Counts {
    pub(super) fn new(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    pub(super) fn started_program(&mut self) {
        self.is_started = self.scope == Scope::Whole;
    }

    pub(super) fn is_marked(&self) -> bool {
        self.begun && self.over
    }

    pub(super) fn is_counting(&self) -> bool {
        self.scope == Scope::Whole || self.is_on && !self.over
    }

    fn marked(&mut self, edge: Edge) {
        match edge {
            Edge::Begin => (self.begun, self.is_on) = (true, true),
            Edge::End => self.over = true,
            Edge::Pause => self.is_on = false,
            Edge::Resume => self.is_on = true,
        }
    }

    /// Takes note of a call that begins. The marks themselves are no part of the work.
    pub(super) fn began(&mut self, arch: u32, number: u64, arguments: &[u64; 6]) -> Option<Made> {
        let is_own = number == libc::SYS_prctl as u64;
        if let Some(edge) = edge_of(arguments).filter(|_| is_own && self.scope == Scope::Marked) {
            self.marked(edge);
            return None;
        }
        if !self.is_counting() {
            return None;
        }
        if std::mem::take(&mut self.is_started) {
            self.by_number.entry((arch, libc::SYS_execve as u64)).or_default().calls += 1;
        }
        let count = self.by_number.entry((arch, number)).or_default();
        count.calls += 1;
        if let Some(call) = known(arch, number) {
            flags_of(call.name(), arguments).for_each(|flag| *count.flags.entry(flag).or_default() += 1);
        }
        Some(Made((arch, number)))
    }

    pub(super) fn returned(&mut self, made: &Made, value: i64, is_error: bool) {
        let count = self.by_number.entry(made.0).or_default();
        if is_error { count.errors += 1 } else { count.moved += u64::try_from(value).unwrap_or(0) }
    }

    pub(super) fn did_not_return(&mut self, made: &Made) {
        self.by_number.entry(made.0).or_default().unreturned += 1;
    }

    pub(super) fn calls(&self) -> Vec<SystemCall> {
        let calls = self.by_number.iter().map(|(number, count)| call(*number, count));
        let mut calls: Vec<SystemCall> = calls.collect();
        calls.sort_by(|one, other| other.calls.cmp(&one.calls).then_with(|| one.name.cmp(&other.name)));
        calls
    }
}

/// Returns a call of this architecture, whose numbers have names.
fn known(arch: u32, number: u64) -> Option<Sysno> {
    Sysno::new(number as usize).filter(|_| arch & IS_64_BIT != 0)
}

fn call((arch, number): Number, count: &Count) -> SystemCall {
    let known = known(arch, number);
    let name = match (known, arch & IS_64_BIT) {
        (Some(known), _) => known.name().to_owned(),
        (None, 0) => format!("32-bit call {number}"),
        (None, _) => format!("call {number}"),
    };
    let own = known.map_or("", |known| known.name());
    SystemCall {
        name,
        calls: count.calls,
        errors: count.errors,
        unreturned: count.unreturned,
        bytes: MOVERS.split(' ').any(|name| name == own).then_some(count.moved),
        requests: SUBMITTERS.split(' ').any(|name| name == own).then_some(count.moved),
        flags: count.flags.iter().map(|(&flag, &times)| (flag.to_owned(), times)).collect(),
    }
}

struct Flag {
    call: &'static str,
    argument: usize,
    mask: u64,
    value: u64,
    name: &'static str,
}

/// Returns a flag of its own bits.
const fn bits(call: &'static str, argument: usize, value: c_int, name: &'static str) -> Flag {
    Flag { call, argument, mask: value as u32 as u64, value: value as u32 as u64, name }
}

/// Returns one value of an argument that has several.
const fn is(call: &'static str, argument: usize, value: c_int, name: &'static str) -> Flag {
    Flag { call, argument, mask: 0xffff_ffff, value: value as u32 as u64, name }
}

/// Returns an operation of `futex`; two bits next to it say between whom and by which clock.
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
    is("io_uring_enter", 2, 0, "min_complete=0"),
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

fn flags_of(call: &'static str, arguments: &[u64; 6]) -> impl Iterator<Item = &'static str> {
    // `openat` takes what `open` takes behind its folder.
    let (call, arguments) = if call == "openat" { ("open", &arguments[1..]) } else { (call, &arguments[..]) };
    let own = FLAGS.iter().filter(move |flag| flag.call == call);
    own.filter(|flag| arguments[flag.argument] & flag.mask == flag.value).map(|flag| flag.name)
}
