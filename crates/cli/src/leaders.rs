//! Which techniques led in the kept runs.

use families::AnyFamily;
use judge::Ranking;
use model::{Class, Preset, RunId};
use store::Store;

use crate::arguments::Common;
use crate::catalogue::catalogue;
use crate::paths::read_store;

/// The leader of a contest.
pub(crate) struct Leader {
    pub(crate) entry: String,
    pub(crate) run: RunId,
    pub(crate) workload: String,
}

/// The leader of a family in the last kept run that has one: at the workload that is explained, where the run has it. `None`
/// where no store can be read.
pub(crate) fn last_leader(family: &dyn AnyFamily, common: &Common) -> Option<Leader> {
    let store = read_store(common).ok()?;
    let runs = store.runs().ok()?;
    let usual = family.workloads(Preset::Quick).into_iter().next().map(|workload| workload.name);
    let of_family = runs.into_iter().filter(|run| run.families.iter().any(|name| name == family.name()));
    of_family.filter_map(|run| store.load(&run.id).ok()).find_map(|record| {
        let decided = judge::decide(&record, &catalogue());
        let leads = |ranking: &&Ranking| {
            let is_known = |leader: &String| family.entry(leader).is_ok();
            ranking.family == family.name()
                && ranking.class == Class::MovesBytes
                && ranking.leader.as_ref().is_some_and(is_known)
        };
        let rankings: Vec<&Ranking> = decided.rankings.iter().filter(leads).collect();
        let at_usual = rankings.iter().find(|ranking| Some(&ranking.workload.name) == usual.as_ref());
        let ranking = at_usual.or(rankings.first())?;
        Some(Leader {
            entry: ranking.leader.clone()?,
            run: record.id.clone(),
            workload: ranking.workload.name.clone(),
        })
    })
}
