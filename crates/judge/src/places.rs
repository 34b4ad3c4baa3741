//! The lines of a ranking.

use std::collections::{BTreeMap, BTreeSet};

use model::{Kind, Sample, Usage};
use stats::{Interval, Row, boundaries, hodges_lehmann, median, noise, repeated_interval};

use crate::contest::{Entry, Field, Unit};
use crate::decide::Decision;
use crate::ranking::{FailureLine, Noise, Place, Standing, Verdict};
use crate::wording::rounds;

/// All lines: the leader, the others by their ratio to it, the limits, the failed.
pub(crate) fn places(field: &Field<'_>, decision: &Decision) -> Vec<Place> {
    let mut order: Vec<usize> = field.assessment.leader.into_iter().collect();
    order.extend(field.assessment.rows.iter().map(|row| row.technique));
    if order.is_empty() {
        order = by_median(field);
    }
    let base = order.first().copied();
    let mut places: Vec<Place> =
        order.iter().map(|&index| competitor(field, decision, base, index)).collect();
    for &index in &field.ceilings {
        let mut place = line(field, base, index, Standing::Limit);
        if let Some(interval) = base.and_then(|base| pair_interval(field, base, index)) {
            bound(&mut place, interval.estimate, interval.low, interval.high);
        }
        places.push(place);
    }
    for (index, reason) in &field.failed {
        let mut place = line(field, None, *index, Standing::Failed);
        place.notes.insert(0, reason.clone());
        places.push(place);
    }
    places
}

/// Before the first look there is no leader: the order is that of the medians, and claims nothing.
fn by_median(field: &Field<'_>) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = field
        .competitors
        .iter()
        .map(|&index| (median(&field.values(index)).unwrap_or(f64::INFINITY), index))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, index)| index).collect()
}

fn competitor(field: &Field<'_>, decision: &Decision, base: Option<usize>, index: usize) -> Place {
    let row = field.assessment.row(index);
    let standing = standing(field, decision, row);
    let mut place = line(field, base, index, standing);
    place.notes.extend(stopped(field, index));
    let Some(row) = row else {
        return place;
    };
    // What is said of every row must hold for all rows together; a tie is said of one pair.
    let of_row = row.standing == stats::Standing::Beaten;
    let (low, high) = if of_row { (row.row_low, row.row_high) } else { (row.low, row.high) };
    if decision.verdict != Verdict::Refused {
        bound(&mut place, row.estimate, low.min(row.estimate), high.max(row.estimate));
    }
    if decision.winner.is_some() && standing != Standing::Slower {
        place.notes.push(
            "behind the winner as a pair, but not at the level that holds for all lines together".into(),
        );
    }
    place.left_after_round = row.left;
    place.notes.extend(place.left_note());
    if row.moved {
        place.notes.push("its ratio to the leader moved between looks".to_owned());
    }
    place
}

fn standing(field: &Field<'_>, decision: &Decision, row: Option<&Row>) -> Standing {
    let Some(row) = row else {
        let best = matches!(decision.verdict, Verdict::Winner | Verdict::WinnerSmall | Verdict::Tie);
        return if best && field.assessment.leader.is_some() { Standing::Best } else { Standing::Undecided };
    };
    if decision.verdict == Verdict::Refused || decision.moved == Some(row.technique) {
        Standing::Undecided
    } else if row.row_low > 0.0 && row.standing == stats::Standing::Beaten {
        Standing::Slower
    } else if row.standing == stats::Standing::Tied {
        Standing::Tied
    } else if row.left.is_some() && row.standing == stats::Standing::Beaten {
        // Beaten by a technique that the leader beats or ties: the claim was made, for all rows, when it left.
        Standing::Slower
    } else {
        Standing::Undecided
    }
}

/// Everything but the interval.
fn line(field: &Field<'_>, base: Option<usize>, index: usize, standing: Standing) -> Place {
    let entry = &field.contest.entries[index];
    let values = field.values(index);
    let typical = median(&values);
    let differences = base.filter(|&base| base != index).map(|base| field.differences(base, index));
    let ratio_of = |f: &dyn Fn(&[f64]) -> Option<f64>| differences.as_deref().and_then(f).map(f64::exp);
    let leads = base == Some(index);
    let finite = |ratio: Option<f64>| if leads { Some(1.0) } else { ratio.filter(|ratio| ratio.is_finite()) };
    let usage = |of: &dyn Fn(&Usage) -> Option<u64>| median_of(&entry.samples, &|sample| of(&sample.usage));
    let per_second = |ns: f64| {
        let bytes = field.contest.workload.bytes().filter(|_| field.contest.unit == Unit::Nanoseconds)?;
        (ns > 0.0).then(|| bytes as f64 / ns * 1e9)
    };
    Place {
        technique: entry.name.clone(),
        aliases: entry.aliases.clone(),
        kind: entry.kind,
        place: standing,
        median: typical,
        bytes_per_s: typical.and_then(per_second),
        ratio: finite(ratio_of(&|d| median(d))),
        ratio_low: None,
        ratio_high: None,
        mean_ratio: finite(base.and_then(|base| mean_ratio(field, base, index))),
        hodges_lehmann_ratio: finite(ratio_of(&|d| hodges_lehmann(d))),
        rounds: field.matrix.rounds_of(index),
        noise: noise(&values).map(noise_line),
        user_ns: usage(&|usage| usage.user_ns),
        system_ns: usage(&|usage| usage.system_ns),
        peak_memory_bytes: usage(&|usage| usage.peak_memory_bytes),
        faults: usage(&|usage| sum(usage.minor_faults, usage.major_faults)),
        switches: usage(&|usage| sum(usage.voluntary_switches, usage.involuntary_switches)),
        phases_ns: phases_ns(&entry.samples),
        left_after_round: None,
        notes: notes(entry),
    }
}

