//! What a turn tells of those to come.

use model::{Class, Increment, SampleNote};

use crate::session;
use crate::task::Task;

/// Learns from a turn what the next will cost, and from that of round 0 how long the work takes and its class.
pub(crate) fn learn(task: &mut Task, entrant: Option<usize>, cost_ns: f64, increment: &Increment) {
    let Some(entrant) = entrant else { return session::learn(task, cost_ns, increment) };
    let trial = task.entrants[entrant].trial;
    let Some((_, sample)) = increment.samples.last().filter(|(of, _)| *of == trial) else { return };
    task.entrants[entrant].observe_cost(cost_ns);
    if task.rounds == 0 {
        let once_ns = sample.process_ns.or(sample.work_ns).unwrap_or(0) as f64;
        let learnt = &mut task.entrants[entrant];
        learnt.least_ns = Some(learnt.calibrated_ns.map_or(once_ns, |before| before.min(once_ns)));
        learnt.calibrated_ns = Some(once_ns);
        if sample.notes.contains(&SampleNote::Reflinked) {
            task.entrants[entrant].participant.class = Class::SharesExtents;
        }
    }
}
