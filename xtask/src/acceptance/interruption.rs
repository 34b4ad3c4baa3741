//! T14: Ctrl-C at a random moment. What is kept are whole rounds, and what is said is what the last look allows.

use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use judge::{decide, read_run};
use rand::RngExt;
use serde_json::Value;
use stats::Matrix;
use stats::contest::{Rules, assess};

use super::line::count;
use super::output::Trial;
use super::{Amount, Line, Ranking, Run, Session};

const AMOUNT: Amount = Amount::new(40, 4, 15);
const CONTROLS: [&str; 5] = ["spin_a", "spin_b", "spin_c", "spin_d", "spin_plus_1"];
/// As shells have it: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

pub(super) fn at_any_moment(session: &mut Session) -> Result<Vec<Line>> {
    let start = Instant::now();
    session.measure(&CONTROLS, "")?;
    let whole = start.elapsed();
    let found = session.repeat("interruptions", AMOUNT, |session| {
        let output = interrupted(session, whole)?;
        found(session, &output)
    })?;
    let begun = found.iter().filter(|found| matches!(found, Found::Right)).count();
    let first = found.iter().find_map(|found| match found {
        Found::Wrong(problem) => Some(format!("; {problem}")),
        _ => None,
    });
    let asked = format!(
        "SIGINT at a random moment ({begun} after the first round began): exit 130, whole rounds, the answer of the last \
         look, nothing left behind{}",
        first.unwrap_or_default()
    );
    let right = count(&found, |found| !matches!(found, Found::Wrong(_)));
    Ok(vec![session.strictness().at_least(asked, 1.0, right)])
}

/// Stops a run at a random moment of the time that a whole one takes.
fn interrupted(session: &mut Session, whole: Duration) -> Result<Output> {
    const PATIENCE: usize = 50;
    for _ in 0..PATIENCE {
        let seed = session.random.random();
        let moment = whole.mul_f64(session.random.random());
        // A terminal signals the whole group; `kill` signals the program alone.
        let to_group: bool = session.random.random();
        session.instrument.forget()?;
        let line = session.instrument.controls(&CONTROLS, seed, "");
        let child = session.instrument.measuring(&line, true).spawn();
        let child = child.context("setsid (of util-linux) cannot be started")?;
        thread::sleep(moment.max(Duration::from_millis(20)));
        let target = if to_group { format!("-{}", child.id()) } else { child.id().to_string() };
        let killed = Command::new("kill").args(["-s", "INT", "--", &target]).output();
        killed.context("kill (of procps) cannot be started")?;
        let output = child.wait_with_output()?;
        // It was over before the signal came.
        if output.status.code() != Some(0) {
            return Ok(output);
        }
    }
    bail!("{PATIENCE} runs in a row were over before they could be interrupted")
}

enum Found {
    /// Interrupted while nothing was measured yet.
    NothingBegun,
    Right,
    Wrong(String),
}

fn found(session: &Session, output: &Output) -> Result<Found> {
    if let Some(left) = left_behind(session)? {
        return Ok(Found::Wrong(format!("{left} was left behind")));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        // Before the program watches for the signal it ends as every program does.
        None if output.stdout.is_empty() => return Ok(Found::NothingBegun),
        Some(INTERRUPTED) => {}
        _ => return Ok(Found::Wrong(format!("{}: {}", output.status, said.trim()))),
    }
    if output.stdout.is_empty() {
        let early = said.contains("before the first round");
        return Ok(if early { Found::NothingBegun } else { Found::Wrong("nothing was printed".into()) });
    }
    let printed: Value = serde_json::from_slice(&output.stdout).context("the JSON of an interrupted run")?;
    let run: Run = serde_json::from_value(printed.clone())?;
    if run.run.complete {
        return Ok(Found::Wrong("the run is called complete".into()));
    }
    Ok(wrong(&run, printed)?.map_or(Found::Right, Found::Wrong))
}

/// Folders next to a store: those of the user, and the pages of the runs.
const BELONGS: [&str; 2] = ["home", "reports"];

/// Returns the name of a scratch folder that is still there.
fn left_behind(session: &Session) -> Result<Option<String>> {
    let folder = session.instrument.path("");
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && BELONGS.iter().all(|name| entry.file_name() != *name) {
            return Ok(Some(entry.file_name().to_string_lossy().into_owned()));
        }
    }
    Ok(None)
}

/// Returns the trials of the attempt that counts: each attempt has looks of its own.
fn counted(run: &Run) -> impl Iterator<Item = &Trial> {
    let attempt = run.trials.iter().map(|trial| trial.attempt).max();
    run.trials.iter().filter(move |trial| Some(trial.attempt) == attempt)
}

