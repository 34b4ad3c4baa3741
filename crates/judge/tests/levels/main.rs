//! What is said over the levels of an axis and advised from them, where the truth is known: it is one thing.

mod advise;
mod agree;
mod curves;
mod one_decision;

use judge::{Advice, Asked, Curve, Decided, KeptAnswers, Observation, Question, advise as advised_from};
use model::{Conditions, Point, RunId, Workload};

const ROUNDS: u32 = 20;
const KIB: u64 = 1 << 10;

/// The time of a technique at a size and in a round.
type Time<'a> = &'a dyn Fn(f64, u32) -> f64;

/// Returns the samples of techniques at these sizes, with jitter of a thousandth.
fn samples(sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Vec<Observation> {
    let mut all = Vec::new();
    for &bytes in sizes {
        for round in 0..=ROUNDS {
            for (place, (technique, time)) in techniques.iter().enumerate() {
                let jitter = 1.0 + 1e-3 * f64::from((round * 7 + place as u32 * 3) % 5);
                let mut one = Observation::new(round, *technique, time(bytes as f64, round) * jitter);
                one.family = "copy".into();
                one.workload = Workload::of_bytes(bytes.to_string(), bytes);
                one.position = Some((place as u32 + round) % techniques.len() as u32);
                all.push(one);
            }
        }
    }
    all
}

fn doubled(first: u64, count: u32) -> Vec<u64> {
    (0..count).map(|power| first << power).collect()
}

fn ranges(curve: &Curve) -> Vec<(u64, u64, &str)> {
    curve.ranges.iter().map(|one| (one.from, one.to, one.choice.entry.as_str())).collect()
}

fn asked(bytes: Option<u64>) -> Asked {
    let workload = Workload::of_bytes("asked", bytes.unwrap_or(1));
    Asked { workload, axis: Some("bytes".into()), is_level: bytes.is_some() }
}

fn answer(runs: &[Decided], asked: &[Asked], conditions: &Conditions, among: &[String]) -> Option<Advice> {
    let ids: Vec<RunId> = (0..runs.len()).map(|nth| RunId(format!("run-{}", 9 - nth))).collect();
    let kept = runs.iter().zip(&ids);
    let kept = kept.map(|(decided, id)| KeptAnswers { id, started: "2026-01-01T00:00:00Z", decided });
    let kept: Vec<KeptAnswers<'_>> = kept.collect();
    let metric = runs[0].rankings[0].metric.key.to_string();
    let values = |entry: &str| match entry.split_once("@64K") {
        Some(_) => Point::default().with("buffer_bytes", 64 * KIB),
        None => Point::default(),
    };
    let question = Question { family: "copy", conditions, metric: &metric, among, values: &values };
    advised_from(&question, asked, &kept)
}
