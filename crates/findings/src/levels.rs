//! The tasks that are levels of an axis, as the columns of a matrix.

use model::Workload;
use stats::Matrix;
use stats::contest::{Rules, assess};

use crate::effect::Seen;
use crate::evidence::{Evidence, Lack, Task, get_or_add};
use crate::finding::Claim;
use crate::vocabulary::{FoundPlace, Place};

/// A contest of levels goes on until the best costs no more than this; it only says when to stop.
const DELTA: f64 = 0.02;

/// The levels of an axis, ascending, at which all that is asked for took part.
pub(crate) struct Levels<'e, 'a> {
    pub(crate) at: Vec<u64>,
    pub(crate) tasks: Vec<&'e Task<'a>>,
    cache_bytes: Option<u64>,
    is_published: bool,
}

/// The factor of some levels to the best of all, each with its interval.
pub(crate) type Factors = Vec<(f64, f64, f64)>;

impl<'e, 'a> Levels<'e, 'a> {
    /// Returns the levels of a claim. Of several curves that fit, the one with most levels.
    pub(crate) fn of(
        evidence: &'e Evidence<'a>, claim: &Claim, axis: &str, names: &[&str], further: Option<(&str, &str)>,
    ) -> Result<Self, Lack> {
        let mut fitting: Vec<&Task<'a>> = evidence.fitting(claim);
        if let Some((axis, value)) = further {
            fitting
                .retain(|task| task.workload.point.0.get(axis).is_some_and(|own| own.to_string() == value));
        }
        let mut curves: Vec<(Workload, Vec<&'e Task<'a>>)> = Vec::new();
        for task in fitting.iter().filter(|task| names.iter().all(|name| task.has(name))) {
            let (rest, Some(_)) = (task.workload.without_axis(axis), task.workload.number(axis)) else {
                continue;
            };
            let known = curves.iter().position(|(work, of)| *work == rest && of[0].setting == task.setting);
            get_or_add(&mut curves, known, || (rest, Vec::new())).1.push(task);
        }
        // Of equal ones the first: what was asked for first.
        let most = curves.into_iter().rev().max_by_key(|(_, tasks)| tasks.len());
        let Some((_, mut tasks)) = most.filter(|(_, tasks)| tasks.len() > 1) else {
            let lacking = fitting.iter().flat_map(|task| {
                names.iter().filter(|name| !task.has(name)).map(|name| task.lack(name)).collect::<Vec<_>>()
            });
            let few = format!("the run has fewer than two levels of {axis} for it");
            let reason = if fitting.is_empty() { evidence.unfit(claim) } else { few };
            return Err(lacking.into_iter().next().unwrap_or(Lack::NotMeasured(reason)));
        };
        tasks.iter().try_for_each(|task| task.not_refused(names))?;
        tasks.sort_by_key(|task| task.workload.number(axis));
        let at = tasks.iter().filter_map(|task| task.workload.number(axis)).collect();
        Ok(Self { at, tasks, cache_bytes: evidence.cache_bytes, is_published: evidence.is_published })
    }

    pub(crate) fn between(&self, least: u64, most: u64) -> Self {
        let kept: Vec<usize> =
            (0..self.at.len()).filter(|&level| (least..=most).contains(&self.at[level])).collect();
        Self {
            at: kept.iter().map(|&level| self.at[level]).collect(),
            tasks: kept.iter().map(|&level| self.tasks[level]).collect(),
            ..*self
        }
    }

    /// Returns the numbers of rounds at which something may be said of all levels.
    pub(crate) fn looks(&self) -> Vec<u32> {
        let first = self.tasks.first().map_or(&[][..], |task| &task.looks);
        first.iter().filter(|look| self.tasks.iter().all(|task| task.looks.contains(look))).copied().collect()
    }

