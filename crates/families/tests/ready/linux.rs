//! What the root of a machine of two processors lacks on ext4.

/// Techniques with a part of the sentence by which they are refused.
pub(super) const MAY_BE_MISSING: &[(&str, &str)] = &[
    // Tested on disks of its own: see .ci/steps/shared-extents.
    ("copy/reflink", "this file system shares no extents"),
    // Built in and tested by .ci/steps/simdutf and .ci/steps/stringzilla.
    ("convert/kernel_simdutf", "it was left out of this build"),
    ("search/stringzilla", "it was left out of this build"),
    // Measured and proven by .ci/steps/huge-pages, which sets pages aside.
    ("blocks/huge_pages", "no huge page is set aside"),
    // Not every processor has it.
    ("convert/kernel_vectorized_avx512", "this processor has no AVX-512"),
    ("blocks/avx512", "this processor has no AVX-512"),
    // Works under a memory limit only, which this setting has not.
    ("sort/external_merge_limited", "there is no limit"),
];
