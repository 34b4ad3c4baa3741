//! Starting a command, waiting for it and for all that it starts, and counting what they used.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use model::Usage;
use serde::{Deserialize, Serialize};
use serde_with::serde_as;

use wire::{Each, Text};

mod growth;
pub mod supervisor;
mod wire;

#[cfg_attr(target_os = "linux", path = "linux/mod.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
pub(crate) mod system;

pub use growth::{Growth, Watched};
pub use system::start_patiently;

/// A command to start, with its input, output and limits.
#[serde_as]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The program: a path, or a name to be looked for in `PATH`.
    #[serde_as(as = "Text")]
    pub program: OsString,
    /// Its arguments, without its name.
    #[serde_as(as = "Each<Text>")]
    pub arguments: Vec<OsString>,
    /// Variables added to the environment of the starting process.
    #[serde_as(as = "Each<(Text, Text)>")]
    pub environment: Vec<(OsString, OsString)>,
    /// The folder in which it runs; `None` is that of the starting process.
    #[serde_as(as = "Option<Text>")]
    pub directory: Option<PathBuf>,
    /// Logical processors it may run on; empty is all that the starting process may use.
    pub processors: Vec<u32>,
    /// Its standard input.
    pub input: Input,
    /// Its standard output and standard error alike.
    pub output: Output,
    /// Time that it may run before it is killed with all that it started; `None` is for ever.
    pub time_limit_ns: Option<u64>,
    /// Time to wait for its descendants after it has ended itself.
    pub linger_ns: u64,
    /// The fate of descendants that are still there then.
    pub survivors: Survivors,
    /// Address space it may have; `None` is as much as the starting process.
    pub memory_limit_bytes: Option<u64>,
    /// Memory that it and all that it starts may fill with their part of the file cache; `None` is as much as the starting process.
    pub group_memory_bytes: Option<u64>,
    /// A file or folder that it may let grow only so far.
    pub growth: Option<Growth>,
}

impl Launch {
    /// Returns a command without arguments, input and limits, whose first mebibyte of output is kept and whose descendants are killed.
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
#[serde_as]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Nothing.
    Null,
    /// That of the program which asked for the launch.
    Inherit,
    /// A file.
    File(#[serde_as(as = "Text")] PathBuf),
    /// These bytes, all of them there when the command starts.
    Bytes(#[serde_as(as = "Text")] Vec<u8>),
}

/// A command's standard output and standard error.
#[serde_as]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The first bytes of each are kept, the rest is read and dropped.
    Capture {
        /// Bytes that are kept of each.
        limit_bytes: u64,
    },
    /// Standard output goes to a file, made or made empty before the start, not through a link; the first errors are kept.
    File {
        /// The file.
        #[serde_as(as = "Text")]
        path: PathBuf,
        /// Bytes that are kept of standard error.
        limit_bytes: u64,
    },
    /// Those of the program which asked for the launch.
    Inherit,
}

/// The fate of processes that outlive the command which started them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Survivors {
    /// They are killed.
    Kill,
    /// They go on. What they print to a stream that was captured is no longer read.
    Leave,
}

/// The end of a command.
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
    /// It, or what it had started, was killed for want of memory under [`Launch::group_memory_bytes`]. In a control group of version 1
    /// another limit may have caused it.
    MemorySpent {
        /// The limit in bytes.
        limit_bytes: u64,
        /// Number of killed processes.
        kills: u64,
    },
    /// It was killed because the caller asked for it.
    Cancelled,
}

