//! The lines of a ranking.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{Better, Class, FailureKind, Kind, Sample, SampleNote, Source, Unit};
use stats::contest::{Length, Row, Standing as Found};
use stats::{median, noise};

use crate::contest::field::Field;
use crate::contest::ranking::{Entry, FailureLine, Median, Noise, Standing, State};
use crate::contest::{self, Series};
use crate::wording::{counted, once};

/// The longest tick of the accounting of user and system time: 10 ms on Linux, 15.6 ms on Windows. Of less only the sum is known.
const TICK_NS: f64 = 16e6;

/// Returns all lines: the leader, the others by their factor, the ones left out, the limits, the failed.
pub(crate) fn entries(field: &Field<'_>, state: State) -> Vec<Entry> {
    let base = field.assessment.leader;
    let standing = field.standing_entries();
    let stands: BTreeSet<usize> = standing.iter().copied().collect();
    // User and system time can be distinguished where every timed stretch is longer than a tick.
    let mut typical =
        field.entries.iter().filter_map(|&index| median(&field.contest.series[index].stretches()));
    let split = typical.all(|ns| ns >= TICK_NS);
    let mut lines: Vec<Entry> = if base.is_some() {
        let rows = field.assessment.rows.iter().filter(|row| stands.contains(&row.entry));
        rows.map(|row| compared(field, state, row, split)).collect()
    } else {
        let entries = by_median(field, &standing).into_iter();
        entries.map(|index| line(field, None, index, Standing::Unjudged, split)).collect()
    };
    let skipped = by_median(field, &field.skipped).into_iter().map(|index| (index, Standing::Skipped));
    let ceilings = field.limits.iter().map(|&index| (index, Standing::Ceiling));
    for (index, standing) in skipped.chain(ceilings) {
        let mut entry = line(field, base, index, standing, split);
        pair(field, &mut entry);
        lines.push(entry);
    }
    for (index, reason) in &field.failed {
        let mut entry = line(field, None, *index, Standing::Failed, split);
        entry.notes.insert(0, reason.clone());
        lines.push(entry);
    }
    lines
}

/// Orders entries without a leader by their medians, which claims nothing.
fn by_median(field: &Field<'_>, entries: &[usize]) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> =
        entries.iter().map(|&index| (median(&field.costs(index)).unwrap_or(f64::INFINITY), index)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, index)| index).collect()
}

fn compared(field: &Field<'_>, state: State, row: &Row, split: bool) -> Entry {
    let leader = field.assessment.leader;
    let judged = state.is_judged();
    let low = field.low(row);
    let standing = match row.standing {
        _ if !judged => Standing::Unjudged,
        // Where a claim was withdrawn, or another entry is within the tolerance, the leader is not the only one.
        Found::Fastest if field.candidates().len() == 1 => Standing::Wins,
        Found::Fastest | Found::MayBeFastest => Standing::Tied,
        _ if field.is_withdrawn(row.entry) || field.is_within_tolerance(row.entry) => Standing::Tied,
        Found::Slower | Found::Behind | Found::FarBehind => Standing::Slower,
        Found::Failed => Standing::Failed,
    };
    let mut entry = line(field, leader, row.entry, standing, split);
    entry.left_after_round = row.left_after;
    entry.rounds = row.rounds;
    let factor = |log: f64| Some(log.exp()).filter(|factor| factor.is_finite() && *factor > 0.0);
    if let Some(estimate) = row.estimate {
        // A leader may have been chosen for its limit: no row is shown to be faster than it.
        entry.factor = factor(estimate.max(0.0));
    }
    if leader == Some(row.entry) {
        entry.factor = Some(1.0);
    }
    pair(field, &mut entry);
    // In a very short contest nothing is said about factors.
    if judged && field.rules.length() != Length::VeryShort {
        // Where a ratio moved during the run, the bounds of its looks can contradict each other, or its typical value.
        let estimate = row.estimate.unwrap_or(low);
        let is_contradictory = low > row.high;
        entry.factor_low = match standing {
            Standing::Wins | Standing::Tied => Some(1.0),
            _ => factor(low.min(row.high).min(estimate)).filter(|low| *low > 1.0),
        };
        entry.factor_high = if leader == Some(row.entry) {
            field.at_most().and_then(factor)
        } else {
            factor(row.high.max(estimate)).filter(|_| !field.turned_round(row.entry) && !is_contradictory)
        };
    }
    entry
}

