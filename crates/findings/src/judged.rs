//! A finding judged: what was published, what was seen here, and whether the claim is true here.

use std::collections::{BTreeMap, BTreeSet};

use judge::Decided;
use model::{FactValue, Fingerprint, Record};

use crate::compare::{Comparison, compare};
use crate::effect::{Bounds, Effect, Outcome, Said, Seen};
use crate::evidence::{Evidence, Lack};
use crate::finding::{Finding, HoldsFor, Part, PublishedPair};
use crate::hosts::hosts;
use crate::published::{Figure, departures, faults, machines};
use crate::verdict::{Compared, Contradiction, Judged, JudgedBy, Published};
use crate::vocabulary::Fact;

/// Chance of error of a finding.
pub const ALPHA: f64 = 0.05;

/// The names of techniques and published programs that this version can measure here, by family.
pub type Known = BTreeMap<String, BTreeSet<String>>;

/// Returns whether a name of a finding can be measured; a value of a technique (`@25ms`) may be any.
pub(crate) fn is_known(own: &BTreeSet<String>, name: &str) -> bool {
    own.contains(name) || name.split_once('@').is_some_and(|(technique, _)| own.contains(technique))
}

/// The host about which something is said: what was measured on another one is not true here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Here {
    /// Its identity; runs without one are of no known host.
    pub fingerprint: Option<Fingerprint>,
    /// Its system: `linux`.
    pub system: String,
}

/// A kept run with what may be said of it.
pub struct KeptRun {
    /// The run.
    pub record: Record,
    /// Its contests.
    pub decided: Decided,
}

/// Judges a finding by the latest run of this host that decides it, or of any host without `here`; claims about hosts by all.
pub fn judge(finding: &Finding, runs: &[KeptRun], known: &Known, here: Option<&Here>) -> Judged {
    let of_family =
        runs.iter().filter(|run| run.record.trials.iter().any(|trial| trial.family == finding.family));
    let own = of_family.filter(|run| {
        let host = &run.record.host.fingerprint;
        here.is_none_or(|here| here.fingerprint.is_some() && here.fingerprint == *host)
    });
    let own: Vec<&KeptRun> = own.collect();
    let has_run = !own.is_empty();
    let judged = match cannot(finding, known) {
        Some(reason) => unseen(finding, known, Outcome::NotTestable, reason),
        None if finding.is_of_hosts() => hosts_judged(finding, runs),
        None => judge_runs(finding, &own, known, here),
    };
    let system = here.map(|here| here.system.as_str());
    let system = system.or_else(|| Some(own.first()?.record.host.os.family.as_str())).unwrap_or_default();
    Judged {
        has_run,
        published: finding.claim.published.as_ref().and_then(of_pair),
        contradictions: contradictions(finding, &judged.comparisons),
        faults: faults(finding),
        departures: departures(finding, system),
        ..judged
    }
}

/// Returns the published figures that a claim is not true of; none where the claim says "sometimes", and is true of some.
fn contradictions(finding: &Finding, comparisons: &[Compared]) -> Vec<Contradiction> {
    let figures = comparisons.iter().filter_map(|one| Some((one, one.published.as_ref()?)));
    let agree: u32 = figures.clone().map(|(_, found)| found.machines - found.outside.len() as u32).sum();
    let outside = figures.filter(|_| finding.claim.holds_for == HoldsFor::Every || agree == 0);
    let all = outside.flat_map(|(one, found)| {
        found.outside.iter().map(|(machine, figure)| Contradiction {
            what: one.what.clone(),
            machine: machine.clone(),
            figure: *figure,
            is_time: one.unit.is_some(),
        })
    });
    all.collect()
}

fn judge_runs(finding: &Finding, runs: &[&KeptRun], known: &Known, here: Option<&Here>) -> Judged {
    if let Some(reason) = foreign(finding, runs, here) {
        return unseen(finding, known, Outcome::NotTestable, reason);
    }
    let all: Vec<(&KeptRun, Judged)> =
        runs.iter().map(|run| (*run, judge_run(finding, run, known))).collect();
    if let Some((latest, judged)) = all.iter().find(|(_, judged)| judged.is_measured()) {
        let version = &latest.record.tool.version;
        // A later run with fewer rounds says nothing against an earlier one that has enough.
        let mut same = all.iter().filter(|(run, _)| run.record.tool.version == *version);
        let decided = same.find(|(_, judged)| judged.outcome.is_decided());
        return decided.map_or(judged, |(_, decided)| decided).clone();
    }
    // What was asked for in part says more than what was not asked for.
    let in_part = all.iter().find(|(_, judged)| judged.comparisons.iter().any(|one| one.outcome.is_seen()));
    let [not_measured, not_testable] = [Outcome::NotMeasured, Outcome::NotTestable]
        .map(|outcome| all.iter().find(|(_, judged)| judged.outcome == outcome));
    let nearest = in_part.or(not_measured).or(not_testable);
    nearest.map(|(_, judged)| judged.clone()).unwrap_or_else(|| {
        let place = if here.is_some() { "no kept run of this host has" } else { "the run does not have" };
        unseen(finding, known, Outcome::NotMeasured, format!("{place} the family {}", finding.family))
    })
}

