//! The techniques; those that differ in a detail share a file. The historical programs stand first, under their modern names.
//!
//! Left out, each for a reason:
//! - vqsort: its crate links to a libhwy that the system must bring, which the cross compiler for Windows has not.
//!   `voracious_sort`, `rdst_sort` and `lsd_radix` are the library and radix sorts of numbers here.
//! - ips4o and ips2ra: C++ headers without a crate, with OpenMP or TBB next to them. `sample_sort` and `parallel_radix` work by
//!   the same ideas.
//! - Stores past the caches for records that are scattered or gathered: what is gathered is read again at once by the write
//!   that follows, and a scattered tag does not fill a line, which such a store has to.
//! - `msync` of a mapped output that must be durable: the flush that every technique ends with (`fdatasync`) writes changed
//!   pages of a mapping, too.
//! - IoRing below the external merge on Windows: it would be the same blocks in flight as the completion port's.

mod binary_search_tree;
mod btree;
mod external_merge;
mod heap_qsort;
mod index_file;
mod lsd_radix;
mod mapped_qsort;
mod memory_copy;
mod msd_radix;
mod parallel_radix;
mod rayon_sort;
mod rdst_sort;
mod sample_sort;
mod sort_unstable;
mod tag_sort;
mod tag_sort_parallel;
mod threads;
mod voracious_sort;

use crate::contract::Technique;
use crate::sort::job::SortJob;

pub(super) const TECHNIQUES: &[Technique<SortJob>] = &[
    binary_search_tree::BINARY_SEARCH_TREE_BY_BYTE,
    mapped_qsort::MAPPED_QSORT,
    mapped_qsort::MAPPED_QSORT_SERIALIZED_HEAP,
    heap_qsort::HEAP_QSORT,
    index_file::INDEX_FILE_BY_CALLS,
    threads::THREADS_1,
    threads::THREADS_2,
    threads::THREADS_4,
    binary_search_tree::BINARY_SEARCH_TREE,
    binary_search_tree::BINARY_SEARCH_TREE_SERIALIZED_HEAP,
    binary_search_tree::BINARY_SEARCH_TREE_ARENA,
    index_file::INDEX_FILE,
    index_file::INDEX_FILE_REUSED,
    btree::BTREE,
    sort_unstable::SORT_UNSTABLE,
    sort_unstable::CACHED_KEY,
    tag_sort::TAG_SORT,
    tag_sort_parallel::TAG_SORT_PARALLEL,
    lsd_radix::LSD_RADIX,
    msd_radix::MSD_RADIX,
    rdst_sort::RDST_SORT,
    voracious_sort::VORACIOUS_SORT,
    rayon_sort::RAYON_SORT,
    rayon_sort::RAYON_SORT_RECORDS,
    sample_sort::SAMPLE_SORT,
    parallel_radix::PARALLEL_RADIX,
    parallel_radix::PARALLEL_RADIX_MAPPED,
    external_merge::EXTERNAL_MERGE,
    external_merge::EXTERNAL_MERGE_DIRECT,
    external_merge::EXTERNAL_MERGE_LIMITED,
    memory_copy::MEMORY_COPY,
];
