//! Sentences over the levels of an axis.

use std::collections::BTreeSet;

use model::{axis_counted, axis_kind, axis_name, axis_value};

use crate::contest::refusal::{only_one, why_alone};
use crate::curve::along::Levels;
use crate::curve::{Crossover, CrossoverKind, Level, Reach};
use crate::words::terms::Terms;
use crate::words::wording::{confidence, names};

/// The words for an axis.
pub(crate) struct Words<'a> {
    axis: &'a str,
    at: &'a [u64],
    levels: &'a Levels<'a>,
    terms: Terms,
    sure: String,
}

impl<'a> Words<'a> {
    pub(crate) fn new(levels: &'a Levels<'a>, sure: Option<f64>) -> Self {
        Self {
            axis: &levels.along.axis,
            at: &levels.at,
            levels,
            terms: Terms::of(&levels.rankings[0].quantity),
            sure: sure.map_or(String::new(), |sure| format!(" ({})", confidence(sure))),
        }
    }

    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// ` (95 % confidence at each level)`: what is said of single levels holds at each of them, not at all of them together.
    pub(crate) fn sure_at_each(&self) -> String {
        self.sure.strip_suffix(')').map_or(String::new(), |sure| format!("{sure} at each level)"))
    }

    /// ` at every number of threads`, or ` at 3 of 7 levels` where it is about these only.
    pub(crate) fn over_levels(&self, some: usize) -> String {
        match some == self.at.len() {
            true => format!(" at every {}", self.kind()),
            false => format!(" at {some} of {} levels", self.at.len()),
        }
    }

