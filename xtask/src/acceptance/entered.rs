//! Other programs that measure the same work: as commands of a run, or in turns with it. `bakeoff judge` compares the time that
//! each side reports, not that of whole processes: `fio` and `perf` take far longer than a worker to start and to end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::instrument::Instrument;
use super::output::{Sample, shown};
use super::{Line, Ranking, Run};

/// Keeps what the program prints, for each round and each place in its order. `$0` is the beginning of the file's name.
const KEEP: &str = r#"exec "$@" >"$0-$BAKEOFF_ROUND-$BAKEOFF_POSITION""#;
const FOLDER: &str = "printed";

/// The time of one side by round, in any one unit.
pub(super) type ByRound = BTreeMap<u32, f64>;

/// Reads a time in what a program printed.
type ReadTime<'a> = &'a dyn Fn(&str) -> Result<f64>;

/// Returns a line that fails where a program is missing, and says what to install; `None` where it is there.
pub(super) fn missing(asked: &str, program: &str, package: &str) -> Option<Line> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&path).any(|folder| folder.join(&file).is_file());
    let seen = format!("{program} is not in PATH; install the package {package}");
    (!is_there).then(|| Line::new(asked, seen, "it is installed", false))
}

/// Writes commands by their names into a file for `--commands-file`.
pub(super) fn write_commands(
    instrument: &Instrument, family: &str, commands: Vec<(String, Value)>,
) -> Result<PathBuf> {
    let file = instrument.path("commands.toml");
    let rows = commands
        .into_iter()
        .map(|(name, command)| json!({"name": name, "family": family, "command": command}));
    let rows: Vec<Value> = rows.collect();
    fs::write(&file, toml::to_string(&json!({ "command": rows }))?)?;
    Ok(file)
}

/// Writes the commands of a run of a family so that what they print is kept, and forgets what earlier ones printed.
pub(super) fn commands_file(
    instrument: &Instrument, family: &str, programs: Vec<(String, Vec<String>)>,
) -> Result<PathBuf> {
    let folder = instrument.path(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    let keeping = programs.into_iter().map(|(name, words)| {
        let prefix = folder.join(&name).display().to_string();
        let shell = ["sh", "-c", KEEP, &prefix].map(str::to_owned);
        (name, shell.into_iter().chain(words).collect::<Vec<_>>().into())
    });
    write_commands(instrument, family, keeping.collect())
}

/// A technique and the program that it is compared with.
#[derive(Clone, Copy)]
pub(super) struct Against<'a> {
    pub(super) technique: &'a str,
    pub(super) peer: &'a str,
    /// The technique may typically take this much longer, as a fraction, the peer that much. Intervals would excuse bad samples.
    pub(super) slower: f64,
    pub(super) faster: f64,
}

impl Against<'_> {
    /// Compares both by the time that each reported of the work in common rounds; `time` reads it in what the peer printed.
    pub(super) fn line(self, instrument: &Instrument, run: &Run, asked: String, time: ReadTime<'_>) -> Line {
        let (slower, faster) = (1.0 + self.slower, 1.0 + self.faster);
        let limit = format!("at most {slower} times as long; the other at most {faster} times");
        let seen = self.seen(instrument, run, time);
        let (seen, holds) = seen.unwrap_or_else(|error| (format!("{error:#}"), false));
        Line::new(asked, seen, limit, holds)
    }

    fn seen(self, instrument: &Instrument, run: &Run, time: ReadTime<'_>) -> Result<(String, bool)> {
        let Self { technique, peer, .. } = self;
        let trial = run.trial(technique).with_context(|| format!("{technique} took no part"))?;
        let ours = trial.samples.iter().map(|sample| (sample.round, sample.work_ns as f64)).collect();
        let (text, counted) = self.in_common(&ours, &reported(instrument, run, peer, time)?);
        ensure!(counted > 0, "{technique} and {peer} have no rounds in common");
        // The number of rounds was fixed beforehand: one look at their end.
        let rankings = instrument.judge(&text, &format!("--looks {counted}"))?;
        ensure!(rankings.len() == 1, "{} contests instead of one", rankings.len());
        self.apart(&rankings[0])
    }

    /// Says which one leads and how many times as long the other one takes; returns also whether it may.
    fn apart(self, ranking: &Ranking) -> Result<(String, bool)> {
        let leader = ranking.leader.as_deref().with_context(|| ranking.sentence.clone())?;
        let other = ranking.entries.iter().find(|entry| entry.technique != leader);
        let other = other.context("there is nothing to compare with")?;
        let factor = other.factor.with_context(|| ranking.sentence.clone())?;
        let [low, high] = [other.factor_low, other.factor_high].map(|end| shown(end, 3));
        let seen =
            format!("{} takes {factor:.3} times as long as {leader} ({low} to {high})", other.technique);
        Ok((seen, factor <= 1.0 + if leader == self.technique { self.faster } else { self.slower }))
    }

    /// Returns the samples of the common rounds in the columns that `bakeoff judge` reads, and how many count: all but the first.
    fn in_common(self, ours: &ByRound, theirs: &ByRound) -> (String, usize) {
        let mut text = "round,technique,value\n".to_owned();
        let mut rounds = 0_usize;
        for (round, value) in ours {
            if let Some(their_value) = theirs.get(round) {
                rounds += 1;
                let (technique, peer) = (self.technique, self.peer);
                // Writing to a text cannot fail.
                let _ = write!(text, "{round},{technique},{value}\n{round},{peer},{their_value}\n");
            }
        }
        (text, rounds.saturating_sub(1))
    }
}

