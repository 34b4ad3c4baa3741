//! The techniques; those that differ in a detail share a file. What exists on every system is listed first, and the
//! published ones before the others.
//!
//! Left out, each for a reason:
//!
//! - `RWF_SYNC` and `O_SYNC` past the cache: they differ from `RWF_DSYNC` and `O_DSYNC` as `synchronous` does from `write_through`.
//! - `IORING_SETUP_IOPOLL`: it needs queues that the device polls, which most hosts have not set up.
//! - POSIX AIO: the C library does it with threads and plain calls.
//! - `O_SYNC`, `sync_file_range` and `RWF_DONTCACHE` on Windows, which has nothing like them.
//! - IoRing on Windows: a queue of overlapped calls does the same on every Windows.
//! - Writing to a new file: that is what `copy` measures.

mod c_stdio;
mod direct;
mod mmap;
mod read_write;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod io_uring;
    pub(super) mod synchronous;
    pub(super) mod uncached;
    pub(super) mod write_behind;
}

#[cfg(windows)]
mod windows {
    pub(super) mod overlapped;
}

use model::{Axis, Class, Durability, Values, Workload};

use crate::contract::{Technique, joined};
use crate::disk::buffer_room;
use crate::disk::job::{DiskJob, Prepared};
use crate::disk::workload::{Phase, durability, phases, with_rewriting_only};

pub(super) const fn depth(values: &'static [u64]) -> Axis {
    Axis { name: "depth", meaning: "pieces in flight", values: Values::Counts(values) }
}

/// A technique whose pieces lie in buffers of its own, for which the memory must have room.
pub(super) const fn buffered(prepare: fn(&DiskJob) -> Prepared<'_>) -> Technique<DiskJob> {
    Technique {
        fits: |point, workload, setting| buffer_room::of_buffers(point, workload, setting, 0),
        ..Technique::usual(prepare)
    }
}

/// A technique with buffers that flushes each piece: it differs from the others in rewriting only.
pub(super) const fn flushing_each(prepare: fn(&DiskJob) -> Prepared<'_>) -> Technique<DiskJob> {
    Technique { class: Class::FlushesEachPiece, suits: with_rewriting_only, ..buffered(prepare) }
}

/// What a technique past the file cache needs.
pub(super) const PAST_CACHE: &str = "a file system that reads and writes past the file cache";

/// The calls that each reading and each rewriting phase makes, or with a `!` does not make, as often as there are phases. Where
/// rewriting ends when its calls have returned, nothing flushes behind them.
fn in_phases(workload: &Workload, reading: &[&str], rewriting: &[&str]) -> Vec<String> {
    let mut expected: Vec<(&str, u64)> = Vec::new();
    for phase in phases(workload).unwrap_or_default() {
        let calls = match phase {
            Phase::Read | Phase::Reread => reading,
            Phase::Rewrite => rewriting,
        };
        let ends_without = durability(workload) == Durability::Returned;
        for &call in calls {
            let call = if ends_without && call == "fdatasync" { "!fdatasync" } else { call };
            match expected.iter_mut().find(|(known, _)| *known == call) {
                Some((_, times)) => *times += 1,
                None => expected.push((call, 1)),
            }
        }
    }
    let each = expected.into_iter().map(|(call, times)| {
        let is_counted = times > 1 && !call.starts_with('!') && !call.contains('*');
        if is_counted { format!("{call} *{times}") } else { call.to_owned() }
    });
    each.collect()
}

pub(super) const TECHNIQUES: &[Technique<DiskJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<DiskJob>] = &[
    c_stdio::C_STDIO,
    c_stdio::C_STDIO_UNBUFFERED,
    read_write::READ_WRITE,
    mmap::MMAP_FLUSH_EACH,
    c_stdio::C_STDIO_LARGE_BUFFER,
    mmap::MMAP,
    mmap::MMAP_ONCE,
    direct::DIRECT,
    read_write::FLUSH_EACH,
    read_write::WRITE_THROUGH,
    direct::DIRECT_WRITE_THROUGH,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<DiskJob>] = &[
    linux::synchronous::SYNCHRONOUS,
    linux::synchronous::WRITE_DSYNC,
    linux::write_behind::WRITE_BEHIND,
    linux::uncached::UNCACHED,
    linux::io_uring::IO_URING,
    linux::io_uring::IO_URING_DIRECT,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<DiskJob>] = &[windows::overlapped::OVERLAPPED];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_call_is_expected_of_each_phase_that_runs() {
        fn of(chosen: &str, end: &str) -> Vec<String> {
            let workload = Workload::default().with("phases", chosen).with("durability", end);
            in_phases(&workload, &["open", "pread64", "!read"], &["open", "fdatasync", "fdatasync *mmap"])
        }
        assert_eq!(of("all", "durable"), ["open *3", "pread64 *2", "!read", "fdatasync", "fdatasync *mmap"]);
        assert_eq!(of("read", "durable"), ["open", "pread64", "!read"]);
        assert_eq!(of("rewrite", "durable"), ["open", "fdatasync", "fdatasync *mmap"]);
        // No flush behind calls whose return ends the work, but that of each piece.
        assert_eq!(of("rewrite", "returned"), ["open", "!fdatasync", "fdatasync *mmap"]);
    }
}
