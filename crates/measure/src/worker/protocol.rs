//! The protocol of coordinator and worker: one assignment in, a line of JSON out before each step, so that a crash has a name.

use std::path::PathBuf;

use families::Job;
use model::{CallCounters, Fact, FailureKind, Proof, Sample, SampleNote, Trial, Usage, Workload};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The work that a worker is asked to do.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Assignment {
    /// Find out about how long one repetition takes.
    Calibrate {
        /// The technique and its conditions.
        trial: Trial,
    },
    /// Take one sample with its proof.
    Sample {
        /// The technique and its conditions.
        trial: Trial,
        /// Repetitions in a timed stretch.
        repetitions: u64,
        /// Timed stretches, an odd number: the sample is the one in the middle.
        stretches: u32,
        /// An untimed repetition comes first.
        untimed_first: bool,
    },
    /// Do the work once and exit, as an external command would.
    Once {
        /// The technique and its conditions.
        trial: Trial,
    },
    /// Do the work once, untimed, and show what it used. Its begin and end are marked for a tracer.
    Explain {
        /// The technique and its conditions.
        trial: Trial,
    },
    /// Run all techniques of a task for some inner rounds.
    Session {
        /// The techniques, in the order of the task.
        trials: Vec<Trial>,
        /// Repetitions in each timed stretch.
        repetitions: u64,
        /// Number of inner rounds.
        inner_rounds: u32,
        /// Seed of the inner rounds' orders.
        seed: u64,
    },
    /// Work on the files of a workload that is not timed.
    Files {
        /// The kind of work.
        work: FileWork,
        /// The family.
        family: String,
        /// The size and shape.
        workload: Workload,
        /// The folder of its files.
        folder: PathBuf,
        /// Seed of what is random in the inputs.
        seed: u64,
        /// The user's own job, where the family is one: a worker knows the built-in families only.
        job: Option<Box<Job>>,
        /// Time that each command that competes may take where it is asked for the first proof.
        time_limit_ns: Option<u64>,
    },
    /// Find out what is no contest.
    Facts {
        /// The family.
        family: String,
    },
}

/// Work on the files of a workload. The answer is a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileWork {
    /// Make the inputs; the proof is the one that every technique must give.
    Generate,
    /// The proof that every technique must give on the inputs as they stand.
    Expect,
    /// The proof of what stands in the output.
    Inspect,
}

/// One timed stretch as the worker saw it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// The number of its trial in the assignment, from 0.
    pub trial: usize,
    /// The sample as the worker knows it. Its position is that in the inner round.
    pub sample: Sample,
    /// Its proof; absent where another process looks at the result.
    pub proof: Option<Proof>,
}

/// The untimed work of a technique.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Did {
    /// Its usage.
    pub usage: Usage,
    /// Its calls, as the system counts them.
    pub counters: CallCounters,
    /// Its proof.
    pub proof: Proof,
    /// Notes for a reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<SampleNote>,
}

/// A line of a worker's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Answer {
    /// It begins with this trial now.
    Begin {
        /// The number of its trial in the assignment, from 0.
        trial: usize,
    },
    /// It has a time.
    Timed(Box<Timed>),
    /// The work was done untimed.
    Did(Box<Did>),
    /// The technique returned an error.
    Failed {
        /// The number of its trial in the assignment, from 0.
        trial: usize,
        /// The kind of failure.
        kind: FailureKind,
        /// The technique's error.
        reason: String,
    },
    /// Facts that are no contest.
    Facts {
        /// The facts.
        facts: Vec<Fact>,
    },
    /// The work on files is done.
    Proof {
        /// Its proof.
        proof: Proof,
    },
}

impl Answer {
    /// Returns the answers in the standard output of a worker that was given this many trials. A line that is torn (the worker was
    /// killed while writing) or foreign (a library printed it, or it is about no trial of the assignment) is no answer.
    pub fn read_all(stdout: &[u8], trials: usize) -> Vec<Self> {
        let lines = stdout.split(|&byte| byte == b'\n');
        let answers = lines.filter_map(|line| serde_json::from_slice(line).ok());
        answers.filter(|answer: &Self| answer.trial() < trials).collect()
    }

    fn trial(&self) -> usize {
        match self {
            Self::Begin { trial } | Self::Failed { trial, .. } => *trial,
            Self::Timed(timed) => timed.trial,
            Self::Did(_) | Self::Proof { .. } | Self::Facts { .. } => 0,
        }
    }
}
