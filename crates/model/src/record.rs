//! Everything one run found out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Class, Failure, Host, Kind, Metric, Preset, Sample, Setting, Source, Volume, Workload};

/// Identity of a run: the time it started in UTC and a random part, unique across hosts and sortable as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RunId(pub String);

impl RunId {
    /// Words that users type for the latest run; no run is called so.
    pub const LAST: [&str; 2] = ["last", "latest"];
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The program that made the record.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Always `bakeoff`.
    pub name: String,
    /// Version of the package.
    pub version: String,
    /// Commit it was built from, when known.
    pub commit: Option<String>,
}

/// The way from samples to an answer: everything that was fixed before the first round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Design {
    /// The metric of families that declare no other.
    #[serde(alias = "quantity")]
    pub metric: Metric,
    /// The metrics of families that declare their own, by the family's name: the first is compared and decides when a contest ends.
    #[serde(default, alias = "quantities", skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Vec<Metric>>,
    /// Chance of error in one contest, or in the whole report where several contests share it (see `shared_by`).
    pub alpha: f64,
    /// Number of contests that share `alpha`; 1 where it holds for each.
    pub shared_by: u32,
    /// A contest needs no further rounds when choosing the leader costs at most this much, as a fraction (0.02 is 2 %).
    pub delta: f64,
    /// The numbers of counted rounds at which something may be decided, ascending, for contests whose trials name none.
    pub looks: Vec<u32>,
    /// The baseline of each family: its name by the family's name, or by `family/class` where a class of its techniques has its own.
    #[serde(default, alias = "references", skip_serializing_if = "BTreeMap::is_empty")]
    pub baselines: BTreeMap<String, String>,
    /// The axis, by the family's name, where contests are the levels of a curve.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub curves: BTreeMap<String, Along>,
    /// Threads that the workloads of a family start, by the family's and the workload's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub threads: BTreeMap<String, BTreeMap<String, u64>>,
    /// The question of each of the user's own jobs, by the job's name: a later reader knows the built-in families only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub questions: BTreeMap<String, String>,
}

/// The axis of a curve: contests that differ in nothing else are its levels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Along {
    /// The number of the workload: `bytes`, `records`.
    pub axis: String,
    /// Entries that the user named: their techniques are shown whether they are fastest anywhere or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<String>,
    /// True if the levels spread the same work over this many workers, so that they can be compared with each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_spread: bool,
    /// True if all levels do the same work in another way, so that they can be compared with each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_same_work: bool,
    /// Places on the axis that explain what happens there, ascending: the sizes of the caches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
}

/// A place on an axis that explains what a curve does there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    /// The value on the axis.
    pub at: u64,
    /// Its name, in a word: `L1`.
    pub name: String,
}

impl Design {
    /// Returns the design of a run without options: each contest for itself, at the usual chance of error and limit, by the time of the work.
    pub fn usual(looks: Vec<u32>) -> Self {
        Self {
            metric: Metric::WORK,
            metrics: BTreeMap::new(),
            alpha: 0.05,
            shared_by: 1,
            delta: 0.02,
            looks,
            baselines: BTreeMap::new(),
            curves: BTreeMap::new(),
            threads: BTreeMap::new(),
            questions: BTreeMap::new(),
        }
    }

    /// Returns the metric that is compared in a family.
    pub fn compared(&self, family: &str) -> &Metric {
        self.metrics.get(family).and_then(|declared| declared.first()).unwrap_or(&self.metric)
    }

    /// Returns the baseline of a contest.
    pub fn baseline(&self, family: &str, class: Class) -> Option<&String> {
        self.baselines.get(&format!("{family}/{class}")).or_else(|| self.baselines.get(family))
    }

    /// Returns true if an entry is a baseline of its family.
    pub fn is_baseline(&self, family: &str, entry: &str) -> bool {
        self.baselines.iter().any(|(of, name)| name == entry && is_of(of, family))
    }

    /// Makes an entry the only baseline of a family.
    pub fn set_baseline(&mut self, family: &str, entry: &str) {
        self.baselines.retain(|of, _| !is_of(of, family));
        self.baselines.insert(family.to_owned(), entry.to_owned());
    }

    /// Returns the chance of error in one contest: a report's is shared out evenly.
    pub fn contest_alpha(&self) -> f64 {
        self.alpha / f64::from(self.shared_by.max(1))
    }
}

/// Returns true if a key of [`Design::baselines`] belongs to a family.
fn is_of(key: &str, family: &str) -> bool {
    key.split_once('/').map_or(key, |(of, _)| of) == family
}

impl Default for Design {
    fn default() -> Self {
        Self::usual(Vec::new())
    }
}

