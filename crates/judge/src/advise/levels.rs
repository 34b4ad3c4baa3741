//! The measured levels that a question is about, from whichever runs they come.

use std::collections::BTreeMap;

use model::{Class, Setting};

use super::{Asked, Basis, KeptAnswers, Origin, Question};
use crate::choice::{can_be_chosen, choices, is_compared, is_named};
use crate::contest::ranking::{Ranking, State};
use crate::wording::{names, once};

#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    /// Its value on the axis; 0 where there is none.
    pub(super) at: u64,
    pub(super) ranking: &'a Ranking,
    pub(super) run: KeptAnswers<'a>,
}

/// The levels, ascending; at least one.
pub(super) struct Levels<'a> {
    pub(super) all: Vec<Level<'a>>,
    has_axis: bool,
    /// Judged runs that began later than the one that was taken at a level.
    later: Vec<Level<'a>>,
}

impl<'a> Levels<'a> {
    /// `None` where nothing was measured.
    pub(super) fn of(question: &Question<'a>, asked: &Asked, kept: &[KeptAnswers<'a>]) -> Option<Self> {
        let mut by_class: BTreeMap<Class, BTreeMap<u64, Vec<Level<'a>>>> = BTreeMap::new();
        for run in kept {
            for ranking in &run.decided.rankings {
                if let Some(at) = place(ranking, question, asked) {
                    let levels = by_class.entry(ranking.class).or_default();
                    levels.entry(at).or_default().push(Level { at, ranking, run: *run });
                }
            }
        }
        // Moved bytes are what is asked for wherever any technique moves them: the order of the classes.
        let levels = by_class.into_values().next()?;
        let (mut all, mut later) = (Vec::new(), Vec::new());
        for runs in levels.into_values() {
            let Some(taken) = preferred(&runs, question.among) else { continue };
            all.push(taken);
            let newer = runs.into_iter().take_while(|level| level.run.id != taken.run.id);
            later.extend(newer.filter(|level| is_judged(level.ranking, question.among)));
        }
        let is_any_judged = all.iter().any(|level| is_judged(level.ranking, question.among));
        is_any_judged.then_some(Self { all, has_axis: asked.axis.is_some(), later })
    }

    /// Says which later runs were set aside: they compared too little.
    pub(super) fn set_aside(&self) -> Option<String> {
        let runs = once(self.later.iter().map(|level| level.run.id.0.split('.').next()));
        let first = self.later.first()?.ranking.entries.iter().filter(|entry| is_compared(entry));
        let compared: Vec<&str> = first.map(|entry| entry.technique.as_str()).collect();
        let runs = match &runs[..] {
            [one] => format!("Run {}, which is newer, compared only", one.unwrap_or_default()),
            more => format!("{} newer runs compared less, the latest", more.len()),
        };
        Some(format!("{runs} {}.", names(&compared)))
    }

    /// Indices of the level at a place, or of those on both sides of it; outside, of the nearest one.
    pub(super) fn around(&self, at: u64) -> Vec<usize> {
        let above = self.all.partition_point(|level| level.at < at);
        match self.all.get(above) {
            None => vec![above - 1],
            Some(level) if level.at == at || above == 0 => vec![above],
            Some(_) => vec![above - 1, above],
        }
    }

    pub(super) fn basis(&self, at: Option<u64>) -> Basis {
        let (from, to) = (self.all[0].at, self.all[self.all.len() - 1].at);
        match at {
            None if self.has_axis => Basis::AllLevels { from, to },
            None => Basis::Measured,
            Some(at) if at < from => Basis::Outside { nearest: from },
            Some(at) if at > to => Basis::Outside { nearest: to },
            Some(at) => match self.around(at)[..] {
                [below, above] => Basis::Between { below: self.all[below].at, above: self.all[above].at },
                _ => Basis::Measured,
            },
        }
    }

    /// Returns the runs of some levels, in the order in which they began, the latest first.
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

fn compared(ranking: &Ranking) -> usize {
    ranking.entries.iter().filter(|entry| is_compared(entry)).count()
}

/// Returns the level at which a contest answers what is asked; `None` where it does not.
fn place(ranking: &Ranking, question: &Question<'_>, asked: &Asked) -> Option<u64> {
    if !ranking.entries.iter().any(|entry| is_named(entry, question.among))
        || ranking.family != question.family
        || ranking.metric.key != question.metric
        || !ranking.workload.files.is_empty()
        || !fits(&ranking.setting, question)
    {
        return None;
    }
    match &asked.axis {
        None => (ranking.workload.point == asked.workload.point).then_some(0),
        Some(axis) => (ranking.workload.without_axis(axis) == asked.workload.without_axis(axis))
            .then(|| ranking.workload.number(axis))
            .flatten(),
    }
}

/// Returns whether something may be said of a contest, and of any entry that can be chosen.
pub(super) fn is_judged(ranking: &Ranking, among: &[String]) -> bool {
    ranking.leader.is_some()
        && ranking.entries.iter().any(|entry| can_be_chosen(entry, among))
        && ranking.state.is_judged()
        && ranking.state != State::Alone
}

fn fits(setting: &Setting, question: &Question<'_>) -> bool {
    let (own, wanted) = (&setting.conditions, question.conditions);
    own.cache == wanted.cache
        && own.durability == wanted.durability
        && own.file_system == wanted.file_system
        && own.processors == wanted.processors
        && (wanted.memory_limit_bytes.is_none() || own.memory_limit_bytes == wanted.memory_limit_bytes)
}

/// Returns the widest judged run of a level, of those that compared as many of the named entries as any, or a later one that stands for it: it
/// compared the baseline and what the run before it says to use, so its own choice is as good, or shown to be better. Where no run
/// judged the level, the latest.
fn preferred<'a>(runs: &[Level<'a>], among: &[String]) -> Option<Level<'a>> {
    let mut judged: Vec<Level<'a>> = runs.to_vec();
    judged.retain(|level| is_judged(level.ranking, among));
    let named = |level: &Level<'_>| {
        let has = |name: &&String| {
            level.ranking.entries.iter().any(|one| can_be_chosen(one, std::slice::from_ref(name)))
        };
        among.iter().filter(has).count()
    };
    let width = |level: &Level<'_>| (named(level), compared(level.ranking));
    let Some((at, widest)) = judged.iter().enumerate().rev().max_by_key(|(_, level)| width(level)) else {
        return runs.first().copied();
    };
    let has = |level: &Level<'_>, name: &str| level.ranking.entry(name).is_some_and(is_compared);
    let baseline = widest.ranking.baseline.as_deref().filter(|name| has(widest, name));
    Some(judged[..at].iter().rev().fold(*widest, |held, level| {
        let choice = choices(&[held.ranking], among).pop().flatten();
        let supersedes = named(level) == named(widest)
            && baseline.is_none_or(|name| has(level, name))
            && choice.is_none_or(|choice| has(level, &choice.entry));
        if supersedes { *level } else { held }
    }))
}
