//! Running what belongs to a job and is never timed.

use std::io::{self, Read};
use std::path::Path;
use std::process::{self, Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use model::Proof;
use sys::process::{Growth, Watched, start_patiently};
use sys::process_group;

use super::job::{Command, Job};
use crate::contract::Placeholder;
use crate::files::{RunningProof, invalid, made_anew};

const KEPT_BYTES: u64 = 64 << 10;
const PAUSE: Duration = Duration::from_millis(20);
/// A command that ended in time may have unread output, and its children may hold the stream open.
const PATIENCE: Duration = Duration::from_secs(1);

/// The limits of a command before it is killed with its process group.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    pub(super) time: Duration,
    /// A file or folder, and how long it may become.
    pub(super) output: Growth,
}

#[derive(Debug, Clone)]
pub(super) struct Errand<'a> {
    pub(super) job: &'a Job,
    pub(super) command: &'a Command,
    pub(super) places: Vec<Placeholder>,
    /// The purpose, as an error says it.
    pub(super) role: String,
    pub(super) bounds: Option<&'a Bounds>,
}

impl Errand<'_> {
    /// Runs it, with its standard output in that file, or dropped. An error has its name and its last words.
    pub(super) fn run(&self, output: Option<&Path>, good: impl Fn(&ExitStatus) -> bool) -> io::Result<()> {
        let stdout = output.map_or(Ok(Stdio::null()), |path| made_anew(path).map(Stdio::from))?;
        self.ended(stdout, good).map(drop)
    }

    pub(super) fn proof_of_printed(&self) -> io::Result<Proof> {
        let printed = self.ended(Stdio::piped(), ExitStatus::success)?;
        printed.ok_or_else(|| {
            io::Error::other(format!("{}: what it started still prints after its end", self.role))
        })?
    }

    /// Runs it to a good end; returns the proof of a piped standard output that comes to an end too.
    fn ended(
        &self, stdout: Stdio, good: impl Fn(&ExitStatus) -> bool,
    ) -> io::Result<Option<io::Result<Proof>>> {
        let mut start = self.start()?;
        start.stdout(stdout).stderr(Stdio::piped());
        let mut child = start_patiently(|| start.spawn()).map_err(self.refused(&start))?;
        let deadline = self.deadline();
        // Both are read at once: a command that waits for a reader of one would never end.
        let said = child.stderr.take().map(|said| read_in_thread(move || last_words(said)));
        let printed = child.stdout.take().map(|mut printed| {
            read_in_thread(move || {
                let mut proof = RunningProof::default();
                proof.add_all(&mut printed)?;
                Ok(proof.end())
            })
        });
        let ended = self.wait(&mut child, deadline)?;
        if good(&ended) {
            return Ok(printed.and_then(|printed| received(&printed, deadline)));
        }
        let said = said.and_then(|said| received(&said, deadline));
        Err(self.failed(ended, &said.unwrap_or_default()))
    }

    fn start(&self) -> io::Result<process::Command> {
        let started = self.job.started(self.command, &self.places);
        let (program, arguments) =
            started.ok_or_else(|| invalid(format!("{}: the command is empty", self.role)))?;
        let mut start = process::Command::new(program);
        start.args(arguments).current_dir(&self.job.directory).stdin(Stdio::null());
        if self.bounds.is_some() {
            process_group::lead(&mut start);
        }
        Ok(start)
    }

    fn deadline(&self) -> Option<Instant> {
        self.bounds.and_then(|bounds| Instant::now().checked_add(bounds.time))
    }

    fn wait(&self, child: &mut Child, deadline: Option<Instant>) -> io::Result<ExitStatus> {
        let Some(bounds) = self.bounds else { return child.wait() };
        let mut output = Watched::new(&bounds.output);
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(ended) = child.try_wait()? {
                return Ok(ended);
            }
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let why = if is_late {
                let time = model::format_ns(bounds.time.as_nanos() as f64);
                format!("it still ran after {time} and was killed")
            } else if output.is_exceeded() {
                format!("it was killed: its output is longer than {} bytes", bounds.output.most_bytes)
            } else {
                thread::sleep(pause);
                pause = PAUSE.min(pause * 2);
                continue;
            };
            process_group::kill(child);
            child.wait()?;
            return Err(io::Error::new(io::ErrorKind::TimedOut, format!("{}: {why}", self.role)));
        }
    }

    fn refused(&self, start: &process::Command) -> impl FnOnce(io::Error) -> io::Error + use<> {
        let sentence = format!("{}: {} cannot be started", self.role, start.get_program().display());
        move |error| io::Error::new(error.kind(), format!("{sentence}: {error}"))
    }

    fn failed(&self, ended: ExitStatus, said: &str) -> io::Error {
        let colon = if said.is_empty() { "" } else { ": " };
        let words = self.command.words().join(" ");
        io::Error::other(format!("{}, '{words}', ended with {ended}{colon}{said}", self.role))
    }
}

/// Reads a stream in a thread of its own, which need not be waited for.
fn read_in_thread<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(read()));
    receiver
}

fn received<T>(from: &Receiver<T>, deadline: Option<Instant>) -> Option<T> {
    let Some(deadline) = deadline else { return from.recv().ok() };
    from.recv_timeout(deadline.saturating_duration_since(Instant::now()).max(PATIENCE)).ok()
}

/// The last line that is not empty; all is read, so that no command waits.
fn last_words(mut said: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = said.by_ref().take(KEPT_BYTES).read_to_end(&mut kept);
    let _ = io::copy(&mut said, &mut io::sink());
    let text = String::from_utf8_lossy(&kept);
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("").to_owned()
}
