//! Who leads a family, who is beaten, tied or undecided, and who may leave.

use crate::boundaries::{Interval, boundaries, repeated_interval};
use crate::matrix::Matrix;
use crate::quantile::{log_difference, median};
use crate::rank::ranks;
use crate::stability::{Stability, stability};

/// Ratio to the leader beyond which a technique may leave the later rounds.
const LEAVE_RATIO: f64 = 1.25;

/// What was fixed before the first round.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Chance of a false verdict in this cell.
    pub alpha: f64,
    /// The margin inside which two techniques count as alike, as a fraction: see [`crate::effective_delta`].
    pub delta: f64,
    /// The pre-announced numbers of rounds at which decisions may be made, ascending.
    pub looks: Vec<u32>,
}

impl Rules {
    /// The margin as the logarithm of a ratio.
    pub fn margin(&self) -> f64 {
        self.delta.ln_1p()
    }
}

/// How a technique stands to the leader, at the level that holds for one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The leader is faster.
    Beaten,
    /// Within the margin of the leader.
    Tied,
    /// Neither can be said.
    Undecided,
}

/// A technique against the leader. All numbers are natural logarithms of its time over the leader's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of the technique.
    pub technique: usize,
    /// Median over the rounds both took part in.
    pub estimate: f64,
    /// Lower end of the interval that holds for this pair: what the winner is decided by.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// Lower end of the interval that holds for all rows of all families of this size together: what "slower"
    /// is said by.
    pub row_low: f64,
    /// Upper end of it.
    pub row_high: f64,
    /// Where it stands.
    pub standing: Standing,
    /// Rounds that it is judged by.
    pub rounds: u32,
    /// The look after which it left, when it was far behind.
    pub left: Option<u32>,
    /// The looks contradict each other: the ratio moved.
    pub moved: bool,
}

/// What may be said at the last completed look.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assessment {
    /// The look; `None` before the first.
    pub look: Option<u32>,
    /// Whole rounds so far, the ones after the look among them.
    pub rounds: u32,
    /// The technique with the smallest median time relative to the round.
    pub leader: Option<usize>,
    /// All other competitors, nearest to the leader first.
    pub rows: Vec<Row>,
    /// Everybody is beaten or tied and nothing speaks against the ratio being stable: measuring may stop.
    pub decided: bool,
    /// How the ratio to the runner-up behaved over the rounds.
    pub stability: Option<Stability>,
}

impl Assessment {
    /// The row of a technique.
    pub fn row(&self, technique: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.technique == technique)
    }

    /// The live technique nearest to the leader.
    pub fn runner_up(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.left.is_none())
    }

    /// The row whose ratio to the leader moved so much that what its standing says may not be claimed. `margin` is a
    /// logarithm.
    pub fn unstable(&self, margin: f64) -> Option<&Row> {
        let runner_up = self.runner_up().filter(|row| {
            self.stability.is_some_and(|stability| {
                let kept = match row.standing {
                    Standing::Beaten => stability.keeps_win(margin),
                    Standing::Tied => stability.keeps_tie(margin),
                    Standing::Undecided => false,
                };
                stability.alarms() && !kept
            })
        });
        runner_up.or_else(|| self.rows.iter().find(|row| row.moved && row.standing != Standing::Beaten))
    }
}

/// A technique that left after a look, and the leader that was far ahead of it.
struct Departure {
    technique: usize,
    look: u32,
    by: usize,
}

/// The looks with the boundaries of both levels, worked out once.
struct Levels<'a> {
    looks: &'a [u32],
    pair: Vec<Option<u32>>,
    row: Vec<Option<u32>>,
    margin: f64,
}

impl<'a> Levels<'a> {
    fn new(rules: &'a Rules, competitors: usize) -> Self {
        let pairs = (competitors * competitors.saturating_sub(1) / 2).max(1);
        Self {
            looks: &rules.looks,
            pair: boundaries(rules.alpha, &rules.looks),
            row: boundaries(rules.alpha / pairs as f64, &rules.looks),
            margin: rules.margin(),
        }
    }
}

/// Judges the competitors at the last look that all of them completed who have not left. A technique has left when
/// its rounds end at a look at which the leader was far ahead of it ([`leavers`]); its intervals stay what they were.
pub fn assess(matrix: &Matrix, competitors: &[usize], rules: &Rules) -> Assessment {
    let levels = Levels::new(rules, competitors.len());
    let mut live = competitors.to_vec();
    let mut departed: Vec<Departure> = Vec::new();
    let mut latest = Assessment::default();
    for &look in &rules.looks {
        if live.is_empty() || live.iter().any(|&technique| matrix.rounds_of(technique) < look) {
            break;
        }
        latest = at_look(matrix, &live, &departed, look, &levels);
        let by = latest.leader.unwrap_or(live[0]);
        let gone: Vec<usize> =
            leavers(&latest).into_iter().filter(|&technique| matrix.rounds_of(technique) == look).collect();
        live.retain(|technique| !gone.contains(technique));
        departed.extend(gone.into_iter().map(|technique| Departure { technique, look, by }));
    }
    let whole = live.iter().map(|&technique| matrix.rounds_of(technique)).min();
    latest.rounds = whole.unwrap_or(0).max(latest.look.unwrap_or(0));
    latest
}

