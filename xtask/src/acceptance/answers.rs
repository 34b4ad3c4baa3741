//! The answer that a user gets, and its time: the default run (T19), large inputs within a budget (T20), ten commands next to
//! hyperfine (T21), all families (T27), and a store of two years (T29). On request.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::entered::write_commands;
use super::{Amount, Line, Ranking, Run, Session};
use crate::large_store::fill;
use crate::printed;

/// Runs in a row that must all hold.
const AMOUNT: Amount = Amount::new(3, 1, 300);

/// Returns the line of an answer that must be worth something: few that may be fastest, and a leader that costs little.
fn answer(what: &str, ranking: &Ranking, candidates_max: usize, cost_max: f64) -> Line {
    let cost = ranking.at_most_slower.map_or("no limit".to_owned(), |cost| format!("{:.1} %", cost * 100.0));
    let (candidates, of) = (ranking.fastest.len(), ranking.entries.len());
    let seen = format!("{candidates} of {of} may be fastest, {cost}, {} rounds", ranking.rounds);
    let limit = format!("at most {candidates_max} and {:.0} %", cost_max * 100.0);
    let holds = candidates <= candidates_max && ranking.is_within(cost_max);
    Line::new(format!("{what}: {}", ranking.sentence), seen, limit, holds)
}

/// Returns the contest of a family with most entries; the others are those of results that are ranked apart.
pub(super) fn main_contest<'a>(run: &'a Run, family: &str) -> Result<&'a Ranking> {
    let of_family = run.rankings_of(family).into_iter();
    of_family.max_by_key(|ranking| ranking.entries.len()).with_context(|| format!("{family} has no contest"))
}

/// T19: a run with nothing chosen answers all four families of files.
pub(super) fn default_run(session: &mut Session) -> Result<Vec<Line>> {
    const FAMILIES: &str = "copy convert search sort";
    let runs = session.repeat("default runs", AMOUNT, |session| session.instrument.measure(FAMILIES))?;
    let mut lines = Vec::new();
    for (run, elapsed) in &runs {
        lines.push(Line::in_time("default run", *elapsed, 75.0));
        for family in FAMILIES.split(' ') {
            let ranking = main_contest(run, family)?;
            let cost_max = if family == "search" { 0.15 } else { 0.1 };
            let what = format!("default run, {family}");
            lines.push(answer(&what, ranking, ranking.entries.len() / 3, cost_max));
        }
    }
    Ok(lines)
}

/// T20: large inputs, within the budget that the user gave.
pub(super) fn large_inputs(session: &mut Session) -> Result<Vec<Line>> {
    let (run, elapsed) = session.instrument.measure(
        "copy/read_write copy/presized copy/one_call --command 'cp=cp {input} {output}' \
         --command 'dd=dd if={input} of={output} bs=256K status=none' --size 1GiB --budget 100s",
    )?;
    let copies = "copies of 1 GiB with cp and dd in 100 s";
    let in_time = Line::in_time(copies, elapsed, 110.0);
    let mut lines = vec![in_time, answer(copies, main_contest(&run, "copy")?, 6, 0.2)];
    let (run, elapsed) = session.instrument.measure("search --size 1GiB --budget 60s")?;
    let ranking = main_contest(&run, "search")?;
    lines.push(Line::in_time("search of 1 GiB in 60 s", elapsed, 66.0));
    let asked = "search of 1 GiB in 60 s: an answer";
    lines.push(Line::new(asked, &ranking.sentence, "a leader", ranking.leader.is_some()));
    Ok(lines)
}

const COMMANDS: [(&str, &str); 10] = [
    ("cp", "cp {input} {output}"),
    ("cp-never", "cp --reflink=never {input} {output}"),
    ("install", "install {input} {output}"),
    ("rsync", "rsync --whole-file {input} {output}"),
    ("dd-4K", "dd if={input} of={output} bs=4K status=none"),
    ("dd-16K", "dd if={input} of={output} bs=16K status=none"),
    ("dd-64K", "dd if={input} of={output} bs=64K status=none"),
    ("dd-256K", "dd if={input} of={output} bs=256K status=none"),
    ("dd-1M", "dd if={input} of={output} bs=1M status=none"),
    ("dd-4M", "dd if={input} of={output} bs=4M status=none"),
];

