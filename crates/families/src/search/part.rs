//! The part that this program plays for a technique of processes: it searches one file and prints what it found.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::job::{SearchJob, prefix_of};
use super::kernel::Best;
use super::lines::{PIECE_BYTES, Rolling, matching_lines, piece_for};
use super::pattern::Pattern;
use super::system::source::Source;
use crate::files::{at, invalid};

/// The first word on the command line of a process that searches one file.
pub const SEARCH_PART: &str = "search-one";

const LITERAL: &str = "literal";
const EXPRESSION: &str = "regex";

/// Gathered before it is written: as much as a pipe holds.
const FULL_BYTES: usize = 64 << 10;

/// Searches one file: `words` are `literal` or `regex`, the pattern, the file. An error is also the output's last line.
pub fn search_part(words: impl IntoIterator<Item = OsString>) -> io::Result<()> {
    search(words.into_iter()).inspect_err(|error| {
        // The process that reads this output also sees the exit code; when the pipe is closed, no reader is left.
        let _ = writeln!(io::stdout(), "\n{error}");
    })
}

fn search(mut words: impl Iterator<Item = OsString>) -> io::Result<()> {
    let (Some(kind), Some(pattern), Some(path), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        let sentence =
            format!("{SEARCH_PART} takes three words: {LITERAL} or {EXPRESSION}, a pattern and a file");
        return Err(invalid(sentence));
    };
    let pattern = Pattern::known(&pattern.to_string_lossy(), kind == EXPRESSION);
    let path = PathBuf::from(path);
    let kernel = Best::of(&pattern)?;
    let (source, prefix) = (Source::open(&path)?, prefix_of(&path));
    let bytes = source.size_bytes().map_err(at("look at", &path))?;
    let (mut rolling, mut text) = (Rolling::new(piece_for(PIECE_BYTES, bytes))?, Vec::new());
    let mut out = io::stdout().lock();
    let searched = rolling.whole(
        |buffer| source.read(buffer),
        |lines| {
            matching_lines(&kernel, lines, &prefix, &mut text);
            if text.len() >= FULL_BYTES {
                out.write_all(&text)?;
                text.clear();
            }
            Ok(())
        },
    );
    searched.map_err(at("read", &path))?;
    out.write_all(&text)?;
    out.flush()
}

pub(super) fn command_for(job: &SearchJob, program: &Path, file: &Path, out: Stdio) -> Command {
    let mut command = Command::new(program);
    let kind = if job.pattern.is_regex { EXPRESSION } else { LITERAL };
    command.args([SEARCH_PART, kind, &job.pattern.alternatives()]).arg(file);
    command.stdin(Stdio::null()).stdout(out).stderr(Stdio::null());
    command
}

pub(super) fn this_program() -> io::Result<PathBuf> {
    std::env::current_exe()
        .map_err(|error| sys::failure::in_context("look for the path of this program", error))
}

/// Returns the error about a process that could not be started, the `nth` of `count` counted from 1.
pub(super) fn not_started(nth: usize, count: usize, error: &io::Error) -> io::Error {
    let sentence = format!(
        "process {nth} of {count} could not be started: {error} (memory or a limit on processes is used up)"
    );
    sys::failure::reworded(sentence, error)
}

/// Returns the result of a process, or the sentence that it left.
pub(super) fn checked(status: ExitStatus, file: &Path, text: &[u8]) -> io::Result<()> {
    if status.success() {
        return Ok(());
    }
    let lines = String::from_utf8_lossy(text);
    let last = lines.lines().last().unwrap_or_default();
    let shown = file.display();
    Err(io::Error::other(format!("the process that searched {shown} ended with {status}: {last}")))
}
