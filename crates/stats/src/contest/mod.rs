//! Which entries of a contest may be fastest, what choosing the leader can cost at most, and the factor of each.
//!
//! A contest has some entries, each with one value a round; less is better (where more is better, give reciprocals). A
//! failure is an infinite value, and a count may be 0: then factors may be infinite. Before every round the leader so far is
//! named, and each entry is compared with it in that round (the leader with the second). A fastest entry loses such a
//! comparison with a chance of at most one half, whichever opponent was named. So the number of rounds that it lost is
//! an exact sign test at one undivided level, however many entries there are. Limits are order statistics of the same
//! differences (multiple comparisons with the best, with elimination).
//!
//! The first row of the matrix is round 0: it names the first leader and is never counted. So a look after n rounds
//! needs n + 1 recorded ones. All of this is a replay of what was recorded; the same values give the same answer.

mod field;
mod flags;
mod interval;
mod levels;
mod limits;
mod plan;
mod replay;
mod sample;
mod scores;
mod spending;
mod summary;
mod twin;

pub use flags::{Moved, SlowRuns, means_reverse, more_slow_runs, ratios_that_moved};
pub use interval::{Interval, interval};
pub use plan::{
    LAST_LOOK, LAST_LOOK_DEEP, LAST_LOOK_FAST, LOOKS, RoundCosts, affordable_entries, likely_candidates,
    looks_between, looks_for, looks_of_rounds, rounds_for_limit, rounds_to_drop,
};
pub use sample::{BLOCK_NS, blocks_in_a_sample, calls_in_a_block};
pub use spending::{Pace, boundaries};
pub use twin::{TWIN_ALPHA, TwinCheck, twin_check, twin_looks};

use crate::matrix::Matrix;
use field::Field;
use replay::Replay;

/// No limit is smaller, as a fraction: where the code of one binary lies moves times by this much.
pub const LEAST_DELTA: f64 = 0.01;

/// A limit from here on is coarse: a good entry is wanted soon, and the one with the smallest limit may lead.
pub const COARSE_DELTA: f64 = 0.05;

/// The rules that are fixed after round 0 and before round 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Chance that any statement about this contest is false.
    pub alpha: f64,
    /// The contest may stop when choosing the leader costs at most this fraction (see [`LEAST_DELTA`]).
    pub delta: f64,
    /// Numbers of counted rounds at which decisions are made, ascending.
    pub looks: Vec<u32>,
    /// The entry whose factor is asked for above all: it takes half of the chance of error of all factors.
    pub baseline: Option<usize>,
}

/// The length of a contest by the rounds before its first look, which decides how the chance of error is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// 8 or more.
    Normal,
    /// 6 or 7: entries that are far behind leave after 3.
    Short,
    /// 5 or fewer: no factors and no limit, and with 3 or 4 a lower confidence.
    VeryShort,
}

impl Rules {
    /// Returns the length of the contest, by its first look.
    pub fn length(&self) -> Length {
        match self.looks.first() {
            Some(8..) => Length::Normal,
            Some(6..) => Length::Short,
            _ => Length::VeryShort,
        }
    }

    /// Returns whether a good entry is wanted soon: candidates faster than the leader by at most the limit are measured no more.
    pub fn is_coarse(&self) -> bool {
        self.delta >= COARSE_DELTA
    }

    /// Returns the chance that all statements hold: 1 - alpha. After 5, 4 or 3 rounds no test is surer than 95, 92 or 85 % (three
    /// coins fall alike in one case of eight).
    pub fn confidence(&self) -> f64 {
        let least_error = match self.looks.first() {
            Some(6..) => 0.0,
            Some(5) => 0.05,
            Some(4) => 0.08,
            _ => 0.15,
        };
        1.0 - self.alpha.max(least_error)
    }
}

/// The standing of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The only candidate.
    Fastest,
    /// One of several candidates.
    MayBeFastest,
    /// No candidate, and its factor is above 1.
    Slower,
    /// No candidate; by how much is not known.
    Behind,
    /// It took more than twice as long in each of the first three rounds of a short contest.
    FarBehind,
    /// It failed three times, or the caller said so.
    Failed,
}

