//! What bears on a verdict or explains it, as far as the samples tell.

use model::Sample;
use stats::{Standing, fisher_exact, mann_whitney, median, modes, noise, quantile, spearman};

use crate::contest::Field;
use crate::decide::Decision;
use crate::places::{mean_ratio, pair_interval};
use crate::ranking::{Flag, Verdict};
use crate::refusal::{STEPS_REFUSED, steps};
use crate::wording::{names, percent, signed_percent, value};

/// Below this p-value a flag is raised.
const ALARM: f64 = 0.01;

pub(crate) fn flags(field: &Field<'_>, decision: &Decision) -> Vec<Flag> {
    let rules: [fn(&Field<'_>) -> Vec<Flag>; 8] = [twin, order, bimodal, clock, drift, tagged, tail, instant];
    let mut flags = unstable(field, decision);
    flags.extend(rules.iter().flat_map(|rule| rule(field)));
    flags.extend(oversubscribed(field));
    flags.extend(steal(field));
    flags.extend(incomplete(field));
    flags
}

fn flag(name: &str, text: String) -> Flag {
    Flag { name: name.to_owned(), text }
}

fn unstable(field: &Field<'_>, decision: &Decision) -> Vec<Flag> {
    if decision.verdict == Verdict::Refused {
        return Vec::new();
    }
    let Some((leader, row)) = field.assessment.leader.zip(field.assessment.runner_up()) else {
        return Vec::new();
    };
    let (name, leader) = (field.name(row.technique), field.name(leader));
    let drifted = field.assessment.stability.filter(stats::Stability::alarms).map(|s| {
        let kept = match decision.verdict {
            Verdict::Unstable => "measure again with fresh files and processes",
            _ => "every quarter of the run agrees, so the verdict stands",
        };
        let (from, to) = (signed_percent(s.quarters[0]), signed_percent(s.quarters[3]));
        flag("unstable", format!("the ratio of {name} to {leader} moved from {from} to {to}; {kept}"))
    });
    let jumped = field.assessment.rows.iter().filter(|row| row.moved).map(|row| {
        let name = field.name(row.technique);
        flag("unstable", format!("the ratio of {name} to {leader} was another one at an earlier look"))
    });
    drifted.into_iter().chain(jumped).collect()
}

fn twin(field: &Field<'_>) -> Vec<Flag> {
    let differing = field.twins.iter().filter(|(_, _, outcome)| outcome.differ);
    differing
        .map(|&(twin, original, outcome)| {
            let attempts = if field.contest.attempt == 0 { "in the only attempt" } else { "in two attempts" };
            let size = signed_percent(outcome.floor.ln_1p());
            let (original, twin) = (field.name(original), field.name(twin));
            flag(
                "twin",
                format!("{original} and {twin} are one technique, yet they differ by {size} {attempts}"),
            )
        })
        .collect()
}

/// Whether it matters which of leader and runner-up ran first. A constant order cannot be told from a difference.
fn order(field: &Field<'_>) -> Vec<Flag> {
    let Some((leader, row)) = field.assessment.leader.zip(field.assessment.runner_up()) else {
        return Vec::new();
    };
    let other = row.technique;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in &field.rounds {
        let (a, b) = (&field.contest.entries[leader].rounds, &field.contest.entries[other].rounds);
        let (Some(a), Some(b)) = (a.get(round), b.get(round)) else { continue };
        for (a, b) in a.iter().zip(b).filter(|(a, b)| a.value.is_finite() && b.value.is_finite()) {
            match (a.position, b.position) {
                (Some(own), Some(others)) if own < others => first.push((b.value / a.value).ln()),
                (Some(own), Some(others)) if own > others => second.push((b.value / a.value).ln()),
                _ => {}
            }
        }
    }
    let (name, rival) = (field.name(leader), field.name(other));
    if first.len() + second.len() >= 10 && (first.is_empty() || second.is_empty()) {
        let (early, late) = if second.is_empty() { (name, rival) } else { (rival, name) };
        let text = format!(
            "{early} ran before {late} in every round: an effect of the place cannot be told from a difference. \
             Draw the order anew in every round"
        );
        return vec![flag("order", text)];
    }
    let effect = median(&first).zip(median(&second)).map(|(first, second)| first - second);
    match (mann_whitney(&first, &second), effect) {
        (Some(p), Some(effect)) if p < ALARM => {
            let size = percent(effect.abs().exp_m1());
            let text = format!(
                "the ratio of {rival} to {name} depends on which of them runs first, by {size}. The order is drawn \
                 anew in every round, so the verdict stands; a warm-up or a reset between techniques would remove it"
            );
            vec![flag("order", text)]
        }
        _ => Vec::new(),
    }
}

fn bimodal(field: &Field<'_>) -> Vec<Flag> {
    let of = |&index: &usize| {
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
    };
    field.competitors.iter().filter_map(of).collect()
}

fn clock(field: &Field<'_>) -> Vec<Flag> {
    let short = |index: &&usize| steps(field, **index).is_some_and(|steps| steps < 10.0 * STEPS_REFUSED);
    let coarse: Vec<&str> = field.competitors.iter().filter(short).map(|&index| field.name(index)).collect();
    let mut flags = Vec::new();
    if !coarse.is_empty() {
        let text = format!(
            "coarse clock for {}: under 1000 steps in a timed stretch; a larger workload would help",
            names(&coarse)
        );
        flags.push(flag("clock", text));
    }
    let Some(leader) = field.assessment.leader else { return flags };
    let equal = |row: &&stats::Row| {
        let d = field.differences(leader, row.technique);
        let zero = d.iter().filter(|&&d| d == 0.0).count();
        5 * zero > d.len()
    };
    let equal: Vec<&str> =
        field.assessment.rows.iter().filter(equal).map(|row| field.name(row.technique)).collect();
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

/// What the canaries say of the host. Pairing protects the verdict, not the absolute times.
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
             the comparison is unaffected, absolute times are not"
        );
        flags.push(flag("drift", text));
    }
    if let Some((low, high)) =
        quantile(&memory, 0.05).zip(quantile(&memory, 0.95)).filter(|(l, h)| *h > 2.0 * l)
    {
        let (low, high) = (model::format_ns(low), model::format_ns(high));
        let text = format!(
            "another process is using memory bandwidth (the memory probe varied {low} to {high}); \
             the comparison is unaffected, absolute times are not"
        );
        flags.push(flag("drift", text));
    }
    flags
}

