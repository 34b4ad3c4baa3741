//! Several runs side by side. Runs are never paired: each says what may be said of it. Times of two runs stand next to each other
//! without a claim, but where [`crate::runs::across_runs`] allows one.

use model::FactValue;
use serde::Serialize;

use crate::contest::ranking::{Entry, Ranking, Standing, State};
use crate::runs::across_runs::{Groups, changes_between};
use crate::runs::changed::version;
use crate::runs::compare_hosts::{Difference, file_cache, host_differences};
use crate::runs::compare_levels::{self, ComparedCurve};
use crate::runs::same_question::{nearest, partner};
use crate::runs::side::{ComparedContest, ComparedTechnique, PUBLISHED_FOR, Showed, Side};

/// Runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedRuns {
    /// The names of the runs.
    pub runs: Vec<String>,
    /// The places of the runs of the earlier and of the later side, where a side has several; else empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Vec<usize>>,
    /// The differences between the hosts.
    pub differences: Vec<Difference>,
    /// Remarks on the runs, each in a sentence.
    pub marks: Vec<String>,
    /// The contests that at least two runs have.
    pub contests: Vec<ComparedContest>,
    /// Those of them that are the levels of a curve, once more and together.
    pub curves: Vec<ComparedCurve>,
    /// The contests that one run alone has, each with what distinguishes it from the nearest one of another run.
    pub alone: Vec<String>,
    /// The differences of those, each once.
    #[serde(skip)]
    pub apart_by: Vec<String>,
}

