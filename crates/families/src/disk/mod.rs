//! How do I read, rewrite and reread a file on a disk?
//!
//! Every technique reads a file piece by piece, rewrites it in place with changed data, and reads it once more. Each phase
//! opens and closes the file inside its own clock. Its memory and the new data are there before.
//!
//! Rewriting ends when all is on the device, unless the workload says that it ends when its calls have returned: a clock that stops
//! there leaves the rest to the next phase. That moment is a metric of its own. Techniques that flush each piece promise more than
//! those that flush once, and have a class of their own.
//!
//! The file begins outside the file cache, and the memory of the worker is limited together with its part of the cache. Where
//! nothing limits that, the file is taken out of the cache before each phase.

mod content;
mod files;
mod job;
mod pieces;
mod workload;

mod buffer_room;
mod in_flight;
mod in_turn;
mod mapped;
mod passes;
mod past_cache;
mod stream;

mod techniques;

#[cfg_attr(target_os = "linux", path = "linux/queue.rs")]
#[cfg_attr(windows, path = "windows/queue.rs")]
mod queue;
#[cfg_attr(target_os = "linux", path = "linux/system.rs")]
#[cfg_attr(windows, path = "windows/system.rs")]
mod system;

#[cfg(test)]
mod tests;

use model::{Cache, Metric};

use crate::contract::{AnyFamily, Curve, Family};
use job::DiskJob;
use techniques::TECHNIQUES;

/// How do I read, rewrite and reread a file on a disk?
pub static DISK: &dyn AnyFamily = &Family::<DiskJob> {
    name: "disk",
    question: "How do I read, rewrite and reread a file on a disk?",
    baseline: "read_write",
    class_baselines: &["flush_each"],
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    set: workload::set,
    check: workload::check,
    // Another repetition begins outside the file cache again.
    consumes_its_input: true,
    usual_bytes_per_second: Some(200_000_000),
    metrics: &[
        Metric::WORK,
        Metric::more("read_bytes_per_second", "the rate of the first reading"),
        Metric::more("rewrite_bytes_per_second", "the rate of rewriting"),
        Metric::more(passes::RETURNED, "the rate of rewriting until its calls have returned"),
        Metric::more("reread_bytes_per_second", "the rate of rereading"),
        Metric::less("read_kib_ns", "the time of the first reading for a kibibyte"),
        Metric::less("rewrite_kib_ns", "the time of rewriting for a kibibyte"),
        Metric::less("reread_kib_ns", "the time of rereading for a kibibyte"),
        Metric::less("reread_device_bytes", "the bytes that rereading fetched"),
        Metric::less("refaults", "the pages that were fetched again"),
    ],
    curve: Some(Curve {
        along: workload::PIECE_BYTES,
        techniques: &["read_write", "direct", "c_stdio", "mmap"],
        levels: &["4K", "1M"],
    }),
    cache: Some(Cache::Cold),
    durability: Some(workload::durability),
    memory_bytes: Some(workload::memory_bytes),
    files: Some(files::FILES),
    ..Family::usual(DiskJob::of, files::expected)
};
