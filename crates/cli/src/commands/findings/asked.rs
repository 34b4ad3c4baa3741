//! From what findings compare to what is measured for them.

use std::path::PathBuf;

use ::findings::{ALPHA, Demand, DemandedLevels, Finding, Known, Processors, demands};
use anyhow::{Result, bail};
use families::AnyFamily;
use measure::{Request, Selection};
use model::{Availability, Cache, Workload};
use stats::contest::LAST_LOOK_DEEP;

use crate::selection;

/// A contest of a run goes on until choosing its leader costs no more than this.
const DELTA: f64 = 0.02;
/// After this long a process counts as hanging.
const TIME_LIMIT_NS: u64 = 60_000_000_000;

/// Returns a request for each comparison of these findings that can be judged on this system, at the workloads that it looks at.
pub(super) fn requests(
    all: &[Finding], known: &Known, system: &str, directories: &[PathBuf], budget_ns: u64, seed: u64,
) -> Result<Vec<Request>> {
    let mut all = all.to_vec();
    all.retain(|finding| finding.claim.system.as_ref().is_none_or(|own| own == system));
    let mut requests = Vec::new();
    for comparison in
        demands(&all, known).chunk_by(|a, b| (&a.finding, a.comparison) == (&b.finding, b.comparison))
    {
        let own = comparison.iter().map(|demand| request(demand, directories, budget_ns, seed));
        let own = own.collect::<Result<Vec<Request>>>()?;
        // What this host cannot do (two processors where there is one, a second file system) is left out with all that it would be
        // compared with.
        let have_workloads = own.iter().all(|one| !one.workloads.is_empty());
        if have_workloads && (directories.len() > 1 || comparison.iter().all(|demand| !demand.file_systems)) {
            requests.extend(own);
        }
    }
    if requests.is_empty() {
        bail!("none of these findings can be measured on this host");
    }
    Ok(requests)
}

fn request(demand: &Demand, directories: &[PathBuf], budget_ns: u64, seed: u64) -> Result<Request> {
    let family = selection::family(&demand.family)?;
    let entries = entries(demand)?;
    let allowed = sys::affinity::allowed();
    let workloads = workloads(family, demand, &entries, allowed.len() as u64);
    let only = if demand.processors == Processors::One { 1 } else { 0 };
    Ok(Request {
        preset: demand.preset,
        caches: vec![demand.cache.unwrap_or(Cache::Warm)],
        // Only what is about file systems is measured on several.
        directories: directories[..if demand.file_systems { directories.len() } else { 1 }].to_vec(),
        processors: allowed.into_iter().take(only).collect(),
        alpha: ALPHA,
        delta: DELTA,
        rounds: LAST_LOOK_DEEP,
        budget_ns,
        time_limit_ns: TIME_LIMIT_NS,
        workloads,
        question: Some(demand.finding.clone()),
        ..Request::usual(vec![Selection { family, entries: Some(entries) }], seed)
    })
}

fn entries(demand: &Demand) -> Result<Vec<String>> {
    let mut entries: Vec<String> = Vec::new();
    for name in &demand.names {
        // Of a technique with several values the first: the one that was published.
        let selected = selection::select(&[format!("{}/{name}", demand.family)])?.remove(0);
        let first = selected.entries.into_iter().flatten().next();
        entries.extend(first.filter(|first| !entries.contains(first)));
    }
    Ok(entries)
}

/// Returns the workloads that a comparison looks at; none where this host cannot do them.
fn workloads(family: &dyn AnyFamily, demand: &Demand, entries: &[String], processors: u64) -> Vec<Workload> {
    if demand.processors == Processors::Several && processors < 2 {
        return Vec::new();
    }
    let mut all = family.workloads(demand.preset);
    for (axis, value) in &demand.set {
        all = with(family, all, axis, std::slice::from_ref(value));
    }
    let Some(levels) = &demand.levels else {
        all.retain(|one| entries.iter().all(|entry| family.suits(entry, one) == Availability::Ready));
        // A finding is judged by the largest workload in which all take part, and by the first of equal ones.
        return all.into_iter().rev().max_by_key(Workload::bytes).into_iter().collect();
    };
    if !levels.values.is_empty() {
        all = with(family, all, &levels.axis, &levels.values);
    }
    curves(all, levels).into_iter().flat_map(|curve| at_levels(curve, levels, processors)).collect()
}

/// Returns the workloads that have one of these values on an axis; where none has, all of them with each value.
fn with(family: &dyn AnyFamily, all: Vec<Workload>, axis: &str, values: &[String]) -> Vec<Workload> {
    let mut found: Vec<Workload> = Vec::new();
    for value in values {
        let mut own = all.clone();
        own.retain(|workload| workload.point.0.get(axis).is_some_and(|own| own.to_string() == *value));
        if own.is_empty() {
            own = all.clone();
            own.retain_mut(|workload| {
                let is_set = family.set(workload, axis, value).and_then(|()| family.check(workload)).is_ok();
                workload.name = format!("{} {axis}={value}", workload.name);
                is_set
            });
        }
        for workload in own {
            if found.iter().all(|known| known.point != workload.point) {
                found.push(workload);
            }
        }
    }
    found
}

/// Workloads that differ in the axis alone: the first curve with most levels, unless a claim compares several.
fn curves(all: Vec<Workload>, levels: &DemandedLevels) -> Vec<Vec<Workload>> {
    let mut curves: Vec<Vec<Workload>> = Vec::new();
    for workload in all.into_iter().filter(|workload| workload.number(&levels.axis).is_some()) {
        let rest = workload.without_axis(&levels.axis);
        match curves.iter_mut().find(|curve| curve[0].without_axis(&levels.axis) == rest) {
            Some(curve) => curve.push(workload),
            None => curves.push(vec![workload]),
        }
    }
    match levels.across {
        Some(_) => curves,
        None => curves.into_iter().rev().max_by_key(Vec::len).into_iter().collect(),
    }
}