/// T21: ten commands, as soon as choosing the leader costs at most 10 %, next to hyperfine with 30 runs of each.
pub(super) fn ten_commands(session: &mut Session) -> Result<Vec<Line>> {
    let commands = COMMANDS.map(|(name, command)| (name.to_owned(), command.into()));
    let file = write_commands(&session.instrument, "copy", commands.into())?;
    let line =
        format!("copy/none --commands-file '{}' --size 25.6MB --tolerance 10% --budget 60s", file.display());
    let runs = session.repeat("ten commands", AMOUNT, |session| {
        Ok((session.instrument.measure(&line)?, hyperfine(session)?))
    })?;
    let mut lines = Vec::new();
    for ((run, elapsed), (medians_s, theirs)) in &runs {
        let ranking = main_contest(run, "copy")?;
        let (ours_s, theirs_s) = (elapsed.as_secs_f64(), theirs.as_secs_f64());
        let seen = format!("{ours_s:.1} s against {theirs_s:.1} s");
        let half = ours_s <= theirs_s / 2.0;
        lines.push(Line::new("ten commands, time against hyperfine", seen, "half of it", half));
        lines.push(answer("ten commands", ranking, 10, 0.1));
        let leader = ranking.leader.as_deref().unwrap_or_default();
        let (least, own) = (medians_s.values().copied().fold(f64::MAX, f64::min), medians_s.get(leader));
        let factor = own.map_or(f64::NAN, |own| own / least);
        let asked = "ten commands: what the leader costs by hyperfine";
        lines.push(Line::new(asked, format!("{leader} {factor:.2}x"), "at most 1.1x", factor <= 1.1));
        let refuted = refuted(ranking, medians_s);
        let asked =
            "ten commands: one that is called slower and is hyperfine's fastest by more than the tolerance";
        lines.push(Line::new(asked, refuted.unwrap_or("none"), "none", refuted.is_none()));
    }
    Ok(lines)
}

/// Returns the command that is called slower although by these medians it is the fastest, by more than the tolerance.
fn refuted<'m>(ranking: &Ranking, medians_s: &'m BTreeMap<String, f64>) -> Option<&'m str> {
    let mut sorted: Vec<(&String, f64)> = medians_s.iter().map(|(name, median)| (name, *median)).collect();
    sorted.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let [(name, least), (_, next), ..] = sorted[..] else { return None };
    (ranking.calls_slower(name) && least * (1.0 + ranking.delta) < next).then_some(name)
}

/// Returns the median of each command by hyperfine, and the time that it took to find them.
fn hyperfine(session: &Session) -> Result<(BTreeMap<String, f64>, Duration)> {
    let [input, output, export] =
        ["input", "output", "json"].map(|end| session.instrument.path(&format!("hyperfine.{end}")));
    fs::write(&input, vec![b'x'; 25_600_000])?;
    let mut command = Command::new("hyperfine");
    command.args(["-N", "--style", "none", "--warmup", "1", "--runs", "30", "--export-json"]).arg(&export);
    command.arg("--prepare").arg(format!("rm -f {}", output.display()));
    for (name, words) in COMMANDS {
        let words = words.replace("{input}", &input.display().to_string());
        command.args(["--command-name", name]).arg(words.replace("{output}", &output.display().to_string()));
    }
    let start = Instant::now();
    printed(&mut command).context("hyperfine must be installed")?;
    let elapsed = start.elapsed();
    let results: serde_json::Value = serde_json::from_slice(&fs::read(&export)?)?;
    for file in [&input, &output, &export] {
        fs::remove_file(file)?;
    }
    let results = results["results"].as_array().context("hyperfine's export has no results")?;
    let medians =
        results.iter().filter_map(|one| Some((one["command"].as_str()?.to_owned(), one["median"].as_f64()?)));
    Ok((medians.collect(), elapsed))
}