/// Explains why a claim about one system cannot be tested on this host or by this run.
fn foreign(finding: &Finding, runs: &[&KeptRun], here: Option<&Here>) -> Option<String> {
    let system = finding.claim.system.as_ref()?;
    let (subject, own) = match here {
        Some(here) => ("this host has", &here.system),
        None => ("the run is of a host with", &runs.first()?.record.host.os.family),
    };
    (own != system).then(|| format!("it is about {system}, and {subject} {own}"))
}

/// Returns a finding of which nothing was seen, with what was published.
fn unseen(finding: &Finding, known: &Known, outcome: Outcome, reason: String) -> Judged {
    let comparisons = compared(finding, &Evidence::default(), None, known, &all_published(finding), ALPHA);
    Judged { outcome, reason: Some(reason), ..combined(finding, comparisons) }
}

fn cannot(finding: &Finding, known: &Known) -> Option<String> {
    if !known.contains_key(&finding.family) {
        return Some(format!("the family {} is not in this version", finding.family));
    }
    finding.parts.iter().find_map(|part| match part {
        Part::Needs(needs) => Some(format!("it needs {}", needs.what)),
        _ => None,
    })
}

fn judge_run(finding: &Finding, run: &KeptRun, known: &Known) -> Judged {
    let evidence = Evidence::of_record(&run.record, &run.decided, &finding.family);
    let judged = by_levels(finding, &evidence, &run.record, known);
    let (is_open, is_measured) = (judged.outcome == Outcome::Undecided, judged.is_measured());
    let further = judged.comparisons.iter().filter_map(|one| one.further_rounds).max();
    let further_rounds = further.filter(|_| is_open);
    let least = judged.comparisons.iter().filter_map(|one| one.least_rounds).max();
    let fitting = evidence.fitting(&finding.claim);
    let reduced = finding.claim.measured_with.filter(|with| {
        let (axis, value, _) = with.axis();
        is_measured && fitting.iter().any(|task| task.workload.number(axis) == Some(value))
    });
    let names = finding.names();
    let each = fitting.iter().flat_map(|task| names.iter().filter_map(|name| task.median_ns(name)));
    let each_ns: f64 = each.sum();
    let compared = fitting.iter().filter(|task| names.iter().any(|name| task.has(name)));
    let mut workloads: Vec<String> = compared.map(|task| task.described()).collect();
    workloads.dedup();
    Judged {
        further_rounds,
        least_rounds: least.filter(|_| is_open),
        further_ns: further_rounds.filter(|_| each_ns > 0.0).map(|n| (f64::from(n) * each_ns) as u64),
        measured_with: reduced.map(|with| with.words()),
        run: is_measured.then(|| run.record.id.clone()),
        judged_by: if is_measured { vec![JudgedBy::of(&run.record, workloads)] } else { Vec::new() },
        ..judged
    }
}

/// Judges a finding so that its verdict is wrong with a chance of at most `ALPHA`. Where one comparison is enough, all share the
/// chance. A verdict that rests on all of them is wrong only where one that should not have agreed is, so each has the whole chance
/// (the intersection-union test: Berger, Technometrics 24, 1982).
fn by_levels(finding: &Finding, evidence: &Evidence<'_>, record: &Record, known: &Known) -> Judged {
    let figures = all_published(finding);
    let at =
        |alpha: f64| combined(finding, compared(finding, evidence, Some(record), known, &figures, alpha));
    let whole = at(ALPHA);
    // A fact was found once and has no chance of error.
    let facts = finding.parts.iter().filter(|part| matches!(part, Part::Fact(_))).count();
    let count = whole.comparisons.len() - facts;
    let shared = if count > 1 { at(ALPHA / count as f64) } else { return whole };
    let is_open = shared.outcome == Outcome::Undecided;
    if is_open && rests_on_all(&whole) { whole } else { shared }
}