/// Techniques that are interrupted, or fault, more often than the leader: it may be a property of theirs.
fn tagged(field: &Field<'_>) -> Vec<Flag> {
    type Tag = (&'static str, fn(&Sample) -> Option<u64>);
    const TAGS: [Tag; 3] = [
        ("is interrupted more often than", |sample| sample.usage.involuntary_switches),
        ("waits more often for a processor than", |sample| {
            // Less than a hundredth of the time of a sample bears on nothing.
            let of_ns = sample.work_ns?.saturating_mul(sample.repetitions);
            Some(u64::from(sample.usage.run_delay_ns? > of_ns / 100))
        }),
        ("waits for a device on page faults more often than", |sample| sample.usage.major_faults),
    ];
    let Some(leader) = field.assessment.leader else { return Vec::new() };
    let count = |index: usize, of: fn(&Sample) -> Option<u64>| {
        let known: Vec<u64> =
            field.contest.entries[index].samples.iter().filter_map(|sample| of(sample)).collect();
        (known.iter().filter(|&&count| count > 0).count() as u64, known.len() as u64)
    };
    let mut flags = Vec::new();
    for (what, of) in TAGS {
        let (base, base_all) = count(leader, of);
        for row in &field.assessment.rows {
            let (own, all) = count(row.technique, of);
            let often = all > 0 && base_all > 0 && own * base_all > base * all && own * 5 > all;
            if often && fisher_exact(own, all, base, base_all) < ALARM {
                let (name, leader) = (field.name(row.technique), field.name(leader));
                let text = format!(
                    "{name} {what} {leader} ({own} of {all} samples against {base} of {base_all}): it may use more \
                     processors, sleep or fault by its nature"
                );
                flags.push(flag("tagged", text));
            }
        }
    }
    flags
}

/// Slow runs: so many that the total cost tells another story, or of one technique more than of the leader. Those that
/// change the order come first.
fn tail(field: &Field<'_>) -> Vec<Flag> {
    let Some(leader) = field.assessment.leader else { return Vec::new() };
    let rows = &field.assessment.rows;
    let (mut reversed, mut heavier) = (Vec::new(), Vec::new());
    for row in rows {
        match total_cost(field, leader, row) {
            Some((true, text)) => reversed.push(flag("tail", text)),
            Some((false, text)) => heavier.push(flag("tail", text)),
            None => {}
        }
    }
    let slow = rows.iter().filter_map(|row| slow_runs(field, leader, row.technique));
    reversed.into_iter().chain(heavier).chain(slow.map(|text| flag("tail", text))).collect()
}

/// What the means say of a row that the medians do not, and whether they reverse the order.
fn total_cost(field: &Field<'_>, leader: usize, row: &stats::Row) -> Option<(bool, String)> {
    let (name, first) = (field.name(row.technique), field.name(leader));
    let far_out = |index: usize| noise(&field.values(index)).map_or(0, |noise| noise.far_out);
    let (own, base) = (far_out(row.technique), far_out(leader));
    let mean = mean_ratio(field, leader, row.technique)?.ln();
    // Slow runs that matter to the total are too few for a test in 20 rounds, and means are no better than that:
    // half the margin is the least that is worth a line.
    let worth = field.rules.margin() / 2.0;
    let close = row.low <= field.rules.margin();
    let (heavier, by) =
        if mean > row.estimate { (name, mean - row.estimate) } else { (first, row.estimate - mean) };
    if mean < 0.0 && row.estimate > 0.0 && (row.standing == Standing::Beaten || -mean > worth) {
        let (less, more) = (percent(-mean.exp_m1()), percent(row.estimate.exp_m1()));
        let text = format!(
            "slow runs change the order: by its mean {name} costs {less} less than {first} (median: {more} more)"
        );
        return Some((true, text));
    }
    let grows = close && by > worth && own != base && (own > base) == (heavier == name);
    let lighter = if heavier == name { first } else { name };
    let by = percent(by.exp_m1());
    grows.then(|| {
        (false, format!("slow runs add {by} to the mean of {heavier}, by its median near {lighter}"))
    })
}

/// Whether one of the two has more slow runs than the other.
fn slow_runs(field: &Field<'_>, leader: usize, index: usize) -> Option<String> {
    let slow = |index: usize| noise(&field.values(index)).map_or(0, |noise| u64::from(noise.far_out));
    let all = |index: usize| field.values(index).len() as u64;
    let (own, of, base, base_of) = (slow(index), all(index), slow(leader), all(leader));
    if fisher_exact(own, of, base, base_of) >= ALARM {
        return None;
    }
    let (name, first) = (field.name(index), field.name(leader));
    Some(if own * base_of > base * of {
        format!("{name} has more slow runs ({own} of {of}) than {first} ({base} of {base_of})")
    } else {
        format!("{first} has more slow runs ({base} of {base_of}) than {name} ({own} of {of})")
    })
}

/// Nothing can be faster than the limit.
fn instant(field: &Field<'_>) -> Vec<Flag> {
    let mut flags = Vec::new();
    for &ceiling in &field.ceilings {
        let faster: Vec<&str> = field
            .competitors
            .iter()
            .filter(|&&index| pair_interval(field, index, ceiling).is_some_and(|interval| interval.low > 0.0))
            .map(|&index| field.name(index))
            .collect();
        if !faster.is_empty() {
            let (who, limit) = (names(&faster), field.name(ceiling));
            let text = format!(
                "{who}: faster than the limit {limit}. Either less is done than claimed, or {limit} is no limit here"
            );
            flags.push(flag("instant", text));
        }
    }
    flags
}

fn oversubscribed(field: &Field<'_>) -> Option<Flag> {
    let processors = field.contest.processors?;
    let numbers = &field.contest.workload.numbers;
    let of = |key: &str| numbers.get(key).copied().unwrap_or(0);
    let threads = of("threads").max(of("producers") + of("consumers"));
    (threads > processors)
        .then(|| flag("oversubscribed", format!("{threads} threads share {processors} processors")))
}

fn steal(field: &Field<'_>) -> Vec<Flag> {
    let of = field.contest.notes.iter().filter(|note| note.topic == "steal");
    of.map(|note| flag("steal", note.text.clone())).collect()
}

fn incomplete(field: &Field<'_>) -> Option<Flag> {
    let torn: Vec<String> = field.torn.iter().map(u32::to_string).collect();
    let listed = names(&torn.iter().map(String::as_str).collect::<Vec<_>>());
    (!torn.is_empty()).then(|| {
        flag("incomplete", format!("dropped whole, because not everybody has a value there: round {listed}"))
    })
}
