//! A finding judged: what was published, what was seen here, and whether the claim is true here.

use std::collections::{BTreeMap, BTreeSet};

use judge::Decided;
use model::{Record, RunId};
use serde::Serialize;

use crate::compare::{Comparison, compare};
use crate::effect::{Bounds, Effect, Outcome, Said, Seen};
use crate::evidence::{Evidence, Lack, Task};
use crate::facts::fact;
use crate::finding::{Finding, HoldsFor, Publication};
use crate::hosts::hosts;
use crate::published::{Machine, machines};
use crate::vocabulary::Part;

/// Chance of error of a finding; its comparisons share it.
pub const ALPHA: f64 = 0.05;

/// What this version can measure on this system: the names of techniques and published programs, by family.
pub type Known = BTreeMap<String, BTreeSet<String>>;

/// Published figures of one comparison: what the machines showed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// The smallest of them.
    pub low: f64,
    /// The largest of them.
    pub high: f64,
    /// How many machines.
    pub machines: u32,
}

/// One comparison of a finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// What is compared: `cpC over cpW, user`.
    pub what: String,
    /// The claim: at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The claim: at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// What its numbers are counted in; absent where they are ratios: `ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What may be said of it here.
    pub outcome: Outcome,
    /// What was seen here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// What was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Why nothing was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// So many more rounds would decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub further_rounds: Option<u32>,
    /// Whether it was worked out how many more rounds would decide it: not where it has an interval and no values by round.
    #[serde(skip)]
    pub rounds_are_foreseen: bool,
}

/// A finding with what may be said of it here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Its short name: `copy-2`.
    pub id: String,
    /// The family that it is about.
    pub family: String,
    /// The claim in one sentence.
    pub claim: String,
    /// Who published it.
    pub source: Publication,
    /// Where it stands there.
    pub place: String,
    /// Under which conditions it was published.
    pub conditions: String,
    /// The published figure in words, where it stands in no table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
    /// What may be said of it here.
    pub outcome: Outcome,
    /// Why it could not be tested, or what was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// So many more rounds would decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub further_rounds: Option<u32>,
    /// They would take at least so long: the work alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub further_ns: Option<u64>,
    /// With which settings it was measured, where they are not the published ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_with: Option<String>,
    /// Whether a kept run has its family.
    #[serde(skip)]
    pub has_run: bool,
    /// The run that it was judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Its comparisons.
    pub comparisons: Vec<Compared>,
}

impl Judged {
    /// Whether a run showed anything of it.
    pub fn is_measured(&self) -> bool {
        !matches!(self.outcome, Outcome::NotMeasured | Outcome::NotTestable)
    }
}

/// A kept run with what may be said of it.
pub struct KeptRun {
    /// The run.
    pub record: Record,
    /// Its contests.
    pub decided: Decided,
}

/// Judges a finding by the first of these runs that shows anything of it; those about several hosts by all of them.
pub fn judge(finding: &Finding, runs: &[KeptRun], known: &Known) -> Judged {
    let has_run = runs.iter().any(|run| run.record.trials.iter().any(|trial| trial.family == finding.family));
    Judged { has_run, ..judge_runs(finding, runs, known) }
}

fn judge_runs(finding: &Finding, runs: &[KeptRun], known: &Known) -> Judged {
    if let Some(reason) = cannot(finding, known) {
        return Judged { reason: Some(reason), outcome: Outcome::NotTestable, ..unseen(finding, known) };
    }
    if finding.parts.iter().any(|part| matches!(part, Part::Hosts(_))) {
        return hosts_judged(finding, runs);
    }
    let system = |run: &&KeptRun| {
        finding.claim.system.as_ref().is_none_or(|system| run.record.host.os.family == *system)
    };
    let mut nearest: Option<Judged> = None;
    for run in runs.iter().filter(system) {
        let judged = judge_run(finding, run, known);
        if judged.is_measured() {
            return judged;
        }
        // What is not available says more than what was not asked for.
        let better = judged.outcome == Outcome::NotTestable
            && nearest.as_ref().is_none_or(|nearest| nearest.outcome != Outcome::NotTestable);
        if better || nearest.is_none() {
            nearest = Some(judged);
        }
    }
    nearest.unwrap_or_else(|| {
        let (outcome, reason) = match &finding.claim.system {
            Some(system) => {
                (Outcome::NotTestable, format!("it is about {system}, and no kept run is of such a host"))
            }
            None => (Outcome::NotMeasured, "no kept run has this family".to_owned()),
        };
        Judged { outcome, reason: Some(reason), ..unseen(finding, known) }
    })
}