/// Makes the comparisons of a finding in one place, each at this chance of error and with its published figures.
fn compared(
    finding: &Finding, evidence: &Evidence<'_>, record: Option<&Record>, known: &Known,
    figures: &[Vec<Option<Published>>], alpha: f64,
) -> Vec<Compared> {
    let mut comparisons = Vec::new();
    for (part, figures) in finding.parts.iter().zip(figures) {
        let bounds = part.bounds();
        if let Part::Fact(part) = part {
            comparisons.push(fact(part, bounds, record, &finding.family));
        }
        for (place, comparison) in compare(part, &finding.claim, evidence, alpha).into_iter().enumerate() {
            let published = figures.get(place).cloned().flatten();
            comparisons.push(judged(comparison, published, alpha, finding, known));
        }
    }
    comparisons
}

fn judged(
    comparison: Comparison, published: Option<Published>, alpha: f64, finding: &Finding, known: &Known,
) -> Compared {
    let Comparison { what, bounds, unit, seen } = comparison;
    let (said, reason) = match &seen {
        Ok(seen) => (seen.judge(&bounds, alpha), None),
        Err(Lack::Unavailable(reason)) => (Said::nothing(Outcome::NotTestable), Some(reason.clone())),
        Err(Lack::NotMeasured(reason)) => match absent(&what, finding, known) {
            Some(absent) => (Said::nothing(Outcome::NotTestable), Some(absent)),
            None => (Said::nothing(Outcome::NotMeasured), Some(reason.clone())),
        },
    };
    Compared {
        published,
        reason,
        unit: unit.map(str::to_owned),
        rounds_are_foreseen: matches!(seen, Ok(Seen::Rounds { .. })),
        ..Compared::new(what, bounds, said)
    }
}

/// Names a technique of a comparison that this version does not have on this system.
fn absent(what: &str, finding: &Finding, known: &Known) -> Option<String> {
    let own = known.get(&finding.family)?;
    let names = finding.names().into_iter().filter(|name| !is_known(own, name));
    let missing = names.into_iter().find(|name| what.split([' ', ',']).any(|word| word == *name))?;
    Some(format!("the family {} has no technique {missing} on this system", finding.family))
}

fn all_published(finding: &Finding) -> Vec<Vec<Option<Published>>> {
    finding.parts.iter().map(|part| published(part, finding)).collect()
}

fn published(part: &Part, finding: &Finding) -> Vec<Option<Published>> {
    if finding.claim.table.is_none() {
        return Vec::new();
    }
    let meant = &finding.claim.machines;
    let mut figures: Vec<Vec<(&str, f64)>> = Vec::new();
    for machine in machines().iter().filter(|machine| meant.is_empty() || meant.contains(&machine.name)) {
        let evidence = Evidence::of_machine(machine, finding);
        for (place, one) in compare(part, &finding.claim, &evidence, ALPHA).into_iter().enumerate() {
            figures.resize(figures.len().max(place + 1), Vec::new());
            let figure = one.seen.ok().as_ref().and_then(Seen::figure);
            figures[place].extend(figure.map(|figure| (machine.name.as_str(), figure)));
        }
    }
    let bounds = part.bounds();
    let of_comparison = figures.into_iter().map(|figures| {
        let found = range(&figures.iter().map(|(_, figure)| *figure).collect::<Vec<_>>())?;
        let outside =
            figures.into_iter().filter(|(_, figure)| bounds.outcome(*figure, *figure) == Outcome::Reversed);
        Some(Published {
            outside: outside.map(|(name, figure)| (name.to_owned(), figure)).collect(),
            ..found
        })
    });
    of_comparison.collect()
}

pub(crate) fn range(figures: &[f64]) -> Option<Published> {
    let low = figures.iter().copied().reduce(f64::min)?;
    let high = figures.iter().copied().reduce(f64::max)?;
    Some(Published { low, high, machines: figures.len() as u32, outside: Vec::new() })
}

