//! Other programs that measure the same work and tell their own time: as commands of a run, or in turns with it. What is
//! compared is the time that each side tells of the work, sample by sample, judged by `bakeoff judge`.
//!
//! The time of their whole processes cannot be compared: `fio` takes some tenths of a second and `perf` tens of milliseconds to
//! start and to end, and a worker of bakeoff about one.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::instrument::Instrument;
use super::line::Line;
use super::seen::{Ranking, Run};

/// Keeps what the program prints, for each round and each place in its order. `$0` is the beginning of the file's name.
const KEEP: &str = r#"exec "$@" >"$0-$BAKEOFF_ROUND-$BAKEOFF_POSITION""#;
const FOLDER: &str = "printed";

/// What one side took in each round, in any one unit.
pub(super) type ByRound = BTreeMap<u32, f64>;

/// A program that enters a run, and the words of its command.
#[derive(Debug)]
pub(super) struct Entered {
    pub(super) name: String,
    pub(super) words: Vec<String>,
}

#[derive(Serialize)]
struct File {
    command: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    family: String,
    command: Vec<String>,
}

/// A line that fails where a program is missing, and says what to install; `None` where it is there.
pub(super) fn missing(asked: &str, program: &str, package: &str) -> Option<Line> {
    let seen = format!("{program} is not in PATH; install the package {package}");
    let is_there = is_in(&std::env::var_os("PATH").unwrap_or_default(), program);
    (!is_there).then(|| Line::new(asked, seen, "it is installed", false))
}

fn is_in(path: &OsStr, program: &str) -> bool {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path).any(|folder| folder.join(&file).is_file())
}

