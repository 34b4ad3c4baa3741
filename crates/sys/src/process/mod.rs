//! Starting a command, waiting for it and for all that it starts, and counting what they used.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use model::Usage;
use serde::{Deserialize, Serialize};

mod exit_code;
mod growth;
pub mod supervisor;
mod wire;

#[cfg_attr(target_os = "linux", path = "linux/mod.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
pub(crate) mod system;

pub use exit_code::shown_exit_code;
pub use growth::{Growth, Watched};

/// How to start a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The program: a path, or a name to be looked for in `PATH`.
    #[serde(with = "wire::os")]
    pub program: OsString,
    /// Its arguments, without its name.
    #[serde(with = "wire::list")]
    pub arguments: Vec<OsString>,
    /// Variables added to the environment of the starting process.
    #[serde(with = "wire::pairs")]
    pub environment: Vec<(OsString, OsString)>,
    /// Where it runs; `None` is where the starting process runs.
    #[serde(with = "wire::optional_path")]
    pub directory: Option<PathBuf>,
    /// Logical processors it may run on; empty is all that the starting process may use.
    pub processors: Vec<u32>,
    /// Its standard input.
    pub input: Input,
    /// Its standard output and standard error alike.
    pub output: Output,
    /// How long it may run before it is killed with all that it started; `None` is for ever.
    pub time_limit_ns: Option<u64>,
    /// How long to wait for its descendants after it has ended itself.
    pub linger_ns: u64,
    /// What becomes of descendants that are still there then.
    pub survivors: Survivors,
    /// Address space it may have; `None` is as much as the starting process.
    pub memory_limit_bytes: Option<u64>,
    /// Memory that it and all that it starts may fill together with their part of the file cache
    /// ([`crate::memory_group`]); `None` is as much as the starting process.
    pub group_memory_bytes: Option<u64>,
    /// A file or folder that it may let grow only so far.
    pub growth: Option<Growth>,
}

impl Launch {
    /// A command without arguments that reads nothing, whose first mebibyte of output is kept, that may take
    /// its time, and whose descendants are killed when it ends.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            processors: Vec::new(),
            input: Input::Null,
            output: Output::Capture { limit_bytes: 1 << 20 },
            time_limit_ns: None,
            linger_ns: 0,
            survivors: Survivors::Kill,
            memory_limit_bytes: None,
            group_memory_bytes: None,
            growth: None,
        }
    }
}

/// A command's standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Nothing.
    Null,
    /// That of the program which asked for the launch.
    Inherit,
    /// A file.
    File(#[serde(with = "wire::path")] PathBuf),
    /// These bytes, all of them there when the command starts.
    Bytes(#[serde(with = "wire::bytes")] Vec<u8>),
}

/// A command's standard output and standard error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The first bytes of each are kept, the rest is read and dropped.
    Capture {
        /// How many bytes are kept of each.
        limit_bytes: u64,
    },
    /// All of its standard output goes to a file, which is made or made empty before the start, not through a
    /// link; of standard error the first bytes are kept.
    File {
        /// The file.
        #[serde(with = "wire::path")]
        path: PathBuf,
        /// How many bytes are kept of standard error.
        limit_bytes: u64,
    },
    /// All is read through a pipe and dropped.
    Drain,
    /// Those of the program which asked for the launch.
    Inherit,
}

/// What becomes of processes that outlive the command which started them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Survivors {
    /// They are killed.
    Kill,
    /// They go on. What they print to a stream that was captured or drained is no longer read.
    Leave,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// By itself, with this exit code (Windows: also the code of an exception, as a negative number).
    Exit(i32),
    /// By a signal.
    Signal {
        /// Number of the signal.
        number: i32,
        /// Its name, e.g. `SIGSEGV`.
        name: String,
    },
    /// It was killed because its time was up.
    TimedOut,
    /// It was killed because the file or folder of [`Launch::growth`] became too long.
    FileTooLong,
    /// It, or what it had started, was killed because it needed more memory than [`Launch::group_memory_bytes`].
    MemorySpent {
        /// The limit in bytes.
        limit_bytes: u64,
        /// How many processes were killed.
        kills: u64,
    },
    /// It was killed because the caller asked for it.
    Cancelled,
}

/// What is known of a command that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// How it ended.
    pub status: Status,
    /// From right before it was started until its end was seen; descendants that outlive it are not in it.
    pub elapsed_ns: u64,
    /// What it and its descendants used. Bytes read and written are those at the device.
    pub usage: Usage,
    /// What was kept of its standard output.
    #[serde(with = "wire::bytes")]
    pub stdout: Vec<u8>,
    /// What was kept of its standard error.
    #[serde(with = "wire::bytes")]
    pub stderr: Vec<u8>,
    /// Descendants that were still there when the waiting was over, and were killed or left.
    pub survivors: u32,
    /// How the usage was counted and what is not in it, in a sentence.
    pub counted_by: String,
}

/// Something that may ask a running launch to stop.
#[derive(Debug)]
pub struct Cancel {
    source: Option<system::CancelSource>,
}

impl Cancel {
    /// Nothing will ask.
    pub fn never() -> Self {
        Self { source: None }
    }
}

/// Starts a command, such as by [`Command::spawn`](std::process::Command::spawn); once more, up to twice, where the system
/// gave up on the start because it took too long. Wine does so on a busy machine, and nothing of the command has run then.
pub fn start_patiently<T>(start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    system::start_patiently(start)
}

/// Makes this process the one to which orphaned descendants return, so that none escapes the counting.
pub fn become_reaper() -> io::Result<()> {
    system::become_reaper()
}

/// Starts a command, waits for it and its descendants, and counts what they used.
///
/// Must be called only in a process of a single thread which has called [`become_reaper`]: it waits for *any*
/// child, and moves limits and processors of the whole process for the moment of the start. A small process
/// also keeps the peak memory honest, because a new process starts with the peak of the one that starts it.
/// [`supervisor`] provides such a process.
/// Errors: the program cannot be started; the text names it.
pub fn run(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    system::run(launch, cancel)
}

/// As [`run`], inside a control group of its own where this user may make one: then the processor time of
/// descendants that still run is counted too, and that of those whose parents did not wait for them.
/// [`Ended::counted_by`] tells which way it went.
/// Errors: the program cannot be started; the text names it.
pub fn run_in_group(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    system::run_in_group(launch, cancel)
}

/// Why nothing is started under a memory limit that no program could start in.
fn limit_too_small(bytes: u64, needed_bytes: u64) -> String {
    let (limit, needed) = (model::format_bytes(bytes), model::format_bytes(needed_bytes));
    format!("a memory limit of {limit} is too small to start anything: {needed} at least")
}