fn of_pair(pair: &PublishedPair) -> Option<Published> {
    let all = machines();
    let [of, over] = [&pair.of, &pair.over].map(|names| {
        names.0.iter().filter_map(|name| all.iter().find(|machine| machine.name == *name)).collect::<Vec<_>>()
    });
    let mut ratios = Vec::new();
    let pairs = of.iter().flat_map(|one| over.iter().map(move |other| (one, other)));
    for ((of, over), technique) in
        pairs.flat_map(|both| pair.technique.0.iter().map(move |name| (both, name)))
    {
        let is_meant = |figure: &&Figure| {
            let at = pair.axis.as_ref().and_then(|axis| figure.workload.number(axis));
            let is_level =
                pair.levels.is_none_or(|[least, most]| at.is_some_and(|at| (least..=most).contains(&at)));
            figure.program == *technique && figure.metric == "work" && is_level
        };
        let own = of.figures.iter().filter(is_meant).filter_map(|one| {
            let mut others = over.figures.iter().filter(is_meant);
            let same = others.find(|other| other.table == one.table && other.workload == one.workload)?;
            Some(one.ns / same.ns)
        });
        let own: Vec<f64> = own.collect();
        ratios.extend(if pair.axis.is_some() && !own.is_empty() { vec![stats::mean(&own)] } else { own });
    }
    range(&ratios).map(|found| Published { machines: (of.len() + over.len()) as u32, ..found })
}

/// Judges a finding about several hosts.
fn hosts_judged(finding: &Finding, runs: &[KeptRun]) -> Judged {
    let records: Vec<&Record> = runs.iter().map(|run| &run.record).collect();
    let alpha = ALPHA / finding.parts.len().max(1) as f64;
    let (mut comparisons, mut judged_by) = (Vec::new(), Vec::new());
    for part in &finding.parts {
        let bounds = part.bounds();
        let Part::Hosts(part) = part else { continue };
        let (said, reason) = match hosts(part, finding, &records, alpha) {
            Ok((seen, by)) => {
                judged_by.extend(by.into_iter().filter(|one| !judged_by.contains(one)).collect::<Vec<_>>());
                (seen.judge(&bounds, alpha), None)
            }
            Err(reason) => (Said::nothing(Outcome::NotMeasured), Some(reason)),
        };
        let published = crate::hosts::published(part, finding);
        comparisons.push(Compared { published, reason, ..Compared::new(part.what(), bounds, said) });
    }
    let judged = combined(finding, comparisons);
    Judged { judged_by: if judged.is_measured() { judged_by } else { Vec::new() }, ..judged }
}

/// Combines all comparisons. One that could be made and was not leaves no verdict: a claim about five programs is not judged by two.
fn combined(finding: &Finding, comparisons: Vec<Compared>) -> Judged {
    let outcomes = comparisons.iter().map(|one| one.outcome);
    let seen: Vec<Outcome> = outcomes.clone().filter(|outcome| outcome.is_seen()).collect();
    let needed = finding.claim.least.unwrap_or(comparisons.len()).max(1);
    let (outcome, reason) = if outcomes.into_iter().any(|outcome| outcome == Outcome::NotMeasured) {
        (Outcome::NotMeasured, lacking(&comparisons, Outcome::NotMeasured, seen.len()))
    } else if seen.len() < needed {
        (Outcome::NotTestable, lacking(&comparisons, Outcome::NotTestable, seen.len()))
    } else {
        let ranked = match finding.claim.holds_for {
            HoldsFor::Every => [Outcome::Reversed, Outcome::Undecided, Outcome::NoDifference, Outcome::Holds],
            HoldsFor::Some => [Outcome::Holds, Outcome::Undecided, Outcome::NoDifference, Outcome::Reversed],
        };
        let outcome = ranked.into_iter().find(|outcome| seen.contains(outcome));
        (outcome.unwrap_or(Outcome::Undecided), None)
    };
    let claim = &finding.claim;
    Judged {
        id: claim.id.clone(),
        family: finding.family.clone(),
        claim: claim.claim.clone(),
        source: claim.source,
        place: claim.place.clone(),
        conditions: claim.published_conditions(),
        figure: claim.figure.clone(),
        contradictions: Vec::new(),
        faults: Vec::new(),
        departures: Vec::new(),
        outcome,
        reason,
        further_rounds: None,
        further_ns: None,
        least_rounds: None,
        measured_with: None,
        has_run: false,
        run: None,
        judged_by: Vec::new(),
        published: None,
        comparisons,
    }
}

/// Returns whether a verdict rests on all comparisons: each one that was seen says the same.
fn rests_on_all(judged: &Judged) -> bool {
    let mut seen = judged.comparisons.iter().map(|one| one.outcome).filter(|outcome| outcome.is_seen());
    judged.outcome.is_decided() && seen.all(|outcome| outcome == judged.outcome)
}