/// The techniques that need not take part in later rounds: the leader is more than 1.25 times as fast, at the level
/// that holds for all rows. Never the leader, and nobody who has already left.
pub fn leavers(assessment: &Assessment) -> Vec<usize> {
    let far = |row: &&Row| row.left.is_none() && !row.moved && row.row_low > LEAVE_RATIO.ln();
    assessment.rows.iter().filter(far).map(|row| row.technique).collect()
}

fn at_look(
    matrix: &Matrix,
    live: &[usize],
    departed: &[Departure],
    look: u32,
    levels: &Levels<'_>,
) -> Assessment {
    let Some(leader) = leader_of(matrix, live, departed, look) else { return Assessment::default() };
    let others = live.iter().copied().filter(|&technique| technique != leader);
    let mut rows: Vec<Row> =
        others.map(|other| row_of(matrix, leader, other, (look, None), levels)).collect();
    // Who left last is decided first: its conqueror may itself have left later, never earlier.
    for gone in departed.iter().rev() {
        let mut row = row_of(matrix, leader, gone.technique, (gone.look, Some(gone.look)), levels);
        let conqueror_holds = gone.by == leader
            || rows.iter().any(|row| row.technique == gone.by && row.standing != Standing::Undecided);
        if row.standing != Standing::Beaten && conqueror_holds {
            row.standing = Standing::Beaten;
        }
        rows.push(row);
    }
    rows.sort_by(|a, b| a.estimate.total_cmp(&b.estimate).then(a.technique.cmp(&b.technique)));
    let settled = rows.iter().all(|row| row.standing != Standing::Undecided);
    let mut found =
        Assessment { look: Some(look), rounds: look, leader: Some(leader), rows, ..Assessment::default() };
    let runner_up = found.runner_up().map(|row| row.technique);
    found.stability = runner_up.and_then(|other| stability(&matrix.differences(leader, other, look)));
    found.decided = settled && found.unstable(levels.margin).is_none();
    found
}

/// The live technique with the smallest median of `ln t - median of the round`. With few techniques the middle one of a
/// round scores exactly 0, so scores often tie: then the ranks inside the rounds decide, then the median time.
fn leader_of(matrix: &Matrix, live: &[usize], departed: &[Departure], look: u32) -> Option<usize> {
    let logs = |technique: usize, round: usize| matrix.value(technique, round).map(f64::ln);
    let mut relative = vec![Vec::with_capacity(look as usize); live.len()];
    let mut rank_sums = vec![0.0; live.len()];
    for round in 0..look as usize {
        let gone = departed.iter().filter_map(|gone| logs(gone.technique, round));
        let of_live: Vec<f64> = live.iter().filter_map(|&technique| logs(technique, round)).collect();
        let all: Vec<f64> = of_live.iter().copied().chain(gone).collect();
        let centre = median(&all)?;
        for (sum, rank) in rank_sums.iter_mut().zip(ranks(&of_live)) {
            *sum += rank;
        }
        for (column, value) in relative.iter_mut().zip(of_live) {
            column.push(log_difference(value, centre));
        }
    }
    let typical = |technique: usize| {
        let values: Vec<f64> =
            (0..look as usize).filter_map(|round| matrix.value(technique, round)).collect();
        median(&values).unwrap_or(f64::INFINITY)
    };
    let scored = relative.iter().enumerate().filter_map(|(seat, column)| Some((seat, median(column)?)));
    let leader = scored.min_by(|a, b| {
        let ((a, score), (b, other)) = (*a, *b);
        let by_rank = || rank_sums[a].total_cmp(&rank_sums[b]);
        // Adding 0 makes the two zeros one.
        let by_score = (score + 0.0).total_cmp(&(other + 0.0));
        by_score.then_with(by_rank).then_with(|| typical(live[a]).total_cmp(&typical(live[b])))
    });
    leader.map(|(seat, _)| live[seat])
}

fn row_of(
    matrix: &Matrix,
    leader: usize,
    technique: usize,
    (rounds, left): (u32, Option<u32>),
    levels: &Levels<'_>,
) -> Row {
    let differences = matrix.differences(leader, technique, rounds);
    let nothing = Interval { estimate: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY, moved: false };
    let interval = |cuts| repeated_interval(&differences, levels.looks, cuts).unwrap_or(nothing);
    let (pair, row) = (interval(&levels.pair), interval(&levels.row));
    // Below 0 the interval says that the leader of today is the slower one: an earlier look contradicts this one.
    let moved = pair.moved || pair.high < 0.0;
    let standing = if pair.low > 0.0 {
        Standing::Beaten
    } else if pair.low >= -levels.margin && pair.high <= levels.margin && !moved {
        Standing::Tied
    } else {
        Standing::Undecided
    };
    Row {
        technique,
        estimate: pair.estimate,
        low: pair.low,
        high: pair.high,
        row_low: row.low,
        row_high: row.high,
        standing,
        rounds: differences.len() as u32,
        left,
        moved,
    }
}

#[cfg(test)]
mod tests;
