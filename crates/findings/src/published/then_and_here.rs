//! What the published machines took for the work of a contest, next to what it takes here.

use std::collections::BTreeSet;

use judge::{ComparedTechnique, Decided, Ranking, Side, compare_runs, decide};
use model::{Record, Setting};

use super::remarks::faults_of;
use super::{Figure, Machine, machines, record};
use crate::catalog::all;
use crate::finding::{Claim, Finding, Publication};

/// A contest of a run next to the published machines that did the same work.
#[derive(Debug, Clone, PartialEq)]
pub struct SideBySide {
    /// The machines that have one of the programs, in the order of the tables.
    pub machines: Vec<String>,
    /// The publications of their figures.
    pub sources: Vec<Publication>,
    /// The programs, in the order of the contest.
    pub programs: Vec<Program>,
    /// Faults of the sources that bear on these figures.
    pub faults: Vec<String>,
}

/// The published figures for a contest whose work the machines did.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// They did it under the conditions of the contest.
    SideBySide(SideBySide),
    /// They did it under other conditions, which are these.
    OtherConditions(String),
}

/// A technique next to the published program that it goes back to.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The technique of this run.
    pub technique: String,
    /// The program, as it was published.
    pub program: String,
    /// The median of this run.
    pub here_ns: f64,
    /// The published figure of each machine; `None` where it has none.
    pub then_ns: Vec<Option<f64>>,
}

impl Program {
    /// Returns the figures of the machines that have one.
    pub fn known(&self) -> impl Iterator<Item = f64> {
        self.then_ns.iter().copied().flatten()
    }
}

/// Puts each contest next to the published machines that did its work, by the rule for runs; `None` where no program of theirs is in
/// it. No claim: other machines and systems, and figures without samples.
pub fn compare_with_published(run: &Record, rankings: &[&Ranking]) -> Vec<Option<Then>> {
    let published: Vec<Record> = machines().iter().map(|machine| record(machine, &[run])).collect();
    let decided: Vec<Decided> = published.iter().map(decide).collect();
    let findings = all();
    let found = rankings.iter().map(|ranking| {
        // Alone: two contests with the same work must not share the machines out among them.
        let own = Decided { rankings: vec![(*ranking).clone()], ..Decided::default() };
        let mut sides = vec![side(run, &own)];
        sides.extend(published.iter().zip(&decided).map(|(record, decided)| side(record, decided)));
        let compared = compare_runs(&sides);
        let own =
            compared.contests.iter().find(|one| one.techniques.iter().any(|one| one.showed[0].is_some()))?;
        let side_by_side = of_techniques(&own.techniques, &ranking.family, findings)?;
        Some(match other_conditions(&side_by_side, ranking, findings) {
            None => Then::SideBySide(side_by_side),
            Some(conditions) => Then::OtherConditions(conditions),
        })
    });
    found.collect()
}

fn side<'a>(record: &'a Record, decided: &'a Decided) -> Side<'a> {
    Side { name: record.host.name.clone().unwrap_or_default(), record, decided }
}

/// Returns the techniques that this run and a machine have; machines that have none of them are left out.
fn of_techniques(techniques: &[ComparedTechnique], family: &str, findings: &[Finding]) -> Option<SideBySide> {
    let all = machines();
    let mut programs: Vec<Program> = techniques.iter().filter_map(program).collect();
    let kept: Vec<usize> =
        (0..all.len()).filter(|place| programs.iter().any(|one| one.then_ns[*place].is_some())).collect();
    for one in &mut programs {
        one.then_ns = kept.iter().map(|place| one.then_ns[*place]).collect();
    }
    let is_meant = |figure: &Figure| {
        figure.family == family && programs.iter().any(|program| program.program == figure.program)
    };
    let mut faults: Vec<String> = Vec::new();
    for fault in kept.iter().flat_map(|place| faults_of(&all[*place], is_meant)) {
        faults.extend(Some(fault).filter(|fault| !faults.contains(fault)));
    }
    let tables = tables(family, kept.iter().map(|place| &all[*place]));
    (!programs.is_empty()).then(|| SideBySide {
        faults,
        machines: kept.iter().map(|place| all[*place].name.clone()).collect(),
        sources: sources(&tables, findings),
        programs,
    })
}

fn program(one: &ComparedTechnique) -> Option<Program> {
    let mut medians = one.showed.iter().map(|showed| showed.as_ref()?.median.filter(|ns| *ns > 0.0));
    let here_ns = medians.next()??;
    let then_ns: Vec<Option<f64>> = medians.collect();
    let first = then_ns.iter().position(Option::is_some)?;
    let program = one.showed[first + 1].as_ref()?.technique.clone();
    Some(Program { technique: one.showed[0].as_ref()?.technique.clone(), program, here_ns, then_ns })
}

