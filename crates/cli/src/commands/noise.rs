//! `bakeoff noise`: identical techniques against each other, so that one knows what can be told here.

use std::collections::BTreeMap;

use anyhow::Result;
use judge::{Ranking, Standing, State};
use measure::{Ending, Plan, Request, ScratchRegister, Selection, Untimed};
use model::{Cache, Durability, Preset, Setting, Volume, Workload};
use report::{NoisePage, NoiseRow};
use store::{Memory, Store};

use crate::arguments::{Common, Format, NoiseArguments};
use crate::commands::run::{Way, carry_out, record};
use crate::exit::Done;
use crate::scratch::clean_register;
use crate::selection;
use crate::terminal::{print, remark, style};

/// Lengths of a sample, as multiples of the control family's own.
const LENGTHS: [f64; 3] = [0.25, 1.0, 4.0];
/// The loop that is known to be slower.
const KNOWN_SLOWER: &str = "spin_plus_5";

pub(crate) fn noise(arguments: &NoiseArguments, common: &Common) -> Result<Done> {
    let start_ns = sys::clock::now_ns();
    let host = sys::host::describe();
    let volumes = vec![sys::host::volume(&std::env::temp_dir())?];
    let register = clean_register(common)?;
    let plan = plan(arguments, &host, &volumes, &register)?;
    let record = record(&plan, host, volumes);
    // What the instrument finds out about itself is no result: it is judged and forgotten.
    let mut store = Memory::new();
    let way = Way { register: &register, answers: None, start_ns };
    let ending = carry_out(plan, &record, &mut store, way, None, common)?;
    let record = store.load(&record.id)?;
    let rankings = ::judge::rank(&record);
    let page = NoisePage {
        rows: rankings.iter().filter_map(row).collect(),
        alpha: record.design.contest_alpha(),
        seed: record.seed,
        notes: record.notes.iter().map(|note| note.text.clone()).collect(),
    };
    print(&match arguments.format {
        Format::Text => report::text::noise(&page, &style(common, true)),
        Format::Markdown => report::markdown::noise(&page),
        Format::Html => report::html::noise(&page),
        Format::Json => serde_json::to_string_pretty(&report::json::noise(&page))?,
    })?;
    if ending == Ending::Interrupted {
        return Ok(Done::Interrupted);
    }
    if arguments.self_check {
        return Ok(self_check(&rankings, common));
    }
    Ok(if page.rows.iter().any(|row| row.told_apart) { Done::NotHeld } else { Done::Well })
}

fn plan(
    arguments: &NoiseArguments,
    host: &model::Host,
    volumes: &[Volume],
    register: &ScratchRegister,
) -> Result<Plan> {
    let family = selection::family("control")?;
    let mut entries: Vec<String> = family
        .entries()
        .into_iter()
        .map(|entry| entry.name)
        .filter(|name| name.starts_with("spin_") && !name.starts_with("spin_plus"))
        .take(usize::from(arguments.techniques))
        .collect();
    if arguments.self_check {
        entries.push(KNOWN_SLOWER.to_owned());
    }
    let request = Request {
        selections: vec![Selection { family, entries: Some(entries) }],
        preset: Preset::Quick,
        sizes_bytes: Vec::new(),
        files: Vec::new(),
        axes: Vec::new(),
        caches: vec![Cache::Warm],
        durabilities: vec![Durability::Returned],
        directories: vec![std::env::temp_dir()],
        processors: Vec::new(),
        contenders: Vec::new(),
        metric: None,
        alpha: 0.05,
        alpha_is_shared: false,
        // The smallest there is: what can be resolved shows only while the contest goes on.
        delta: 0.01,
        rounds: stats::contest::LAST_LOOK,
        least_rounds: 0,
        untimed: Untimed::Each(1),
        reference: None,
        budget_ns: arguments.budget,
        budget_stretches: false,
        time_limit_ns: 60_000_000_000,
        memory_limit_bytes: None,
        seed: arguments.seed.unwrap_or_else(sys::random::draw),
        question: None,
    };
    let mut plan = measure::plan(&request, host, volumes, &never_measured, Some(register))?;
    plan.tasks.clear();
    for length in LENGTHS {
        let mut longer = measure::plan(&request, host, volumes, &never_measured, Some(register))?;
        for task in &mut longer.tasks {
            task.workload = stretched(&task.workload, length);
        }
        plan.tasks.append(&mut longer.tasks);
    }
    Ok(plan)
}

/// Each length is a workload of its own that no earlier run has measured.
fn never_measured(_: &str, _: &Workload, _: &Setting) -> BTreeMap<String, u64> {
    BTreeMap::new()
}

fn stretched(workload: &Workload, length: f64) -> Workload {
    let mut stretched = Workload { name: format!("{}x{length}", workload.name), ..workload.clone() };
    for (axis, number) in workload.point.numbers() {
        stretched.point.set(axis, (number as f64 * length) as u64);
    }
    stretched
}

/// Identical entries are told apart when one of them is called slower, or the contest was refused because its twins
/// differ.
fn row(ranking: &Ranking) -> Option<NoiseRow> {
    let identical = || ranking.entries.iter().filter(|entry| entry.technique != KNOWN_SLOWER);
    let limits: Option<Vec<f64>> = identical().map(|entry| entry.factor_high).collect();
    let leader = identical().find(|entry| ranking.leader.as_deref() == Some(&entry.technique));
    let first = leader.or_else(|| identical().next())?;
    let told_apart = ranking.state == State::Refused
        || identical().any(|entry| entry.standing == Standing::Slower)
        || identical().filter(|entry| entry.standing.is_candidate()).count() == 1;
    Some(NoiseRow {
        sample_ns: first.median.value()?,
        rounds: ranking.rounds,
        smallest: limits.and_then(|limits| limits.into_iter().reduce(f64::max)).map(|limit| limit - 1.0),
        measured_floor: ranking.twin_difference,
        robust_spread: first.noise.as_ref().filter(|_| ranking.rounds > 1).map(|noise| noise.robust_spread),
        told_apart,
    })
}

/// A loop of five percent more must be found slower at every length.
fn self_check(rankings: &[Ranking], common: &Common) -> Done {
    let found = |ranking: &Ranking| {
        ranking.entry(KNOWN_SLOWER).is_some_and(|entry| entry.standing == Standing::Slower)
    };
    match rankings.iter().all(found) {
        true => {
            remark(common, "bakeoff: the loop that is 5 % longer was found slower at every length");
            Done::Well
        }
        false => {
            remark(common, "bakeoff: the loop that is 5 % longer was not found slower at every length");
            Done::NotHeld
        }
    }
}
