//! What bears on an answer or explains it, as far as the samples report.
//!
//! Important flags may change what a reader does; of each kind they are false in at most one contest of a hundred. The
//! others explain figures, and are shown to those who ask.

use model::{Topic, Unit};
use stats::contest::{means_reverse, more_slow_runs};
use stats::{mann_whitney, median, modes, quantile, spearman};

use crate::contest::entries::mean_ratio;
use crate::contest::field::Field;
use crate::contest::ranking::Flag;
use crate::contest::refusal::{STEPS_REFUSED, steps, stretch_ns};
use crate::wording::{at_least, at_most, changed, is_time, names, percent, signed_percent, value};

const ALARM: f64 = 0.01;

pub(crate) fn flags(field: &Field<'_>, refused: bool) -> Vec<Flag> {
    let rules: [fn(&Field<'_>) -> Vec<Flag>; 8] = [twin, order, bimodal, clock, drift, tail, means, instant];
    let mut flags = if refused { Vec::new() } else { ratio_moved(field) };
    flags.extend(rules.iter().flat_map(|rule| rule(field)));
    flags.extend(oversubscribed(field));
    flags.extend(steal(field));
    flags.extend(incomplete(field));
    flags
}

fn flag(name: &str, text: String) -> Flag {
    Flag { name: name.to_owned(), text, important: false }
}

/// Flags ratios that moved: the answer is one about this run.
fn ratio_moved(field: &Field<'_>) -> Vec<Flag> {
    let Some(leader) = field.assessment.leader else { return Vec::new() };
    let [worse, better] = changed(&field.contest.metric);
    let flags = field.moved.iter().map(|moved| {
        let (name, leader) = (field.name(moved.entry), field.name(leader));
        let verb = if moved.late > moved.early { worse } else { better };
        let [from, to] = [moved.early, moved.late]
            .map(|log| if log < 0.0 { at_least(log.exp()) } else { at_most(log.exp()) });
        let has_turned = field.turned_round(moved.entry);
        let so =
            if has_turned { "which of the two is faster is unknown" } else { "repeat the run to be sure" };
        let text = format!("{name} {verb} against {leader} during the run, from {from}x to {to}x; {so}");
        Flag { important: true, ..flag("ratio_moved", text) }
    });
    flags.collect()
}

fn twin(field: &Field<'_>) -> Vec<Flag> {
    let attempts = if field.contest.attempt == 0 { "in the only attempt" } else { "in two attempts" };
    let slower = field.assessment.rows.iter().filter(|row| !row.standing.is_candidate());
    let claimed = slower.filter_map(|row| row.estimate).reduce(f64::min);
    let flags = field.twins.iter().filter_map(|twin| {
        let log = twin.difference.ln_1p();
        let size = signed_percent(log);
        let (original, name) = (field.name(twin.original), field.name(twin.twin));
        let text = if twin.differ {
            format!("{original} and {name} are one technique, yet they differ by {size} {attempts}")
        } else {
            let matters = field.contest.delta.ln_1p();
            claimed.filter(|claimed| log > claimed.max(matters) && log.is_finite())?;
            format!("{original}, entered twice, differed from itself by {size}, more than some answers here: measure longer")
        };
        Some(Flag { important: !twin.differ, ..flag("twin", text) })
    });
    flags.collect()
}

/// Flags that the ratio depends on which of leader and runner-up ran first, or that it may: one order throughout.
fn order(field: &Field<'_>) -> Vec<Flag> {
    let Some((leader, other)) = field.assessment.leader.zip(field.assessment.second) else {
        return Vec::new();
    };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in &field.rounds {
        let (a, b) = (&field.contest.series[leader].rounds, &field.contest.series[other].rounds);
        let (Some(a), Some(b)) = (a.get(round), b.get(round)) else { continue };
        for (a, b) in a.iter().zip(b) {
            let costs = [a, b].map(|timed| field.contest.metric.cost(timed.value));
            let (Some(own), Some(others)) = (a.position, b.position) else { continue };
            if own != others && costs.iter().all(|cost| cost.is_finite() && *cost > 0.0) {
                let ratios = if own < others { &mut first } else { &mut second };
                ratios.push((costs[1] / costs[0]).ln());
            }
        }
    }
    let (name, rival) = (field.name(leader), field.name(other));
    if first.len() + second.len() >= 10 && (first.is_empty() || second.is_empty()) {
        let (early, late) = if second.is_empty() { (name, rival) } else { (rival, name) };
        let text = format!(
            "{early} ran before {late} in every round: an effect of the place cannot be told from a difference. \
             Draw another order in every round"
        );
        return vec![flag("order", text)];
    }
    let effect = median(&first).zip(median(&second)).map(|(first, second)| first - second);
    match (mann_whitney(&first, &second), effect) {
        (Some(p), Some(effect)) if p < ALARM => {
            let size = percent(effect.abs().exp_m1());
            let text = format!(
                "the ratio of {rival} to {name} depends on which of them runs first, by {size}. The order is drawn \
                 again in every round, so the answer stands; a warm-up or a reset between techniques would remove it"
            );
            vec![flag("order", text)]
        }
        _ => Vec::new(),
    }
}

/// Two modes of an entry that may be fastest.
fn bimodal(field: &Field<'_>) -> Vec<Flag> {
    let flags = field.candidates().into_iter().filter_map(|index| {
        let values = field.values(index);
        let found = modes(&values).filter(|_| values.len() >= 10)?;
        let unit = field.contest.unit;
        let text = format!(
            "{} has two modes, {} and {} ({} of the rounds): it has no typical value",
            field.name(index),
            value(found.fast, unit),
            value(found.slow, unit),
            percent(found.slow_share)
        );
        Some(flag("modes", text))
    });
    flags.collect()
}

fn clock(field: &Field<'_>) -> Vec<Flag> {
    let coarse =
        field.standing_names(|index| steps(field, index).is_some_and(|steps| steps < 10.0 * STEPS_REFUSED));
    let mut flags = Vec::new();
    if !coarse.is_empty() {
        let text = format!(
            "coarse clock for {}: under 1000 steps in a timed stretch; a larger workload would help",
            names(&coarse)
        );
        flags.push(flag("clock", text));
    }
    flags.extend(readings(field));
    // Counts are whole numbers: that they are equal says nothing of a clock.
    let read = field.contest.metric.unit() != Unit::Count;
    let Some(leader) = field.assessment.leader.filter(|_| read) else { return flags };
    let equal = field.standing_names(|index| {
        let d = field.differences(leader, index);
        let zero = d.iter().filter(|&&d| d == 0.0).count();
        index != leader && 5 * zero > d.len()
    });
    if !equal.is_empty() {
        let text = format!(
            "{} and {} have exactly the same value in more than a fifth of the rounds: the values are coarse",
            field.name(leader),
            names(&equal)
        );
        flags.push(flag("clock", text));
    }
    flags
}

/// Entries whose timed stretch is not far above what the two readings of the clock around it cost.
fn readings(field: &Field<'_>) -> Option<Flag> {
    const FAR_ABOVE: f64 = 100.0;
    let pair_ns = 2.0 * field.contest.clock_reading_ns?;
    let entries = field.standing_entries().into_iter();
    let shares = entries.filter_map(|index| Some((index, pair_ns / stretch_ns(field, index)?)));
    let near: Vec<(usize, f64)> = shares.filter(|(_, share)| share * FAR_ABOVE > 1.0).collect();
    let most = near.iter().map(|(_, share)| *share).max_by(f64::total_cmp)?;
    let who: Vec<&str> = near.iter().map(|&(index, _)| field.name(index)).collect();
    let text = format!(
        "reading the clock costs up to {} of the timed stretch of {}; a larger workload would help",
        percent(most),
        names(&who)
    );
    Some(flag("clock", text))
}

/// Flags what the canaries say of the host. Pairing protects the verdict, not the absolute times.
fn drift(field: &Field<'_>) -> Vec<Flag> {
    let canaries = field.contest.canaries;
    if canaries.len() < 8 {
        return Vec::new();
    }
    let processor: Vec<f64> = canaries.iter().map(|canary| canary.1 as f64).collect();
    let memory: Vec<f64> = canaries.iter().map(|canary| canary.2 as f64).filter(|&ns| ns > 0.0).collect();
    let mut flags = Vec::new();
    let quarter = processor.len() / 4;
    let ends = median(&processor[..quarter]).zip(median(&processor[processor.len() - quarter..]));
    let order: Vec<f64> = (0..processor.len()).map(|i| i as f64).collect();
    let trend = spearman(&order, &processor).is_some_and(|(_, p)| p < ALARM);
    if let Some((from, to)) = ends.filter(|(from, to)| trend && *from > 0.0 && (to / from - 1.0).abs() > 0.05)
    {
        let (from, to, by) = (model::format_ns(from), model::format_ns(to), signed_percent((to / from).ln()));
        let text = format!(
            "the processor's pace changed while measuring (a fixed loop took {from}, then {to}: {by}); \
             rounds are paired, so that factors hold; absolute times are those of a moving host"
        );
        flags.push(flag("drift", text));
    }
    if let Some((low, high)) =
        quantile(&memory, 0.05).zip(quantile(&memory, 0.95)).filter(|(l, h)| *h > 2.0 * l)
    {
        let (low, high) = (model::format_ns(low), model::format_ns(high));
        let text = format!(
            "another process is using memory bandwidth (the memory probe varied {low} to {high}); \
             intervals widen, and absolute times are those of a busy host"
        );
        flags.push(flag("drift", text));
    }
    flags
}

/// Slow runs of one that may be fastest, more than of another: who pays for all runs chooses the other.
fn tail(field: &Field<'_>) -> Vec<Flag> {
    let candidates = field.candidates().len();
    of_rivals(field, |leader, index| {
        let found = more_slow_runs(&field.costs(index), &field.costs(leader), candidates)?;
        let (own, base) = ((field.name(index), found.own), (field.name(leader), found.leader));
        let is_of_leader = found.own.0 * found.leader.1 <= found.leader.0 * found.own.1;
        let ((more, (slow, of)), (less, (others, other_of))) =
            if is_of_leader { (base, own) } else { (own, base) };
        let text = format!("{more} has more slow runs ({slow} of {of}) than {less} ({others} of {other_of})");
        Some(Flag { important: is_of_leader, ..flag("tail", text) })
    })
}

/// Flags pairs of the leader and each other entry that may be fastest, in a contest about time.
fn of_rivals(field: &Field<'_>, of: impl Fn(usize, usize) -> Option<Flag>) -> Vec<Flag> {
    let leader = field.assessment.leader.filter(|_| is_time(&field.contest.metric));
    let Some(leader) = leader else { return Vec::new() };
    let rivals = field.candidates().into_iter().filter(|&index| index != leader);
    rivals.filter_map(|index| of(leader, index)).collect()
}

/// Flags means that reverse the order of the medians of two entries that may be fastest, where both reported figures say so.
fn means(field: &Field<'_>) -> Vec<Flag> {
    of_rivals(field, |leader, index| {
        let mean = mean_ratio(field, leader, index)?.ln();
        let estimate = field.row(index)?.estimate?;
        let reverses = mean < 0.0 && estimate > 0.0;
        (reverses && means_reverse(&field.costs(index), &field.costs(leader))).then(|| {
            let (name, first) = (field.name(index), field.name(leader));
            let (less, more) = (percent(-mean.exp_m1()), percent(estimate.exp_m1()));
            let text = format!(
                "slow runs of {first} change the order: in a typical round {name} costs {more} more than {first}, but {less} \
                 less by the mean of all rounds"
            );
            flag("tail", text)
        })
    })
}

/// Nothing can be faster than a ceiling.
fn instant(field: &Field<'_>) -> Vec<Flag> {
    let mut flags = Vec::new();
    // What limits the time limits neither memory nor faults.
    for &limit in field.limits.iter().filter(|_| is_time(&field.contest.metric)) {
        let faster = field.standing_names(|index| {
            let pair = field.pair(index, limit);
            pair.look.is_some() && pair.candidates == [0]
        });
        if !faster.is_empty() {
            let (who, limit) = (names(&faster), field.name(limit));
            let text = format!(
                "{who}: faster than the ceiling {limit}. Either less is done than claimed, or {limit} is no ceiling here"
            );
            flags.push(flag("instant", text));
        }
    }
    flags
}

/// Flags more threads than processors. Levels of a curve over threads show it by themselves.
fn oversubscribed(field: &Field<'_>) -> Option<Flag> {
    let (processors, threads) = field.contest.processors.zip(field.contest.threads)?;
    let text = format!("{threads} threads share {processors} processors");
    let important = field.contest.along.is_none();
    (threads > processors).then(|| Flag { important, ..flag("oversubscribed", text) })
}

fn steal(field: &Field<'_>) -> Vec<Flag> {
    let of = field.contest.notes.iter().filter(|note| note.topic == Topic::Steal);
    of.map(|note| flag("steal", note.text.clone())).collect()
}

fn incomplete(field: &Field<'_>) -> Option<Flag> {
    let torn: Vec<String> = field.torn.iter().map(u32::to_string).collect();
    let listed = names(&torn.iter().map(String::as_str).collect::<Vec<_>>());
    (!torn.is_empty()).then(|| {
        flag("incomplete", format!("dropped whole, because an entry has no value there: round {listed}"))
    })
}
