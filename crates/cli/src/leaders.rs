//! Which techniques led in the kept runs.

use families::AnyFamily;
use model::{Class, Point, RunId, Workload};
use store::Store;

use crate::arguments::Common;
use crate::paths::read_store;

/// The leader of a contest.
pub(crate) struct Leader {
    pub(crate) entry: String,
    pub(crate) run: RunId,
    pub(crate) workload: String,
}

/// The leader of a family in the last kept run that has one: at the workload that is explained, or at the one that is most like it.
/// Before a round was counted, none leads. `None` where no store can be read.
pub(crate) fn last_leader(family: &dyn AnyFamily, explained: &Workload, common: &Common) -> Option<Leader> {
    let store = read_store(common).ok()?;
    let runs = store.runs().ok()?;
    let of_family = runs.into_iter().filter(|run| run.families.iter().any(|name| name == family.name()));
    of_family.filter_map(|run| store.load(&run.id).ok()).find_map(|record| {
        let decided = judge::decide(&record);
        let rankings = decided.rankings.iter().filter(|ranking| {
            ranking.family == family.name()
                && ranking.class == Class::MovesBytes
                && ranking.rounds > 0
                && ranking.leader.as_ref().is_some_and(|leader| family.entry(leader).is_ok())
        });
        let ranking = rankings.min_by(|one, other| {
            let [one, other] = [one, other].map(|one| difference(&one.workload.point, &explained.point));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        })?;
        Some(Leader {
            entry: ranking.leader.clone()?,
            run: record.id.clone(),
            workload: ranking.workload.name.clone(),
        })
    })
}

/// On how many axes two workloads differ, and how far apart their numbers are: the sum of the logarithms of their ratios.
fn difference(one: &Point, other: &Point) -> (usize, f64) {
    let axes = one.0.keys().chain(other.0.keys().filter(|axis| !one.0.contains_key(*axis)));
    let differing = axes.filter(|axis| one.0.get(*axis) != other.0.get(*axis));
    differing.fold((0, 0.0), |(count, sum), axis| {
        let numbers = one.number(axis).zip(other.number(axis));
        let ratio = numbers.map_or(1.0, |(a, b)| (a as f64 + 1.0) / (b as f64 + 1.0));
        (count + 1, sum + ratio.ln().abs())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_are_alike_in_axes_first_and_then_in_numbers() {
        let at = |threads: u64, generator: &str| {
            Point::default().with("threads", threads).with("generator", generator)
        };
        let from = |point: &Point| difference(point, &at(64, "own"));
        assert_eq!(from(&at(64, "own")), (0, 0.0));
        let (one, eight, rand) = (from(&at(1, "own")), from(&at(8, "own")), from(&at(64, "c_library")));
        assert_eq!((one.0, eight.0, rand), (1, 1, (1, 0.0)));
        assert!(eight.1 < one.1);
        assert_eq!(difference(&Point::default(), &at(64, "own")), (2, 0.0));
    }
}
