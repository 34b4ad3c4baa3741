//! The measured levels that a question is about, from whichever runs they come.

use std::collections::BTreeMap;

use model::{Class, Setting};

use super::{Asked, Basis, KeptAnswers, Origin, Question};
use crate::contest::ranking::{Entry, Ranking, Standing, State};

/// What is equal but for rounding, as a logarithm.
pub(super) const EQUAL: f64 = 1e-9;

/// One measured level.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    /// Its value on the axis; 0 where there is none.
    pub(super) at: u64,
    pub(super) ranking: &'a Ranking,
    pub(super) run: KeptAnswers<'a>,
    /// The entry that leads those that the user can choose from.
    leader: &'a str,
    among: &'a [String],
}

/// The levels, ascending; at least one.
pub(super) struct Levels<'a> {
    pub(super) all: Vec<Level<'a>>,
    has_axis: bool,
    /// The plain way, where a level names it and the user can choose it.
    plain: Option<&'a str>,
}

impl<'a> Levels<'a> {
    /// `None` where nothing was measured.
    pub(super) fn of(question: &Question<'a>, asked: &Asked, kept: &[KeptAnswers<'a>]) -> Option<Self> {
        let mut by_class: BTreeMap<Class, BTreeMap<u64, Vec<Level<'a>>>> = BTreeMap::new();
        for run in kept {
            for ranking in &run.decided.rankings {
                let among = question.among;
                let found = place(ranking, question, asked).zip(leader(ranking, among));
                if let Some((at, leader)) = found {
                    let levels = by_class.entry(ranking.class).or_default();
                    let level = Level { at, ranking, run: *run, leader, among };
                    levels.entry(at).or_default().push(level);
                }
            }
        }
        // Moved bytes are what is asked for wherever any technique moves them: the order of the classes.
        let levels = by_class.into_values().next()?;
        let all = levels.into_values().filter_map(|runs| preferred(&runs)).collect::<Vec<_>>();
        let plain = all.iter().find_map(Level::plain);
        (!all.is_empty()).then_some(Self { all, has_axis: asked.axis.is_some(), plain })
    }

    /// The plain way, where it can be chosen: what is not known to be better than that is not advised.
    pub(super) fn plain(&self) -> Option<&'a str> {
        self.plain
    }

    /// The cheapest entry of a level that can be chosen; the plain way where none is known to be cheaper than that.
    pub(super) fn best_at<'own>(&'own self, level: &'own Level<'_>) -> &'own str {
        match self.plain {
            Some(plain) if !level.is_better(level.leader, plain) => plain,
            _ => level.leader,
        }
    }

    pub(super) fn first(&self) -> &Level<'a> {
        &self.all[0]
    }

    pub(super) fn lowest(&self) -> u64 {
        self.all[0].at
    }

    pub(super) fn highest(&self) -> u64 {
        self.all[self.all.len() - 1].at
    }

    /// Indices of all levels.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.all.len()).collect()
    }

    /// The level at a place, or those on both sides of it; outside, the nearest one.
    pub(super) fn around(&self, at: u64) -> Vec<usize> {
        let above = self.all.partition_point(|level| level.at < at);
        if above == self.all.len() {
            return vec![above - 1];
        }
        if self.all[above].at == at || above == 0 {
            return vec![above];
        }
        vec![above - 1, above]
    }

    /// The measured levels in a part of the axis; where there is none, those on both sides of it.
    pub(super) fn over(&self, from: u64, to: u64) -> Vec<usize> {
        let inside = |index: &usize| (from..=to).contains(&self.all[*index].at);
        let inside: Vec<usize> = (0..self.all.len()).filter(inside).collect();
        if inside.is_empty() { self.around(from) } else { inside }
    }

    pub(super) fn basis(&self, has_axis: bool, at: Option<u64>) -> Basis {
        let (from, to) = (self.lowest(), self.highest());
        match at {
            None if has_axis => Basis::AllLevels { from, to },
            None => Basis::Measured,
            Some(at) if at < from => Basis::Nearest { at: from },
            Some(at) if at > to => Basis::Nearest { at: to },
            Some(at) => match self.around(at)[..] {
                [below, above] => {
                    Basis::Interpolated { below: self.all[below].at, above: self.all[above].at }
                }
                _ => Basis::Measured,
            },
        }
    }

    /// The runs of some levels, in the order in which they began, the latest first.
    pub(super) fn origins(&self, used: &[usize]) -> Vec<Origin> {
        let mut origins: Vec<Origin> = Vec::new();
        for level in used.iter().map(|&index| &self.all[index]) {
            let (compared, rounds) = (compared(level.ranking), level.ranking.rounds);
            let place = origins.iter().position(|known| known.run == *level.run.id).unwrap_or_else(|| {
                let (run, started) = (level.run.id.clone(), level.run.started.to_owned());
                origins.push(Origin { run, started, levels: Vec::new(), compared, rounds });
                origins.len() - 1
            });
            let origin = &mut origins[place];
            origin.levels.extend(self.has_axis.then_some(level.at));
            (origin.compared, origin.rounds) = (origin.compared.min(compared), origin.rounds.min(rounds));
        }
        origins.sort_by(|one, other| other.run.cmp(&one.run));
        origins
    }
}

impl<'a> Level<'a> {
    /// The plain way, where it took part and can be chosen.
    fn plain(&self) -> Option<&'a str> {
        let name = self.ranking.reference.as_deref()?;
        let entry = self.ranking.entry(name)?;
        (self.among.is_empty() || is_named(entry, self.among)).then_some(name)
    }
}