impl Standing {
    /// Returns whether the entry may be fastest.
    pub fn is_candidate(self) -> bool {
        matches!(self, Self::Fastest | Self::MayBeFastest)
    }
}

/// The result of one entry. Factors are natural logarithms of its typical time over that of the fastest entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of the entry in the matrix.
    pub entry: usize,
    /// The standing.
    pub standing: Standing,
    /// Median of its time over the leader's, over the counted rounds that both took part in; `None` without any.
    pub estimate: Option<f64>,
    /// Lower end of the factor, at least 0.
    pub low: f64,
    /// Upper end of the factor; infinity while it is unknown.
    pub high: f64,
    /// Counted rounds that it is judged by.
    pub rounds: u32,
    /// The counted rounds after which it left; `None` when it is still measured.
    pub left_after: Option<u32>,
}

/// The result of a contest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assessment {
    /// The last look that was reached; `None` before the first.
    pub look: Option<u32>,
    /// Counted rounds so far in which every live entry took part, those after the look among them.
    pub rounds: u32,
    /// The candidate that leads.
    pub leader: Option<usize>,
    /// The candidate next to it; with a single candidate the live entry that is next.
    pub second: Option<usize>,
    /// The entries that may be fastest, the leader first, then by estimate.
    pub candidates: Vec<usize>,
    /// All entries: the leader, then the others by estimate.
    pub rows: Vec<Row>,
    /// The most that choosing the leader costs, as the logarithm of a ratio; `None` while there is no limit.
    pub at_most: Option<f64>,
    /// The same, with a proof that covers a leader chosen from the same values: wider.
    pub at_most_proved: Option<f64>,
    /// With a coarse limit: the candidates, in matrix order, that are faster by no more than it and hold up no answer.
    pub settled: Vec<usize>,
    /// At a look, one candidate is left; or choosing the leader costs no more than was asked for, and it alone beats the baseline or
    /// is not estimated to.
    pub decided: bool,
    /// The contest is short or very short: outsiders leave at once.
    pub short: bool,
    /// The baseline of the rules, until its factor is above 1 and every candidate alone beats it: one of them leads in the end.
    pub open_baseline: Option<usize>,
}

impl Assessment {
    /// Returns the row of an entry.
    pub fn row(&self, entry: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.entry == entry)
    }

    /// Returns the outsiders to drop: their factor is above 1, or the contest is short. The baseline stays while it is open.
    pub fn leavers(&self) -> Vec<usize> {
        let leavers = self.outsiders().filter(|row| row.low > 0.0 || self.short);
        leavers.map(|row| row.entry).filter(|entry| self.open_baseline != Some(*entry)).collect()
    }

    /// Returns the outsiders whose factor is still open: measured only when there is time left for it.
    pub fn open_outsiders(&self) -> Vec<usize> {
        let leavers = self.leavers();
        self.outsiders().map(|row| row.entry).filter(|entry| !leavers.contains(entry)).collect()
    }

    /// Returns the outsiders of whose factor an end is further away than this fraction of it.
    pub fn wide_outsiders(&self, precision: f64) -> Vec<usize> {
        let most = precision.ln_1p();
        let is_wide = |row: &&Row| {
            row.estimate.is_none_or(|estimate| estimate - row.low > most || row.high - estimate > most)
        };
        self.outsiders().filter(is_wide).map(|row| row.entry).collect()
    }

    fn outsiders(&self) -> impl Iterator<Item = &Row> {
        let here = self.rows.iter().filter(|row| row.left_after.is_none());
        here.filter(|row| !row.standing.is_candidate() && row.standing != Standing::Failed)
    }
}

/// Judges the entries by all of their whole rounds. An entry whose values end at a look left there; one whose values end in between
/// limits the rounds of all. Entries without round 0 count as failed.
pub fn assess(matrix: &Matrix, entries: &[usize], rules: &Rules) -> Assessment {
    assess_with_failed(matrix, entries, &[], rules)
}

/// Judges like [`assess`], but `failed` entries are out whatever their values are. They still count as entries: what the others
/// must show does not change.
pub fn assess_with_failed(matrix: &Matrix, entries: &[usize], failed: &[usize], rules: &Rules) -> Assessment {
    summary::summary(Replay::of(Field::new(matrix, entries), failed, rules), rules)
}

#[cfg(test)]
mod tests;