    /// Returns the levels that a claim means; empty where there is none of them.
    pub(crate) fn places(&self, place: &Place) -> Vec<usize> {
        let all = 0..self.at.len();
        match place {
            Place::At(value) => all.filter(|&level| self.at[level] == *value).collect(),
            Place::Found(FoundPlace::Any | FoundPlace::Best) => all.collect(),
            Place::Found(FoundPlace::Smallest) => all.take(1).collect(),
            Place::Found(FoundPlace::Largest) => all.skip(self.at.len().saturating_sub(1)).collect(),
            Place::Found(FoundPlace::InCache) => {
                all.filter(|&level| self.cache_bytes.is_some_and(|bytes| self.at[level] <= bytes)).collect()
            }
            Place::Found(FoundPlace::Processors) => {
                let processors = self.tasks.first().and_then(|task| task.processors);
                let nearest =
                    processors.and_then(|count| all.clone().rfind(|&level| self.at[level] <= count));
                nearest.into_iter().collect()
            }
        }
    }

    /// Explains why there is no level that a claim means.
    pub(crate) fn lack(&self, place: &Place, axis: &str) -> Lack {
        Lack::NotMeasured(match place {
            Place::Found(FoundPlace::InCache) if self.cache_bytes.is_none() => {
                "the size of this host's second cache is not known".to_owned()
            }
            _ => format!("it needs the level {place} of {axis}"),
        })
    }

    fn matrix(&self, name: &str, metric: &str) -> Result<Matrix, Lack> {
        let mut matrix = Matrix::new(self.tasks.len());
        for (level, task) in self.tasks.iter().enumerate() {
            task.fill(&mut matrix, level, name, metric)?;
        }
        Ok(matrix)
    }

    /// Returns what a technique took: round by round, a value a level.
    pub(crate) fn rows(&self, name: &str, metric: &str) -> Result<Vec<Vec<f64>>, Lack> {
        let matrix = self.matrix(name, metric)?;
        let columns: Vec<Vec<f64>> =
            self.tasks.iter().enumerate().map(|(level, task)| task.counted(&matrix, level)).collect();
        let rounds = columns.iter().map(Vec::len).min().unwrap_or(0);
        Ok((0..rounds).map(|round| columns.iter().map(|column| column[round]).collect()).collect())
    }

    /// Returns what each level takes over the best one, with its interval. The levels are a contest of their own.
    pub(crate) fn factors(&self, name: &str, metric: &str, alpha: f64) -> Result<(Factors, u32), Lack> {
        let matrix = self.matrix(name, metric)?;
        let all: Vec<usize> = (0..self.tasks.len()).collect();
        if self.is_published {
            let values: Vec<f64> = all.iter().filter_map(|&level| matrix.value(level, 0)).collect();
            let best = values.iter().copied().fold(f64::INFINITY, f64::min);
            return Ok((values.iter().map(|value| (value / best, value / best, value / best)).collect(), 0));
        }
        let rules = Rules { alpha, delta: DELTA, looks: self.looks(), baseline: None };
        let assessment = assess(&matrix, &all, &rules);
        if assessment.look.is_none() {
            return Ok((vec![(1.0, 0.0, f64::INFINITY); all.len()], assessment.rounds));
        }
        let factors = all.iter().map(|&level| {
            assessment.row(level).map_or((f64::INFINITY, 1.0, f64::INFINITY), |row| {
                // No rounds in common: nothing is known of it.
                let estimate = row.estimate.map_or(f64::INFINITY, f64::exp);
                (estimate.max(1.0), row.low.exp(), row.high.exp())
            })
        });
        Ok((factors.collect(), assessment.look.unwrap_or(assessment.rounds)))
    }
}

/// Returns the smallest of some factors: at least as good as the best of these levels.
pub(crate) fn smallest(factors: &Factors, places: &[usize], rounds: u32) -> Option<Seen> {
    let meant = places.iter().filter_map(|&place| factors.get(place)).copied();
    let least = meant.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.min(b.2)));
    least.map(|(estimate, low, high)| Seen::Interval { estimate, low, high, rounds })
}
