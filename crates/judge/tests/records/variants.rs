//! Variants that were declared before the run: the answer names them with the technique that they are variants of.

use judge::{Ranking, decide};
use testkit::Run;

/// Entries with their milliseconds; what stands behind a colon is the technique that an entry is a variant of.
fn run(entries: &[(&str, f64)]) -> Run {
    let mut run = Run::new();
    for (name, base_ms) in entries {
        let (name, base) = name.split_once(':').map_or((*name, None), |(name, base)| (name, Some(base)));
        run.add(name, *base_ms).variant_of = base.map(str::to_owned);
    }
    run.rounds(20)
}

fn answer(entries: &[(&str, f64)]) -> Ranking {
    decide(&run(entries).record).rankings.remove(0)
}

const SPLICE: &str = "presized_splice:presized";
const KEEP_SIZE: &str = "presized_keep_size:presized";
const POPULATE: &str = "mmap_populate:mmap";

#[test]
fn a_variant_is_no_value_of_a_parameter() {
    let buffers =
        [("presized@4K", 14.0), ("presized@128K", 10.0), ("presized@512K", 10.0), ("presized@1M", 10.0)];
    let entries = [&buffers[..], &[(SPLICE, 10.0), (KEEP_SIZE, 10.0), ("read_write", 14.0)]].concat();
    let ranking = answer(&entries);
    assert_eq!(ranking.candidates.len(), 5, "{}", ranking.sentence);
    let best = &ranking.best_parameters;
    assert!(best.len() == 1 && best[0].value != "4K", "a variant is no value: {best:?}");
    assert_eq!(best[0].tied, ["128K", "512K", "1M"]);
}

#[test]
fn values_of_a_variant_are_tied_too() {
    let [low, high] = ["presized_hinted@64K:presized", "presized_hinted@256K:presized"];
    let mut run = run(&[("presized@1M", 12.0), (low, 10.0), (high, 10.0), ("read_write", 14.0)]);
    for (name, late) in [("presized_hinted@64K", 0), ("presized_hinted@256K", 1)] {
        run.samples(name, |sample| {
            let factor = if sample.round % 2 == late { 1.1 } else { 0.9 };
            sample.work_ns = sample.work_ns.map(|ns| (ns as f64 * factor) as u64);
        });
    }
    let ranking = decide(&run.record).rankings.remove(0);
    let [best] = &ranking.best_parameters[..] else { panic!("{:?}", ranking.best_parameters) };
    assert_eq!((best.technique.as_str(), best.as_good.len()), ("presized_hinted", 1), "{best:?}");
    assert_eq!(best.tied, ["64K", "256K"]);
}

#[test]
fn a_variant_that_wins_is_the_choice() {
    let ranking = answer(&[("presized@1M", 12.0), (SPLICE, 10.0), ("read_write", 14.0)]);
    let words = "presized_splice wins; 2 others are slower, presized@1M by 1.20x";
    assert!(ranking.sentence.starts_with(words), "{}", ranking.sentence);
    assert_eq!(ranking.choice.map(|choice| choice.entry).as_deref(), Some("presized_splice"));
    let ranking = answer(&[("mmap", 10.0), (POPULATE, 12.0), ("read_write", 14.0)]);
    assert_eq!(ranking.choice.map(|choice| choice.entry).as_deref(), Some("mmap"));
}

#[test]
fn a_baseline_is_named_and_not_its_variant() {
    let mut run = run(&[("mmap", 12.0), (POPULATE, 10.0), ("read_write", 14.0)]);
    run.baseline("mmap");
    let ranking = decide(&run.record).rankings.remove(0);
    let advice = ranking.advice.expect("an advice");
    assert!(advice.starts_with("Use mmap_populate: mmap is slower by 1.20x"), "{advice}");
}
