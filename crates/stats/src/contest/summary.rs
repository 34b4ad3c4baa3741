//! From the end of a replay to what may be said.

use super::limits::Highest;
use super::replay::Replay;
use super::{Assessment, COARSE_DELTA, LEAST_DELTA, Length, Row, Rules, Standing};
use crate::quantile::median;

pub(super) fn summary(mut replay: Replay<'_>, rules: &Rules) -> Assessment {
    let mut found = Assessment {
        look: replay.look,
        rounds: replay.rounds,
        short: rules.length() != Length::Normal,
        ..Assessment::default()
    };
    let order = replay.order();
    let alone = replay.candidate.iter().filter(|&&candidate| candidate).count() == 1;
    // The leader of the look, unless it failed since.
    let Some(leader) = least_costly(&replay).or(order.first().copied()) else {
        found.rows =
            (0..replay.field.len()).map(|slot| row(&replay, None, slot, alone, f64::INFINITY).1).collect();
        return found;
    };
    let second = order.iter().copied().find(|&slot| slot != leader);
    let entry = |slot: usize| replay.field.entries[slot];
    let mut highest = Highest::new(&replay);
    let rows = (0..replay.field.len()).map(|slot| {
        let high = if replay.look.is_some() { highest.of(slot) } else { f64::INFINITY };
        row(&replay, Some(leader), slot, alone, high)
    });
    let mut rows: Vec<(f64, Row)> = rows.collect();
    let at_most = limit_of_leader(&replay, leader);
    if let Some(of_leader) = rows.iter_mut().find(|(_, row)| row.entry == entry(leader)) {
        found.at_most_proved = finite(of_leader.1.high);
        of_leader.1.high = at_most.unwrap_or(f64::INFINITY);
    }
    found.leader = Some(entry(leader));
    rows.sort_by(|(a, one), (b, other)| {
        let follow = (found.leader != Some(one.entry)).cmp(&(found.leader != Some(other.entry)));
        follow.then(a.total_cmp(b)).then(one.entry.cmp(&other.entry))
    });
    found.second = second.map(entry);
    found.rows = rows.into_iter().map(|(_, row)| row).collect();
    found.candidates =
        found.rows.iter().filter(|row| row.standing.is_candidate()).map(|row| row.entry).collect();
    found.at_most = at_most;
    found.open_baseline = replay.open_baseline();
    let tolerance = rules.delta.max(LEAST_DELTA).ln_1p();
    if rules.is_coarse() && replay.look.is_some() {
        found.settled = settled(&replay, leader, tolerance).into_iter().map(entry).collect();
        found.settled.sort_unstable();
    }
    let is_within_tolerance = at_most.is_some_and(|limit| limit <= tolerance);
    // Then the answer would be the baseline, though something is likely to be faster.
    let waits_for_baseline = replay.baseline.is_some_and(|slot| {
        let estimate = found.row(entry(slot)).and_then(|row| row.estimate);
        let is_open = found.open_baseline.is_some() && !replay.beats(leader, slot);
        slot != leader && is_open && estimate.is_some_and(|estimate| estimate > tolerance)
    });
    found.decided =
        replay.look.is_some() && (found.candidates.len() == 1 || is_within_tolerance && !waits_for_baseline);
    found
}

/// Returns the leader of the last look: the candidate with the best score, unless choosing it might cost much. Then it is the one
/// known to cost least at most: a known good entry matters more than the best one.
fn least_costly(replay: &Replay<'_>) -> Option<usize> {
    /// More are not worked out: those that follow in the order of scores are worse anyway.
    const FIRST: usize = 16;
    let candidates = replay.order_at_look.iter().copied().filter(|&slot| replay.candidate[slot]);
    let mut limits = candidates.map(|slot| (limit_of_leader(replay, slot).unwrap_or(f64::INFINITY), slot));
    let first = limits.next()?;
    if first.0 <= COARSE_DELTA.ln_1p() {
        return Some(first.1);
    }
    // The first of equals is the one with the better score.
    Some(limits.take(FIRST).fold(first, |best, other| if other.0 < best.0 { other } else { best }).1)
}

/// Returns the most by which an entry is slower than a candidate, as a logarithm.
fn limit_to(replay: &Replay<'_>, candidate: usize, slot: usize) -> f64 {
    replay.upper_limit(candidate, slot, &replay.levels.leader)
}

/// Returns the candidates that hold up no answer: no leader, now or later, is slower than they are by more than is asked for.
fn settled(replay: &Replay<'_>, leader: usize, tolerance: f64) -> Vec<usize> {
    let rivals = (0..replay.field.len()).filter(|&slot| slot != leader && replay.candidate[slot]);
    let (settled, open): (Vec<usize>, Vec<usize>) =
        rivals.partition(|&slot| limit_to(replay, slot, leader) <= tolerance);
    let settled = settled.into_iter();
    settled.filter(|&slot| open.iter().all(|&other| limit_to(replay, slot, other) <= tolerance)).collect()
}

/// Returns the most that choosing the leader costs. A candidate counts with the looks that it reached itself.
fn limit_of_leader(replay: &Replay<'_>, leader: usize) -> Option<f64> {
    replay.look?;
    let rivals = (0..replay.field.len()).filter(|&slot| slot != leader && replay.candidate[slot]);
    let limits = rivals.map(|slot| limit_to(replay, slot, leader));
    finite(limits.fold(0.0, f64::max))
}

/// Returns the row of a slot, and what it is sorted by. The upper end is that for any entry: the largest limit to a candidate.
fn row(replay: &Replay<'_>, leader: Option<usize>, slot: usize, alone: bool, high: f64) -> (f64, Row) {
    let common = leader.map_or(0, |leader| replay.reached(leader).min(replay.reached(slot)));
    let differences: Vec<f64> = leader.map_or(Vec::new(), |leader| {
        (1..=common).map(|n| replay.field.difference(leader, slot, n)).collect()
    });
    let estimate = median(&differences);
    let both = leader.filter(|_| replay.field.recorded(slot) > 0);
    let in_round_0 = both.map(|leader| replay.field.difference(leader, slot, 0));
    let standing = standing(replay, slot, alone);
    let found = Row {
        entry: replay.field.entries[slot],
        standing,
        estimate,
        low: if standing.is_candidate() { 0.0 } else { replay.low[slot].max(0.0) },
        high,
        rounds: replay.reached(slot),
        left_after: replay.left_after[slot],
    };
    (estimate.or(in_round_0).unwrap_or(f64::INFINITY), found)
}

fn standing(replay: &Replay<'_>, slot: usize, alone: bool) -> Standing {
    if replay.failed[slot] {
        Standing::Failed
    } else if replay.candidate[slot] {
        if alone { Standing::Fastest } else { Standing::MayBeFastest }
    } else if replay.low[slot] > 0.0 {
        Standing::Slower
    } else if replay.far_behind[slot] {
        Standing::FarBehind
    } else {
        Standing::Behind
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
