//! What the same samples report next to the answer: how long a piece takes to the device, and what more processors gain.

use judge::{Decided, decide};
use model::Workload;

use super::*;

/// Returns a contest of techniques that flush each piece of 64 KiB, each with what rewriting took for a kibibyte.
fn flushed(class: Class, kib_ns: &[(&str, f64)]) -> Ranking {
    let mut run = Run::new();
    for (nth, (name, _)) in kib_ns.iter().enumerate() {
        run.add(name, 10.0 + nth as f64);
    }
    let mut run = run.rounds(20);
    for (name, ns) in kib_ns {
        let trial = run.trial(name);
        trial.class = class;
        trial.workload = Workload::of_bytes("small", 64 << 20).with("piece_bytes", 64 << 10);
        for sample in &mut trial.samples {
            sample.values.insert("rewrite_kib_ns".to_owned(), *ns);
        }
    }
    run.one()
}

#[test]
fn the_time_of_a_piece_to_the_device_is_reported() {
    let three = flushed(Class::FlushesEachPiece, &[("a", 3_000.0), ("b", 2_500.0), ("c", 20_000.0)]);
    assert_eq!(
        three.also_measured,
        [
            "Until a piece of 64 KiB was written and flushed to the device it took 160 us with b; 192 us with a, which leads \
             by all of its work; 1.28 ms with c (medians)."
        ]
    );
    let one = flushed(Class::FlushesEachPiece, &[("a", 3_000.0)]);
    assert_eq!(
        one.also_measured,
        [
            "Until a piece of 64 KiB was written and flushed to the device it took 192 us with a, which leads by all of its \
          work (medians)."
        ]
    );
    let once = flushed(Class::MovesBytes, &[("a", 3_000.0), ("b", 2_500.0)]);
    assert_eq!(once.also_measured, Vec::<String>::new(), "what flushes once says nothing of a piece");
}

/// Returns the same contest with one processor and with more: each time as long with one as `slower` says.
fn with_processors(words: &[&str], slower: f64, rounds: u32) -> Decided {
    let mut whole = Run::new();
    for word in words {
        let factor = if *word == "1" { slower } else { 1.0 };
        let run = Run::new().with("a", 10.0 * factor).with("b", 15.0 * factor).rounds(rounds);
        whole.record.trials.extend(run.record.trials.into_iter().map(|mut trial| {
            let name = format!("three stages processors={word}");
            trial.workload = Workload { name, ..Workload::default() }.with("processors", *word);
            trial
        }));
    }
    decide(&whole.record)
}

#[test]
fn the_gain_of_more_processors_is_reported() {
    let both = with_processors(&["1", "all"], 1.8, 20);
    assert!(both.rankings[0].also_measured.is_empty());
    let said = &both.rankings[1].also_measured[0];
    let (head, tail) =
        ("With all processors a does 1.7", "times as much in the same time as with one (95 % confidence).");
    assert!(said.starts_with(head) && said.ends_with(tail), "{said}");
    let each = with_processors(&["1", "2", "all"], 1.8, 20);
    assert!(each.rankings[1].also_measured[0].starts_with("With 2 processors a does 1.7"), "{each:?}");
    assert_eq!(each.rankings[2].also_measured.len(), 1);
    let without = with_processors(&["2", "all"], 1.8, 20);
    assert!(without.rankings.iter().all(|ranking| ranking.also_measured.is_empty()), "nothing ran with one");
    let few = with_processors(&["1", "all"], 1.8, 2);
    assert!(few.rankings.iter().all(|ranking| ranking.also_measured.is_empty()), "two rounds show nothing");
}
