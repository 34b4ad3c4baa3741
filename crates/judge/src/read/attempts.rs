//! What the rows of a run's own export mean together: which attempt counts, and of which class a technique is.

use std::collections::{BTreeMap, BTreeSet};

use model::{Class, FailureKind, Setting, Workload};

use crate::observations::Observation;
use crate::rank::REFLINKED;

/// A row of an export with what a verdict needs beside its value.
pub(super) struct Row {
    pub(super) observation: Observation,
    /// The sample says that its result shares the extents of the input.
    pub(super) shares_extents: bool,
    /// Whether the metric was measured. A sample without it says nothing but what class it is of.
    pub(super) measured: bool,
}

impl Row {
    pub(super) fn new(observation: Observation, notes: &[impl AsRef<str>], measured: bool) -> Self {
        let shares_extents = notes.iter().any(|note| note.as_ref().starts_with(REFLINKED));
        Self { observation, shares_extents, measured }
    }
}

/// Family, workload and setting.
type Point = (String, Workload, Option<Setting>);

/// A technique in one attempt at one point.
type Seat = (Point, u32, String);

/// The rows that count, by the rules of a run: the last attempt, and from earlier ones no more than wrong answers of
/// those who took part again. A technique is of the class that it showed, a twin of that of its original.
pub(super) fn settle(rows: Vec<Row>) -> Vec<Observation> {
    let mut last: BTreeMap<Point, u32> = BTreeMap::new();
    let mut declared: BTreeMap<Seat, Class> = BTreeMap::new();
    let mut sharing: BTreeSet<Seat> = BTreeSet::new();
    for Row { observation, shares_extents, .. } in &rows {
        let attempt = last.entry(point(observation)).or_default();
        *attempt = observation.attempt.max(*attempt);
        if *shares_extents {
            sharing.insert(seat(observation));
        }
        declared.insert(seat(observation), observation.class);
    }
    let class_of = |seat: &Seat| match sharing.contains(seat) {
        true => Some(Class::SharesExtents),
        false => declared.get(seat).copied(),
    };
    let counted = rows.iter().filter(|row| row.measured).filter_map(|row| {
        let mut observation = row.observation.clone();
        let attempt = last.get(&point(&observation)).copied()?;
        if observation.attempt < attempt && observation.failure != Some(FailureKind::Wrong) {
            return None;
        }
        observation.attempt = attempt;
        let own = seat(&observation);
        if !declared.contains_key(&own) {
            return None;
        }
        let original = observation.twin_of.as_ref().map(|name| (own.0.clone(), attempt, name.clone()));
        observation.class = original.and_then(|seat| class_of(&seat)).or_else(|| class_of(&own))?;
        Some(observation)
    });
    counted.collect()
}

fn point(observation: &Observation) -> Point {
    let Observation { family, workload, setting, .. } = observation;
    (family.clone(), workload.clone(), setting.clone())
}

fn seat(observation: &Observation) -> Seat {
    (point(observation), observation.attempt, observation.technique.clone())
}
