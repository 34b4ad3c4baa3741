//! Claims about two hosts. Runs of two hosts are never paired: a run counts as one value, and each side needs three of one host. Both
//! sides did the same work.

use model::{Fingerprint, Record, Workload};
use stats::change_between_runs;

use crate::effect::Seen;
use crate::evidence::{Evidence, get_or_add};
use crate::finding::Finding;
use crate::judged::range;
use crate::published::machines;
use crate::verdict::{JudgedBy, Published};
use crate::vocabulary::{Hosts, Side};

const LEAST_RUNS: usize = 3;

/// The runs of one host that did the same work with a technique.
struct Group<'a> {
    host: &'a Fingerprint,
    model: Option<&'a str>,
    workload: Workload,
    described: String,
    /// A run with the median of the technique, as a logarithm.
    runs: Vec<(&'a Record, f64)>,
}

/// Compares two sides and names the runs, or says what is lacking.
pub(crate) fn hosts(
    part: &Hosts, finding: &Finding, records: &[&Record], alpha: f64,
) -> Result<(Seen, Vec<JudgedBy>), String> {
    let (of, over) = (groups(&part.of, finding, records), groups(&part.over, finding, records));
    let mut pairs = of.iter().flat_map(|one| over.iter().map(move |other| (one, other)));
    // Of several the first: the largest work.
    let Some((one, other)) = pairs.find(|(one, other)| {
        let same_model = one.model.is_some() && one.model == other.model;
        one.runs.len().min(other.runs.len()) >= LEAST_RUNS
            && one.host != other.host
            && one.workload.point == other.workload.point
            && (!part.same_processor || same_model)
    }) else {
        return Err(format!(
            "it needs {LEAST_RUNS} kept runs of each of two hosts{} with the same work: {}, and {}; 'bakeoff import' takes \
             those of another host",
            if part.same_processor { " with the same processor" } else { "" },
            kept(&part.of, &of),
            kept(&part.over, &over),
        ));
    };
    let [logs, other_logs] =
        [one, other].map(|group| group.runs.iter().map(|(_, log)| *log).collect::<Vec<f64>>());
    let Some(change) = change_between_runs(&other_logs, &logs, alpha) else {
        return Err(
            "the runs of each host took the same time to the nanosecond, and nothing shows how they vary"
                .to_owned(),
        );
    };
    let seen = Seen::Interval {
        estimate: change.estimate.exp(),
        low: change.low.exp(),
        high: change.high.exp(),
        rounds: (one.runs.len() + other.runs.len()) as u32,
    };
    let by = [one, other].into_iter().flat_map(|group| {
        group.runs.iter().map(|(record, _)| JudgedBy::of(record, vec![group.described.clone()]))
    });
    Ok((seen, by.collect()))
}

fn kept(side: &Side, groups: &[Group<'_>]) -> String {
    let kept = groups.iter().map(|group| {
        let named = group.runs.iter().find_map(|(record, _)| record.host.name.as_deref());
        format!("{} on {}: {}", group.runs.len(), named.unwrap_or("a host without a name"), group.described)
    });
    let kept: Vec<String> = kept.collect();
    let kept = if kept.is_empty() { "0 kept".to_owned() } else { format!("kept: {}", kept.join("; ")) };
    format!("{} on {} ({kept})", side.technique, side.system)
}

/// Returns the runs of a side by host and work; those with larger work first. A host that is not known is none.
fn groups<'a>(side: &Side, finding: &Finding, records: &[&'a Record]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for record in records.iter().copied().filter(|record| record.host.os.family == side.system) {
        let Some(host) = &record.host.fingerprint else { continue };
        // A contest that was refused says nothing of two techniques; the time of one of them stands.
        let evidence = Evidence::of_record(record, &judge::Decided::default(), &finding.family);
        let mut known: Vec<Workload> = Vec::new();
        for task in evidence.fitting(&finding.claim) {
            let median = task.has(&side.technique).then(|| task.median_ns(&side.technique)).flatten();
            let log = median.filter(|ns| *ns > 0.0).map(f64::ln);
            let Some(log) = log.filter(|_| !known.contains(&task.workload)) else { continue };
            known.push(task.workload.clone());
            let point = &task.workload.point;
            let place = groups.iter().position(|one| one.host == host && one.workload.point == *point);
            let group = get_or_add(&mut groups, place, || Group {
                host,
                model: record.host.processor.model.as_deref(),
                workload: task.workload.clone(),
                described: task.described(),
                runs: Vec::new(),
            });
            group.runs.push((record, log));
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.workload.bytes()));
    groups
}

pub(crate) fn published(part: &Hosts, finding: &Finding) -> Option<Published> {
    let all = machines();
    let [of, over] = [&part.of, &part.over].map(|side| {
        let machines = all.iter().filter(|machine| side.published.contains(&machine.name));
        let medians = machines.filter_map(|machine| {
            let evidence = Evidence::of_machine(machine, finding);
            let tasks = evidence.fitting(&finding.claim);
            tasks.iter().find(|task| task.has(&side.technique))?.median_ns(&side.technique)
        });
        medians.collect::<Vec<f64>>()
    });
    let ratios: Vec<f64> = of.iter().flat_map(|one| over.iter().map(move |other| one / other)).collect();
    range(&ratios).map(|found| Published { machines: (of.len() + over.len()) as u32, ..found })
}