/// A finding of which nothing was seen: its comparisons with what was published.
fn unseen(finding: &Finding, known: &Known) -> Judged {
    let none = Evidence { tasks: Vec::new(), cache_bytes: None, is_published: false };
    combined(finding, compared(finding, &none, None, known))
}

/// Why a finding cannot be tested by any run.
fn cannot(finding: &Finding, known: &Known) -> Option<String> {
    if !known.contains_key(&finding.family) {
        return Some(format!("the family {} is not in this version", finding.family));
    }
    finding.parts.iter().find_map(|part| match part {
        Part::Needs(needs) => Some(format!("it needs {}", needs.what)),
        _ => None,
    })
}

fn begun(finding: &Finding, outcome: Outcome) -> Judged {
    let claim = &finding.claim;
    Judged {
        id: claim.id.clone(),
        family: finding.family.clone(),
        claim: claim.claim.clone(),
        source: claim.source,
        place: claim.place.clone(),
        conditions: claim.conditions.clone(),
        figure: claim.figure.clone(),
        outcome,
        reason: None,
        further_rounds: None,
        further_ns: None,
        measured_with: None,
        has_run: false,
        run: None,
        comparisons: Vec::new(),
    }
}

/// Judges a finding by one run.
fn judge_run(finding: &Finding, run: &KeptRun, known: &Known) -> Judged {
    let evidence = Evidence::of_record(&run.record, &run.decided, &finding.family);
    let judged = combined(finding, compared(finding, &evidence, Some(&run.record), known));
    let further = judged.comparisons.iter().filter_map(|one| one.further_rounds).max();
    let further_rounds = further.filter(|_| judged.outcome == Outcome::Undecided);
    let fitting = evidence.fitting(&finding.claim);
    let reduced = finding.claim.measured_with.filter(|with| {
        let is_reduced =
            |task: &&Task<'_>| with.values().all(|(axis, value)| task.workload.number(axis) == Some(value));
        fitting.iter().any(is_reduced)
    });
    let reduced = reduced.map(|with| with.words());
    let names = finding.names();
    let each = fitting.iter().flat_map(|task| names.iter().filter_map(|name| task.median_ns(name)));
    let each_ns: f64 = each.sum();
    Judged {
        further_rounds,
        further_ns: further_rounds
            .filter(|_| each_ns > 0.0)
            .map(|rounds| (f64::from(rounds) * each_ns) as u64),
        measured_with: reduced.filter(|_| judged.is_measured()),
        run: judged.is_measured().then(|| run.record.id.clone()),
        ..judged
    }
}

/// The comparisons of a finding in one place.
fn compared(
    finding: &Finding,
    evidence: &Evidence<'_>,
    record: Option<&Record>,
    known: &Known,
) -> Vec<Compared> {
    // How many comparisons share the chance of error is known before any is judged.
    let of_part = |part: &Part, alpha: f64| compare(part, &finding.claim, evidence, alpha);
    let count: usize = finding.parts.iter().map(|part| of_part(part, ALPHA).len()).sum();
    let alpha = ALPHA / count.max(1) as f64;
    let mut comparisons = Vec::new();
    for part in &finding.parts {
        if let Part::Fact(part) = part {
            comparisons.push(fact(part, record, &finding.family));
        }
        let figures = published(part, finding);
        for (place, comparison) in of_part(part, alpha).into_iter().enumerate() {
            let published = figures.get(place).and_then(|figures| range(figures));
            comparisons.push(judged(comparison, published, alpha, finding, known));
        }
    }
    comparisons
}

fn judged(
    comparison: Comparison,
    published: Option<Published>,
    alpha: f64,
    finding: &Finding,
    known: &Known,
) -> Compared {
    let Comparison { what, bounds, unit, seen } = comparison;
    let (said, reason) = match &seen {
        Ok(seen) => (seen.judge(&bounds, alpha), None),
        Err(Lack::Unavailable(reason)) => (nothing(Outcome::NotTestable), Some(reason.clone())),
        Err(Lack::NotMeasured(reason)) => match absent(&what, finding, known) {
            Some(absent) => (nothing(Outcome::NotTestable), Some(absent)),
            None => (nothing(Outcome::NotMeasured), Some(reason.clone())),
        },
    };
    Compared {
        published,
        reason,
        unit: unit.map(str::to_owned),
        at_least: bounds.at_least,
        at_most: bounds.at_most,
        what,
        outcome: said.outcome,
        effect: said.effect,
        further_rounds: said.further_rounds,
        rounds_are_foreseen: matches!(seen, Ok(Seen::Rounds { .. })),
    }
}