/// Reads what a program reported of itself, sample by sample.
fn reported(instrument: &Instrument, run: &Run, name: &str, time: ReadTime<'_>) -> Result<ByRound> {
    let trial = run.trial(name).with_context(|| format!("{name} took no part"))?;
    let mut times = ByRound::new();
    for Sample { round, position, .. } in &trial.samples {
        let file = instrument.path(FOLDER).join(format!("{name}-{round}-{position}"));
        let text = fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        times.insert(*round, time(&text).with_context(|| format!("{name}, round {round}"))?);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acceptance::output;

    const PAIR: Against<'_> = Against { technique: "a", peer: "b", slower: 0.05, faster: 0.1 };

    #[test]
    fn either_of_two_may_lead_by_its_own_limit() {
        let apart = [("a", 1.06), ("b", 1.06), ("b", 1.05), ("a", 1.11)].map(|(leader, factor)| {
            let entries = ["a", "b"].map(|name| {
                let factor = if name == leader { 1.0 } else { factor };
                json!({"technique": name, "standing": "tied", "factor": factor, "factor_low": 1.0})
            });
            PAIR.apart(&output::ranking(&json!({"leader": leader, "entries": entries}))).expect("two entries")
        });
        assert_eq!(apart[0].0, "b takes 1.060 times as long as a (1.000 to ?)");
        assert_eq!(apart[1].0, "a takes 1.060 times as long as b (1.000 to ?)");
        assert_eq!(apart.map(|(_, holds)| holds), [true, false, true, false]);
    }

    #[test]
    fn only_common_rounds_are_compared_and_the_first_is_not_counted() {
        let ours = ByRound::from([(0, 1.0), (1, 2.0), (2, 3.0)]);
        let theirs = ByRound::from([(0, 1.5), (2, 2.5), (3, 9.0)]);
        let text = "round,technique,value\n0,a,1\n0,b,1.5\n2,a,3\n2,b,2.5\n".to_owned();
        assert_eq!(PAIR.in_common(&ours, &theirs), (text, 1));
    }

    #[test]
    fn a_missing_program_is_a_failing_line_with_its_package() {
        let line = missing("memset", "no-such-program", "linux-perf").expect("it is missing");
        let shown = "FAIL  memset: no-such-program is not in PATH; install the package linux-perf (limit: it is installed)";
        assert_eq!(line.to_string(), shown);
    }

    #[test]
    fn what_a_command_prints_is_kept_by_its_round_and_place() {
        // fio and perf are measured on Linux; elsewhere there may be no shell.
        if std::env::consts::FAMILY != "unix" {
            return;
        }
        let own = std::env::current_exe().expect("this program");
        let instrument = Instrument::new(own, "").expect("a private folder");
        let words = ["echo", "a  b"].map(str::to_owned).to_vec();
        let file = commands_file(&instrument, "disk", vec![("peer".into(), words)]).expect("written");
        let file = fs::read_to_string(file).expect("readable");
        let file: toml::Value = toml::from_str(&file).expect("well formed");
        let row = &file["command"][0];
        assert_eq!((row["name"].as_str(), row["family"].as_str()), (Some("peer"), Some("disk")));
        let words = row["command"].as_array().expect("words").iter().filter_map(toml::Value::as_str);
        let mut command = instrument.command("env");
        command.args(["BAKEOFF_ROUND=3", "BAKEOFF_POSITION=1"]).args(words);
        assert!(command.status().expect("started").success());
        let samples = json!([{"round": 3, "position": 1, "repetitions": 1}]);
        let run = output::run(&json!({"trials": [{"technique": "peer", "samples": samples}]}));
        let times = reported(&instrument, &run, "peer", &|text| Ok(text.len() as f64));
        assert_eq!(times.expect("kept"), ByRound::from([(3, 5.0)]));
    }
}
