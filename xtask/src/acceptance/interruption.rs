//! T14: Ctrl-C at a random moment. What is kept are whole rounds, and what is said is what the last look allows.

use std::collections::BTreeSet;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::RngExt;
use stats::{Matrix, boundaries, repeated_interval};

use super::line::Line;
use super::seen::{Ranking, Run, Verdict};
use super::session::{Amount, Session};

const AMOUNT: Amount = Amount::new(40, 4, 15);
const CONTROLS: [&str; 4] = ["spin_a", "spin_b", "spin_c", "spin_d"];
/// As shells have it: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

pub(super) fn at_any_moment(session: &mut Session) -> Result<Vec<Line>> {
    let start = Instant::now();
    session.measure(&CONTROLS, &[])?;
    let whole = start.elapsed();
    let (mut begun, mut problems) = (0, Vec::new());
    let runs = session.repeat("interruptions", AMOUNT, |session| {
        let output = interrupted(session, whole)?;
        match problem(session, &output)? {
            Found::NothingBegun => {}
            Found::Right => begun += 1,
            Found::Wrong(problem) => problems.push(problem),
        }
        Ok(())
    })?;
    let (wrong, all) = (problems.len(), runs.len());
    let first = problems.into_iter().next().map_or(String::new(), |problem| format!("; {problem}"));
    let asked = format!(
        "SIGINT at a random moment ({begun} after the first round began): exit 130, whole rounds, interval of the last \
         look, nothing left behind{first}"
    );
    Ok(vec![Line::at_least(asked, all - wrong, all, all)])
}

/// A run that was stopped at a random moment of the time that a whole one takes.
fn interrupted(session: &mut Session, whole: Duration) -> Result<Output> {
    const PATIENCE: usize = 50;
    for _ in 0..PATIENCE {
        let seed = session.random.random();
        let moment = whole.mul_f64(session.random.random());
        // A terminal signals the whole group; `kill` signals the program alone.
        let to_group: bool = session.random.random();
        session.instrument.forget()?;
        // In a group of its own: the signal must not reach this program.
        let words = session.instrument.run_words(&CONTROLS, seed, &[]);
        let mut command = session.instrument.command("setsid");
        let child = command.arg(session.instrument.binary()).args(&words).spawn();
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

fn problem(session: &Session, output: &Output) -> Result<Found> {
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
    let run: Run = serde_json::from_slice(&output.stdout).context("the JSON of an interrupted run")?;
    if run.run.complete {
        return Ok(Found::Wrong("the run is called complete".into()));
    }
    Ok(match wrong(&run, run.ranking()?) {
        None => Found::Right,
        Some(problem) => Found::Wrong(problem),
    })
}

/// A scratch folder that is still there.
fn left_behind(session: &Session) -> Result<Option<String>> {
    let folder = session.instrument.path("");
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name() != "home" {
            return Ok(Some(entry.file_name().to_string_lossy().into_owned()));
        }
    }
    Ok(None)
}

/// What of a ranking does not follow from the whole rounds of the run.
fn wrong(run: &Run, ranking: &Ranking) -> Option<String> {
    let names: Vec<&str> = ranking.places.iter().map(|place| place.technique.as_str()).collect();
    let matrix = whole_rounds(run, &names);
    let whole = matrix.rounds_of(0);
    let looks = &run.run.design.looks;
    let Some(look) = looks.iter().copied().rfind(|&look| look <= whole) else {
        let silent = ranking.verdict == Verdict::Inconclusive || ranking.verdict == Verdict::Refused;
        let open = ranking.places.iter().all(|place| place.ratio_low.is_none() && place.ratio_high.is_none());
        return (!silent || !open).then(|| format!("after {whole} rounds: {}", ranking.sentence));
    };
    if ranking.rounds != look {
        return Some(format!("{} rounds were judged, the last look was after {look}", ranking.rounds));
    }
    let pairs = names.len() * (names.len() - 1) / 2;
    let levels = [1, pairs.max(1)].map(|share| boundaries(ranking.alpha / share as f64, looks));
    for (index, place) in ranking.places.iter().enumerate().skip(1) {
        let differences = matrix.differences(0, index, look);
        let fits =
            levels.iter().filter_map(|cuts| repeated_interval(&differences, looks, cuts)).any(|interval| {
                same_end(interval.low, place.ratio_low) && same_end(interval.high, place.ratio_high)
            });
        if !fits && ranking.verdict != Verdict::Refused {
            let name = &place.technique;
            return Some(format!("the interval of {name} is not that of {look} rounds"));
        }
    }
    None
}

fn same_end(log: f64, printed: Option<f64>) -> bool {
    match printed {
        None => log.is_infinite(),
        Some(ratio) => (ratio.ln() - log).abs() < 1e-9,
    }
}

/// The times of the rounds in which every trial has its sample, the twin's too, up to the first that lacks one.
fn whole_rounds(run: &Run, names: &[&str]) -> Matrix {
    let attempt = run.trials.iter().map(|trial| trial.attempt).max().unwrap_or(0);
    let trials = || run.trials.iter().filter(|trial| trial.attempt == attempt);
    let rounds_of = |trial: &super::seen::Trial| -> BTreeSet<u32> {
        trial.samples.iter().map(|sample| sample.round).collect()
    };
    let seen: Vec<BTreeSet<u32>> = trials().map(rounds_of).collect();
    let mut matrix = Matrix::new(names.len());
    for round in (0..).take_while(|round| seen.iter().all(|rounds| rounds.contains(round))) {
        for (index, name) in names.iter().enumerate() {
            let of_name = trials().filter(|trial| trial.technique == *name).flat_map(|trial| &trial.samples);
            let times = of_name.filter(|sample| sample.round == round).map(|sample| sample.work_ns as f64);
            matrix.set(index, round as usize, times.collect());
        }
    }
    matrix
}