/// The subject of a run's note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// The user ended the run early.
    Interrupted,
    /// Not every cold sample was proven cold.
    ColdNotProven,
    /// The virtual machine hands free memory back to its host.
    FreeMemory,
    /// The virtual machine hands free memory back to its host, and the run kept what its work takes.
    FreeMemoryKept,
    /// The hypervisor gave processor time to others.
    Steal,
    /// A processor was slowed by its heat, or halted by a quota.
    Throttle,
    /// The kernel killed processes because memory had run out.
    OutOfMemory,
    /// A few pages were swapped in, as on every host now and then.
    SwapFew,
    /// Memory was short: many pages were swapped in.
    Swap,
    /// The facts of a family were not found.
    Facts,
    /// The time that a job's shell takes to start.
    Shell,
    /// Nothing limits the memory of processes together with their part of the file cache.
    MemoryLimit,
    /// What the system reads ahead may fill the memory of processes.
    ReadAhead,
    /// The budget did not pay for the rounds that were asked for at least.
    FewerRounds,
    /// A workload was left out, since nothing that was to be compared can run there.
    NothingCanRun,
    /// A family leaves no output, so whole processes are known to have ended well and no more.
    ExitOnly,
}

/// Something a reader of the report must know about the run as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// Its subject.
    pub topic: Topic,
    /// The sentence.
    pub text: String,
}

/// One technique at one workload and setting, with all that was seen of it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Trial")]
pub struct TrialRecord {
    /// Name of the family.
    pub family: String,
    /// Name of the technique or command, unique inside its contest.
    pub technique: String,
    /// Names of published programs that it goes back to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Its origin.
    pub kind: Kind,
    /// For a twin: the technique it repeats.
    pub twin_of: Option<String>,
    /// The technique from which it differs in a detail that users would call a setting, as it was declared before the run.
    pub variant_of: Option<String>,
    /// The kind of its result.
    pub class: Class,
    /// The command line of a command, placeholders unexpanded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// 0, or 1 when the contest had to be measured again because its twin failed the first time.
    #[serde(default, skip_serializing_if = "crate::sample::is_zero")]
    pub attempt: u32,
    /// The looks of its contest, fixed after round 0; empty where those of the design hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<u32>,
    /// All samples, in the order they were taken.
    pub samples: Vec<Sample>,
    /// All failures, in the order they happened.
    pub failures: Vec<Failure>,
}

/// Everything one run found out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The program that made it.
    pub tool: Tool,
    /// Identity of the run.
    pub id: RunId,
    /// When it began, as RFC 3339 with offset.
    pub started: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// The preset asked for.
    pub preset: Preset,
    /// True if it ran to its end.
    pub complete: bool,
    /// The command line as typed.
    pub command: Vec<String>,
    /// The design, fixed before the first round.
    pub design: Design,
    /// The machine.
    pub host: Host,
    /// The volumes that hold the directories of the run's settings.
    pub volumes: Vec<Volume>,
    /// Facts that were found outside the contests.
    pub facts: Vec<Fact>,
    /// The trials.
    pub trials: Vec<TrialRecord>,
    /// Rounds of canaries: (round, processor canary ns, memory canary ns).
    pub canaries: Vec<(u32, u64, u64)>,
    /// Notes for the reader.
    pub notes: Vec<Note>,
}

/// A record in one line.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Identity of the run.
    pub id: RunId,
    /// When it began, as RFC 3339 with offset.
    pub started: String,
    /// The preset asked for.
    pub preset: Preset,
    /// True if it ran to its end.
    pub complete: bool,
    /// The machine's network name, when known.
    pub host: Option<String>,
    /// The command line as typed.
    pub command: Vec<String>,
    /// Names of the families that took part, ascending.
    pub families: Vec<String>,
    /// Number of trials.
    pub trials: u64,
    /// Number of samples of all trials.
    pub samples: u64,
    /// Number of failures of all trials.
    pub failures: u64,
}

/// The part that a round adds to a record. Stores keep it as it comes; a record is the sum of its increments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Increment {
    /// Trials that join the record, in the order of their indices.
    pub trials: Vec<TrialRecord>,
    /// Samples, each with the index of its trial in [`Record::trials`].
    pub samples: Vec<(u32, Sample)>,
    /// Failures, each with the index of its trial.
    pub failures: Vec<(u32, Failure)>,
    /// The canaries of the round: (round, processor canary ns, memory canary ns).
    pub canaries: Vec<(u32, u64, u64)>,
    /// Notes for the reader.
    pub notes: Vec<Note>,
}

impl Record {
    /// Returns all metrics of a family: the compared one, then what it declares, what its samples hold, and those of every sample.
    pub fn metrics_of(&self, family: &str) -> Vec<Metric> {
        let mut all = vec![self.design.compared(family).clone()];
        let trials = self.trials.iter().filter(|trial| trial.family == family);
        let samples: Vec<&Sample> = trials.flat_map(|trial| &trial.samples).collect();
        let keys: BTreeSet<&String> = samples.iter().flat_map(|sample| sample.values.keys()).collect();
        let declared = self.design.metrics.get(family).into_iter().flatten().cloned();
        let in_samples = keys.into_iter().map(|key| Metric::undeclared(key));
        for metric in declared.chain(in_samples).chain(Metric::BUILT_IN) {
            let is_known = all.iter().any(|known| known.key == metric.key);
            let is_value = metric.source == Source::Value;
            if !is_known && (is_value || samples.iter().any(|sample| metric.of(sample).is_some())) {
                all.push(metric);
            }
        }
        all
    }

