//! Claims about two hosts. Runs of two hosts are never paired: a run counts as one value, and each side needs three.

use model::Record;
use stats::change_between_runs;

use crate::effect::Seen;
use crate::evidence::Evidence;
use crate::finding::Finding;
use crate::judged::Published;
use crate::published::machines;
use crate::vocabulary::{Hosts, Side};

/// What one side takes over the other, or what is lacking.
pub(crate) fn hosts(
    part: &Hosts,
    finding: &Finding,
    records: &[&Record],
    alpha: f64,
) -> Result<Seen, String> {
    let of: Vec<&Record> = records.iter().copied().filter(|record| fits(&part.of, record)).collect();
    let over: Vec<&Record> = records.iter().copied().filter(|record| fits(&part.over, record)).collect();
    let model = |record: &Record| record.host.processor.model.clone();
    let (of, over): (Vec<&Record>, Vec<&Record>) = match part.same_processor {
        false => (of, over),
        true => {
            let shared = of
                .iter()
                .map(|record| model(record))
                .find(|one| one.is_some() && over.iter().any(|other| model(other) == *one));
            let same = |records: Vec<&'_ Record>| -> Vec<usize> {
                (0..records.len()).filter(|&place| Some(model(records[place])) == shared).collect()
            };
            let (ours, theirs) = (same(of.clone()), same(over.clone()));
            (
                ours.into_iter().map(|place| of[place]).collect(),
                theirs.into_iter().map(|place| over[place]).collect(),
            )
        }
    };
    let (one, other) = (logs(&of, &part.of, finding), logs(&over, &part.over, finding));
    match change_between_runs(&other, &one, alpha) {
        Some(change) => Ok(Seen::Interval {
            estimate: change.estimate.exp(),
            low: change.low.exp(),
            high: change.high.exp(),
            rounds: (one.len() + other.len()) as u32,
        }),
        None => Err(format!(
            "it needs three kept runs of each of two hosts{}: {} ({} kept), and {} ({} kept); 'bakeoff import' takes \
             those of another host",
            if part.same_processor { " with the same processor" } else { "" },
            described(&part.of),
            one.len(),
            described(&part.over),
            other.len()
        )),
    }
}

fn fits(side: &Side, record: &Record) -> bool {
    let processors = record.host.processor.logical.unwrap_or(1);
    side.system.as_ref().is_none_or(|system| record.host.os.family == *system)
        && side.processors_at_least.is_none_or(|least| processors >= least)
        && side.processors_at_most.is_none_or(|most| processors <= most)
}

fn described(side: &Side) -> String {
    let system = side.system.as_deref().unwrap_or("any system");
    match (side.processors_at_least, side.processors_at_most) {
        (Some(least), _) => format!("{} on {system} with {least} processors or more", side.technique),
        (_, Some(most)) => format!("{} on {system} with {most} processors or fewer", side.technique),
        _ => format!("{} on {system}", side.technique),
    }
}

/// The median of a technique in each run, as a logarithm.
fn logs(records: &[&Record], side: &Side, finding: &Finding) -> Vec<f64> {
    let of = |record: &&Record| {
        // A contest that was refused says nothing of two techniques; the time of one of them stands.
        let evidence = Evidence::of_record(record, &judge::Decided::default(), &finding.family);
        let fitting = evidence.fitting(&finding.claim);
        let tasks = fitting.iter().filter(|task| task.has(&side.technique));
        let task = tasks.rev().max_by_key(|task| task.workload.bytes())?;
        task.median_ns(&side.technique).map(f64::ln)
    };
    records.iter().filter_map(of).collect()
}

/// What the published machines showed.
pub(crate) fn published(part: &Hosts, finding: &Finding) -> Option<Published> {
    let all = machines();
    let times = |side: &Side| -> Vec<f64> {
        let machines = all.iter().filter(|machine| side.published.contains(&machine.name));
        machines
            .filter_map(|machine| {
                let evidence = Evidence::of_machine(machine, finding);
                let tasks = evidence.fitting(&finding.claim);
                tasks.iter().find(|task| task.has(&side.technique))?.median_ns(&side.technique)
            })
            .collect()
    };
    let (of, over) = (times(&part.of), times(&part.over));
    let ratios: Vec<f64> = of.iter().flat_map(|one| over.iter().map(move |other| one / other)).collect();
    Some(Published {
        low: ratios.iter().copied().reduce(f64::min)?,
        high: ratios.iter().copied().reduce(f64::max)?,
        machines: (of.len() + over.len()) as u32,
    })
}
