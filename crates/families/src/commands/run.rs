//! Running what belongs to a job and is never timed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::{self, ExitStatus, Stdio};
use std::thread;

use model::Proof;

use super::job::{Command, Job};
use crate::contract::Placeholder;
use crate::files::{RunningProof, at};

/// More of what a command complains of is not kept.
const KEPT_BYTES: u64 = 64 << 10;

/// What becomes of what a command prints.
#[derive(Debug, Clone, Copy)]
pub(super) enum Printed<'a> {
    /// It is dropped.
    Dropped,
    /// It goes to a file.
    To(&'a Path),
}

/// Runs a command to its end. `role` says in an error what it is for.
///
/// # Errors
/// It cannot be started, or does not end as `good` asks; the sentence names it, and what it said last.
pub(super) fn run(
    job: &Job,
    command: &Command,
    places: &[Placeholder],
    role: &str,
    printed: Printed<'_>,
    good: impl Fn(ExitStatus) -> bool,
) -> io::Result<()> {
    let mut start = start_of(job, command, places, role)?;
    match printed {
        Printed::Dropped => start.stdout(Stdio::null()),
        Printed::To(path) => start.stdout(File::create(path).map_err(at("create", path))?),
    };
    let mut child = start.stderr(Stdio::piped()).spawn().map_err(refused(role, &start))?;
    let said = child.stderr.take().map(last_words);
    let ended = child.wait()?;
    match good(ended) {
        true => Ok(()),
        false => Err(failed(role, command, ended, &said.unwrap_or_default())),
    }
}

/// The length and the digest of what a command prints.
///
/// # Errors
/// As [`run`].
pub(super) fn proof_of_printed(
    job: &Job,
    command: &Command,
    places: &[Placeholder],
    role: &str,
) -> io::Result<Proof> {
    let mut start = start_of(job, command, places, role)?;
    start.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = start.spawn().map_err(refused(role, &start))?;
    let (printed, said) = (child.stdout.take(), child.stderr.take());
    // Both are read at once: a command that waits for a reader of one would never end.
    let said = thread::spawn(move || said.map(last_words).unwrap_or_default());
    let mut proof = RunningProof::default();
    if let Some(mut printed) = printed {
        let mut piece = vec![0; 256 << 10];
        loop {
            match printed.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => proof.add(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    let ended = child.wait()?;
    let said = said.join().unwrap_or_default();
    if ended.success() { Ok(proof.end()) } else { Err(failed(role, command, ended, &said)) }
}

fn start_of(
    job: &Job,
    command: &Command,
    places: &[Placeholder],
    role: &str,
) -> io::Result<process::Command> {
    let empty = || io::Error::new(io::ErrorKind::InvalidInput, format!("{role}: the command is empty"));
    let (program, arguments) = job.started(command, places).ok_or_else(empty)?;
    let mut start = process::Command::new(program);
    start.args(arguments).current_dir(&job.directory).stdin(Stdio::null());
    Ok(start)
}

fn refused(role: &str, start: &process::Command) -> impl FnOnce(io::Error) -> io::Error {
    let program = start.get_program().display().to_string();
    move |error| io::Error::new(error.kind(), format!("{role}: {program} cannot be started: {error}"))
}

/// The last line that is not empty; all is read, so that no command waits.
fn last_words(mut said: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = said.by_ref().take(KEPT_BYTES).read_to_end(&mut kept);
    let _ = io::copy(&mut said, &mut io::sink());
    let text = String::from_utf8_lossy(&kept);
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("").to_owned()
}

fn failed(role: &str, command: &Command, ended: ExitStatus, said: &str) -> io::Error {
    let colon = if said.is_empty() { "" } else { ": " };
    io::Error::other(format!("{role}, '{}', ended with {ended}{colon}{said}", command.words().join(" ")))
}

/// Removes a file or a folder with all that is in it, if it is there.
pub(super) fn remove_all(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(seen) if seen.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(at("remove", path)),
    }
}