/// Writes the commands of a run of a family into a file for `--commands-file`. What they printed in an earlier run is
/// forgotten.
///
/// # Errors
/// The private folder cannot be written.
pub(super) fn commands_file(instrument: &Instrument, family: &str, programs: &[Entered]) -> Result<PathBuf> {
    let folder = instrument.path(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    let file = instrument.path("commands.toml");
    let row = |one: &Entered| {
        let prefix = folder.join(&one.name).display().to_string();
        let keeping = ["sh", "-c", KEEP, &prefix].map(str::to_owned);
        let command = keeping.into_iter().chain(one.words.iter().cloned()).collect();
        Row { name: one.name.clone(), family: family.to_owned(), command }
    };
    fs::write(&file, toml::to_string(&File { command: programs.iter().map(row).collect() })?)?;
    Ok(file)
}

/// What a program told of itself, sample by sample, as `time` reads it out of what it printed.
///
/// # Errors
/// It took no part, or what it printed cannot be read.
pub(super) fn told(
    instrument: &Instrument,
    run: &Run,
    name: &str,
    time: impl Fn(&str) -> Result<f64>,
) -> Result<ByRound> {
    let trial = run.trial(name).with_context(|| format!("{name} took no part"))?;
    let of_sample = |round: u32, position: u32| {
        let file = instrument.path(FOLDER).join(format!("{name}-{round}-{position}"));
        let text = fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        Ok((round, time(&text).with_context(|| format!("{name}, round {round}"))?))
    };
    trial.samples.iter().map(|sample| of_sample(sample.round, sample.position)).collect()
}

/// The time of the work that our own technique told, sample by sample, in nanoseconds.
///
/// # Errors
/// It took no part.
pub(super) fn own_ns(run: &Run, technique: &str) -> Result<ByRound> {
    let trial = run.trial(technique).with_context(|| format!("{technique} took no part"))?;
    Ok(trial.samples.iter().map(|sample| (sample.round, sample.work_ns as f64)).collect())
}

/// Two entries of the same rounds: which one leads, and how many times as long the other one takes.
#[derive(Debug, PartialEq)]
pub(super) struct Apart {
    leader: String,
    other: String,
    factor: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl Apart {
    /// Whether either one takes at most this fraction longer than the other, typically. An interval that merely reaches that
    /// far would let two pass that were measured badly.
    pub(super) fn is_within(&self, fraction: f64) -> bool {
        self.factor <= 1.0 + fraction
    }

    /// As [`Apart::is_within`], with another limit where ours is the faster one.
    pub(super) fn is_as_fast(&self, ours: &str, slower: f64, faster: f64) -> bool {
        self.is_within(if self.leader == ours { faster } else { slower })
    }

    fn of(ranking: &Ranking) -> Result<Self> {
        let [one, two] = ranking.entries.as_slice() else {
            anyhow::bail!("{} entries instead of two", ranking.entries.len());
        };
        let leader = ranking.leader.as_deref().with_context(|| ranking.sentence.clone())?;
        let other = if one.technique == leader { two } else { one };
        Ok(Self {
            leader: leader.to_owned(),
            other: other.technique.clone(),
            factor: other.factor.with_context(|| ranking.sentence.clone())?,
            low: other.factor_low,
            high: other.factor_high,
        })
    }
}

impl fmt::Display for Apart {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { leader, other, factor, low, high } = self;
        let end = |end: &Option<f64>| end.map_or("?".to_owned(), |end| format!("{end:.3}"));
        let (low, high) = (end(low), end(high));
        write!(out, "{other} takes {factor:.3} times as long as {leader} ({low} to {high})")
    }
}

/// Compares two sides by the rounds that both of them have.
///
/// # Errors
/// There are too few of them to be compared.
pub(super) fn apart(
    instrument: &Instrument,
    ours: (&str, &ByRound),
    theirs: (&str, &ByRound),
) -> Result<Apart> {
    let (text, counted) = in_common(ours, theirs);
    ensure!(counted > 0, "{} and {} have no rounds in common", ours.0, theirs.0);
    // The number of rounds was fixed beforehand: one look at their end.
    let rankings = instrument.judge(&text, &["--looks".to_owned(), counted.to_string()])?;
    let [ranking] = rankings.as_slice() else { anyhow::bail!("{} contests instead of one", rankings.len()) };
    Apart::of(ranking)
}

/// The samples of the common rounds in the columns that `bakeoff judge` reads, and how many of them count: all but the first.
fn in_common((ours, own): (&str, &ByRound), (theirs, other): (&str, &ByRound)) -> (String, usize) {
    let mut text = "round,technique,value\n".to_owned();
    let mut rounds = 0_usize;
    for (round, value) in own {
        if let Some(their_value) = other.get(round) {
            rounds += 1;
            // Writing to a text cannot fail.
            let _ = write!(text, "{round},{ours},{value}\n{round},{theirs},{their_value}\n");
        }
    }
    (text, rounds.saturating_sub(1))
}

/// What the judge says of samples whose number of rounds was fixed, without a process of its own.
#[cfg(test)]
pub(super) fn judged(samples: &str, counted: u32, better: model::Better) -> Vec<Ranking> {
    let observations = judge::read_samples(samples, None, None).expect("samples");
    let options = judge::Options { looks: vec![counted], better, ..judge::Options::default() };
    let decided = judge::decide_observations(&observations, &options);
    let told = report::Page::json(&decided);
    serde_json::from_value::<super::seen::Verdict>(told).expect("a verdict").rankings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(leader: &str, factor: f64) -> Ranking {
        serde_json::from_value(serde_json::json!({
            "family": "samples", "state": "tied", "sentence": "", "leader": leader, "rounds": 10, "delta": 0.02,
            "alpha": 0.05, "entries": [
                {"technique": "a", "standing": "tied", "factor": if leader == "a" { 1.0 } else { factor },
                 "factor_low": 1.0, "factor_high": 1.1},
                {"technique": "b", "standing": "tied", "factor": if leader == "b" { 1.0 } else { factor },
                 "factor_low": 1.0, "factor_high": 1.1},
            ],
        }))
        .expect("a ranking")
    }

    #[test]
    fn two_are_apart_by_the_factor_of_the_one_that_does_not_lead_whichever_that_is() {
        for (leader, other) in [("a", "b"), ("b", "a")] {
            let apart = Apart::of(&ranking(leader, 1.06)).expect("two entries");
            assert_eq!((apart.leader.as_str(), apart.other.as_str()), (leader, other));
            assert!(!apart.is_within(0.05) && apart.is_within(0.1));
            let told = format!("{other} takes 1.060 times as long as {leader} (1.000 to 1.100)");
            assert_eq!(apart.to_string(), told);
        }
    }

    #[test]
    fn the_judge_tells_two_that_are_six_percent_apart_from_two_that_are_alike() {
        let side = |typical: f64, phase: u32| {
            let jitter = |round: u32| 1.0 + 1e-3 * f64::from((round * 7 + phase) % 5);
            (0..=10).map(|round| (round, typical * jitter(round))).collect::<ByRound>()
        };
        let (ours, near, far) = (side(2.0e8, 0), side(2.02e8, 2), side(2.12e8, 4));
        let apart = |theirs: &ByRound| {
            let (text, counted) = in_common(("direct", &ours), ("fio_psync_direct", theirs));
            assert_eq!(counted, 10);
            Apart::of(&judged(&text, 10, model::Better::Less)[0]).expect("two entries")
        };
        assert!(apart(&near).is_within(0.05), "{}", apart(&near));
        assert!(!apart(&far).is_within(0.05) && apart(&far).is_within(0.1), "{}", apart(&far));
        assert!(apart(&far).to_string().starts_with("fio_psync_direct takes 1.059 times"), "{}", apart(&far));
    }

    #[test]
    fn only_rounds_that_both_sides_have_are_compared_and_the_first_is_not_counted() {
        let own = ByRound::from([(0, 1.0), (1, 2.0), (2, 3.0)]);
        let other = ByRound::from([(0, 1.5), (2, 2.5), (3, 9.0)]);
        let (text, counted) = in_common(("ours", &own), ("theirs", &other));
        assert_eq!(text, "round,technique,value\n0,ours,1\n0,theirs,1.5\n2,ours,3\n2,theirs,2.5\n");
        assert_eq!(counted, 1);
    }

    #[test]
    fn a_program_is_looked_for_in_every_folder_of_the_path() {
        let folders = [tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch")];
        let path = std::env::join_paths(folders.iter().map(|folder| folder.path())).expect("a path");
        assert!(!is_in(&path, "fio"));
        let file = format!("fio{}", std::env::consts::EXE_SUFFIX);
        fs::write(folders[1].path().join(file), "").expect("written");
        assert!(is_in(&path, "fio") && !is_in(&path, "perf"));
    }

    #[test]
    fn a_missing_program_is_a_line_that_fails_and_says_what_to_install() {
        let line = missing("memset", "no-such-program", "linux-perf").expect("it is missing");
        let told = "FAIL  memset: no-such-program is not in PATH; install the package linux-perf (limit: it is installed)";
        assert_eq!((line.holds, line.to_string().as_str()), (false, told));
    }

    #[test]
    fn what_a_command_prints_is_kept_by_its_round_and_place() {
        // fio and perf are measured on Linux; elsewhere there may be no shell.
        if std::env::consts::FAMILY != "unix" {
            return;
        }
        let own = std::env::current_exe().expect("this program");
        let instrument = Instrument::new(own, Vec::new()).expect("a private folder");
        let words = ["echo", "a  b"].map(str::to_owned).to_vec();
        let file = commands_file(&instrument, "disk", &[Entered { name: "peer".into(), words }]);
        let text = fs::read_to_string(file.expect("written")).expect("readable");
        let file: toml::Value = toml::from_str(&text).expect("well formed");
        let row = &file["command"][0];
        assert_eq!((row["name"].as_str(), row["family"].as_str()), (Some("peer"), Some("disk")));
        let words: Vec<&str> =
            row["command"].as_array().expect("words").iter().filter_map(toml::Value::as_str).collect();
        let mut command = instrument.command(words[0]);
        command.args(&words[1..]).env("BAKEOFF_ROUND", "3").env("BAKEOFF_POSITION", "1");
        assert!(command.status().expect("started").success());
        let run: Run = serde_json::from_value(serde_json::json!({
            "run": {"complete": true, "design": {"looks": []}}, "contests": [],
            "trials": [{"technique": "peer", "samples": [{"round": 3, "position": 1, "repetitions": 1}]}],
        }))
        .expect("a run");
        let times = told(&instrument, &run, "peer", |text| {
            assert_eq!(text, "a  b\n");
            Ok(5.0)
        });
        assert_eq!(times.expect("kept"), ByRound::from([(3, 5.0)]));
    }
}
