//! A family that asks about levels: eight queues that change places as more threads use them.

use families::{Curve, Family, Technique};
use model::{Axis, Metric, Values, Workload};

use crate::moving::{Moving, proof};

const PRODUCERS: &str = "producers";

/// What a run is asked for.
pub(crate) const LEVELS: [u64; 14] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192];

/// The queues, in the order in which they are fastest as the number of producers grows.
pub(crate) const NAMES: [&str; 8] =
    ["spin", "mutex", "condvar", "channel", "ring", "sharded", "batched", "combining"];

/// A unit costs twice as much as in the queue before, and a further producer a quarter: they change places at 4/3 * 8^nth
/// producers.
const fn queue<const NTH: u32>() -> Technique<u64> {
    Technique {
        name: NAMES[NTH as usize],
        idea: "grows in its own way",
        source: "this test",
        ..Technique::usual(|producers| {
            let unit_ns = 2_f64.powi(NTH as i32) + *producers as f64 / 4_f64.powi(NTH as i32);
            Ok(Box::new(Moving::new(1e9 / unit_ns, None)))
        })
    }
}

/// The family.
pub(crate) static QUEUES: Family<u64> = Family {
    name: "queues",
    question: "Which queue is fastest for how many producers?",
    baseline: "mutex",
    techniques: &[
        queue::<0>(),
        queue::<1>(),
        queue::<2>(),
        queue::<3>(),
        queue::<4>(),
        queue::<5>(),
        queue::<6>(),
        queue::<7>(),
    ],
    metrics: &[Metric::more("units_per_second", "units per second")],
    axes: &[Axis { name: PRODUCERS, meaning: "threads that send", values: Values::Counts(&[1]) }],
    curve: Some(Curve { along: PRODUCERS, techniques: &["spin", "mutex", "ring"], levels: &["1", "64"] }),
    workloads: |_preset| {
        vec![Workload { name: "usual".to_owned(), ..Workload::default() }.with(PRODUCERS, 1)]
    },
    ..Family::usual(
        |trial, _parameters| Ok(trial.workload.number(PRODUCERS).unwrap_or(1)),
        |_workload, _scratch| Ok(proof()),
    )
};
