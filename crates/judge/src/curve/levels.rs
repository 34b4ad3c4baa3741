//! The contests that are levels of one axis, with what the sentences over them need.

use std::collections::{BTreeMap, BTreeSet};

use model::Along;
use stats::Matrix;

use crate::contest::Series;
use crate::contest::field::Field;
use crate::contest::ranking::{Entry, Ranking, State};
use crate::curve::Absence;

pub(crate) struct Levels<'a> {
    pub(crate) along: &'a Along,
    pub(crate) at: Vec<u64>,
    pub(crate) fields: Vec<&'a Field<'a>>,
    pub(crate) rankings: Vec<&'a Ranking>,
    /// The technique of each entry, by the entry's name.
    techniques: BTreeMap<String, String>,
}

/// Returns the fields that are levels of curves, curve by curve, as indices.
pub(crate) fn curves_of(fields: &[Field<'_>]) -> Vec<Vec<usize>> {
    let mut curves: Vec<Vec<usize>> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let contest = field.contest;
        let Some(along) = &contest.along else { continue };
        let known = curves.iter_mut().find(|curve| {
            let other = fields[curve[0]].contest;
            other.family == contest.family
                && other.setting == contest.setting
                && other.class == contest.class
                && other.workload.without_axis(&along.axis) == contest.workload.without_axis(&along.axis)
        });
        match known {
            Some(curve) => curve.push(index),
            None => curves.push(vec![index]),
        }
    }
    for curve in &mut curves {
        curve.sort_by_key(|&index| fields[index].level());
        curve.dedup_by_key(|index| fields[*index].level());
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

    /// Names a technique by its variant where only that variant, and not itself, may be fastest at all judged levels.
    fn name_variants(&mut self) {
        let mut groups: BTreeSet<String> = self.techniques.values().cloned().collect();
        // An entry that is alone has its own name, with its value where the levels are about the values of one technique.
        groups.retain(|name| {
            let entries = self.techniques.values().filter(|of| *of == name).count();
            let mut baselines = self.rankings.iter().filter_map(|one| one.baseline.as_deref());
            // The baseline is never called by the name of what beats it.
            let is_baseline = baselines.any(|entry| self.technique(entry) == name);
            !is_baseline && (entries != 1 || !self.techniques.contains_key(name))
        });
        for group in groups {
            let contested = (0..self.at.len()).filter(|&level| self.is_contested(level));
            let levels = contested.map(|level| {
                let all = self.rankings[level].candidates.iter();
                let own = all.filter(|entry| self.technique(entry) == group);
                let entries = own.filter_map(|entry| self.rankings[level].entry(entry));
                entries.map(|entry| entry.without_value().to_owned()).collect::<BTreeSet<String>>()
            });
            let common = levels.filter(|names| !names.is_empty()).reduce(|one, other| &one & &other);
            let common = common.unwrap_or_default();
            let Some(named) = common.get(&group).or(common.first()).cloned() else { continue };
            self.techniques.values_mut().filter(|of| **of == group).for_each(|of| of.clone_from(&named));
        }
    }

    pub(crate) fn technique(&self, entry: &str) -> &str {
        self.techniques.get(entry).map_or("", String::as_str)
    }

    pub(crate) fn all(&self) -> BTreeSet<&str> {
        self.techniques.values().map(String::as_str).collect()
    }

    /// Returns whether something may be said of the values at a level.
    pub(crate) fn is_judged(&self, level: usize) -> bool {
        self.rankings[level].state.is_judged() && self.fields[level].assessment.look.is_some()
    }

    /// Returns whether techniques were compared with each other at a level. One alone is not the fastest: nothing was slower.
    pub(crate) fn is_contested(&self, level: usize) -> bool {
        self.is_judged(level) && self.rankings[level].state != State::Alone
    }

    /// Returns the techniques that took part at a level and did not fail, by name.
    pub(crate) fn standing(&self, level: usize) -> BTreeSet<&str> {
        let field = self.fields[level];
        let entries = field.standing_entries().into_iter();
        entries.map(|index| self.technique(field.name(index))).collect()
    }

    /// Returns why a technique was not compared at a level; `None` where it was, or does not exist.
    pub(crate) fn absence(&self, technique: &str, level: usize) -> Option<Absence> {
        let field = self.fields[level];
        if self.standing(level).contains(technique) {
            return None;
        }
        let mut own: Vec<(usize, &Series<'_>)> = field.contest.series.iter().enumerate().collect();
        own.retain(|(_, one)| one.competes() && self.technique(&one.name) == technique);
        Some(if own.iter().any(|(index, _)| field.failed.iter().any(|(failed, _)| failed == index)) {
            Absence::Failed
        } else if own.iter().any(|(_, one)| one.skipped().is_some()) {
            Absence::Skipped
        } else if own.iter().any(|(_, one)| one.is_not_tried()) {
            Absence::NotTried
        } else if own.iter().any(|(index, _)| field.without.contains(index)) {
            Absence::WithoutMetric
        } else if own.iter().any(|(_, one)| one.is_missing()) {
            Absence::NotAvailable
        } else {
            Absence::NotEntered
        })
    }

    /// Returns the technique of an entry that may have been entered at no level: then its own name without a value.
    pub(crate) fn known_technique<'n>(&'n self, entry: &'n Entry) -> &'n str {
        self.techniques.get(&entry.technique).map_or_else(|| entry.without_value(), String::as_str)
    }

    /// Returns the entries of a technique: at how many levels each has a value, and the sum of their logarithms.
    fn scored(&self, technique: &str) -> impl Iterator<Item = (usize, f64, &str)> {
        let own = self.techniques.iter().filter(move |(_, of)| *of == technique);
        own.map(|(entry, _)| {
            let medians = self.rankings.iter().filter_map(|ranking| ranking.entry(entry)?.median.value());
            let logs: Vec<f64> = medians.map(f64::ln).collect();
            (logs.len(), logs.iter().sum(), entry.as_str())
        })
    }

    fn place(&self, level: usize, entry: &str) -> Option<usize> {
        let field = self.fields[level];
        field.standing_entries().into_iter().find(|&index| field.name(index) == entry)
    }

    /// Returns the entry of a technique that took part in most levels; of several the one with the smallest times.
    pub(crate) fn entry_of_most_levels(&self, technique: &str) -> Option<&str> {
        let best = self.scored(technique).max_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        best.map(|(.., entry)| entry)
    }

    /// Returns an entry at the levels where it took part: one column a level, which is judged like an entry.
    pub(crate) fn column_by_level(&self, entry: &str) -> (Vec<u64>, Matrix) {
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
        (places.iter().map(|&(level, _)| self.at[level]).collect(), matrix)
    }

    pub(crate) fn looks(&self) -> Vec<u32> {
        let mut looks = self.fields.first().map_or(Vec::new(), |field| field.rules.looks.clone());
        looks.retain(|look| self.fields.iter().all(|field| field.rules.looks.contains(look)));
        looks
    }
}

/// Returns the technique of each entry. Where all are of one technique, the levels are about its variants, or its values.
fn techniques(fields: &[&Field<'_>]) -> BTreeMap<String, String> {
    let names: [fn(&Series<'_>) -> String; 3] = [
        |series| series.variant_of.as_deref().unwrap_or(series.technique_and_value().0).to_owned(),
        |series| series.technique_and_value().0.to_owned(),
        |series| series.name.clone(),
    ];
    let standing = fields
        .iter()
        .flat_map(|field| field.standing_entries().into_iter().map(|index| &field.contest.series[index]));
    let standing: Vec<&Series<'_>> = standing.collect();
    let differ = names.iter().find(|name| standing.iter().any(|one| name(one) != name(standing[0])));
    let name = differ.unwrap_or(&names[2]);
    let all = fields.iter().flat_map(|field| &field.contest.series);
    let entered = all.filter(|series| series.competes() && !series.is_missing());
    entered.map(|series| (series.name.clone(), name(series))).collect()
}
