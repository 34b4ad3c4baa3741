use crate::sort::external::{Way, sort_within};
use crate::sort::prelude::*;

pub(in crate::sort) const EXTERNAL_MERGE: Technique<SortJob> = Technique {
    name: "external_merge",
    idea: "parallel_radix on as much as fits, into runs in a scratch file; one merge by a tree of losers, with a \
           second thread that reads and writes large blocks",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4",
    parameters: &[memory_bytes(&[16 << 20, 64 << 20])],
    calls: &["!open O_DIRECT|openat O_DIRECT"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_within(job, account, number_on(&job.parameters, "memory_bytes")?, Way::Cached)
        })
    })
};

#[cfg(test)]
mod tests {
    use model::{Availability, Durability, Setting};

    use crate::sort::SORT;
    use crate::sort::tests::{setting, sorted, try_sorted, workload};
    use crate::testing::generated;

    #[test]
    fn an_external_merge_of_many_runs_is_sorted_and_leaves_no_run() {
        for (records, layout, memory) in [
            (100_000, (64, 8), "3M"),
            (300_000, (64, 8), "4M"),
            (90_000, (100, 90), "4M"),
            (900_000, (8, 3), "4M"),
        ] {
            let workload = workload(records, &[], layout);
            let (scratch, expected) = generated(SORT, &workload, 5);
            for name in ["external_merge", "external_merge_direct"] {
                let entry = format!("{name}@{memory}");
                let setting = setting(scratch.path(), Durability::Returned);
                if SORT.probe(&entry, &model::Host::default(), &setting).is_ready() {
                    let proof = sorted(&entry, &workload, scratch.path(), Durability::Returned);
                    assert_eq!(proof, expected, "{records} by {entry}");
                }
            }
        }
    }

    #[test]
    fn too_little_memory_for_one_merge_is_refused_with_a_minimum() {
        let workload = workload(300_000, &[], (64, 8));
        let (scratch, _) = generated(SORT, &workload, 5);
        for memory in ["1", "2M", "2200K"] {
            let entry = format!("external_merge@{memory}");
            let outcome = try_sorted(&entry, &workload, scratch.path(), Durability::Returned);
            let sentence = outcome.expect_err("too little").to_string();
            assert!(sentence.contains("in one pass") && sentence.contains("are enough"), "{sentence}");
            assert!(["sort.output", "sort.runs"].iter().all(|left| !scratch.path().join(left).exists()));
        }
    }

    #[test]
    fn a_merge_within_the_limit_is_missing_without_one() {
        let scratch = tempfile::tempdir().expect("scratch");
        let mut setting = setting(scratch.path(), Durability::Returned);
        let probe =
            |setting: &Setting| SORT.probe("external_merge_limited", &model::Host::default(), setting);
        let Availability::Missing(sentence) = probe(&setting) else { panic!("ready without a limit") };
        assert!(sentence.contains("--memory-limit"), "{sentence}");
        setting.conditions.memory_limit_bytes = Some(512 << 20);
        assert_eq!(probe(&setting), Availability::Ready);
    }
}
