//! How do I sort a file of records?
//!
//! Every technique opens the input, brings its records into ascending order of their keys, writes them to a new file and
//! closes both inside the clock; with durability it also waits for the device. Records of equal keys may stand in any
//! order. The historical programs stand first, under their modern names.

mod exhibit;
mod generate;
mod job;
mod layout;
mod proof;
mod workload;

mod crew;
mod digits;
mod external;
mod gather;
mod loser_tree;
mod merge;
mod ordered;
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
    mod heap;

    pub(super) mod system;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    mod heap;

    pub(super) mod system;
}

#[cfg(target_os = "linux")]
use linux::system;
#[cfg(windows)]
use windows::system;

#[cfg(test)]
mod tests;

pub use exhibit::Sort;

use crate::contract::Technique;
use job::SortJob;

/// The entry that is entered twice: fast, steady, and available wherever the family is.
const TWIN: &str = "tag_sort";

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
    external_merge_limited::EXTERNAL_MERGE_LIMITED,
    memory_copy::MEMORY_COPY,
];