    /// Sums up the record in one line.
    pub fn summary(&self) -> Summary {
        let mut families: Vec<String> = self.trials.iter().map(|trial| trial.family.clone()).collect();
        families.sort();
        families.dedup();
        Summary {
            id: self.id.clone(),
            started: self.started.clone(),
            preset: self.preset,
            complete: self.complete,
            host: self.host.name.clone(),
            command: self.command.clone(),
            families,
            trials: self.trials.len() as u64,
            samples: self.trials.iter().map(|trial| trial.samples.len() as u64).sum(),
            failures: self.trials.iter().map(|trial| trial.failures.len() as u64).sum(),
        }
    }

    /// Adds an increment. Rows of an unknown trial are ignored.
    pub fn apply(&mut self, increment: &Increment) {
        self.trials.extend(increment.trials.iter().cloned());
        for (trial, sample) in &increment.samples {
            if let Some(trial) = self.trials.get_mut(*trial as usize) {
                trial.samples.push(sample.clone());
            }
        }
        for (trial, failure) in &increment.failures {
            if let Some(trial) = self.trials.get_mut(*trial as usize) {
                trial.failures.push(failure.clone());
            }
        }
        self.canaries.extend(&increment.canaries);
        self.notes.extend(increment.notes.iter().cloned());
    }
}

/// Something found out that is no contest: the step of a clock, the largest number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// The family that found it out.
    pub family: String,
    /// Its name: `resolution`.
    pub name: String,
    /// Its subject, a technique or a thing: `clock_monotonic`; empty for the host.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The value.
    pub value: FactValue,
}

/// A number with its unit, or words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FactValue {
    /// A number.
    Number {
        /// The number; it is finite.
        number: f64,
        /// Its unit, empty for a plain count: `ns`, `bytes`, `threads`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        unit: String,
    },
    /// Words.
    Words {
        /// The words.
        words: String,
    },
}

impl Fact {
    /// Makes a fact of a number with its unit.
    pub fn number(family: &str, name: &str, about: &str, number: f64, unit: &str) -> Self {
        Self::new(family, name, about, FactValue::Number { number, unit: unit.to_owned() })
    }

    /// Makes a fact of words.
    pub fn words(family: &str, name: &str, about: &str, words: &str) -> Self {
        Self::new(family, name, about, FactValue::Words { words: words.to_owned() })
    }

    fn new(family: &str, name: &str, about: &str, value: FactValue) -> Self {
        Self { family: family.to_owned(), name: name.to_owned(), about: about.to_owned(), value }
    }
}

/// When a run began, if the record says it. Runs sort by it, those of other hosts and time zones among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Began {
    /// Seconds of UTC since 1970; `None` where the text is no time, which sorts first.
    second: Option<i64>,
    /// The millisecond, where the identity reports it.
    millisecond: Option<u16>,
}

impl Began {
    /// Reads when a run `started` (RFC 3339 with offset), and the millisecond in its identity.
    pub fn of(started: &str, id: &RunId) -> Self {
        Self { second: second(started), millisecond: millisecond(&id.0) }
    }
}

/// Returns seconds of UTC since 1970.
pub(crate) fn second(started: &str) -> Option<i64> {
    started.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

/// Reads the millisecond in an identity like `20261121T090000.123Z-7f3kq2m9`.
fn millisecond(id: &str) -> Option<u16> {
    let (time, _random) = id.split_once("Z-")?;
    let (_second, digits) = time.split_once('.')?;
    (digits.len() == 3).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn began(started: &str, id: &str) -> Began {
        Began::of(started, &RunId(id.to_owned()))
    }

    #[test]
    fn runs_sort_by_their_beginning_in_any_time_zone() {
        let ascending = [
            began("yesterday", "20991121T090000.123Z-7f3kq2m9"),
            began("2026-10-25T02:30:00+02:00", "b"),
            began("2026-10-25T02:10:00+01:00", "a"),
            began("2026-10-25T01:10:01Z", "20261025T011001.009Z-zzzzzzzz"),
            began("2026-10-25T03:10:01+02:00", "20261025T011001.010Z-00000000"),
            began("2026-10-25T00:20:00-05:00", "0"),
        ];
        assert!(ascending.is_sorted_by(|earlier, later| earlier < later), "{ascending:?}");
    }

    #[test]
    fn only_identities_of_bakeoff_hold_a_millisecond() {
        for (id, expected) in [
            ("20261121T090000.123Z-7f3kq2m9", Some(123)),
            ("20261121T090000-b7c1", None),
            ("20261121T090000.12Z-b7c1", None),
            ("a.xyzZ-1", None),
        ] {
            assert_eq!(millisecond(id), expected, "{id}");
        }
    }
}
