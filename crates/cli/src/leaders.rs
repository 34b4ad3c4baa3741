//! What the kept runs of this host decided about a family.

use anyhow::Result;
use families::AnyFamily;
use judge::{Decided, Ranking};
use model::{Fingerprint, Point, Record, Summary, Workload};
use report::ExplainedContest;
use store::Sqlite;

/// This many of the latest runs of a family are looked at.
pub(crate) const MOST_RUNS: usize = 24;

/// Returns the kept runs of a family on this host, the last one first, and how many there are of other hosts.
pub(crate) fn runs_of_this_host(
    store: &Sqlite, family: &str, fingerprint: Option<&Fingerprint>,
) -> Result<(Vec<Summary>, usize)> {
    let hosts = store.hosts()?;
    let of_family = store.runs()?.into_iter().filter(|run| run.families.iter().any(|name| name == family));
    let (own, others): (Vec<Summary>, Vec<Summary>) = of_family.partition(|run| {
        fingerprint.is_some() && hosts.get(&run.id).is_some_and(|host| host.as_ref() == fingerprint)
    });
    Ok((own, others.len()))
}

/// Returns the last kept runs of a family on this host and what was decided of them, the last one first.
pub(crate) fn decided<'s>(
    family: &dyn AnyFamily, store: Option<&'s Sqlite>,
) -> Result<impl Iterator<Item = Result<(Record, Decided)>> + use<'s>> {
    let fingerprint = sys::host::identity().fingerprint;
    let runs = store.map(|store| runs_of_this_host(store, family.name(), fingerprint.as_ref()));
    let (runs, _) = runs.transpose()?.unwrap_or_default();
    // Without a store there are no runs.
    let loaded = move |run: Summary| store.map(|store| store.load(&run.id));
    Ok(runs.into_iter().take(MOST_RUNS).filter_map(loaded).map(|record| {
        let record = record?;
        let decided = judge::decide(&record);
        Ok((record, decided))
    }))
}

/// Returns the last kept run that has such a contest about speed, and of these the one whose workload is most like this one. Before a
/// round was counted, none leads.
pub(crate) fn last_contest(
    family: &dyn AnyFamily, near: &Workload, is_such: &dyn Fn(&Ranking) -> bool, store: Option<&Sqlite>,
) -> Result<Option<ExplainedContest>> {
    let contest = |(record, decided): (Record, Decided)| {
        let such = decided.rankings.into_iter().filter(|ranking| {
            let is_own = ranking.family == family.name() && ranking.rounds > 0;
            is_own && judge::compares_speed(&ranking.metric) && is_such(ranking)
        });
        let nearest = such.min_by(|one, other| {
            let [one, other] = [one, other].map(|one| difference(&one.workload.point, &near.point));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        let (run, ranking) = (record.id, nearest?);
        let curve = decided.curves.iter().find(|curve| curve.holds(&ranking));
        let other_levels = curve.map(|curve| {
            let others = curve.levels.iter().filter(|level| level.workload != ranking.workload.name);
            (curve.axis.clone(), others.map(|level| level.at).collect())
        });
        Some(ExplainedContest { run, ranking, is_other_work: false, other_levels })
    };
    decided(family, store)?.find_map(|kept| kept.map(contest).transpose()).transpose()
}

/// Returns on how many axes two workloads differ, and how far apart their numbers are: the sum of the logarithms of their ratios.
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
        let own = Point::default().with("threads", 64).with("generator", "own");
        let [one, eight] = [1, 8].map(|threads| difference(&own.clone().with("threads", threads), &own));
        assert_eq!((one.0, eight.0), (1, 1));
        assert!(eight.1 < one.1);
        assert_eq!(difference(&own, &own), (0, 0.0));
        assert_eq!(difference(&own.clone().with("generator", "c_library"), &own), (1, 0.0));
        assert_eq!(difference(&Point::default(), &own), (2, 0.0));
    }
}