fn at_levels(mut curve: Vec<Workload>, levels: &DemandedLevels, processors: u64) -> Vec<Workload> {
    curve.sort_by_key(|workload| workload.number(&levels.axis));
    let known: Vec<u64> = curve.iter().filter_map(|workload| workload.number(&levels.axis)).collect();
    let meant = levels.of(&known, processors);
    curve.retain(|workload| workload.number(&levels.axis).is_some_and(|level| meant.contains(&level)));
    curve
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ::findings::{Outcome, judge};

    use super::*;
    use crate::catalogue::known;

    /// Shows the point of a workload: `threads=64 units=100`.
    fn shown(workload: &Workload) -> String {
        let values = workload.point.0.iter().map(|(axis, value)| format!("{axis}={value}"));
        values.collect::<Vec<_>>().join(" ")
    }

    /// Returns the findings of these names.
    fn named(ids: &[&str]) -> Vec<Finding> {
        let all = findings::all().iter();
        all.filter(|one| ids.contains(&one.claim.id.as_str())).cloned().collect()
    }

    /// Returns the workloads and entries that are measured for some findings, on two processors.
    fn asked_for(ids: &[&str]) -> BTreeSet<(String, String)> {
        let mut asked = BTreeSet::new();
        for demand in demands(&named(ids), &known()) {
            let family = selection::family(&demand.family).expect("a family");
            let entries = entries(&demand).expect("known");
            for workload in workloads(family, &demand, &entries, 2) {
                asked.extend(entries.iter().map(|name| (name.clone(), shown(&workload))));
            }
        }
        asked
    }

    #[test]
    fn a_claim_about_several_processors_asks_nothing_of_one() {
        for demand in demands(&named(&["sort-4"]), &known()) {
            let (family, entries) =
                (selection::family("sort").expect("a family"), entries(&demand).expect("known"));
            let found = [1, 2].map(|processors| workloads(family, &demand, &entries, processors).len());
            assert_eq!(found, [0, 1]);
        }
    }

    fn count(ids: &[&str], part: &str) -> usize {
        asked_for(ids).iter().filter(|(_, point)| point.contains(part)).count()
    }

    #[test]
    fn only_what_a_claim_compares_is_measured() {
        let lock = asked_for(&["pipeline-5"]);
        assert_eq!(lock.len(), 2, "two techniques at 64 threads: {lock:?}");
        assert!(lock.iter().all(|(_, point)| point.contains("threads=64")), "{lock:?}");
        assert!(lock.iter().all(|(_, point)| point.contains("units=100")), "{lock:?}");
        assert_eq!(asked_for(&["pipeline-2"]).len(), 3 * 4, "three techniques at 8, 16, 32 and 64 threads");
        assert_eq!(asked_for(&["pipeline-6"]).len(), 6 * 3, "six strategies at 1, 2 and 64 threads");
        assert_eq!(asked_for(&["threads-2"]).len(), 2, "8192 threads, and as many as processors");
        assert_eq!(asked_for(&["threads-5"]).len(), 2);
    }

    /// Returns the names of the findings that are asked about on a system, with this many directories.
    fn asked_about(ids: &[&str], system: &str, directories: usize) -> Vec<String> {
        let directories = vec![PathBuf::from("."); directories];
        let requests = requests(&named(ids), &known(), system, &directories, 1, 1).unwrap_or_default();
        let mut names: Vec<String> = requests.into_iter().filter_map(|request| request.question).collect();
        names.dedup();
        names
    }

    #[test]
    fn what_cannot_be_judged_here_takes_no_time() {
        let all = findings::all();
        let volumes = all.iter().filter(|one| {
            let demands = demands(std::slice::from_ref(*one), &known());
            !demands.is_empty() && demands.iter().all(|demand| demand.file_systems)
        });
        let volumes: Vec<&str> = volumes.map(|one| one.claim.id.as_str()).collect();
        assert!(!volumes.is_empty() && asked_about(&volumes, "linux", 1).is_empty(), "{volumes:?}");
        assert_eq!(asked_about(&volumes, "linux", 2), volumes);
        let foreign =
            all.iter().filter(|one| one.claim.system.as_ref().is_some_and(|system| system != "plan9"));
        let foreign: Vec<&str> = foreign.map(|one| one.claim.id.as_str()).collect();
        assert!(!foreign.is_empty() && asked_about(&foreign, "plan9", 2).is_empty(), "{foreign:?}");
    }

    #[test]
    fn findings_that_need_the_same_samples_share_them() {
        let signal = asked_for(&["pipeline-1"]);
        let both = asked_for(&["pipeline-1", "pipeline-5"]);
        assert_eq!(signal, both);
    }

    #[test]
    fn both_values_of_a_gain_and_all_curves_are_measured() {
        assert_eq!(count(&["threads-4"], "processors=1"), count(&["threads-4"], "processors=2"));
        assert!(count(&["threads-4"], "processors=1") > 5);
        assert!(asked_for(&["blocks-4"]).len() > asked_for(&["blocks-1"]).len());
    }

    #[test]
    fn every_finding_about_one_host_asks_for_something() {
        let all = findings::all();
        let untestable = |one: &&Finding| judge(one, &[], &known(), None).outcome == Outcome::NotTestable;
        let testable = all.iter().filter(|one| !untestable(one));
        let mut silent: Vec<&str> = testable.map(|finding| finding.claim.id.as_str()).collect();
        silent.retain(|id| asked_for(&[id]).is_empty());
        // Facts are found with any run of their family.
        assert_eq!(silent, ["threads-7", "threads-13", "clock-4"]);
    }
}