/// Returns what in the printed ranking does not follow from the whole rounds of the run: it is the one that they alone have, and holds
/// every candidate of the sign test, which is done once more here.
fn wrong(run: &Run, mut printed: Value) -> Result<Option<String>> {
    let ranking = run.ranking()?;
    let competes = |trial: &&Trial| ranking.entries.iter().any(|entry| entry.technique == trial.technique);
    // In the order in which the program has them: it decides between equals.
    let names: Vec<&str> = counted(run).filter(competes).map(|trial| trial.technique.as_str()).collect();
    let own = counted(run).map(|trial| &trial.looks).find(|looks| !looks.is_empty());
    let looks = own.unwrap_or(&run.run.design.looks).clone();
    let matrix = whole_rounds(run, ranking, &names, &looks);
    let rounds = matrix.rounds();
    let trials = printed["trials"].as_array_mut().into_iter().flatten();
    for samples in trials.filter_map(|trial| trial["samples"].as_array_mut()) {
        samples.retain(|sample| sample["round"].as_u64() < Some(rounds.into()));
    }
    let of_whole = decide(&read_run(&printed.to_string(), None)?).rankings.swap_remove(0);
    if (of_whole.candidates.as_slice(), of_whole.rounds) != (&ranking.fastest, ranking.rounds) {
        let (own, count) = (&of_whole.candidates, of_whole.rounds);
        let said = (&ranking.fastest, ranking.rounds);
        return Ok(Some(format!(
            "{said:?} are called fastest, and of {rounds} whole rounds {own:?}, {count}"
        )));
    }
    // An interruption before the first look: that number of rounds becomes a look when it is one that can say something.
    let counted = rounds.saturating_sub(1);
    let looks = if counted < looks.first().copied().unwrap_or(0) { vec![counted.max(1)] } else { looks };
    let baseline = names.iter().position(|name| ranking.baseline.as_deref() == Some(name));
    let rules = Rules { alpha: ranking.alpha, delta: ranking.delta, looks, baseline };
    let all: Vec<usize> = (0..names.len()).collect();
    let assessment = assess(&matrix, &all, &rules);
    // The first rounds of a very short contest name a leader only.
    if ranking.is_refused() || assessment.look.is_none_or(|look| look < 3) {
        return Ok(None);
    }
    let mut candidates = assessment.candidates.iter().map(|&index| names[index]);
    let left_out = candidates.find(|name| !ranking.fastest.iter().any(|known| known == name));
    Ok(left_out.map(|name| format!("{name} may be fastest, and only {:?} are called so", ranking.fastest)))
}

/// Returns the times of the rounds in which every entry that had not left has its sample, up to the first that lacks one. An entry
/// leaves at a look, or far behind after round 3, and has no sample after it, unless it goes on next to its twin.
fn whole_rounds(run: &Run, ranking: &Ranking, names: &[&str], looks: &[u32]) -> Matrix {
    let has_left = |trial: &&Trial, round: u32| {
        let entry = ranking.entries.iter().find(|entry| entry.technique == trial.technique);
        let has_twin = run.trials.iter().any(|other| other.twin_of.as_ref() == Some(&trial.technique));
        entry.and_then(|entry| entry.left_after_round).is_some_and(|last| {
            let goes_on = !has_twin && trial.samples.iter().any(|sample| sample.round > last);
            round > last && (looks.contains(&last) || last == 3) && !goes_on
        })
    };
    let trials = counted(run).filter(|trial| names.contains(&trial.technique.as_str()));
    let trials: Vec<&Trial> = trials.collect();
    let mut matrix = Matrix::new(names.len());
    for round in 0.. {
        let is_whole = |trial: &&Trial| trial.samples.iter().any(|sample| sample.round == round);
        if !trials.iter().all(|trial| has_left(trial, round) || is_whole(trial)) {
            break;
        }
        for (index, name) in names.iter().enumerate() {
            let of_name = trials.iter().filter(|trial| trial.technique == *name);
            let samples = of_name.flat_map(|trial| &trial.samples).filter(|sample| sample.round == round);
            let times: Vec<f64> = samples.map(|sample| sample.work_ns as f64).collect();
            if !times.is_empty() {
                matrix.set(index, round as usize, times);
            }
        }
    }
    matrix
}

#[test]
fn only_an_entry_that_left_at_a_look_may_lack_samples() {
    let trial = |technique: &str, rounds: &[u32]| {
        let sample = |round| serde_json::json!({"round": round, "work_ns": 1, "repetitions": 1});
        let samples: Vec<_> = rounds.iter().map(sample).collect();
        serde_json::json!({"technique": technique, "samples": samples})
    };
    let all: Vec<u32> = (0..10).collect();
    for (left_after, rounds, whole) in [
        (Some(6), &all[..7], 10),
        (Some(3), &all[..4], 10),
        (Some(5), &all[..6], 6),
        (None, &all[..7], 7),
        (Some(6), &[0, 1, 2, 3, 4, 5, 6, 8], 7),
    ] {
        let contest = serde_json::json!({"family": "control", "state": "wins", "sentence": "", "rounds": 6,
            "delta": 0.02, "alpha": 0.05, "leader": "a", "entries": [
                {"technique": "a", "standing": "wins"},
                {"technique": "b", "standing": "slower", "left_after_round": left_after}]});
        let trials = [trial("a", &all), trial("b", rounds)];
        let run = super::output::run(&serde_json::json!({ "contests": [contest], "trials": trials }));
        let matrix = whole_rounds(&run, &run.rankings[0], &["a", "b"], &[6, 8]);
        assert_eq!(matrix.rounds_of(0), whole, "{left_after:?} {rounds:?}");
    }
}
