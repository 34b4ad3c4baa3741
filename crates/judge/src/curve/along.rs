//! The contests that are levels of one axis, with what the sentences over them need.

use std::collections::{BTreeMap, BTreeSet};

use model::Along;
use stats::Matrix;

use crate::contest::Series;
use crate::contest::field::Field;
use crate::contest::ranking::{Ranking, State};
use crate::curve::Absence;

/// The levels of a curve, ascending.
pub(crate) struct Levels<'a> {
    pub(crate) along: &'a Along,
    pub(crate) at: Vec<u64>,
    pub(crate) fields: Vec<&'a Field<'a>>,
    pub(crate) rankings: Vec<&'a Ranking>,
    /// The technique of each entry, by the entry's name.
    techniques: BTreeMap<String, String>,
}

/// An entry over the levels where it took part.
pub(crate) struct Column {
    pub(crate) at: Vec<u64>,
    pub(crate) matrix: Matrix,
}

/// The fields that are levels of curves, curve by curve, as indices.
pub(crate) fn curves_of(fields: &[Field<'_>]) -> Vec<Vec<usize>> {
    let mut curves: Vec<Vec<usize>> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let contest = field.contest;
        let Some(along) = &contest.along else { continue };
        let same = |other: &Vec<usize>| {
            let other = fields[other[0]].contest;
            other.family == contest.family
                && other.setting == contest.setting
                && other.class == contest.class
                && other.workload.beside(&along.axis) == contest.workload.beside(&along.axis)
        };
        match curves.iter_mut().find(|curve| same(curve)) {
            Some(curve) => curve.push(index),
            None => curves.push(vec![index]),
        }
    }
    for curve in &mut curves {
        let at = |index: &usize| fields[*index].level();
        curve.sort_by_key(at);
        curve.dedup_by_key(|index| at(index));
    }
    curves.retain(|curve| curve.len() > 1);
    curves
}

