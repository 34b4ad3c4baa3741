//! A contest from its first round to its last: what was known before each round, and what each look decided.

use std::collections::BTreeSet;

use super::Rules;
use super::field::Field;
use super::levels::Levels;
use super::scores::Scores;

const FAR_BEHIND_ROUND: u32 = 3;

/// An entry that failed so often leaves.
const FAILURES_MAX: u32 = 3;

/// The state of the contest. All lists are by slot.
pub(super) struct Replay<'a> {
    pub(super) field: Field<'a>,
    pub(super) levels: Levels,
    pub(super) looks: &'a [u32],
    pub(super) candidate: Vec<bool>,
    /// Those that are still measured.
    pub(super) live: Vec<bool>,
    pub(super) far_behind: Vec<bool>,
    pub(super) failed: Vec<bool>,
    pub(super) left_after: Vec<Option<u32>>,
    /// The lower end of each factor as a logarithm; minus infinity while there is none.
    pub(super) low: Vec<f64>,
    /// Against the opponent that was named before the round, round by round.
    against_opponent: Vec<Vec<f64>>,
    failures: Vec<u32>,
    scores: Scores,
    pub(super) baseline: Option<usize>,
    /// Counted rounds in which every live entry took part.
    pub(super) rounds: u32,
    pub(super) look: Option<u32>,
    /// Those that could lead at that look, the best score first.
    pub(super) order_at_look: Vec<usize>,
}

impl<'a> Replay<'a> {
    /// Returns the contest after all of its whole rounds. `failed` lists entries that are out whatever their values are.
    pub(super) fn of(field: Field<'a>, failed: &[usize], rules: &'a Rules) -> Self {
        let slots = field.len();
        let failed: BTreeSet<usize> = failed.iter().copied().collect();
        let entries = field.entries.iter().enumerate();
        let starts: Vec<bool> =
            entries.map(|(slot, entry)| field.recorded(slot) > 0 && !failed.contains(entry)).collect();
        let baseline =
            rules.baseline.and_then(|entry| field.entries.iter().position(|&other| other == entry));
        let with_baseline =
            Rules { baseline: rules.baseline.filter(|_| baseline.is_some()), ..rules.clone() };
        let longest = (0..slots).map(|slot| field.recorded(slot)).max().unwrap_or(0);
        let failures = (0..slots).map(|slot| u32::from(starts[slot] && field.log(slot, 0) == f64::INFINITY));
        let mut replay = Self {
            levels: Levels::new(longest.saturating_sub(1), &with_baseline, slots),
            looks: &rules.looks,
            candidate: starts.clone(),
            failed: starts.iter().map(|starts| !starts).collect(),
            far_behind: vec![false; slots],
            left_after: vec![None; slots],
            low: vec![f64::NEG_INFINITY; slots],
            against_opponent: vec![Vec::new(); slots],
            failures: failures.collect(),
            live: starts,
            scores: Scores::default(),
            baseline,
            rounds: 0,
            look: None,
            order_at_look: Vec::new(),
            field,
        };
        while replay.begin_round() {
            replay.round();
        }
        replay
    }

    fn slots(flags: &[bool]) -> Vec<usize> {
        (0..flags.len()).filter(|&slot| flags[slot]).collect()
    }

    /// Returns the candidates that are still measured. Only they can lead: the others cannot be met in the next round.
    fn live_candidates(&self) -> Vec<usize> {
        (0..self.field.len()).filter(|&slot| self.live[slot] && self.candidate[slot]).collect()
    }

    /// Begins the next round where all who take part have it. Entries whose values end here have left.
    fn begin_round(&mut self) -> bool {
        let next = self.rounds + 1;
        let (staying, ending): (Vec<usize>, Vec<usize>) =
            Self::slots(&self.live).into_iter().partition(|&slot| self.field.recorded(slot) > next);
        let at_look = self.look == Some(self.rounds);
        // A candidate that leaves another one alone ends the contest: nothing is left to compare.
        let alone = staying.len() < 2 && ending.iter().any(|&slot| self.candidate[slot]);
        if alone
            || self.looks.last().is_none_or(|&last| next > last)
            || !staying.iter().any(|&slot| self.candidate[slot])
            || !ending.iter().all(|&slot| at_look || self.far_behind[slot])
        {
            return false;
        }
        for slot in ending {
            self.live[slot] = false;
            self.left_after[slot] = Some(self.rounds);
        }
        true
    }

