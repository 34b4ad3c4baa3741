//! The job: what is worked on, which commands compete, and what must be equal for all.

use std::ffi::OsString;
use std::path::PathBuf;

use model::Workload;
use serde::{Deserialize, Serialize};
use sys::command_line::{SHELL, program_in, quoted};

use crate::contract::Placeholder;
use crate::placeholders::{filled, filled_word, names_in};

/// Everything that a job says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The name of its family.
    pub name: String,
    /// The question, with a question mark.
    pub question: String,
    /// The folder in which its commands run and at which its paths begin.
    pub directory: PathBuf,
    /// The files to work on.
    pub input: JobInput,
    /// The sizes and the values of the axes that all commands share: a contest at each.
    pub workloads: Vec<Workload>,
    /// The commands that compete, one for each point of their own axes.
    pub techniques: Vec<JobTechnique>,
    /// The result that must be equal for all.
    pub proof: Proving,
    /// True where the output of the commands is shown.
    #[serde(default)]
    pub show_output: bool,
}

/// The files that the commands of a job work on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobInput {
    /// Nothing that this program knows of.
    None,
    /// A file of the workload's size.
    Generated(Generated),
    /// Private copies of the workload's files.
    Files,
    /// The result of a command in `{input}`; without that placeholder, its standard output.
    Made(Command),
}

/// The content of a generated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generated {
    /// Records of 64 bytes that hardly compress.
    Records,
    /// Lines of words, like a text in English.
    Text,
}

/// The result that must be equal for all commands and in every run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proving {
    /// The exit code, which is 0.
    Exit,
    /// Nothing.
    None,
    /// The bytes of the output.
    Output,
    /// The standard output of this command when it is given the output.
    Command(Command),
}

/// One competitor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobTechnique {
    /// `zstd`, or `zstd@level=3` where it has axes of its own.
    pub name: String,
    /// The command that is timed.
    pub command: Command,
    /// A command that runs once before the first round.
    pub setup: Option<Command>,
    /// A command that runs before every sample.
    pub prepare: Option<Command>,
    /// A command that runs once after the last round.
    pub cleanup: Option<Command>,
    /// The exit codes that are no failure.
    pub good_exits: GoodExits,
}

/// The exit codes with which a command has done its work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoodExits {
    /// 0.
    #[default]
    Zero,
    /// Any.
    Any,
    /// 0 and these.
    And(Vec<i32>),
}

impl GoodExits {
    /// Returns whether a command that ends with this exit code has done its work.
    pub fn accept(&self, code: i32) -> bool {
        match self {
            Self::Zero => code == 0,
            Self::Any => true,
            Self::And(codes) => code == 0 || codes.contains(&code),
        }
    }
}

/// A command with placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Program and arguments.
    Words(Vec<String>),
    /// A line for the system's shell.
    Shell(String),
}

impl Command {
    /// The names of its placeholders.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let words = match self {
            Self::Words(words) => words.as_slice(),
            Self::Shell(line) => std::slice::from_ref(line),
        };
        words.iter().flat_map(|word| names_in(word))
    }

    /// Returns whether it has this placeholder.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|one| one == name)
    }

    /// Returns the words that are started, placeholders unfilled.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Words(words) => words.clone(),
            Self::Shell(line) => SHELL.into_iter().map(str::to_owned).chain([line.clone()]).collect(),
        }
    }

    /// Returns the program and its arguments in a trial. A shell gets each value as one word.
    pub fn filled(&self, places: &[Placeholder]) -> Vec<OsString> {
        match self {
            Self::Words(words) => filled(words, places),
            Self::Shell(line) => {
                let line = filled_word(line, places, quoted);
                SHELL.into_iter().map(OsString::from).chain([line]).collect()
            }
        }
    }
}

impl Job {
    /// A technique by its name.
    pub fn technique(&self, name: &str) -> Option<&JobTechnique> {
        self.techniques.iter().find(|technique| technique.name == name)
    }

    /// Returns whether the output that the commands leave is read.
    pub fn looks_at_the_output(&self) -> bool {
        matches!(self.proof, Proving::Output | Proving::Command(_))
    }

    /// Returns whether the printed text of this command is its output.
    pub fn prints_its_output(&self, command: &Command) -> bool {
        self.looks_at_the_output() && !command.has("output")
    }

    /// Returns whether a technique that ends with this exit code has done its work.
    pub fn accepts_exit(&self, technique: &JobTechnique, code: i32) -> bool {
        technique.good_exits.accept(code) || self.proof == Proving::None
    }

    /// The program and the arguments of a command, ready to be started in the job's directory.
    pub fn started(&self, command: &Command, places: &[Placeholder]) -> Option<(OsString, Vec<OsString>)> {
        let mut words = command.filled(places).into_iter();
        let program = words.next()?;
        Some((program_in(&self.directory, &program).into(), words.collect()))
    }

    /// Returns how many commands may run one after the other while the files of a workload are worked on.
    pub fn commands_in_a_row(&self) -> u64 {
        let setups = self.techniques.iter().filter(|technique| technique.setup.is_some()).count();
        // Each gives the first proof with its preparation and the command of the proof; the one that gives it, twice.
        (setups + 3 * self.techniques.len()) as u64 + 6
    }
}