/// The median of every phase over the samples that tell it.
fn phases_ns(samples: &[&Sample]) -> BTreeMap<String, f64> {
    let names: BTreeSet<&String> = samples.iter().flat_map(|sample| sample.phases_ns.keys()).collect();
    let typical = |name: &String| median_of(samples, &|sample| sample.phases_ns.get(name).copied());
    names.into_iter().filter_map(|name| Some((name.clone(), typical(name)?))).collect()
}

/// What is said of a technique that took part in fewer rounds than the others without having left.
fn stopped(field: &Field<'_>, index: usize) -> Option<String> {
    let most = field.competitors.iter().map(|&index| field.matrix.rounds_of(index)).max()?;
    let own = field.matrix.rounds_of(index);
    let left = field.assessment.row(index).is_some_and(|row| row.left.is_some());
    (!left && own + 1 < most).then(|| format!("took part in {} of {most} only", rounds(own)))
}

/// Two counts together; what is known when only one of them is.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (one, other) => one.or(other),
    }
}

fn median_of(samples: &[&Sample], of: &dyn Fn(&Sample) -> Option<u64>) -> Option<f64> {
    median(&samples.iter().filter_map(|sample| of(sample)).map(|value| value as f64).collect::<Vec<_>>())
}

fn noise_line(noise: stats::Noise) -> Noise {
    Noise {
        robust_spread: noise.robust_spread,
        quartile_dispersion: noise.quartile_dispersion,
        p95_over_median: noise.p95_over_median,
        p99_over_median: noise.p99_over_median,
        max_over_median: noise.max_over_median,
        far_out: noise.far_out,
        lag1_autocorrelation: noise.lag1_autocorrelation,
    }
}

/// What the samples tell of themselves, each note once, and how often it failed.
fn notes(entry: &Entry<'_>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in entry.samples.iter().flat_map(|sample| &sample.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let failed = entry.failures.iter().filter(|failure| failure.round.is_some()).count() as u32;
    if failed > 0 && !entry.samples.is_empty() {
        notes.push(format!("failed in {}", rounds(failed)));
    }
    notes
}

fn bound(place: &mut Place, estimate: f64, low: f64, high: f64) {
    let finite = |log: f64| Some(log.exp()).filter(|ratio| ratio.is_finite() && *ratio > 0.0);
    place.ratio = finite(estimate);
    place.ratio_low = finite(low);
    place.ratio_high = finite(high);
}

/// The interval of a pair that is not a row of the contest.
pub(crate) fn pair_interval(field: &Field<'_>, base: usize, other: usize) -> Option<Interval> {
    let looks = &field.rules.looks;
    repeated_interval(&field.differences(base, other), looks, &boundaries(field.rules.alpha, looks))
}

/// Mean of its values over the mean of the base's, over the judged rounds both took part in. `None` when one failed.
pub(crate) fn mean_ratio(field: &Field<'_>, base: usize, index: usize) -> Option<f64> {
    let common = field.judged_rounds().min(field.matrix.rounds_of(base)).min(field.matrix.rounds_of(index));
    let total =
        |index: usize| (0..common as usize).filter_map(|round| field.matrix.value(index, round)).sum::<f64>();
    let ratio = total(index) / total(base);
    (common > 0 && ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// What failed, by technique and kind, in the order of the entries.
pub(crate) fn failure_lines(field: &Field<'_>) -> Vec<FailureLine> {
    let mut lines: Vec<FailureLine> = Vec::new();
    // That a twin is missing is told by its original.
    let told = |entry: &&Entry<'_>| !(entry.kind == Kind::Twin && entry.is_missing());
    for entry in field.contest.entries.iter().filter(told) {
        for failure in &entry.failures {
            let same = |line: &&mut FailureLine| line.technique == entry.name && line.kind == failure.kind;
            match lines.iter_mut().find(same) {
                Some(line) => line.count += 1,
                None => lines.push(FailureLine {
                    technique: entry.name.clone(),
                    kind: failure.kind,
                    count: 1,
                    reason: failure.reason.clone(),
                }),
            }
        }
    }
    lines
}