    /// What the reference is called.
    pub(crate) fn plain_way(&self) -> &'static str {
        self.levels.fields[0].contest.plain_way()
    }

    /// A value with what it is a value of: `64 KiB`, `a file size of 64 KiB`, `8 threads`, `1 thread`.
    pub(crate) fn place(&self, value: u64) -> String {
        let (name, told) = (axis_name(self.axis), axis_value(self.axis, value));
        match self.axis {
            "bytes" => told,
            axis if axis.ends_with("_bytes") || axis.ends_with("_ns") => format!("a {name} of {told}"),
            axis => axis_counted(axis, value),
        }
    }

    /// `size`, `file size`, `number of threads`.
    pub(crate) fn kind(&self) -> String {
        axis_kind(self.axis)
    }

    fn value(&self, value: u64) -> String {
        axis_value(self.axis, value)
    }

    /// The levels between two of them, both left out.
    fn has_levels_between(&self, low: u64, high: u64) -> bool {
        self.at.iter().any(|&at| low < at && at < high)
    }

    /// The answer of a curve: what to use, where few techniques will do, and what is sure.
    pub(crate) fn answer(&self, up: Option<&Reach>, down: Option<&Reach>, levels: &[Level]) -> String {
        if let Some(sentence) = self.only_one() {
            return sentence;
        }
        let sure = self.sure_of(up, down, levels);
        let is_all_said =
            up.zip(down).is_some_and(|(up, down)| !self.has_levels_between(up.level, down.level));
        match self.choice(levels).filter(|_| !is_all_said) {
            Some(choice) => format!("{choice} {sure}"),
            None => sure,
        }
    }

    /// What is said where one technique took part, and no other one at any level.
    fn only_one(&self) -> Option<String> {
        let standing: Vec<_> = (0..self.at.len()).map(|level| self.levels.standing(level)).collect();
        let all: BTreeSet<&str> = standing.iter().flatten().copied().collect();
        let is_alone = (0..self.at.len()).all(|level| !self.levels.is_contested(level));
        let one = all.first().filter(|_| all.len() == 1 && is_alone)?;
        let told: BTreeSet<Option<String>> = self.levels.fields.iter().map(|field| only_one(field)).collect();
        let same_everywhere = told.first().cloned().flatten().filter(|_| told.len() == 1);
        Some(same_everywhere.unwrap_or_else(|| {
            format!("{one} is the only technique that took part at any level: nothing to compare it with.")
        }))
    }

    /// Among how many of the techniques a claim about some levels holds, where not all were compared there: `among 4 of 24
    /// techniques`, `among those compared (5 to 12 of 12 techniques)`.
    fn among<'l>(&self, levels: impl Iterator<Item = &'l Level>) -> Option<String> {
        let counts: Vec<(u32, u32)> =
            levels.map(|level| (level.compared, level.compared + level.not_compared.len() as u32)).collect();
        let is_whole = counts.iter().all(|(compared, of)| compared == of);
        let (least, most) = (counts.iter().map(|one| one.0).min()?, counts.iter().map(|one| one.0).max()?);
        let of = counts.iter().map(|one| one.1).max()?;
        match (is_whole, least == most) {
            (true, _) => None,
            (false, true) => Some(format!("among {least} of {of} techniques")),
            (false, false) => Some(format!("among those compared ({least} to {most} of {of} techniques)")),
        }
    }

    /// A claim with the techniques among which it holds in front.
    fn claimed<'l>(&self, levels: impl Iterator<Item = &'l Level>, claim: String) -> String {
        match self.among(levels) {
            Some(among) => format!("A{}, {claim}", &among[1..]),
            None => claim,
        }
    }

    /// The fewest techniques of which one may be fastest at each level, with their levels. `None` where these are many.
    fn choice(&self, levels: &[Level]) -> Option<String> {
        const MOST: usize = 3;
        let answered = levels.iter().filter(|level| !level.fastest.is_empty());
        let nothing = match self.among(answered) {
            Some(_) => "nothing that was compared there is",
            None => "nothing is",
        };
        let stretches = stretches(levels);
        let [(one, ..)] = stretches.as_slice() else {
            if stretches.is_empty() || stretches.len() > MOST {
                return None;
            }
            let last = stretches.len() - 1;
            let part = |(nth, (technique, low, high)): (usize, &(&str, u64, u64))| match nth {
                0 => format!("{technique} {}", self.up_to(*high)),
                nth if nth == last => format!("{technique} from {} on", self.value(*low)),
                _ if low == high => format!("{technique} at {}", self.value(*low)),
                _ => format!("{technique} from {} to {}", self.value(*low), self.value(*high)),
            };
            let parts: Vec<String> = stretches.iter().enumerate().map(part).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            return Some(format!("Use {}: {nothing} surely {}.", names(&parts), self.terms.more_good));
        };
        Some(format!("Use {one} at every {}: {nothing} surely {}.", self.kind(), self.terms.more_good))
    }

    /// The axis up to a level: where nothing lies below it, at it.
    fn up_to(&self, high: u64) -> String {
        format!("{} {}", if high <= 1 { "at" } else { "up to" }, self.place(high))
    }

    fn sure_of(&self, up: Option<&Reach>, down: Option<&Reach>, levels: &[Level]) -> String {
        let (is_best, kind, sure) = (&self.terms.is_best, self.kind(), &self.sure);
        let (Some(low), Some(high)) = (levels.first(), levels.last()) else { return String::new() };
        // What lies between the two reaches is claimed of no technique.
        let is_claimed = |level: &&Level| {
            up.is_some_and(|up| level.at <= up.level) || down.is_some_and(|down| level.at >= down.level)
        };
        let claimed = |claim: String| self.claimed(levels.iter().filter(is_claimed), claim);
        match (up, down) {
            (Some(up), Some(down)) if up.technique == down.technique && up.level >= down.level => {
                claimed(format!(
                    "{} {is_best} at every {kind} from {} to {}{sure}.",
                    up.technique,
                    self.value(low.at),
                    self.value(high.at)
                ))
            }
            (Some(up), Some(down)) => claimed(self.at_both_ends(up, down)),
            (Some(up), None) => {
                let claim = claimed(format!("{} {is_best} {}{sure}.", up.technique, self.up_to(up.level)));
                format!("{claim} {}", self.at_end(high))
            }
            (None, Some(down)) => {
                let from = self.place(down.level);
                let claim = claimed(format!("{} {is_best} from {from} on{sure}.", down.technique));
                format!("{claim} {}", self.at_end(low))
            }
            (None, None) if low.fastest.is_empty() && high.fastest.is_empty() => {
                format!(
                    "Nothing can be said yet, neither at {} nor at {}.",
                    self.place(low.at),
                    self.value(high.at)
                )
            }
            (None, None) => format!("{} {}", self.at_end(low), self.at_end(high)),
        }
    }

    /// The claim where one technique is fastest from each end on, but not the same one over all levels.
    fn at_both_ends(&self, up: &Reach, down: &Reach) -> String {
        let (is_best, sure) = (&self.terms.is_best, &self.sure);
        let between = self.has_levels_between(up.level, down.level);
        let (low, high) = (self.up_to(up.level), self.value(down.level));
        match up.technique == down.technique {
            true => format!(
                "{} {is_best} {low} and from {high} on; between them others may be {}{sure}.",
                up.technique, self.terms.as_good
            ),
            false => format!(
                "{} {is_best} {low}, {} from {high} on{}{sure}.",
                up.technique,
                down.technique,
                if between { "; between them it changes" } else { "" }
            ),
        }
    }

    /// Who may be fastest at an end of the axis, where no technique alone is.
    fn at_end(&self, level: &Level) -> String {
        let place = self.place(level.at);
        let among = self.among(std::iter::once(level)).map_or(String::new(), |among| format!(" {among}"));
        let all: Vec<&str> = level.fastest.iter().map(String::as_str).collect();
        let Terms { is_best, may_be_best, .. } = &self.terms;
        match all.as_slice() {
            [] => match self.alone_at(level.at) {
                Some((one, why)) => format!("At {place} only {one} took part{why}."),
                None => format!("At {place} nothing can be said yet."),
            },
            [one] => format!(
                "At {place} {one} {is_best}{among}, though not sure enough for a sentence over all levels."
            ),
            all if all.len() <= 5 => format!("At {place} {} {may_be_best}{among}.", names(all)),
            all => {
                format!("At {place} {} techniques {may_be_best}{among}; {} leads.", all.len(), all[0])
            }
        }
    }

    /// The technique that was alone at a level, and why, in words to add.
    fn alone_at(&self, at: u64) -> Option<(&str, String)> {
        let level = self.at.iter().position(|&level| level == at)?;
        let standing = self.levels.standing(level);
        let one = standing.first().copied().filter(|_| standing.len() == 1)?;
        let why = why_alone(self.levels.fields[level]).map_or(String::new(), |why| format!(": {why}"));
        Some((one, why))
    }

    /// Where two techniques change places.
    pub(crate) fn crossover(&self, found: &Crossover, low: u64, high: u64) -> String {
        let (one, other) = (&found.entries.0, &found.entries.1);
        let loser = |winner: &str| if winner == one { other } else { one };
        let kind = self.kind();
        let ends = || format!("from {} to {}", self.value(low), self.value(high));
        match (found.kind, &found.ahead_below, &found.ahead_above) {
            (CrossoverKind::Between, Some(below), Some(above)) => {
                let (from, to) = (found.from.unwrap_or(low), found.to.unwrap_or(high));
                let about = found.about.map_or(String::new(), |about| {
                    format!(" (they change places at about {})", self.value(about.round() as u64))
                });
                format!(
                    "{below} is ahead up to {}, {above} from {} on{about}",
                    self.place(from),
                    self.value(to)
                )
            }
            (CrossoverKind::Throughout, Some(ahead), _) => {
                format!("{ahead} is ahead of {} at every {kind} {}", loser(ahead), ends())
            }
            (CrossoverKind::AtBothEnds, Some(ahead), _) => {
                let (low, high) = (self.place(low), self.value(high));
                format!(
                    "{ahead} is ahead of {} at {low} and at {high}; between them it is open",
                    loser(ahead)
                )
            }
            (_, Some(ahead), None) => format!(
                "{ahead} is ahead of {} at {}; at {} they cannot be told apart",
                loser(ahead),
                self.place(low),
                self.value(high)
            ),
            (_, None, Some(ahead)) => format!(
                "{ahead} is ahead of {} at {}; at {} they cannot be told apart",
                loser(ahead),
                self.place(high),
                self.value(low)
            ),
            _ => format!(
                "{one} and {other} cannot be told apart, neither at {} nor at {}",
                self.place(low),
                self.value(high)
            ),
        }
    }
}

/// From the lowest level up, the technique that may be fastest over the most levels, then the next one: with its first and
/// its last level. A level of which nothing is known interrupts none.
fn stretches(levels: &[Level]) -> Vec<(&str, u64, u64)> {
    let mut found = Vec::new();
    let mut rest: Vec<&Level> = levels.iter().filter(|level| !level.fastest.is_empty()).collect();
    while let Some(first) = rest.first() {
        let reach =
            |technique: &&String| rest.iter().take_while(|level| level.fastest.contains(technique)).count();
        // Of those that reach as far, the leader of the first level.
        let Some(technique) = first.fastest.iter().rev().max_by_key(reach) else { break };
        let count = reach(&technique);
        found.push((technique.as_str(), first.at, rest[count - 1].at));
        rest.drain(..count);
    }
    found
}