fn nothing(outcome: Outcome) -> Said {
    Said { outcome, effect: None, further_rounds: None }
}

/// A technique of a comparison that this version does not have on this system.
fn absent(what: &str, finding: &Finding, known: &Known) -> Option<String> {
    let own = known.get(&finding.family)?;
    let is_compared = |name: &&str| what.split([' ', ',']).any(|word| word == *name);
    let missing = finding.names().into_iter().filter(is_compared).find(|name| !own.contains(*name))?;
    Some(format!("the family {} has no technique {missing} on this system", finding.family))
}

/// What the published machines showed of each comparison of a part.
fn published(part: &Part, finding: &Finding) -> Vec<Vec<f64>> {
    if finding.claim.table.is_none() {
        return Vec::new();
    }
    let meant = &finding.claim.machines;
    let is_meant = |machine: &Machine| meant.is_empty() || meant.contains(&machine.name);
    let mut figures: Vec<Vec<f64>> = Vec::new();
    for machine in machines().iter().filter(|machine| is_meant(machine)) {
        let evidence = Evidence::of_machine(machine, finding);
        for (place, one) in compare(part, &finding.claim, &evidence, ALPHA).into_iter().enumerate() {
            if figures.len() <= place {
                figures.push(Vec::new());
            }
            figures[place].extend(one.seen.ok().as_ref().and_then(Seen::figure));
        }
    }
    figures
}

fn range(figures: &[f64]) -> Option<Published> {
    let low = figures.iter().copied().reduce(f64::min)?;
    let high = figures.iter().copied().reduce(f64::max)?;
    Some(Published { low, high, machines: figures.len() as u32 })
}

/// The comparisons together. What was not to be had is left out, as long as something was.
fn combined(finding: &Finding, comparisons: Vec<Compared>) -> Judged {
    let seen = |one: &&Compared| !matches!(one.outcome, Outcome::NotMeasured | Outcome::NotTestable);
    let outcomes: Vec<Outcome> = comparisons.iter().filter(seen).map(|one| one.outcome).collect();
    let reason = comparisons.iter().find_map(|one| one.reason.clone());
    let outcome = match finding.claim.holds_for {
        _ if outcomes.is_empty() => {
            let unavailable = comparisons.iter().any(|one| one.outcome == Outcome::NotTestable);
            if unavailable { Outcome::NotTestable } else { Outcome::NotMeasured }
        }
        HoldsFor::Every => every(&outcomes),
        HoldsFor::Some => some(&outcomes),
    };
    Judged { reason, comparisons, ..begun(finding, outcome) }
}

/// All must hold.
fn every(outcomes: &[Outcome]) -> Outcome {
    let any = |outcome: Outcome| outcomes.contains(&outcome);
    if any(Outcome::Reversed) {
        Outcome::Reversed
    } else if any(Outcome::Undecided) {
        Outcome::Undecided
    } else if any(Outcome::NoDifference) {
        Outcome::NoDifference
    } else {
        Outcome::Holds
    }
}

/// One is enough.
fn some(outcomes: &[Outcome]) -> Outcome {
    let any = |outcome: Outcome| outcomes.contains(&outcome);
    if any(Outcome::Holds) {
        Outcome::Holds
    } else if any(Outcome::Undecided) {
        Outcome::Undecided
    } else if any(Outcome::NoDifference) {
        Outcome::NoDifference
    } else {
        Outcome::Reversed
    }
}

/// A finding about several hosts.
fn hosts_judged(finding: &Finding, runs: &[KeptRun]) -> Judged {
    let mut comparisons = Vec::new();
    for part in &finding.parts {
        let Part::Hosts(part) = part else { continue };
        let records: Vec<&Record> = runs.iter().map(|run| &run.record).collect();
        let bounds = Bounds::ratio(part.at_least, part.at_most);
        let (said, reason) = match hosts(part, finding, &records, ALPHA) {
            Ok(seen) => (seen.judge(&bounds, ALPHA), None),
            Err(reason) => (nothing(Outcome::NotMeasured), Some(reason)),
        };
        comparisons.push(Compared {
            what: format!("{} over {}, on another host", part.of.technique, part.over.technique),
            at_least: part.at_least,
            at_most: part.at_most,
            unit: None,
            outcome: said.outcome,
            effect: said.effect,
            published: crate::hosts::published(part, finding),
            reason,
            further_rounds: None,
            rounds_are_foreseen: false,
        });
    }
    combined(finding, comparisons)
}