/// Returns the conditions under which the figures of a contest were published, where they are not its own.
fn other_conditions(side_by_side: &SideBySide, ranking: &Ranking, findings: &[Finding]) -> Option<String> {
    let all = machines();
    let named = all.iter().filter(|machine| side_by_side.machines.contains(&machine.name));
    let tables = tables(&ranking.family, named);
    let needed = about(&tables, findings).next().map(Claim::setting_needed);
    needed.filter(|_| !comparable(&tables, findings, &ranking.setting))
}

/// Returns whether a setting fits these tables: a finding about them accepts it, or there is none.
pub(super) fn comparable(tables: &BTreeSet<&str>, findings: &[Finding], setting: &Setting) -> bool {
    let mut claims = about(tables, findings).peekable();
    claims.peek().is_none() || claims.any(|claim| claim.accepts(setting))
}

fn tables<'a>(family: &str, machines: impl Iterator<Item = &'a Machine>) -> BTreeSet<&'static str> {
    let figures = machines.flat_map(|machine| &machine.figures);
    figures.filter(|figure| figure.family == family).map(|figure| figure.table).collect()
}

fn about<'a>(tables: &'a BTreeSet<&str>, findings: &'a [Finding]) -> impl Iterator<Item = &'a Claim> {
    let claims = findings.iter().map(|finding| &finding.claim);
    claims.filter(|claim| claim.table.as_deref().is_some_and(|table| tables.contains(table)))
}

/// Returns the publications of these tables.
fn sources(tables: &BTreeSet<&str>, findings: &[Finding]) -> Vec<Publication> {
    let known = |publication: &Publication| about(tables, findings).any(|claim| claim.source == *publication);
    Publication::ALL.into_iter().filter(known).collect()
}

#[cfg(test)]
mod tests {
    use super::super::machine;
    use super::*;

    /// Makes a run of this host with the work of a published machine, under other names and in a thousandth of the time.
    fn run(family: &str) -> Record {
        let xeon = machine("xeon-4way").expect("published").clone();
        let mut figures = xeon.figures.clone();
        figures.retain(|figure| figure.family == family);
        figures.iter_mut().for_each(|figure| figure.ns /= 1e3);
        let mut run = record(&Machine { name: "here".into(), figures, ..xeon }, &[]);
        run.tool.name = "bakeoff".into();
        for trial in &mut run.trials {
            trial.technique = format!("modern_{}", trial.technique);
            trial.setting.conditions.cache = Some(model::Cache::Cold);
        }
        run
    }

    fn of(run: &Record) -> Vec<Option<Then>> {
        let decided = decide(run);
        compare_with_published(run, &decided.rankings.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_technique_stands_next_to_its_program_on_every_machine() {
        let found = of(&run("copy"));
        let Some(Then::SideBySide(one)) = &found[0] else { panic!("published: {found:?}") };
        assert_eq!(one.machines.len(), 6);
        assert!(one.sources == [Publication::Wsp], "{:?}", one.sources);
        let copy = one.programs.iter().find(|one| one.program == "cpC").expect("published");
        assert_eq!((copy.technique.as_str(), copy.here_ns), ("modern_cpC", 2.67e6));
        let xeon = one.machines.iter().position(|name| name == "xeon-4way-w2000-ntfs").expect("it has it");
        assert_eq!(copy.then_ns[xeon], Some(2.67e9));
        assert!(one.faults.len() == 1 && one.faults[0].contains("cpUC a mean of 7.71 s"), "{:?}", one.faults);
        assert_eq!(copy.known().count(), 6);
    }

    #[test]
    fn other_work_and_other_techniques_have_no_published_figures() {
        let mut larger = run("copy");
        for trial in &mut larger.trials {
            trial.workload = model::Workload::of_bytes("1MB", 1_000_000);
        }
        assert_eq!(of(&larger), [None]);
        let mut others = run("copy");
        others.trials.iter_mut().for_each(|trial| trial.aliases.clear());
        assert_eq!(of(&others), [None]);
    }

    #[test]
    fn published_work_is_compared_under_its_conditions() {
        let mut twice = run("copy");
        let mut warm = twice.trials.clone();
        warm.iter_mut().for_each(|trial| trial.setting.conditions.cache = Some(model::Cache::Warm));
        twice.trials.extend(warm);
        let decided = decide(&twice);
        let rankings: Vec<&Ranking> = decided.rankings.iter().collect();
        let findings = all();
        let claim = &findings.iter().find(|finding| finding.claim.id == "copy-2").expect("a finding").claim;
        let found = compare_with_published(&twice, &rankings);
        assert_eq!(found.len(), 2);
        for (ranking, then) in rankings.iter().zip(found) {
            match then.expect("the same work") {
                Then::SideBySide(one) => {
                    assert!(ranking.setting.is_cold() && claim.accepts(&ranking.setting));
                    assert_eq!(one.machines.len(), 6);
                }
                Then::OtherConditions(conditions) => {
                    assert!(!ranking.setting.is_cold() && !claim.accepts(&ranking.setting));
                    assert_eq!(conditions, "a cold file cache, time without flushing, all processors");
                }
            }
        }
    }
}
