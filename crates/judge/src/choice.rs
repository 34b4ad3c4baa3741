//! The one answer to each question: what to use at each measured level, and what that gains.
//!
//! Every page, export, piece of advice and profile shows what is decided here, and decides nothing itself. The policy:
//!
//! 1. At a level, the entries that may be fastest, or are within the tolerance of the fastest, are *tied*.
//! 2. Where the baseline is tied it is the choice: nothing is shown to be faster.
//! 3. Elsewhere the choice is the leader, or an entry tied with it that takes at most [`NEAR`] more and is shown to be faster than the
//!    baseline.
//! 4. A choice is kept from level to level as long as it can be. Neighbouring levels with one choice are a range.
//! 5. Where the baseline was not measured, nothing is known to be better than it, and nothing is chosen; unless it took part nowhere, or
//!    was skipped because it was ten times slower at a smaller level.
//! 6. Nothing is said about levels that were not measured, but between two neighbours of one range.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::ranking::{Choice, Entry, Ranking, Ratio, Standing, State};

/// A tied entry whose factor is larger than the leader's by more than this is not chosen, even if it would do at more levels.
const NEAR: f64 = 0.05;

/// Neighbouring levels with one choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The lowest level.
    pub from: u64,
    /// The highest level.
    pub to: u64,
    /// The choice there, with the least favourable figures of its levels.
    pub choice: Choice,
}

/// Chooses at each of some levels, given in ascending order, among the entries that a user can choose from; all where `among` is empty.
pub(crate) fn choices(levels: &[&Ranking], among: &[String]) -> Vec<Option<Choice>> {
    let levels: Vec<Level<'_>> = levels.iter().map(|ranking| Level { ranking, among }).collect();
    let has_baseline = levels.iter().any(|level| level.baseline().is_some() || level.skipped_baseline());
    let sets: Vec<Vec<&str>> = levels.iter().map(|level| level.acceptable(has_baseline)).collect();
    let mut chosen = Vec::with_capacity(levels.len());
    while let Some(first) = sets.get(chosen.len()) {
        let start = chosen.len();
        let mut common = first.clone();
        let mut end = start + 1;
        for next in &sets[start + 1..] {
            let both: Vec<&str> = common.iter().copied().filter(|entry| next.contains(entry)).collect();
            if both.is_empty() {
                break;
            }
            (common, end) = (both, end + 1);
        }
        let cost = |entry: &str| levels[start..end].iter().map(|level| level.cost(entry)).sum::<f64>();
        let best = common.into_iter().min_by(|one, other| cost(one).total_cmp(&cost(other)));
        chosen.extend(levels[start..end].iter().map(|level| Some(level.choice(best?))));
    }
    chosen
}

pub(crate) fn ranges(at: &[u64], choices: &[Option<Choice>]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    let mut before: Option<&str> = None;
    for (&at, choice) in at.iter().zip(choices) {
        match (choice, ranges.last_mut()) {
            (Some(choice), Some(range)) if before == Some(choice.entry.as_str()) => {
                range.to = at;
                range.choice = range.choice.clone().and(choice);
            }
            (Some(choice), _) => ranges.push(Range { from: at, to: at, choice: choice.clone() }),
            (None, _) => {}
        }
        before = choice.as_ref().map(|choice| choice.entry.as_str());
    }
    ranges
}

/// A baseline that may cost more than this is no answer, only what to keep until more is known.
const UNDECIDED: f64 = 0.25;

impl Choice {
    /// Returns whether it is the baseline for want of knowledge only.
    pub fn is_undecided(&self) -> bool {
        self.is_baseline && self.at_most_slower.is_none_or(|cost| cost > UNDECIDED)
    }

    /// Returns the same entry at two levels: the least gain, with its own interval, and the highest cost.
    pub(crate) fn and(self, other: &Self) -> Self {
        // A baseline that has no factor at a level alone was ten times slower at a lower one.
        let gains = self.baseline.into_iter().chain(other.baseline);
        let baseline = gains.reduce(|one, other| if other.factor < one.factor { other } else { one });
        let costs = self.at_most_slower.zip(other.at_most_slower);
        Self { baseline, at_most_slower: costs.map(|(one, other)| one.max(other)), ..self }
    }
}

/// A level with the entries that can be chosen.
struct Level<'a> {
    ranking: &'a Ranking,
    among: &'a [String],
}