/// Sets the value of an entry to that of the leader times its factor: the median of an entry that left early is of other rounds.
fn pair(field: &Field<'_>, entry: &mut Entry) {
    let Some((base, factor)) = field.assessment.leader.zip(entry.factor) else { return };
    let typical = median(&field.values(base)).map(|leader| match field.contest.metric.better {
        Better::Less => leader * factor,
        Better::More => leader / factor,
    });
    let extrapolated = entry.median.extrapolated || is_extrapolated(field, base);
    entry.median = Median::new(field.contest.unit, typical.or(entry.median.value()));
    entry.median.extrapolated = extrapolated;
    entry.bytes_per_s = entry.median.value().and_then(|ns| throughput(field, ns));
}

fn throughput(field: &Field<'_>, ns: f64) -> Option<f64> {
    let contest = field.contest;
    // Not for a part of the work, nor where no byte is moved.
    let is_of_all = contest.metric.source != Source::Value && contest.class != Class::SharesExtents;
    let bytes = contest.workload.bytes().filter(|_| is_of_all && contest.unit == Some(Unit::Nanoseconds))?;
    (ns > 0.0 && bytes > 0).then(|| bytes as f64 / ns * 1e9)
}

/// Returns the line of an entry without what the comparison says.
fn line(field: &Field<'_>, base: Option<usize>, index: usize, standing: Standing, split: bool) -> Entry {
    let series = &field.contest.series[index];
    // What lies below the tick of its counter has no figures.
    let values = if field.below_tick.contains(&index) { Vec::new() } else { field.values(index) };
    let typical = median(&values);
    let leads = base == Some(index);
    let finite = |ratio: Option<f64>| if leads { Some(1.0) } else { ratio.filter(|ratio| ratio.is_finite()) };
    let samples = counted_samples(field, series);
    let factor = match standing {
        // What has one round only is set next to the leader in that one.
        Standing::Skipped => base.and_then(|base| field.matrix.difference(base, index, 0)),
        _ => base.filter(|&base| base != index).and_then(|base| median(&field.differences(base, index))),
    };
    let mut entry = Entry {
        technique: series.name.clone(),
        aliases: series.aliases.clone(),
        kind: series.kind,
        standing,
        median: Median::new(field.contest.unit, typical),
        min: values.iter().copied().reduce(f64::min),
        max: values.iter().copied().reduce(f64::max),
        bytes_per_s: typical.and_then(|ns| throughput(field, ns)),
        factor: finite(factor.map(f64::exp)),
        factor_low: None,
        factor_high: None,
        mean_ratio: finite(base.and_then(|base| mean_ratio(field, base, index))),
        rounds: field.matrix.rounds_of(index).saturating_sub(1),
        left_after_round: None,
        noise: noise(&values).map(noise_line),
        // No process uses none: what is reported as 0 is less than the counter's tick.
        cpu_ns: median_of(&samples, |one| of_one(one, one.usage.cpu_ns())).filter(|ns| *ns > 0.0),
        user_ns: median_of(&samples, |one| of_one(one, one.usage.user_ns)).filter(|_| split),
        system_ns: median_of(&samples, |one| of_one(one, one.usage.system_ns)).filter(|_| split),
        peak_memory_bytes: median_of(&samples, |one| Some(one.usage.peak_memory_bytes? as f64)),
        faults: median_of(&samples, |one| Some(one.usage.faults()? as f64)),
        switches: median_of(&samples, |one| Some(one.usage.switches()? as f64)),
        preemptions: median_of(&samples, |one| Some(one.usage.involuntary_switches? as f64)),
        run_delay_ns: median_of(&samples, |one| Some(one.usage.run_delay_ns? as f64)),
        values: medians(&samples),
        notes: notes(series),
    };
    entry.median.extrapolated = is_extrapolated(field, index);
    entry
}