/// Puts runs side by side: contests of the same family, workload, conditions and class.
pub fn compare_runs(sides: &[Side<'_>]) -> ComparedRuns {
    compare_sides(sides, None)
}

/// Compares runs with the first this many as one side; `None` takes the runs of two versions of this program as sides.
pub fn compare_sides(sides: &[Side<'_>], first: Option<usize>) -> ComparedRuns {
    let groups = Groups::of(sides, first);
    let mut taken: Vec<Vec<bool>> =
        sides.iter().map(|side| vec![false; side.decided.rankings.len()]).collect();
    let (mut contests, mut alone, mut apart_by) = (Vec::new(), Vec::new(), Vec::new());
    for (place, side) in sides.iter().enumerate() {
        for (index, ranking) in side.decided.rankings.iter().enumerate() {
            if taken[place][index] {
                continue;
            }
            let mut row: Vec<Option<&Ranking>> = vec![None; sides.len()];
            row[place] = Some(ranking);
            for (other, further) in sides.iter().enumerate().skip(place + 1) {
                let free = |place: usize| {
                    let all = sides[place].decided.rankings.iter().enumerate();
                    all.filter(|(nth, _)| !taken[place][*nth]).collect::<Vec<_>>()
                };
                let own: Vec<&Ranking> = free(place).into_iter().map(|(_, one)| one).collect();
                if let Some(nth) = partner(ranking, &own, &free(other)) {
                    taken[other][nth] = true;
                    row[other] = Some(&further.decided.rankings[nth]);
                }
            }
            taken[place][index] = true;
            match row.iter().flatten().count() {
                1 => {
                    let name = format!("{} {} ({})", ranking.family, ranking.workload.name, side.name);
                    let apart = nearest(ranking, side, sides);
                    alone.push(apart.as_ref().map_or(name.clone(), |apart| format!("{name}: {apart}")));
                    apart_by.extend(apart.filter(|apart| !apart_by.contains(apart)));
                }
                _ => contests.push(contest(&row, sides, groups.as_ref())),
            }
        }
    }
    contests.retain(|contest| contest.techniques.iter().any(|one| one.showed.iter().flatten().count() > 1));
    let curves = compare_levels::curves(&mut contests, sides);
    let several = groups.as_ref().filter(|groups| groups.earlier.len() > 1 || groups.later.len() > 1);
    ComparedRuns {
        runs: sides.iter().map(|side| side.name.clone()).collect(),
        sides: several.map_or(Vec::new(), |groups| vec![groups.earlier.clone(), groups.later.clone()]),
        differences: host_differences(sides),
        marks: marks(sides, several),
        contests,
        curves,
        alone,
        apart_by,
    }
}

fn contest(row: &[Option<&Ranking>], sides: &[Side<'_>], groups: Option<&Groups>) -> ComparedContest {
    let rankings: Vec<&Ranking> = row.iter().flatten().copied().collect();
    let first = rankings[0];
    let over = row.iter().position(Option::is_some).unwrap_or_default();
    let mut techniques: Vec<ComparedTechnique> = Vec::new();
    for entry in rankings.iter().flat_map(|ranking| &ranking.entries) {
        let mut found = techniques.iter();
        if found.any(|known| known.technique == entry.technique || shares(&known.aliases, &entry.aliases)) {
            continue;
        }
        let showed = row.iter().zip(sides).map(|(ranking, side)| {
            let ranking = (*ranking)?;
            find(ranking, entry).map(|entry| showed(entry, ranking, side))
        });
        let showed: Vec<Option<Showed>> = showed.collect();
        // What a published machine did stands next to the others also where no other did it.
        let is_published = sides.iter().zip(&showed).any(|(side, own)| side.is_published() && own.is_some());
        if is_published || showed.iter().flatten().count() > 1 {
            let aliases = entry.aliases.clone();
            techniques.push(ComparedTechnique { technique: entry.technique.clone(), aliases, showed });
        }
    }
    let curves = row.iter().zip(sides).map(|(ranking, side)| {
        let ranking = (*ranking)?;
        side.decided.curves.iter().position(|curve| curve.holds(ranking))
    });
    let all = techniques.iter().map(|one| one.showed.iter().map(|showed| showed.as_ref()?.median).collect());
    let medians: Vec<Vec<Option<f64>>> = all.collect();
    ComparedContest {
        family: first.family.clone(),
        workload: first.workload.name.clone(),
        conditions: first.setting.conditions.clone(),
        metric: first.metric.clone(),
        marks: contest_marks(row, sides),
        answers: row.iter().zip(sides).map(|(ranking, side)| answer(*ranking, side)).collect(),
        means: means(&medians, row.len(), over),
        over,
        changes: changes(&techniques, sides),
        between: groups.and_then(|groups| changes_between(row, &techniques, sides, groups)),
        work: first.workload.clone(),
        curves: curves.collect(),
        is_level: false,
        techniques,
    }
}

/// Returns the sentence of a contest. Published figures are means without samples, so they have no answer.
fn answer(ranking: Option<&Ranking>, side: &Side<'_>) -> Option<String> {
    ranking.filter(|_| !side.is_published()).map(|ranking| ranking.sentence.clone())
}

fn shares(one: &[String], other: &[String]) -> bool {
    one.iter().any(|alias| other.contains(alias))
}

/// Returns the same technique in another run: by name, by a published program, or by being called like one.
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
    let of_published = entry.median.value().zip(fastest.filter(|fastest| *fastest > 0.0));
    let of_published = of_published.map(|(value, fastest)| value / fastest);
    // A part that is reported as 0 is less than the counter's tick.
    let [user_ns, system_ns] = [entry.user_ns, entry.system_ns].map(|ns| ns.filter(|ns| *ns > 0.0));
    Showed {
        technique: entry.technique.clone(),
        median: entry.median.value(),
        extrapolated: entry.median.extrapolated,
        user_ns,
        system_ns,
        factor: if side.is_published() { of_published } else { entry.factor },
        factor_low: entry.factor_low,
        factor_high: entry.factor_high,
        standing: entry.standing,
    }
}

/// Returns the mean ratio of each run's medians to those of the run `over`, over the lines in which both have one.
pub(crate) fn means(medians: &[Vec<Option<f64>>], sides: usize, over: usize) -> Vec<Option<f64>> {
    (0..sides).map(|side| mean_ratio(medians.iter().map(|of| (of[side], of[over])))).collect()
}

/// Returns the geometric mean of the ratios of two values above 0, where there are both.
fn mean_ratio(pairs: impl Iterator<Item = (Option<f64>, Option<f64>)>) -> Option<f64> {
    let pairs =
        pairs.filter_map(|(one, other)| one.zip(other)).filter(|(one, other)| *one > 0.0 && *other > 0.0);
    let logs: Vec<f64> = pairs.map(|(one, other)| (one / other).ln()).collect();
    (!logs.is_empty()).then(|| stats::mean(&logs).exp())
}

/// Returns changes of order that two runs claim: one technique may be fastest here and is slower there, another conversely.
fn changes(techniques: &[ComparedTechnique], sides: &[Side<'_>]) -> Vec<String> {
    let mut changes = Vec::new();
    let is = |one: &ComparedTechnique, side: usize, ahead: bool| {
        let standing = one.showed[side].as_ref().map(|showed| showed.standing);
        standing.is_some_and(|it| if ahead { it.is_candidate() } else { it == Standing::Slower })
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

fn contest_marks(row: &[Option<&Ranking>], sides: &[Side<'_>]) -> Vec<String> {
    let mut marks = Vec::new();
    let systems = row.iter().flatten().filter_map(|ranking| ranking.setting.conditions.file_system.clone());
    let systems: Vec<String> = systems.collect();
    if systems.windows(2).any(|pair| pair[0] != pair[1]) {
        marks.push(format!("the file systems differ: {}", systems.join(", ")));
    }
    for (ranking, side) in row.iter().zip(sides) {
        let Some(ranking) = ranking else { continue };
        if ranking.setting.conditions.cache.is_none()
            && row.iter().flatten().any(|other| other.setting.conditions.cache.is_some())
        {
            marks.push(match file_cache(side.record).filter(|_| side.is_published()) {
                Some(cache) => format!("the file cache of {}: {cache}", side.name),
                None => format!("{} does not record the state of the file cache", side.name),
            });
        }
        if ranking.state == State::Refused {
            marks.push(format!("{}: {}", side.name, ranking.sentence));
        }
    }
    marks
}

fn marks(sides: &[Side<'_>], groups: Option<&Groups>) -> Vec<String> {
    let incomplete = sides.iter().filter(|side| !side.record.complete);
    let mut marks: Vec<String> = incomplete
        .map(|side| format!("{} did not run to its end: later rounds are missing", side.name))
        .collect();
    let own = sides.iter().map(|side| &side.record.tool).filter(|tool| tool.name == "bakeoff");
    let mut versions: Vec<String> = own.map(version).collect();
    versions.dedup();
    if versions.len() > 1 {
        marks.push(format!(
            "the runs are of different versions of this program, and a technique may have changed: {}",
            versions.join(", ")
        ));
    }
    // What must be known of published figures.
    for side in sides.iter().filter(|side| side.is_published()) {
        let said = side.record.facts.iter().filter(|fact| fact.name == PUBLISHED_FOR);
        marks.extend(said.filter_map(|fact| match &fact.value {
            FactValue::Words { words } => Some(words.clone()),
            FactValue::Number { .. } => None,
        }));
    }
    let lack = groups.and_then(|groups| groups.lack(sides));
    marks.extend(lack.map(|lack| format!("nothing is claimed of times between the sides: {lack}")));
    marks
}