/// T27: all that a user asks of files, threads, memory and time, in one run with nothing else chosen.
pub(super) fn all_families(session: &mut Session) -> Result<Vec<Line>> {
    const FAMILIES: &str = "copy convert search sort pipeline threads blocks disk clock";
    let (run, elapsed) = session.instrument.measure(FAMILIES)?;
    let mut lines = vec![Line::in_time("all nine families", elapsed, 180.0)];
    lines.extend(FAMILIES.split(' ').map(|family| answered(&run, family)));
    Ok(lines)
}

/// Returns the line of a family whose main contest must have a leader, or only entries that are alike.
fn answered(run: &Run, family: &str) -> Line {
    let asked = format!("all nine families, {family}: an answer");
    match main_contest(run, family) {
        Ok(ranking) => {
            let has_answer = ranking.leader.is_some() || ranking.is_alike();
            Line::new(asked, &ranking.sentence, "a leader", has_answer && !ranking.is_refused())
        }
        Err(missing) => Line::new(asked, missing.to_string(), "a leader", false),
    }
}

/// The promise: with this many runs and samples, each of the commands ends in this time.
const RUNS: u32 = 1_000;
const SAMPLES: u64 = 10_000_000;
const LIMIT_S: f64 = 2.0;
/// Repetitions of each command; the slowest one counts.
const READINGS: Amount = Amount::new(3, 1, 60);

/// T29: a run, two runs side by side, and the host over time, from a store of 1,000 runs.
pub(super) fn read_quickly(session: &mut Session) -> Result<Vec<Line>> {
    let store = session.instrument.path("large.sqlite");
    fill(&store, RUNS, SAMPLES, 1)?;
    let listed = read(session, &store, &["report", "--list", "--format", "json"])?;
    let runs: Vec<serde_json::Value> = serde_json::from_str(&listed)?;
    ensure!(runs.len() == RUNS as usize, "the list has {} runs", runs.len());
    let first = runs.last().and_then(|run| run["id"].as_str()).unwrap_or_default();
    let mut lines = Vec::new();
    for words in [&["report"][..], &["compare", first, "last"], &["history"], &["history", "copy/std_copy"]] {
        let taken = session.repeat("a large store", READINGS, |session| {
            let start = Instant::now();
            ensure!(!read(session, &store, words)?.is_empty(), "{words:?} printed nothing");
            Ok(start.elapsed())
        })?;
        let slowest = taken.into_iter().max().unwrap_or_default();
        let what = format!("1,000 runs, ten million samples: {}", words[0]);
        lines.push(Line::in_time(&what, slowest, LIMIT_S));
    }
    fs::remove_file(&store)?;
    Ok(lines)
}

fn read(session: &Session, store: &Path, words: &[&str]) -> Result<String> {
    let mut command = session.instrument.command(session.instrument.binary());
    printed(command.args(words).arg("--store").arg(store))
}

#[test]
fn a_family_without_a_leader_or_without_a_contest_has_no_answer() {
    let contests = [
        ("copy", Some("read_write"), "tied"),
        ("sort", None, "same"),
        ("disk", None, "tied"),
        ("clock", Some("tsc"), "refused"),
    ]
    .map(|(family, leader, state)| {
        serde_json::json!({"family": family, "state": state, "sentence": format!("it is {state}"), "rounds": 8,
            "delta": 0.02, "alpha": 0.05, "leader": leader, "entries": []})
    });
    let run = super::output::run(&serde_json::json!({ "contests": contests }));
    let holds = ["copy", "sort", "disk", "clock", "blocks"].map(|family| answered(&run, family).holds);
    assert_eq!(holds, [true, true, false, false, false]);
}

#[test]
fn a_fastest_one_that_is_called_slower_refutes_a_ranking() {
    let entries = [("cp", "wins"), ("dd", "slower")];
    let entries =
        entries.map(|(name, standing)| serde_json::json!({"technique": name, "standing": standing}));
    let ranking = super::output::ranking(&serde_json::json!({"delta": 0.1, "entries": entries}));
    let refuted = [(1.0, 0.8), (1.0, 0.95), (1.0, 2.0)].map(|(cp, dd)| {
        let medians_s = BTreeMap::from([("cp".to_owned(), cp), ("dd".to_owned(), dd)]);
        refuted(&ranking, &medians_s).map(str::to_owned)
    });
    assert_eq!(refuted, [Some("dd".to_owned()), None, None]);
}