/// The end of a command, with its usage and its output.
#[serde_as]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Its exit code, the signal or the limit that ended it.
    pub status: Status,
    /// From right before it was started until its end was seen; descendants that outlive it are not in it.
    pub elapsed_ns: u64,
    /// Descendants that still ran when it had ended.
    pub outlived_by: u32,
    /// Time from its end until these had ended too, or the waiting was over; 0 where none ran.
    pub longer_ns: u64,
    /// Usage of it and its descendants. Bytes read and written are those at the device.
    pub usage: Usage,
    /// The kept part of its standard output.
    #[serde_as(as = "Text")]
    pub stdout: Vec<u8>,
    /// The kept part of its standard error.
    #[serde_as(as = "Text")]
    pub stderr: Vec<u8>,
    /// Descendants that were still there when the waiting was over, and were killed or left.
    pub survivors: u32,
    /// The way in which the usage was counted, and what is not in it, in a sentence.
    pub counted_by: String,
}

/// What a command has started may end this much later than it: then it is timed with it.
const MOMENT_NS: u64 = 5_000_000;

impl Ended {
    /// Returns whether the command ended while what it had started still worked.
    pub fn has_left_work(&self) -> bool {
        self.longer_ns > MOMENT_NS
    }

    /// Returns the time from the start of the command to its end, or to that of all that it had started, where that came a moment later
    /// or is `waited_for`.
    pub fn whole_ns(&self, waited_for: bool) -> u64 {
        let is_whole = waited_for || !self.has_left_work();
        self.elapsed_ns + if is_whole { self.longer_ns } else { 0 }
    }

    /// Returns a command that used nothing, as far as is known, and printed nothing.
    pub fn new(status: Status) -> Self {
        Self {
            status,
            elapsed_ns: 0,
            outlived_by: 0,
            longer_ns: 0,
            usage: Usage::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            survivors: 0,
            counted_by: String::new(),
        }
    }
}

/// Time that a kill may take; only a process that hangs in the kernel needs longer.
const KILL_NS: u64 = 10_000_000_000;

fn deadline_ns(launch: &Launch, began_ns: u64) -> u64 {
    launch.time_limit_ns.map_or(u64::MAX, |limit_ns| began_ns.saturating_add(limit_ns))
}

/// Gives a command its arguments, variables and directory, alike on every system.
pub(crate) fn equipped(mut command: Command, launch: &Launch) -> Command {
    command.args(&launch.arguments).envs(launch.environment.iter().map(|(name, value)| (name, value)));
    if let Some(directory) = &launch.directory {
        command.current_dir(directory);
    }
    command
}

fn limit_too_small(bytes: u64, needed_bytes: u64) -> String {
    let (limit, needed) = (model::format_bytes(bytes), model::format_bytes(needed_bytes));
    format!("a memory limit of {limit} is too small to start anything: {needed} at least")
}

/// Returns an exit code in words. Windows gives an exception a code with the highest bit set, and documents it by its hexadecimal
/// digits (<https://learn.microsoft.com/openspecs/windows_protocols/ms-erref>, 2.3).
pub fn shown_exit_code(code: i32) -> String {
    if code >= 0 {
        return code.to_string();
    }
    let bits = code.cast_unsigned();
    let name = match bits {
        0xC000_0005 => " (access violation)",
        0xC000_0006 => " (a page could not be read or written)",
        0xC000_0017 => " (not enough memory)",
        0xC000_001D => " (illegal instruction)",
        0xC000_0094 => " (division by zero)",
        0xC000_00FD => " (stack overflow)",
        0xC000_0135 => " (a DLL was not found)",
        0xC000_0139 => " (a DLL lacks an entry point)",
        0xC000_013A => " (Ctrl-C)",
        0xC000_0142 => " (a DLL could not be initialized)",
        0xC000_0374 => " (heap corruption)",
        0xC000_0409 => " (stack buffer overrun or abort)",
        _ => "",
    };
    format!("{bits:#010X}{name}").replacen("0X", "0x", 1)
}

#[cfg(test)]
mod tests {
    use super::shown_exit_code;

    #[test]
    fn exit_codes_are_decimal_and_those_of_exceptions_hexadecimal() {
        let expected = ["0", "9009", "0xC0000005 (access violation)", "0xFFFFFFFF"];
        assert_eq!([0, 9009, -1_073_741_819, -1].map(shown_exit_code), expected);
    }
}
