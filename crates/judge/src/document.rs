//! The JSON of a run, schema 3: one tree of types that is written, read again, and described by `docs/schema-run-3.json`.
//!
//! The comments on these types and their fields, here and in `model`, are the descriptions of that schema: a test of
//! `report` reports when it is stale.

use std::path::{Path, PathBuf};

use model::{Design, Fact, Host, Note, Place, Preset, Record, RunId, Setting, Tool, TrialRecord, Volume};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::ranking::Ranking;
use crate::curve::Curve;
use crate::decide::Decided;

/// The version of the shape that is written and read here.
pub const SCHEMA: u64 = 3;

/// The output of `bakeoff export RUN --format json`. Units stand last in a key. An unknown value is absent, never null or 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A run of bakeoff, schema 3")]
pub struct Document {
    /// Version of this shape.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u64,
    /// The program that made the run.
    pub tool: Tool,
    /// The run.
    pub run: Run,
    /// The machine.
    pub host: Host,
    /// The volumes that hold the directories of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<Volume>,
    /// Facts that were found outside the contests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Every technique at every workload and setting, with all raw samples.
    pub trials: Vec<TrialRecord>,
    /// The results, contest by contest; readers of a run may judge its samples again.
    #[serde(skip_deserializing)]
    pub contests: Vec<Ranking>,
    /// The results over contests that are the levels of an axis.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
}

/// A run without its trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Identity of the run: when it began in UTC to the millisecond and random digits, unique and in the order of time.
    pub id: RunId,
    /// When it began, RFC 3339 with offset.
    pub started: String,
    /// Seed of everything random, 64 bits: readers that keep numbers as doubles lose its last digits.
    pub seed: u64,
    /// The preset asked for.
    pub preset: Preset,
    /// True if it ran to its end.
    pub complete: bool,
    /// The command line as typed.
    pub command: Vec<String>,
    /// The design that was fixed before the first round.
    pub design: Design,
    /// In the order they were taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub canaries: Vec<Canary>,
    /// In the order they arose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A fixed piece of work that shows how the machine itself changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Canary {
    /// Round, from 0.
    pub round: u32,
    /// Time of a fixed loop in registers, nanoseconds.
    pub processor_ns: u64,
    /// Time of a fixed walk through memory, nanoseconds.
    pub memory_ns: u64,
}

/// The output of `bakeoff judge FILE --format json`: the results without the samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Version of this shape.
    pub schema: u64,
    /// Contest by contest.
    pub contests: Vec<Ranking>,
    /// The results over contests that are the levels of an axis.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
}

impl Document {
    /// Returns a run with its results. Names of directories that are not valid UTF-8 have replacement characters.
    pub fn new(record: &Record, decided: &Decided) -> Self {
        let Record { tool, id, started, seed, preset, complete, command, design, .. } = record.clone();
        let rounds = record.canaries.iter();
        let canaries = rounds
            .map(|&(round, processor_ns, memory_ns)| Canary { round, processor_ns, memory_ns })
            .collect();
        let notes = record.notes.clone();
        let mut trials = record.trials.clone();
        trials.iter_mut().for_each(|trial| trial.setting = readable(&trial.setting));
        let Verdict { schema, contests, curves } = Verdict::new(decided);
        Self {
            schema,
            tool,
            run: Run { id, started, seed, preset, complete, command, design, canaries, notes },
            host: record.host.clone(),
            volumes: record.volumes.iter().map(readable_volume).collect(),
            facts: record.facts.clone(),
            trials,
            contests,
            curves,
        }
    }

    /// Returns the run. Its contests are left aside: they follow from the samples.
    pub fn into_record(self) -> Record {
        let Self { schema: _, tool, run, host, volumes, facts, trials, contests: _, curves: _ } = self;
        let Run { id, started, seed, preset, complete, command, design, canaries, notes } = run;
        let canaries = canaries.into_iter().map(|one| (one.round, one.processor_ns, one.memory_ns)).collect();
        Record {
            tool,
            id,
            started,
            seed,
            preset,
            complete,
            command,
            design,
            host,
            volumes,
            facts,
            trials,
            canaries,
            notes,
        }
    }
}

impl Verdict {
    /// Returns the results in a form for JSON.
    pub fn new(decided: &Decided) -> Self {
        let (mut contests, mut curves) = (decided.rankings.clone(), decided.curves.clone());
        contests.iter_mut().for_each(|contest| contest.setting = readable(&contest.setting));
        curves.iter_mut().for_each(|curve| curve.setting = readable(&curve.setting));
        Self { schema: SCHEMA, contests, curves }
    }
}

fn readable(setting: &Setting) -> Setting {
    Setting { place: Place { directory: setting.directory().map(lossy) }, ..setting.clone() }
}

/// Returns a volume whose paths have a form in JSON.
pub fn readable_volume(volume: &Volume) -> Volume {
    let mount_point = volume.mount_point.as_deref().map(lossy);
    Volume { directory: lossy(&volume.directory), mount_point, ..volume.clone() }
}

fn lossy(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().into_owned())
}