impl Level<'_> {
    pub(super) fn entry(&self, name: &str) -> Option<&Entry> {
        self.ranking.entry(name).filter(|entry| is_compared(entry))
    }

    /// The entries that can be chosen.
    pub(super) fn choices(&self) -> impl Iterator<Item = &str> {
        let entries = self.ranking.entries.iter().filter(|entry| can_be_chosen(entry, self.among));
        entries.map(|entry| entry.technique.as_str())
    }

    pub(super) fn leader(&self) -> &str {
        self.leader
    }

    /// The logarithm of what an entry costs over the leader. A leader is chosen by more than its median, which may be a little
    /// above that of another candidate: no entry counts as better than it.
    pub(super) fn cost(&self, name: &str) -> Option<f64> {
        if self.ranking.leader.as_deref() == Some(name) {
            return Some(0.0);
        }
        let factor = self.entry(name)?.factor.filter(|factor| factor.is_finite() && *factor > 0.0)?;
        Some(factor.ln().max(0.0))
    }

    /// Whether an entry is known to cost less than the plain way here.
    pub(super) fn is_better(&self, name: &str, plain: &str) -> bool {
        match (self.cost(name), self.cost(plain)) {
            (Some(own), Some(plain)) => own + EQUAL < plain,
            // No factor tells how much more than nothing something is.
            (Some(_), None) => self.may_be_fastest(name) && self.entry(plain).is_some_and(is_behind),
            (None, _) => false,
        }
    }

    /// Whether its contest compared an entry.
    pub(super) fn compares(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// Whether nothing shows that another entry is faster here.
    pub(super) fn may_be_fastest(&self, name: &str) -> bool {
        name == self.leader() || self.entry(name).is_some_and(|entry| entry.standing.is_candidate())
    }

    /// Where it stands on a logarithmic axis. The lowest level may be 0, which has no logarithm.
    pub(super) fn log(&self) -> f64 {
        log_of(self.at)
    }
}

pub(super) fn log_of(at: u64) -> f64 {
    (at as f64).max(0.5).ln()
}

/// The leader, or of those that can be chosen the one with the smallest factor.
fn leader<'a>(ranking: &'a Ranking, among: &[String]) -> Option<&'a str> {
    let of_all = ranking.leader.as_deref()?;
    let own = ranking.entries.iter().filter(|entry| can_be_chosen(entry, among));
    let factor = |entry: &Entry| match entry.technique == of_all {
        true => Some(0.0),
        false => entry.factor.filter(|factor| factor.is_finite()),
    };
    let known = own.filter_map(|entry| Some((factor(entry)?, entry.technique.as_str())));
    known.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, entry)| entry)
}

fn can_be_chosen(entry: &Entry, among: &[String]) -> bool {
    is_compared(entry) && (among.is_empty() || is_named(entry, among))
}

fn is_named(entry: &Entry, among: &[String]) -> bool {
    let technique = entry.kind.technique_and_value(&entry.technique).0;
    among.iter().any(|name| *name == entry.technique || name == technique)
}

/// Whether it is shown not to be the fastest.
fn is_behind(entry: &Entry) -> bool {
    matches!(entry.standing, Standing::Slower | Standing::Behind | Standing::FarBehind)
}

fn is_compared(entry: &Entry) -> bool {
    let is_out =
        matches!(entry.standing, Standing::LeftOut | Standing::Limit | Standing::Failed | Standing::Unjudged);
    !is_out && entry.kind != model::Kind::Twin
}

fn compared(ranking: &Ranking) -> usize {
    ranking.entries.iter().filter(|entry| is_compared(entry)).count()
}

/// The level at which a contest answers what is asked; `None` where it does not.
fn place(ranking: &Ranking, question: &Question<'_>, asked: &Asked) -> Option<u64> {
    let says_something = ranking.leader.is_some()
        && !matches!(ranking.state, State::Refused | State::TooFewRounds | State::OnlyOne);
    if !says_something
        || ranking.family != question.family
        || ranking.quantity.key != question.quantity
        || !ranking.workload.files.is_empty()
        || !fits(&ranking.setting, question)
    {
        return None;
    }
    match &asked.axis {
        None => (ranking.workload.point == asked.workload.point).then_some(0),
        Some(axis) => (ranking.workload.beside(axis) == asked.workload.beside(axis))
            .then(|| ranking.workload.number(axis))
            .flatten(),
    }
}

fn fits(setting: &Setting, question: &Question<'_>) -> bool {
    let (own, wanted) = (&setting.conditions, question.conditions);
    own.cache == wanted.cache
        && own.durability == wanted.durability
        && own.file_system == wanted.file_system
        && own.processors == wanted.processors
        && (wanted.memory_limit_bytes.is_none() || own.memory_limit_bytes == wanted.memory_limit_bytes)
}

/// Of several runs of a level the latest, but for those that compared less than half of what another one did: they were about a
/// few techniques, and say nothing of the others. A run that compared the plain way tells more than one that did not.
fn preferred<'a>(runs: &[Level<'a>]) -> Option<Level<'a>> {
    let most = runs.iter().map(|level| compared(level.ranking)).max()?;
    let broad = || runs.iter().filter(|level| 2 * compared(level.ranking) >= most);
    let has_plain = |level: &&Level<'_>| {
        let plain = level.ranking.reference.as_deref();
        plain.is_some_and(|plain| level.compares(plain))
    };
    broad().find(has_plain).or_else(|| broad().next()).copied()
}
