//! Several runs side by side. Runs are never paired: each says what may be said of it, and times of two runs stand beside each
//! other without a claim.

use model::{Conditions, Host, Quantity, Record, Workload};
use serde::Serialize;

use crate::compare_levels::{self, ComparedCurve};
use crate::rank::Decided;
use crate::ranking::{Entry, Ranking, Standing, State};

/// The program that made the record of a published machine.
pub const PUBLISHED: &str = "published";

/// A run with what may be said of it.
pub struct Side<'a> {
    /// What it is called: its identity, or the name of a published machine.
    pub name: String,
    /// The run.
    pub record: &'a Record,
    /// Its contests.
    pub decided: &'a Decided,
}

impl Side<'_> {
    /// Whether it is a published machine.
    pub(crate) fn is_published(&self) -> bool {
        self.record.tool.name == PUBLISHED
    }
}

/// What a run showed of one technique.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Showed {
    /// The name of the entry in that run.
    pub technique: String,
    /// Median of what is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Median user time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_ns: Option<f64>,
    /// Median system time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_ns: Option<f64>,
    /// Its value over that of the leader of the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// Over that of the fastest: at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor_low: Option<f64>,
    /// At most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor_high: Option<f64>,
    /// Where it stands in that run.
    pub standing: Standing,
}

/// One technique over the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedTechnique {
    /// What it is called in the first run that has it.
    pub technique: String,
    /// The published programs that it goes back to.
    pub aliases: Vec<String>,
    /// What each run showed; `None` where it took no part.
    pub showed: Vec<Option<Showed>>,
}

/// One contest over the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedContest {
    /// Name of the family.
    pub family: String,
    /// Name of the workload in the first run.
    pub workload: String,
    /// The state of the file cache, the end point and the file system of the first run, as far as it has them.
    pub conditions: Conditions,
    /// What is compared.
    #[serde(skip)]
    pub quantity: Quantity,
    /// What differs between the runs beside the host, each in a sentence.
    pub marks: Vec<String>,
    /// The answer of each run.
    pub answers: Vec<Option<String>>,
    /// The techniques that at least two runs have, in the order of the first run.
    pub techniques: Vec<ComparedTechnique>,
    /// The geometric mean over the common techniques of each run's time over the first run's. No claim: the runs were not paired.
    pub means: Vec<Option<f64>>,
    /// Where the order changes, each in a sentence.
    pub changes: Vec<String>,
    /// The workload of the first run.
    #[serde(skip)]
    pub(crate) work: Workload,
    /// Whether it is a level of one of the curves, which hold its figures too.
    #[serde(skip)]
    pub is_level: bool,
}

/// Something that is known of the hosts and not alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What it is: `kernel`.
    pub fact: String,
    /// What it is on each side.
    pub values: Vec<Option<String>>,
}

/// Runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedRuns {
    /// What the runs are called.
    pub runs: Vec<String>,
    /// What differs between the hosts.
    pub differences: Vec<Difference>,
    /// What a reader must know of the runs, each in a sentence.
    pub marks: Vec<String>,
    /// The contests that at least two runs have.
    pub contests: Vec<ComparedContest>,
    /// Those of them that are the levels of a curve, once more and together.
    pub curves: Vec<ComparedCurve>,
    /// The contests that one run alone has.
    pub alone: Vec<String>,
}