impl<'a> Level<'a> {
    fn entries(&self) -> impl Iterator<Item = &'a Entry> {
        let among = self.among;
        self.ranking.entries.iter().filter(move |entry| can_be_chosen(entry, among))
    }

    fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.ranking.entry(name).filter(|entry| is_compared(entry))
    }

    /// Returns the entry that leads those that can be chosen.
    fn leader(&self) -> Option<&'a str> {
        let names = self.entries().map(|entry| entry.technique.as_str());
        names.min_by(|one, other| self.cost(one).total_cmp(&self.cost(other)))
    }

    /// Returns the baseline, where it was compared and can be chosen.
    fn baseline(&self) -> Option<&'a Entry> {
        let entry = self.entry(self.ranking.baseline.as_deref()?)?;
        can_be_chosen(entry, self.among).then_some(entry)
    }

    /// Returns whether the baseline, which can be chosen, began and was skipped for time: it is no contest without one.
    fn skipped_baseline(&self) -> bool {
        let entry = self.ranking.baseline.as_deref().and_then(|name| self.ranking.entry(name));
        entry.is_some_and(|one| one.standing == Standing::Skipped && is_named(one, self.among))
    }

    fn cost(&self, name: &str) -> f64 {
        self.entry(name).and_then(|entry| entry.factor).map_or(f64::INFINITY, f64::ln)
    }

    /// Returns the entries that may be chosen here, the leader first.
    fn acceptable(&self, has_baseline: bool) -> Vec<&'a str> {
        if !self.ranking.state.is_judged() || self.ranking.state == State::Alone {
            return Vec::new();
        }
        let Some(leader) = self.leader() else { return Vec::new() };
        let baseline = self.baseline();
        // A baseline that was far slower at a smaller level has no figure here.
        let mut not_tried = self.ranking.not_tried.iter();
        let is_slow = not_tried.any(|line| Some(&line.technique) == self.ranking.baseline.as_ref());
        if has_baseline && baseline.is_none() && !is_slow {
            return Vec::new();
        }
        if let Some(baseline) =
            baseline.filter(|entry| entry.standing.is_candidate() || entry.technique == leader)
        {
            return vec![&baseline.technique];
        }
        let limit = self.cost(leader) + NEAR.ln_1p();
        let others = self.entries().filter(|entry| {
            let low = self.over(entry).and_then(|ratio| ratio.low);
            entry.technique != leader
                && entry.standing.is_candidate()
                && self.cost(&entry.technique) <= limit
                && (baseline.is_none() || low.is_some_and(|low| low > 1.0))
        });
        std::iter::once(leader).chain(others.map(|entry| entry.technique.as_str())).collect()
    }

    /// Returns the baseline over an entry. Both are known relative to the fastest, and that at once: the interval of their ratio follows.
    fn over(&self, entry: &Entry) -> Option<Ratio> {
        let baseline = self.entry(self.ranking.baseline.as_deref()?)?;
        let leads = self.ranking.leader.as_deref() == Some(&entry.technique);
        let factor = baseline.factor? / if leads { 1.0 } else { entry.factor? };
        // What the fastest entry gains is what the baseline's own row says.
        let (least, most) =
            if leads { (Some(1.0), 1.0) } else { (entry.factor_high, entry.factor_low.unwrap_or(1.0)) };
        let low = baseline.factor_low.zip(least).map(|(low, most)| low / most);
        Some(Ratio { factor, low, high: baseline.factor_high.map(|high| high / most) })
    }

    fn choice(&self, name: &str) -> Choice {
        let entry = self.entry(name);
        let is_baseline = self.ranking.baseline.as_deref() == Some(name);
        Choice {
            entry: name.to_owned(),
            is_baseline,
            baseline: entry.filter(|_| !is_baseline).and_then(|entry| self.over(entry)),
            at_most_slower: entry.and_then(|entry| self.slower(entry)),
        }
    }

    fn slower(&self, entry: &Entry) -> Option<f64> {
        if entry.standing == Standing::Wins {
            return Some(0.0);
        }
        let high = entry.factor_high.map(|factor| factor - 1.0);
        let leads = self.ranking.leader.as_deref() == Some(&entry.technique);
        let cost = if leads { self.ranking.at_most_slower.or(high) } else { high };
        cost.filter(|cost| cost.is_finite())
    }
}

/// Returns whether a user can choose an entry: it was compared, and is one of those named, if any are.
pub(crate) fn can_be_chosen(entry: &Entry, among: &[String]) -> bool {
    is_compared(entry) && is_named(entry, among)
}

/// Returns whether an entry, or its technique, is one of those named; all are where none is named.
pub(crate) fn is_named(entry: &Entry, among: &[String]) -> bool {
    let technique = entry.without_value();
    among.is_empty() || among.iter().any(|name| *name == entry.technique || name == technique)
}

/// Returns whether an entry took part to the end, or was shown to be slower.
pub fn is_compared(entry: &Entry) -> bool {
    let is_out = matches!(
        entry.standing,
        Standing::Skipped | Standing::Ceiling | Standing::Failed | Standing::Unjudged
    );
    !is_out && entry.kind != model::Kind::Twin
}
