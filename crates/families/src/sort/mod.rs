//! How do I sort a file of records?
//!
//! Every technique opens the input, brings its records into ascending order of their keys, writes them to a new file and
//! closes both inside the clock; with durability it also waits for the device. Records of equal keys may stand in any
//! order. The historical programs stand first, under their modern names.
//!
//! With `output=suppressed` nothing is written, and the work is still equal: every technique leaves all records in memory, one
//! behind the other in their new order, where the proof reads them. Some move records while they sort; those that only find
//! the order gather the records at the end. `memory_copy` is the limit of both.
//!
//! Giving memory back is inside the clock, as the ends of threads are: when a technique returns, it holds nothing but the
//! sorted records of a suppressed output. No buffer is larger than the file.
//!
//! Left out, each for a reason:
//! - vqsort: its crate links to a libhwy that the system must bring, which the cross compiler for Windows has not.
//!   `voracious_sort`, `rdst_sort` and `lsd_radix` are the library and radix sorts of numbers here.
//! - ips4o and ips2ra: C++ headers without a crate, with OpenMP or TBB beside them. `sample_sort` and `parallel_radix` work by
//!   the same ideas.
//! - Stores past the caches for records that are scattered or gathered: what is gathered is read again at once by the write
//!   that follows, and a scattered tag does not fill a line, which such a store has to.
//! - IoRing below the external merge on Windows: it would be the same blocks in flight as the completion port's.

mod files;
mod generate;
mod job;
mod layout;
mod proof;
mod workload;

mod beside;
mod crew;
mod digits;
mod external;
mod gather;
mod in_flight;
mod loser_tree;
mod merge;
mod ordered;
mod packed_order;
mod packing;
mod partition;
mod pool;
mod qsort;
mod radix;
mod room;
mod shared;
mod source;
mod tags;
mod threads;
mod tree;
mod typed;

mod binary_search_tree;
mod binary_search_tree_arena;
mod btree;
mod cached_key;
mod external_merge;
mod external_merge_direct;
mod external_merge_limited;
mod heap_qsort;
mod index_file;
mod index_file_reused;
mod lsd_radix;
mod mapped_qsort;
mod mapped_qsort_serialized_heap;
mod memory_copy;
mod msd_radix;
mod parallel_radix;
mod parallel_radix_mapped;
mod rayon_sort;
mod rayon_sort_records;
mod rdst_sort;
mod sample_sort;
mod sort_unstable;
mod tag_sort;
mod tag_sort_parallel;
mod threads_1;
mod threads_2;
mod threads_4;
mod voracious_sort;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod direct;
    mod heap;

    pub(super) mod system;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    pub(super) mod direct;
    mod heap;

    pub(super) mod system;
}

#[cfg(target_os = "linux")]
use linux::{direct, system};
#[cfg(windows)]
use windows::{direct, system};

#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::path::{Path, PathBuf};

use model::{Cache, Durability};

use crate::contract::{AnyFamily, Family, Technique};
use job::SortJob;
use workload::Shape;

/// How do I sort a file of records?
pub static SORT: &dyn AnyFamily = &FAMILY;

static FAMILY: Family<SortJob> = Family {
    name: "sort",
    question: "How do I sort a file of records?",
    reference: "sort_unstable",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    set: workload::set,
    // The length of a file must fit to the length of the records, which may be set after the file was named.
    check: |workload| {
        let shape = Shape::of(workload).map_err(|refused| refused.to_string())?;
        let named = workload.files.first().map_or(Path::new("--size"), PathBuf::as_path);
        shape.records(named).map(drop).map_err(|refused| refused.to_string())
    },
    // The output of the first repetition would make the second another piece of work.
    consumes_its_input: true,
    usual_bytes_per_second: Some(1_000_000_000),
    files: Some(files::FILES),
    ..Family::usual(
        |trial, parameters| {
            let shape = Shape::of(&trial.workload)?;
            Ok(SortJob {
                input: files::input_of(&trial.workload, &trial.scratch)?,
                output: trial.scratch.join(files::OUTPUT),
                index: trial.scratch.join(files::INDEX),
                kept_index: files::index_of(&trial.workload, &trial.scratch)?,
                runs: trial.scratch.join(files::RUNS),
                layout: shape.layout,
                bytes: shape.bytes,
                written: shape.written,
                durable: trial.setting.durability == Durability::Durable,
                cold: trial.setting.cache == Cache::Cold,
                parameters,
                processors: NonZero::new(trial.setting.processors.len()),
                memory_limit_bytes: trial.setting.memory_limit_bytes,
            })
        },
        |workload, scratch| {
            let layout = Shape::of(workload)?.layout;
            proof::proof_once_sorted(&files::input_of(workload, scratch)?, layout)
        },
    )
};

const TECHNIQUES: &[Technique<SortJob>] = &[
    binary_search_tree::BINARY_SEARCH_TREE,
    mapped_qsort::MAPPED_QSORT,
    mapped_qsort_serialized_heap::MAPPED_QSORT_SERIALIZED_HEAP,
    heap_qsort::HEAP_QSORT,
    index_file::INDEX_FILE,
    index_file_reused::INDEX_FILE_REUSED,
    threads_1::THREADS_1,
    threads_2::THREADS_2,
    threads_4::THREADS_4,
    binary_search_tree_arena::BINARY_SEARCH_TREE_ARENA,
    btree::BTREE,
    sort_unstable::SORT_UNSTABLE,
    cached_key::CACHED_KEY,
    tag_sort::TAG_SORT,
    tag_sort_parallel::TAG_SORT_PARALLEL,
    lsd_radix::LSD_RADIX,
    msd_radix::MSD_RADIX,
    rdst_sort::RDST_SORT,
    voracious_sort::VORACIOUS_SORT,
    rayon_sort::RAYON_SORT,
    rayon_sort_records::RAYON_SORT_RECORDS,
    sample_sort::SAMPLE_SORT,
    parallel_radix::PARALLEL_RADIX,
    parallel_radix_mapped::PARALLEL_RADIX_MAPPED,
    external_merge::EXTERNAL_MERGE,
    external_merge_direct::EXTERNAL_MERGE_DIRECT,
    external_merge_limited::EXTERNAL_MERGE_LIMITED,
    memory_copy::MEMORY_COPY,
];