    fn round(&mut self) {
        let order = self.order();
        let (leader, second) = (order[0], order.get(1).copied());
        self.rounds += 1;
        let round = self.rounds;
        for slot in Self::slots(&self.live) {
            let opponent = if slot == leader { second } else { Some(leader) };
            let difference = opponent.map_or(0.0, |opponent| self.field.difference(opponent, slot, round));
            self.against_opponent[slot].push(difference);
            self.failures[slot] += u32::from(self.field.log(slot, round) == f64::INFINITY);
        }
        self.drop_failed();
        if round == FAR_BEHIND_ROUND && self.levels.far_behind {
            self.drop_far_behind(leader);
        }
        if let Ok(place) = self.looks.binary_search(&round) {
            self.decide(place);
        }
    }

    /// Returns the live candidates by score at this moment, best first; one candidate is followed by the other live entries.
    pub(super) fn order(&mut self) -> Vec<usize> {
        let (candidates, live) = (self.live_candidates(), Self::slots(&self.live));
        self.scores.order(&self.field, &candidates, &live, self.rounds)
    }

    fn drop_failed(&mut self) {
        let mut live = Self::slots(&self.live);
        // Which one stays of several that fail at once does not depend on the order of the list.
        live.sort_unstable_by_key(|&slot| self.field.entries[slot]);
        for slot in live {
            if self.failures[slot] < FAILURES_MAX {
                continue;
            }
            // The last candidate stays: an answer must name one.
            if self.live_candidates().iter().any(|&other| other != slot) {
                (self.candidate[slot], self.live[slot], self.failed[slot]) = (false, false, true);
                self.left_after[slot] = Some(self.rounds);
            }
        }
    }

    fn drop_far_behind(&mut self, leader: usize) {
        for slot in self.live_candidates() {
            let rounds = &self.against_opponent[slot];
            if slot != leader && rounds.iter().all(|&d| d > std::f64::consts::LN_2) {
                self.candidate[slot] = false;
                self.far_behind[slot] = true;
            }
        }
    }

    fn decide(&mut self, place: usize) {
        let order = self.order();
        let leader = order[0];
        for slot in Self::slots(&self.live) {
            let against = &self.against_opponent[slot];
            let low = if self.baseline == Some(slot) { &self.levels.baseline.0 } else { &self.levels.low };
            if let Some(low) = low[place].and_then(|cut| nth_smallest(against.clone(), cut as usize)) {
                self.low[slot] = self.low[slot].max(low);
            }
            let not_slower = against.iter().filter(|&&d| d <= 0.0).count() as u32;
            if slot != leader {
                self.candidate[slot] &= self.levels.candidates[place].is_none_or(|cut| not_slower > cut);
            }
        }
        self.look = Some(self.rounds);
        self.order_at_look = order.into_iter().filter(|&slot| self.candidate[slot]).collect();
    }

    /// Counted rounds up to the last look in which a slot took part.
    pub(super) fn reached(&self, slot: usize) -> u32 {
        let taken = self.against_opponent[slot].len() as u32;
        self.look.map_or(taken, |look| taken.min(look))
    }

    /// Returns the baseline while its factor is not above 1, or a candidate alone is not shown to beat it.
    pub(super) fn open_baseline(&self) -> Option<usize> {
        let slot = self.baseline.filter(|&slot| self.left_after[slot].is_none())?;
        let is_known =
            self.low[slot] > 0.0 && self.live_candidates().iter().all(|&one| self.beats(one, slot));
        (!is_known).then(|| self.field.entries[slot])
    }

    /// Returns whether a candidate alone is shown to beat an entry.
    pub(super) fn beats(&self, candidate: usize, slot: usize) -> bool {
        let place = self.look.and_then(|look| self.looks.binary_search(&look).ok());
        let cut = place.and_then(|place| self.levels.candidates[place]);
        let differences =
            (1..=self.look.unwrap_or(0)).map(|round| self.field.difference(candidate, slot, round));
        cut.is_some_and(|cut| differences.filter(|&d| d <= 0.0).count() as u32 <= cut)
    }

    pub(super) fn high_cuts(&self, slot: usize) -> &[Option<u32>] {
        if self.baseline == Some(slot) { &self.levels.baseline.1 } else { &self.levels.high }
    }
}

/// Returns the value in this place of the order, counted from 0.
pub(super) fn nth_smallest(mut values: Vec<f64>, place: usize) -> Option<f64> {
    (place < values.len()).then(|| *values.select_nth_unstable_by(place, f64::total_cmp).1)
}
