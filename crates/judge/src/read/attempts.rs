//! What the rows of a run's own export mean together: which attempt counts, and of which class a technique is.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::{Class, FailureKind, SampleNote, Setting, Workload};

use crate::read::observations::Observation;

/// A row of an export with what a verdict needs next to its value.
pub(super) struct Row {
    pub(super) observation: Observation,
    /// The sample says that its result shares the extents of the input.
    pub(super) shares_extents: bool,
    /// Whether the metric was measured. A sample without it says nothing but what class it is of.
    pub(super) measured: bool,
}

impl Row {
    pub(super) fn new(observation: Observation, notes: &[SampleNote], measured: bool) -> Self {
        let shares_extents = notes.contains(&SampleNote::Reflinked);
        Self { observation, shares_extents, measured }
    }
}

/// Family, workload and setting.
type Point<'a> = (&'a str, &'a Workload, &'a Setting);

/// A technique in one attempt at one point, the points counted in the order in which they come: comparing them again and
/// again would take longer than everything else.
type Seat<'a> = (usize, u32, &'a str);

/// The rows that count, by the rules of a run: the last attempt, and from earlier ones no more than wrong answers of
/// those who took part again. A technique is of the class that it showed, a twin of that of its original.
pub(super) fn settle(rows: Vec<Row>) -> Vec<Observation> {
    let counted = counted(&rows);
    let settled = rows.into_iter().zip(counted).filter_map(|(row, counted)| {
        let (attempt, class) = counted?;
        Some(Observation { attempt, class, ..row.observation })
    });
    settled.collect()
}

/// For each row that counts the attempt that it belongs to, and its class.
fn counted(rows: &[Row]) -> Vec<Option<(u32, Class)>> {
    let mut numbers: BTreeMap<Point<'_>, usize> = BTreeMap::new();
    let mut last: Vec<u32> = Vec::new();
    let mut declared: HashMap<Seat<'_>, Class> = HashMap::new();
    let mut sharing: HashSet<Seat<'_>> = HashSet::new();
    let mut points: Vec<usize> = Vec::with_capacity(rows.len());
    for Row { observation, shares_extents, .. } in rows {
        let point = *numbers.entry(point(observation)).or_insert(last.len());
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
    let class_of = |seat: &Seat<'_>| match sharing.contains(seat) {
        true => Some(Class::SharesExtents),
        false => declared.get(seat).copied(),
    };
    let of = |(Row { observation, measured, .. }, &point): (&Row, &usize)| {
        let attempt = Some(last[point]).filter(|_| *measured)?;
        if observation.attempt < attempt && observation.failure != Some(FailureKind::Wrong) {
            return None;
        }
        // Wrong answers of those that did not take part again do not count.
        let own = class_of(&(point, attempt, observation.technique.as_str()))?;
        let original = observation.twin_of.as_deref().and_then(|name| class_of(&(point, attempt, name)));
        Some((attempt, original.unwrap_or(own)))
    };
    rows.iter().zip(&points).map(of).collect()
}

fn point(observation: &Observation) -> Point<'_> {
    let Observation { family, workload, setting, .. } = observation;
    (family, workload, setting)
}