impl<'a> Levels<'a> {
    pub(crate) fn new(curve: &[usize], fields: &'a [Field<'a>], rankings: &'a [Ranking]) -> Option<Self> {
        let fields_of: Vec<&Field<'_>> = curve.iter().map(|&index| &fields[index]).collect();
        let mut levels = Self {
            along: fields_of.first()?.contest.along.as_ref()?,
            at: fields_of.iter().filter_map(|field| field.level()).collect(),
            techniques: techniques(&fields_of),
            fields: fields_of,
            rankings: curve.iter().map(|&index| &rankings[index]).collect(),
        };
        levels.name_variants();
        Some(levels)
    }

    /// Where it is not the technique itself that may be fastest but one variant of it, wherever any of them may, the technique is called
    /// by that variant's name: who takes the technique as it is would be slower.
    fn name_variants(&mut self) {
        // An entry that is alone has its own name, with its value where the levels are about the values of one technique.
        let is_alone = |name: &str| {
            self.techniques.contains_key(name)
                && self.techniques.values().filter(|of| *of == name).count() == 1
        };
        let groups: BTreeSet<String> =
            self.techniques.values().filter(|name| !is_alone(name)).cloned().collect();
        for group in groups {
            let candidates = |level: usize| -> BTreeSet<String> {
                let all = self.rankings[level].candidates.iter();
                all.filter(|entry| self.technique(entry) == group)
                    .map(|entry| without_value(entry).to_owned())
                    .collect()
            };
            let levels: Vec<BTreeSet<String>> = (0..self.at.len())
                .filter(|&level| self.is_contested(level))
                .map(candidates)
                .filter(|names| !names.is_empty())
                .collect();
            let everywhere = |name: &&String| levels.iter().all(|names| names.contains(*name));
            let Some(named) = levels.first().and_then(|first| {
                let covering = || first.iter().filter(everywhere);
                covering().find(|name| **name == group).or_else(|| covering().next())
            }) else {
                continue;
            };
            let named = named.clone();
            self.techniques.values_mut().filter(|of| **of == group).for_each(|of| of.clone_from(&named));
        }
    }

    /// The technique of that name, or that to which an entry of that name belongs.
    fn technique_called<'n>(&'n self, name: &'n str) -> &'n str {
        let is_own = |entry: &&String| without_value(entry) == name;
        match self.techniques.values().any(|of| of == name) {
            true => name,
            false => self.techniques.keys().find(is_own).map_or(name, |entry| self.technique(entry)),
        }
    }

    /// The technique of an entry.
    pub(crate) fn technique(&self, entry: &str) -> &str {
        self.techniques.get(entry).map_or("", String::as_str)
    }

    /// All techniques that were entered at any level, by name.
    pub(crate) fn all(&self) -> BTreeSet<&str> {
        self.techniques.values().map(String::as_str).collect()
    }

    /// Whether something may be said of the values at a level.
    pub(crate) fn is_judged(&self, level: usize) -> bool {
        let refused = matches!(self.rankings[level].state, State::Refused | State::TooFewRounds);
        !refused && self.fields[level].assessment.look.is_some()
    }

    /// Whether techniques were compared with each other at a level. One alone is not the fastest: nothing was slower.
    pub(crate) fn is_contested(&self, level: usize) -> bool {
        self.is_judged(level) && self.rankings[level].state != State::Alone
    }

    /// The techniques that took part at a level and did not fail, by name.
    pub(crate) fn standing(&self, level: usize) -> BTreeSet<&str> {
        let field = self.fields[level];
        let entries = field.standing_entries().into_iter();
        entries.map(|index| self.technique(field.name(index))).collect()
    }

    /// Why a technique was not compared at a level; `None` where it was, or does not exist.
    pub(crate) fn absence(&self, technique: &str, level: usize) -> Option<Absence> {
        let field = self.fields[level];
        if self.standing(level).contains(technique) {
            return None;
        }
        let is_own = |index: &usize| {
            let series = &field.contest.series[*index];
            series.competes() && self.technique(&series.name) == technique
        };
        let own: Vec<usize> = (0..field.contest.series.len()).filter(is_own).collect();
        let series = || own.iter().map(|&index| &field.contest.series[index]);
        Some(if own.iter().any(|index| field.failed.iter().any(|(failed, _)| failed == index)) {
            Absence::Failed
        } else if series().any(|one| one.skipped().is_some()) {
            Absence::Skipped
        } else if series().any(Series::is_not_tried) {
            Absence::NotTried
        } else if own.iter().any(|index| field.without.contains(index)) {
            Absence::WithoutMetric
        } else if series().any(Series::is_missing) {
            Absence::NotAvailable
        } else {
            Absence::NotEntered
        })
    }

    /// The technique of an entry that may have been entered at no level: then its own name without a value.
    pub(crate) fn known_technique<'n>(&'n self, entry: &'n str) -> &'n str {
        self.techniques.get(entry).map_or_else(|| without_value(entry), String::as_str)
    }

    /// The entry of a technique with the smallest times over the levels, among those that took part in all of them.
    pub(crate) fn best_entry(&self, technique: &str) -> Option<&str> {
        let technique = self.technique_called(technique);
        let everywhere = self.scored(technique).filter(|(levels, ..)| *levels == self.rankings.len());
        everywhere.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(.., entry)| entry)
    }

    /// The entries of a technique: at how many levels each has a value, and the sum of their logarithms.
    fn scored(&self, technique: &str) -> impl Iterator<Item = (usize, f64, &str)> {
        let own = self.techniques.iter().filter(move |(_, of)| *of == technique);
        own.map(|(entry, _)| {
            let median = |ranking: &&Ranking| ranking.entry(entry)?.median.value().map(f64::ln);
            let logs: Vec<f64> = self.rankings.iter().filter_map(median).collect();
            (logs.len(), logs.iter().sum(), entry.as_str())
        })
    }

    fn place(&self, level: usize, entry: &str) -> Option<usize> {
        let field = self.fields[level];
        field.standing_entries().into_iter().find(|&index| field.name(index) == entry)
    }

    /// The values of an entry in the counted rounds that it has at all levels: round by round, a value a level.
    pub(crate) fn times(&self, entry: &str) -> Option<Vec<Vec<f64>>> {
        let places: Vec<usize> =
            (0..self.fields.len()).map(|level| self.place(level, entry)).collect::<Option<_>>()?;
        let rounds = |(field, place): (&&Field<'_>, &usize)| field.matrix.rounds_of(*place);
        let rounds = self.fields.iter().zip(&places).map(rounds).min()?;
        let row = |round: u32| {
            let value = |(field, place): (&&Field<'_>, &usize)| field.matrix.value(*place, round as usize);
            self.fields.iter().zip(&places).map(value).collect::<Option<Vec<f64>>>()
        };
        (1..rounds).map(row).collect()
    }

    /// The entry of a technique that took part in most levels; of several the one with the smallest times.
    pub(crate) fn entry_of_most_levels(&self, technique: &str) -> Option<&str> {
        let best = self.scored(technique).max_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        best.map(|(.., entry)| entry)
    }

    /// An entry at the levels where it took part: one column a level, which is judged like an entry.
    pub(crate) fn column_by_level(&self, entry: &str) -> Column {
        let places: Vec<(usize, usize)> = (0..self.fields.len())
            .filter(|&level| self.is_judged(level))
            .filter_map(|level| Some((level, self.place(level, entry)?)))
            .collect();
        let mut matrix = Matrix::new(places.len());
        for (column, &(level, place)) in places.iter().enumerate() {
            let field = self.fields[level];
            for round in 0..field.matrix.rounds_of(place) as usize {
                matrix.set(column, round, field.matrix.value(place, round).into_iter().collect());
            }
        }
        Column { at: places.iter().map(|&(level, _)| self.at[level]).collect(), matrix }
    }

    /// The looks that all levels share.
    pub(crate) fn looks(&self) -> Vec<u32> {
        let first = self.fields.first().map_or(&[][..], |field| &field.rules.looks);
        let shared = |look: &&u32| self.fields.iter().all(|field| field.rules.looks.contains(look));
        first.iter().filter(shared).copied().collect()
    }
}

/// An entry's name without the value of its parameter.
pub(crate) fn without_value(entry: &str) -> &str {
    entry.split_once('@').map_or(entry, |(technique, _)| technique)
}

/// The technique of each entry: that of which it is a value or a variant. Where all that took part are of one technique, the levels
/// are about its variants, or its values. What failed, or was not paid for, has a name too: it does not vanish.
fn techniques(fields: &[&Field<'_>]) -> BTreeMap<String, String> {
    let standing = || {
        fields
            .iter()
            .flat_map(|field| field.standing_entries().into_iter().map(|index| &field.contest.series[index]))
    };
    let entered = || {
        let all = fields.iter().flat_map(|field| &field.contest.series);
        all.filter(|series| series.competes() && !series.is_missing())
    };
    let technique = |series: &Series<'_>, depth: u32| match depth {
        0 => series.variant_of.clone().unwrap_or_else(|| series.technique_and_value().0.to_owned()),
        1 => series.technique_and_value().0.to_owned(),
        _ => series.name.clone(),
    };
    let tells_apart =
        |depth: &u32| standing().map(|series| technique(series, *depth)).collect::<BTreeSet<_>>().len() > 1;
    let depth = (0..2).find(tells_apart).unwrap_or(2);
    entered().map(|series| (series.name.clone(), technique(series, depth))).collect()
}
