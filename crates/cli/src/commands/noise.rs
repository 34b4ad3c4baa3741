//! `bakeoff noise`: identical techniques against each other, so that one knows what can be said here.

use anyhow::Result;
use clap::Args;
use judge::{Ranking, Standing, State};
use measure::{Ending, Plan, Request, ScratchRegister, Selection, Untimed};
use model::{Preset, Volume, Workload};
use report::{NoisePage, NoiseRow};
use store::Sqlite;

use crate::arguments::{Common, Format, parse_budget_ns, whole};
use crate::exit::Done;
use crate::measuring::{Way, carry_out, record};
use crate::scratch::clean_register;
use crate::selection;
use crate::terminal::{print_page, remark};

/// Estimate the smallest difference that this host can resolve
///
/// Measures identical techniques against each other.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many identical techniques
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(2, 10))]
    techniques: u8,
    /// Time that the run may take, everything included
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = parse_budget_ns)]
    budget: u64,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Also check that a loop that is 5 % longer is found slower; exit with 1 where it is not
    #[arg(long)]
    self_check: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Lengths of a sample, as multiples of the control family's own.
const LENGTHS: [f64; 3] = [0.25, 1.0, 4.0];
const KNOWN_SLOWER: &str = "spin_plus_5";

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let start_ns = sys::clock::now_ns();
    let host = sys::host::describe();
    let volumes = vec![sys::host::volume(&std::env::temp_dir())?];
    let register = clean_register(common)?;
    let plan = plan(arguments, &host, &volumes, &register)?;
    let record = record(&plan, host, volumes);
    // What the instrument finds out about itself is no result: it is judged and forgotten.
    let mut store = Sqlite::in_memory()?;
    let way = Way { register: &register, answers: None, start_ns };
    let ending = carry_out(plan, &record, &mut store, way, None, common)?;
    let record = store.load(&record.id)?;
    let rankings = judge::rank(&record);
    let page = NoisePage {
        rows: rankings.iter().map(row).collect(),
        alpha: record.design.contest_alpha(),
        seed: record.seed,
        notes: record.notes.iter().map(|note| note.text.clone()).collect(),
    };
    print_page(&page, arguments.format, true, common)?;
    if ending == Ending::Interrupted {
        return Ok(Done::Interrupted);
    }
    if arguments.self_check {
        return Ok(self_check(&rankings, common));
    }
    Ok(if page.rows.iter().any(|row| row.told_apart) { Done::NotHeld } else { Done::Well })
}

fn plan(
    arguments: &Arguments, host: &model::Host, volumes: &[Volume], register: &ScratchRegister,
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
    let selections = vec![Selection { family, entries: Some(entries) }];
    let usual = family.workloads(Preset::Quick);
    let lengths = LENGTHS.iter().flat_map(|length| usual.iter().map(|one| stretched(one, *length)));
    let request = Request {
        workloads: lengths.collect(),
        // The smallest there is: what can be resolved shows only while the contest goes on.
        delta: 0.01,
        rounds: stats::contest::LAST_LOOK,
        untimed: Untimed::Each(1),
        budget_ns: arguments.budget,
        time_limit_ns: 60_000_000_000,
        ..Request::usual(selections, arguments.seed.unwrap_or_else(sys::random::draw))
    };
    // None of these was ever measured.
    Ok(measure::plan(&request, host, volumes, &measure::never_measured, Some(register))?)
}

fn stretched(workload: &Workload, length: f64) -> Workload {
    let mut stretched = Workload { name: format!("{}x{length}", workload.name), ..workload.clone() };
    for (axis, number) in workload.point.numbers() {
        stretched.point.set(axis, (number as f64 * length) as u64);
    }
    stretched
}

/// Returns the row of one length. Identical entries are distinguished when one of them is called slower, or the contest was refused
/// because its twins differ. An entry alone, since the budget did not pay for the others, is compared with none.
fn row(ranking: &Ranking) -> NoiseRow {
    let identical: Vec<&judge::Entry> =
        ranking.entries.iter().filter(|entry| entry.technique != KNOWN_SLOWER).collect();
    let limits: Option<Vec<f64>> = identical.iter().map(|entry| entry.factor_high).collect();
    let leader = identical.iter().find(|entry| ranking.leader.as_deref() == Some(&entry.technique));
    let first = leader.or(identical.first());
    let are_several = identical.iter().filter(|entry| entry.rounds > 0).count() > 1;
    let differ = ranking.state == State::Refused
        || identical.iter().any(|entry| entry.standing == Standing::Slower)
        || identical.iter().filter(|entry| entry.standing.is_candidate()).count() == 1;
    let noise = first.and_then(|first| first.noise.as_ref()).filter(|_| ranking.rounds > 1);
    NoiseRow {
        sample_ns: first.and_then(|first| first.median.value()),
        rounds: if are_several { ranking.rounds } else { 0 },
        smallest: limits.and_then(|limits| limits.into_iter().reduce(f64::max)).map(|limit| limit - 1.0),
        measured_floor: ranking.twin_difference,
        robust_spread: noise.map(|noise| noise.robust_spread),
        told_apart: are_several && differ,
    }
}

/// Checks that a loop of five percent more is found slower at every length.
fn self_check(rankings: &[Ranking], common: &Common) -> Done {
    let is_slower = |ranking: &&Ranking| {
        ranking.entry(KNOWN_SLOWER).is_some_and(|entry| entry.standing == Standing::Slower)
    };
    let (found, all) = (rankings.iter().filter(is_slower).count(), rankings.len());
    let (word, done) = if found == all { ("passed", Done::Well) } else { ("failed", Done::NotHeld) };
    let said =
        format!("self-check {word}: a loop that is 5 % longer was found slower at {found} of {all} lengths");
    remark(common, &said);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contest of two identical loops that were measured this often.
    fn two_loops(state: &str, rounds: [u32; 2], standings: [&str; 2]) -> Ranking {
        let entries = [0, 1].map(|nth| {
            serde_json::json!({
                "technique": (["spin_a", "spin_b"][nth]), "kind": "built-in", "standing": standings[nth],
                "rounds": rounds[nth], "median_ns": (nth == 0 || rounds[1] > 0).then_some(2e6),
            })
        });
        serde_json::from_value(serde_json::json!({
            "family": "control", "workload": {"name": "short"},
            "setting": {"directory": "/", "file_system": "ext4", "cache": "warm", "durability": "returned"},
            "class": "moves-bytes", "metric": {"key": "work_ns", "what": "the time", "source": "work", "better": "less"},
            "state": state, "sentence": "", "leader": "spin_a", "rounds": rounds[0], "delta": 0.01, "alpha": 0.05,
            "entries": entries,
        }))
        .expect("a contest")
    }

    #[test]
    fn a_loop_whose_twin_was_not_measured_is_told_apart_from_none() {
        for (state, rounds) in [("alone", 0), ("alone", 6), ("refused", 0)] {
            let alone = row(&two_loops(state, [rounds, 0], ["wins", "skipped"]));
            assert!(!alone.told_apart, "{state}: {alone:?}");
            assert_eq!((alone.sample_ns, alone.rounds), (Some(2e6), 0), "nothing was compared");
        }
        let differ = row(&two_loops("refused", [6, 6], ["unjudged", "unjudged"]));
        assert!(differ.told_apart, "{differ:?}");
    }
}
