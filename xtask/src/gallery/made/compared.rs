//! Made-up runs side by side.

use findings::published::{self as tables, machine};
use judge::Side;
use model::Record;

use super::{Made, Run, published};

/// The page of several runs.
pub(super) fn page(records: &[Record]) -> String {
    let decided: Vec<_> = records.iter().map(judge::decide).collect();
    let sides: Vec<Side<'_>> = records
        .iter()
        .zip(&decided)
        .map(|(record, decided)| Side { name: record.id.to_string(), record, decided })
        .collect();
    super::html(&judge::compare_runs(&sides))
}

/// Two hosts: the techniques change places, and one has a name of 40 characters.
pub(super) fn two_hosts() -> Made {
    let long = "a_name_of_forty_characters_that_is_long_";
    let mut first = Run::new(21, 20);
    first.shares = Some((0.1, 0.8));
    first.base_ns = 2e7;
    let here = [("presized", 1.0), ("splice", 1.3), ("std_copy", 1.7), (long, 2.0), ("read_write@4K", 9.0)];
    first.contest("copy", &here);
    first.contest("sort", &[("lsd_radix", 1.0), ("std_sort", 1.5), ("heap", 3.0)]);
    first.contest("clock", &[("only_here", 1.0), ("also_only_here", 1.1)]);
    let mut other = Run::new(22, 20);
    other.base_ns = 4.1e7;
    let there = [("presized", 1.4), ("splice", 1.0), ("std_copy", 1.2), (long, 1.1), ("read_write@4K", 3.0)];
    other.contest("copy", &there);
    other.contest("sort", &[("lsd_radix", 0.5), ("std_sort", 0.6), ("heap", 2.0)]);
    // The same work by more and more threads: at some levels the two hosts are near each other, at others they are not.
    for threads in [1_u64, 2, 4, 8, 16, 32, 64] {
        let count = threads as f64;
        let entries = |spin: f64, lock: f64| {
            let own = [("signal-mutex", lock * count), ("own_queue", 0.9 * lock * count.powf(0.9))];
            let further =
                [("spinning-ring", spin * count.powf(1.4)), ("broadcast-mutex-5ms", 0.9 * count.powf(1.3))];
            own.into_iter().chain(further).collect::<Vec<_>>()
        };
        first.contest_at("pipeline", published("pipeline", Some(threads)), &entries(0.4, 1.0));
        other.contest_at("pipeline", published("pipeline", Some(threads)), &entries(0.2, 0.51));
    }
    first.along("pipeline", "threads");
    other.along("pipeline", "threads");
    other.host("another-host", "Another made-up processor", 16, "6.1");
    let records = [first, other].map(|run| run.made("")).into_iter().flat_map(|made| made.records);
    Made { name: "compared", records: records.collect() }
}

/// Seven runs that hardly differ: their marks would hide each other.
pub(super) fn many_runs() -> Made {
    let mut records = Vec::new();
    for seed in 31..38 {
        let mut run = Run::new(seed, 12);
        run.shares = Some((0.2, 0.7));
        run.base_ns = 2e7 * (1.0 + (seed - 31) as f64 / 200.0);
        run.contest("copy", &[("presized", 1.0), ("splice", 1.3), ("std_copy", 1.7)]);
        run.contest("sort", &[("lsd_radix", 1.0), ("std_sort", 1.5)]);
        records.extend(run.made("").records);
    }
    Made { name: "compared-many", records }
}

/// Two hosts next to a published machine.
pub(super) fn with_published() -> Made {
    let programs = |seed: u64, factors: [f64; 5]| {
        let mut run = Run::new(seed, 20);
        let names = ["cpC", "cpW", "cpwFA", "cpCF", "cpUC"];
        run.contest("copy", &names.into_iter().zip(factors).collect::<Vec<_>>());
        run.made("").records
    };
    let mut records = programs(23, [1.7, 1.2, 1.0, 1.3, 1.75]);
    records.extend(programs(24, [1.0, 1.1, 1.2, 1.3, 0.98]));
    let published = machine("xeon-4way").expect("it was published");
    let published = tables::record(&published, &records.iter().collect::<Vec<_>>());
    records.push(published);
    Made { name: "compared-published", records }
}

pub(super) fn nothing_in_common() -> Made {
    let only = |seed: u64, family: &str| {
        let mut run = Run::new(seed, 8);
        run.contest(family, &[("a", 1.0), ("b", 1.4)]);
        run.made("").records
    };
    let records = only(25, "copy").into_iter().chain(only(26, "sort")).collect();
    Made { name: "nothing-in-common", records }
}