/// Returns the median of a value over the samples that have it.
pub(crate) fn median_of(samples: &[&Sample], value: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
    median(&samples.iter().filter_map(|sample| value(sample)).collect::<Vec<f64>>())
}

/// Returns the time of one repetition: a sample counts what all its repetitions used.
pub(crate) fn of_one(sample: &Sample, ns: Option<u64>) -> Option<f64> {
    Some(ns? as f64 / sample.repetitions.max(1) as f64)
}

/// Returns whether a sample of an entry was cut short and extrapolated.
fn is_extrapolated(field: &Field<'_>, index: usize) -> bool {
    let mut notes =
        counted_samples(field, &field.contest.series[index]).into_iter().flat_map(|sample| &sample.notes);
    notes.any(|note| matches!(note, SampleNote::Extrapolated(_)))
}

fn counted_samples<'a>(field: &Field<'_>, series: &Series<'a>) -> Vec<&'a Sample> {
    contest::counted(series.samples.iter().copied(), field.first_counted(), |sample| sample.round)
}

/// Returns the median of every value that techniques report, over the samples that report it.
fn medians(samples: &[&Sample]) -> BTreeMap<String, f64> {
    let mut all: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
    for (key, value) in samples.iter().flat_map(|sample| &sample.values) {
        all.entry(key).or_default().push(*value);
    }
    all.into_iter().filter_map(|(key, values)| Some((key.clone(), median(&values)?))).collect()
}

fn noise_line(noise: stats::Noise) -> Noise {
    let stats::Noise { robust_spread, p95_over_median, p99_over_median, max_over_median, far_out, .. } =
        noise;
    Noise { robust_spread, p95_over_median, p99_over_median, max_over_median, far_out }
}

/// Returns the notes of the samples, each once, and how often it failed.
fn notes(series: &Series<'_>) -> Vec<String> {
    let mut notes = once(series.samples.iter().flat_map(|sample| &sample.notes).map(ToString::to_string));
    let failed = series.failures.iter().filter(|failure| failure.round.is_some()).count() as u32;
    if failed > 0 && !series.samples.is_empty() {
        notes.push(format!("failed in {}", counted(failed.into(), "round")));
    }
    notes
}

/// Returns the mean of an entry's values over that of the base's, in the judged rounds of both; `None` when one failed.
pub(crate) fn mean_ratio(field: &Field<'_>, base: usize, index: usize) -> Option<f64> {
    let recorded = (field.judged_rounds() + 1)
        .min(field.matrix.rounds_of(base))
        .min(field.matrix.rounds_of(index)) as usize;
    let [total, of_base] = [index, base]
        .map(|index| (1..recorded).filter_map(|round| field.matrix.value(index, round)).sum::<f64>());
    let ratio = total / of_base;
    (recorded > 1 && ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// Returns the entries without samples, or with too few, by technique and kind, in the order of the entries.
pub(crate) fn failure_lines(field: &Field<'_>) -> Vec<FailureLine> {
    let mut lines: Vec<FailureLine> = Vec::new();
    let mut places: HashMap<(&str, FailureKind), usize> = HashMap::new();
    // That a twin is missing is reported by its original.
    let said = field.contest.series.iter().filter(|one| !(one.kind == Kind::Twin && one.is_missing()));
    for series in said {
        // What else went wrong with what was left out explains nothing.
        let is_skipped = series.skipped().is_some();
        let failures = series.failures.iter();
        for failure in failures.filter(|failure| !is_skipped || failure.kind == FailureKind::Skipped) {
            let place = *places.entry((&series.name, failure.kind)).or_insert(lines.len());
            match lines.get_mut(place) {
                Some(line) => line.count += 1,
                None => lines.push(FailureLine {
                    technique: series.name.clone(),
                    kind: failure.kind,
                    count: 1,
                    reason: failure.reason.clone(),
                }),
            }
        }
    }
    lines
}