/// Explains why some comparisons were not made, each reason once, and how many were.
fn lacking(comparisons: &[Compared], lacking: Outcome, seen: usize) -> Option<String> {
    let mut reasons: Vec<&str> = Vec::new();
    for one in comparisons.iter().filter(|one| one.outcome == lacking) {
        reasons.extend(one.reason.as_deref().filter(|reason| !reasons.contains(reason)));
    }
    let (first, total) = (reasons.first()?, comparisons.len());
    Some(match seen {
        // One reason for nothing at all: the first says enough.
        0 => (*first).to_owned(),
        _ => format!("only {seen} of its {total} comparisons could be made: {}", reasons.join("; ")),
    })
}

/// Judges a claim about a number, or about the quotient of two. It was found once: it has no interval.
fn fact(part: &Fact, bounds: Bounds, record: Option<&Record>, family: &str) -> Compared {
    let find = |name: &str, about: &str| {
        let mut named = record?.facts.iter().filter(|fact| fact.family == family && fact.name == name);
        named.find(|fact| fact.about == about).map(|fact| &fact.value)
    };
    let number = |about: &str| match find(&part.name, about)? {
        FactValue::Number { number, unit } => Some((*number, unit.clone())),
        FactValue::Words { .. } => None,
    };
    let found = part.about.0.iter().find_map(|about| number(about).map(|number| (about, number)));
    let (effect, unit) = match (&found, &part.over) {
        (Some((_, (number, unit))), None) => (Some(*number), Some(unit.clone())),
        (Some((_, (one, _))), Some(over)) => {
            (number(over).filter(|(other, _)| *other > 0.0).map(|(other, _)| one / other), None)
        }
        (None, _) => (None, None),
    };
    let about = found.map_or(part.about.0.first(), |(about, _)| Some(about)).cloned().unwrap_or_default();
    let found = [Some(&about), part.over.as_ref()].into_iter().flatten().filter_map(|about| {
        let because = part.because.as_deref()?;
        let FactValue::Words { words } = find(because, about)? else { return None };
        Some(format!("{because} with {about}: {words}"))
    });
    let found: Vec<String> = found.collect();
    let what = match &part.over {
        None => format!("{} of {about}", part.name),
        Some(over) => format!("{} with {about} over {over}", part.name),
    };
    let outcome = effect.map_or(Outcome::NotMeasured, |effect| bounds.outcome(effect, effect));
    let found_once = effect.map(|estimate| Effect { estimate, low: None, high: None, rounds: 0 });
    let said = Said { effect: found_once, ..Said::nothing(outcome) };
    Compared {
        unit: unit.filter(|unit| !unit.is_empty()),
        found: (!found.is_empty()).then(|| found.join("; ")),
        reason: effect.is_none().then(|| format!("the run did not find out the {} of {about}", part.name)),
        ..Compared::new(what, bounds, said)
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Holds, NoDifference, NotTestable, Reversed, Undecided};

    use super::*;

    #[test]
    fn one_comparison_that_decides_shares_the_chance_of_error() {
        let head = "[finding]\nid = \"copy-0\"\nclaim = \"So it is.\"\nsource = \"wsp\"\nplace = \"p\"\nconditions = \"c\"\nleast = 2\n";
        for (holds_for, outcomes, expected) in [
            ("every", [Holds, Holds, Holds], true),
            ("every", [Holds, NotTestable, Holds], true),
            ("every", [NoDifference, NoDifference, NoDifference], true),
            ("every", [Holds, NoDifference, Holds], false),
            ("every", [Holds, Reversed, Holds], false),
            ("every", [Holds, Undecided, Holds], false),
            ("some", [Reversed, Reversed, Reversed], true),
            ("some", [Reversed, NoDifference, Reversed], false),
            ("some", [Reversed, Holds, Reversed], false),
        ] {
            let text =
                format!("{head}holds_for = \"{holds_for}\"\n[[faster]]\ntechnique = \"a\"\nthan = \"b\"\n");
            let finding = Finding::read("copy/a.toml", &text).expect("well formed");
            let comparisons = outcomes.map(|outcome| Compared { outcome, ..Compared::default() });
            let judged = combined(&finding, comparisons.to_vec());
            assert_eq!(rests_on_all(&judged), expected, "{holds_for} {outcomes:?}");
        }
    }
}
