//! What the rows of a run's own export mean together: which attempt counts, and of which class a technique is.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::{Class, FailureKind, SampleNote, Setting, Workload};

use crate::read::observations::Observation;

/// A row of an export with what a verdict needs next to its value.
pub(super) struct Row {
    pub(super) observation: Observation,
    /// The sample says that its result shares the extents of the input.
    pub(super) shares_extents: bool,
    /// True if the metric was measured. A sample without it says nothing but its class.
    pub(super) measured: bool,
}

impl Row {
    pub(super) fn new(observation: Observation, notes: &[SampleNote], measured: bool) -> Self {
        let shares_extents = notes.contains(&SampleNote::Reflinked);
        Self { observation, shares_extents, measured }
    }
}

type Point<'a> = (&'a str, &'a Workload, &'a Setting);

/// A technique in one attempt at one point, by its number: comparing points again would take longer than all else.
type Seat<'a> = (usize, u32, &'a str);

/// Returns the rows that count: the last attempt, and from earlier ones wrong answers of those who took part again. A technique is of
/// the class that it showed, a twin of that of its original.
pub(super) fn settle(rows: Vec<Row>) -> Vec<Observation> {
    let counted = counted(&rows);
    let settled = rows.into_iter().zip(counted).filter_map(|(row, counted)| {
        let (attempt, class) = counted?;
        Some(Observation { attempt, class, ..row.observation })
    });
    settled.collect()
}

/// Returns the attempt and class of each row that counts.
fn counted(rows: &[Row]) -> Vec<Option<(u32, Class)>> {
    let mut numbers: BTreeMap<Point<'_>, usize> = BTreeMap::new();
    let mut last: Vec<u32> = Vec::new();
    let mut declared: HashMap<Seat<'_>, Class> = HashMap::new();
    let mut sharing: HashSet<Seat<'_>> = HashSet::new();
    let mut points: Vec<usize> = Vec::with_capacity(rows.len());
    for Row { observation, shares_extents, .. } in rows {
        let Observation { family, workload, setting, .. } = observation;
        let point = *numbers.entry((family, workload, setting)).or_insert(last.len());
        if point == last.len() {
            last.push(0);
        }
        last[point] = observation.attempt.max(last[point]);
        let seat = (point, observation.attempt, observation.technique.as_str());
        if *shares_extents {
            sharing.insert(seat);
        }
        declared.insert(seat, observation.class);
        points.push(point);
    }
    for seat in sharing {
        declared.insert(seat, Class::SharesExtents);
    }
    let all = rows.iter().zip(points).map(|(Row { observation, measured, .. }, point)| {
        let attempt = Some(last[point]).filter(|_| *measured)?;
        if observation.attempt < attempt && observation.failure != Some(FailureKind::Wrong) {
            return None;
        }
        // Wrong answers of those that did not take part again do not count.
        let own = *declared.get(&(point, attempt, observation.technique.as_str()))?;
        let original = observation.twin_of.as_deref().and_then(|name| declared.get(&(point, attempt, name)));
        Some((attempt, original.copied().unwrap_or(own)))
    });
    all.collect()
}