/// Puts runs side by side: contests of the same family, workload, conditions and class.
pub fn compare_runs(sides: &[Side<'_>]) -> ComparedRuns {
    let mut taken: Vec<Vec<bool>> =
        sides.iter().map(|side| vec![false; side.decided.rankings.len()]).collect();
    let (mut contests, mut alone) = (Vec::new(), Vec::new());
    for (place, side) in sides.iter().enumerate() {
        for (index, ranking) in side.decided.rankings.iter().enumerate() {
            if taken[place][index] {
                continue;
            }
            let mut row: Vec<Option<&Ranking>> = vec![None; sides.len()];
            row[place] = Some(ranking);
            for (other, further) in sides.iter().enumerate().skip(place + 1) {
                let found = further.decided.rankings.iter().enumerate();
                let mut found = found.filter(|(nth, one)| !taken[other][*nth] && is_alike(ranking, one));
                if let Some((nth, one)) = found.next() {
                    taken[other][nth] = true;
                    row[other] = Some(one);
                }
            }
            match row.iter().flatten().count() {
                1 => alone.push(format!("{} {} ({})", ranking.family, ranking.workload.name, side.name)),
                _ => contests.push(contest(&row, sides)),
            }
        }
    }
    contests.retain(|contest| !contest.techniques.is_empty());
    let curves = compare_levels::curves(&mut contests, sides);
    ComparedRuns {
        runs: sides.iter().map(|side| side.name.clone()).collect(),
        differences: differences(sides),
        marks: marks(sides),
        contests,
        curves,
        alone,
    }
}

/// Whether two contests asked for the same. Axes that one of the runs does not know say nothing.
fn is_alike(one: &Ranking, other: &Ranking) -> bool {
    let (a, b) = (&one.setting.conditions, &other.setting.conditions);
    let same_or_unknown = |same: bool, unknown: bool| same || unknown;
    one.family == other.family
        && one.class == other.class
        && one.quantity.key == other.quantity.key
        && is_same_work(&one.workload, &other.workload)
        && same_or_unknown(a.cache == b.cache, a.cache.is_none() || b.cache.is_none())
        && same_or_unknown(a.durability == b.durability, a.durability.is_none() || b.durability.is_none())
        && a.processors.len() == b.processors.len()
        && a.memory_limit_bytes == b.memory_limit_bytes
}

fn is_same_work(one: &Workload, other: &Workload) -> bool {
    let shared = |(axis, value): (&String, &model::Value)| {
        other.point.0.get(axis).is_none_or(|theirs| theirs == value)
    };
    one.files == other.files && one.point.0.iter().all(shared)
}

fn contest(row: &[Option<&Ranking>], sides: &[Side<'_>]) -> ComparedContest {
    let known: Vec<&Ranking> = row.iter().flatten().copied().collect();
    let first = known[0];
    let mut techniques: Vec<ComparedTechnique> = Vec::new();
    for entry in known.iter().flat_map(|ranking| &ranking.entries) {
        let is_known = |known: &ComparedTechnique| {
            known.technique == entry.technique || shares(&known.aliases, &entry.aliases)
        };
        if techniques.iter().any(is_known) {
            continue;
        }
        let showed = |(ranking, side): (&Option<&Ranking>, &Side<'_>)| {
            let ranking = (*ranking)?;
            find(ranking, entry).map(|entry| showed(entry, ranking, side))
        };
        let showed: Vec<Option<Showed>> = row.iter().zip(sides).map(showed).collect();
        if showed.iter().flatten().count() > 1 {
            let aliases = entry.aliases.clone();
            techniques.push(ComparedTechnique { technique: entry.technique.clone(), aliases, showed });
        }
    }
    ComparedContest {
        family: first.family.clone(),
        workload: first.workload.name.clone(),
        conditions: first.setting.conditions.clone(),
        quantity: first.quantity.clone(),
        marks: contest_marks(row, sides),
        answers: row.iter().zip(sides).map(|(ranking, side)| answer(*ranking, side)).collect(),
        means: means(&techniques, row.len()),
        changes: changes(&techniques, sides),
        work: first.workload.clone(),
        is_level: false,
        techniques,
    }
}

/// Published figures are means without samples, so they have no answer.
fn answer(ranking: Option<&Ranking>, side: &Side<'_>) -> Option<String> {
    ranking.filter(|_| !side.is_published()).map(|ranking| ranking.sentence.clone())
}

fn shares(one: &[String], other: &[String]) -> bool {
    one.iter().any(|alias| other.contains(alias))
}

/// The same technique in another run: by name, by a published program, or by being called like one.
fn find<'a>(ranking: &'a Ranking, entry: &Entry) -> Option<&'a Entry> {
    let exact = ranking.entries.iter().find(|other| other.technique == entry.technique);
    exact.or_else(|| {
        ranking.entries.iter().find(|other| {
            shares(&other.aliases, &entry.aliases)
                || other.aliases.contains(&entry.technique)
                || entry.aliases.contains(&other.technique)
        })
    })
}

fn showed(entry: &Entry, ranking: &Ranking, side: &Side<'_>) -> Showed {
    let fastest = ranking.entries.iter().filter_map(|entry| entry.median.value()).reduce(f64::min);
    let of_published = || Some(entry.median.value()? / fastest.filter(|fastest| *fastest > 0.0)?);
    Showed {
        technique: entry.technique.clone(),
        median: entry.median.value(),
        user_ns: entry.user_ns,
        system_ns: entry.system_ns,
        factor: if side.is_published() { of_published() } else { entry.factor },
        factor_low: entry.factor_low,
        factor_high: entry.factor_high,
        standing: entry.standing,
    }
}

/// Each run's times over those of the first run, over the techniques that both have.
fn means(techniques: &[ComparedTechnique], sides: usize) -> Vec<Option<f64>> {
    let mean = |side: usize| {
        let ratio = |one: &ComparedTechnique| {
            let value = |side: usize| one.showed[side].as_ref()?.median.filter(|value| *value > 0.0);
            Some((value(side)? / value(0)?).ln())
        };
        let logs: Vec<f64> = techniques.iter().filter_map(ratio).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    };
    (0..sides).map(mean).collect()
}

