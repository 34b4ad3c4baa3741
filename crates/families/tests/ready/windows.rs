//! What Wine 8 lacks on the file systems of a Linux machine.

/// Techniques with a part of the sentence by which they are refused.
pub(super) const MAY_BE_MISSING: &[(&str, &str)] = &[
    ("copy/copy_file_2", "CopyFile2"),
    ("copy/copy_file_2_unbuffered", "CopyFile2"),
    ("copy/io_ring", "IoRing cannot be used"),
    ("convert/io_ring", "IoRing cannot be used"),
    // Wine clones no blocks, whatever the file system below can do.
    ("copy/reflink", "this file system shares no extents"),
    // Built in and tested by the steps that install their compilers.
    ("convert/kernel_simdutf", "it was left out of this build"),
    ("search/stringzilla", "it was left out of this build"),
    // Not every processor has it.
    ("convert/kernel_vectorized_avx512", "this processor has no AVX-512"),
    ("blocks/avx512", "this processor has no AVX-512"),
    // Wine gives no right to lock pages in memory.
    ("blocks/huge_pages", "no large page can be had"),
    ("clock/query_interrupt_time", "this Windows has no QueryInterruptTime"),
    ("clock/query_interrupt_time_precise", "this Windows has no QueryInterruptTimePrecise"),
    ("clock/query_unbiased_interrupt_time_precise", "this Windows has no QueryUnbiasedInterruptTimePrecise"),
    // Works under a memory limit only, which this setting has not.
    ("sort/external_merge_limited", "there is no limit"),
];
