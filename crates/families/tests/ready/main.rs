//! What must be ready on the machine where everything is tested: a technique that its probe refuses is tested there by no test.

use families::all;
use model::{Availability, Durability, Host, Setting};

/// Techniques that may be missing on every system, with a part of the sentence by which they are refused.
const MAY_BE_MISSING: &[(&str, &str)] = &[
    // Built in and tested by .ci/steps/simdutf and .ci/steps/stringzilla.
    ("convert/kernel_simdutf", "it was left out of this build"),
    ("search/stringzilla", "it was left out of this build"),
    // Not every processor has it.
    ("convert/kernel_vectorized_avx512", "this processor has no AVX-512"),
    ("blocks/avx512", "this processor has no AVX-512"),
    // Works under a memory limit only, which this setting has not.
    ("sort/external_merge_limited", "there is no limit"),
];

/// Facilities that the root of a machine of two processors lacks on ext4.
#[cfg(target_os = "linux")]
const MAY_BE_MISSING_HERE: &[(&str, &str)] = &[
    // Tested on disks of its own: see .ci/steps/shared-extents.
    ("copy/reflink", "it needs btrfs"),
    // Measured and proven by .ci/steps/huge-pages, which sets pages aside.
    ("blocks/huge_pages", "no huge page is set aside"),
];

/// Facilities that Wine 8 lacks on the file systems of a Linux machine.
#[cfg(windows)]
const MAY_BE_MISSING_HERE: &[(&str, &str)] = &[
    // Wine clones no blocks, whatever the file system below can do.
    ("copy/reflink", "it needs ReFS"),
    ("copy/copy_file_2", "CopyFile2"),
    ("copy/copy_file_2_unbuffered", "CopyFile2"),
    ("copy/io_ring", "IoRing cannot be used"),
    ("convert/io_ring", "IoRing cannot be used"),
    // Wine gives no right to lock pages in memory.
    ("blocks/huge_pages", "no large page can be had"),
    ("clock/query_interrupt_time", "this Windows has no QueryInterruptTime"),
    ("clock/query_interrupt_time_precise", "this Windows has no QueryInterruptTimePrecise"),
    ("clock/query_unbiased_interrupt_time_precise", "this Windows has no QueryUnbiasedInterruptTimePrecise"),
];

#[test]
#[ignore = "asks for the machine where everything is tested: .ci/steps/ready runs it"]
fn techniques_are_ready_unless_what_they_need_is_missing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let setting = Setting::warm(folder.path(), Durability::Returned);
    let may_be_missing = [MAY_BE_MISSING, MAY_BE_MISSING_HERE].concat();
    let mut missing = Vec::new();
    let mut known = Vec::new();
    for family in all() {
        for entry in family.entries() {
            let name = format!("{}/{}", family.name(), entry.technique());
            known.push(name.clone());
            if let Availability::Missing(sentence) = family.probe(&entry.name, &Host::default(), &setting) {
                missing.push((name, sentence));
            }
        }
    }
    missing.retain(|(name, sentence)| {
        !may_be_missing.iter().any(|(entry, reason)| entry == name && sentence.contains(reason))
    });
    assert!(missing.is_empty(), "these must be ready here, in {}: {missing:#?}", folder.path().display());
    for (entry, _) in &may_be_missing {
        assert!(known.iter().any(|name| name == entry), "{entry} is the name of no technique");
    }
}