/// Where one technique may be fastest in one run and is slower in the other, and another one the other way round: both runs say so
/// with their own confidence.
fn changes(techniques: &[ComparedTechnique], sides: &[Side<'_>]) -> Vec<String> {
    let mut changes = Vec::new();
    let is = |one: &ComparedTechnique, side: usize, ahead: bool| {
        one.showed[side].as_ref().is_some_and(|showed| match ahead {
            true => showed.standing.is_candidate(),
            false => showed.standing == Standing::Slower,
        })
    };
    for a in 0..sides.len() {
        for b in a + 1..sides.len() {
            let ahead_in_a: Vec<&str> = names(techniques, |one| is(one, a, true) && is(one, b, false));
            let ahead_in_b: Vec<&str> = names(techniques, |one| is(one, b, true) && is(one, a, false));
            if let (Some(one), Some(other)) = (ahead_in_a.first(), ahead_in_b.first()) {
                changes.push(format!(
                    "{one} may be fastest in {} and is slower in {}; {other} the other way round.",
                    sides[a].name, sides[b].name
                ));
            }
        }
    }
    changes
}

fn names(techniques: &[ComparedTechnique], is_meant: impl Fn(&ComparedTechnique) -> bool) -> Vec<&str> {
    techniques.iter().filter(|one| is_meant(one)).map(|one| one.technique.as_str()).collect()
}

/// What bears on a contest beside the host.
fn contest_marks(row: &[Option<&Ranking>], sides: &[Side<'_>]) -> Vec<String> {
    let mut marks = Vec::new();
    let file_system = |ranking: &Ranking| ranking.setting.conditions.file_system.clone();
    let systems: Vec<String> = row.iter().flatten().filter_map(|ranking| file_system(ranking)).collect();
    if systems.windows(2).any(|pair| pair[0] != pair[1]) {
        marks.push(format!("the file systems differ: {}", systems.join(", ")));
    }
    for (ranking, side) in row.iter().zip(sides) {
        let Some(ranking) = ranking else { continue };
        if ranking.setting.conditions.cache.is_none()
            && row.iter().flatten().any(|other| other.setting.conditions.cache.is_some())
        {
            marks.push(format!("{} does not tell the state of the file cache", side.name));
        }
        if ranking.state == State::Refused {
            marks.push(format!("{}: {}", side.name, ranking.sentence));
        }
    }
    marks
}

/// What a reader must know of whole runs.
fn marks(sides: &[Side<'_>]) -> Vec<String> {
    let incomplete = sides.iter().filter(|side| !side.record.complete);
    let mut marks: Vec<String> = incomplete
        .map(|side| format!("{} did not run to its end: later rounds are missing", side.name))
        .collect();
    let version = |side: &Side<'_>| {
        let tool = &side.record.tool;
        let commit = tool.commit.as_ref().map_or(String::new(), |commit| format!(" ({commit})"));
        (tool.name == "bakeoff").then(|| format!("{}{commit}", tool.version))
    };
    let mut versions: Vec<String> = sides.iter().filter_map(version).collect();
    versions.dedup();
    if versions.len() > 1 {
        marks.push(format!(
            "the runs are of different versions of this program, and a technique may have changed: {}",
            versions.join(", ")
        ));
    }
    marks
}

/// What is known of the hosts and differs.
fn differences(sides: &[Side<'_>]) -> Vec<Difference> {
    type Ask = fn(&Host) -> Option<String>;
    let asked: [(&str, Ask); 9] = [
        ("host", |host| host.name.clone()),
        ("processor", |host| host.processor.model.clone()),
        ("processors", |host| host.processor.logical.map(|count| count.to_string())),
        ("memory", |host| host.memory.total_bytes.map(model::format_bytes)),
        ("system", |host| host.os.name.clone().or(Some(host.os.family.clone()))),
        ("kernel", |host| host.os.kernel.clone()),
        ("C library", |host| host.os.c_library.clone()),
        ("hypervisor", |host| host.processor.hypervisor.clone()),
        ("governor", |host| host.processor.governor.clone()),
    ];
    let mut found = Vec::new();
    for (fact, ask) in asked {
        let values: Vec<Option<String>> =
            sides.iter().map(|side| ask(&side.record.host).filter(|value| !value.is_empty())).collect();
        if values.windows(2).any(|pair| pair[0] != pair[1]) {
            found.push(Difference { fact: fact.to_owned(), values });
        }
    }
    let day = |side: &Side<'_>| Some(side.record.started.clone()).filter(|started| !started.is_empty());
    found.push(Difference { fact: "began".to_owned(), values: sides.iter().map(day).collect() });
    found
}
