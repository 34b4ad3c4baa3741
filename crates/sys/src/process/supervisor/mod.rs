//! A small process that starts commands for a large one: the program itself, in a mode in which it does nothing but [`serve`]. A new
//! process begins with the peak memory of its starter, starting is cheap only where little is mapped, and waiting for *any* descendant
//! is safe only where no other thread waits. Requests and answers are lines of JSON on its standard input and output. Any input while
//! a command runs stops the command, and so does the end of the input.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::system::{become_reaper, run, run_in_group};
use super::{Ended, Launch};
use crate::limits;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

/// The variable with the numbers under which the launcher has the program's standard input and output.
const STREAMS: &str = "BAKEOFF_LAUNCHER_STREAMS";

const INTERRUPTION_CHECK: Duration = Duration::from_millis(50);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Request {
    launch: Launch,
    in_group: bool,
}

/// The reason why a launch did not come about, in a form that crosses a pipe.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Refusal {
    message: String,
    kind: String,
    #[serde(default)]
    code: Option<i32>,
}

/// The kinds of error that a caller may want to report apart; all others arrive as `Other`.
const KINDS: [io::ErrorKind; 6] = [
    io::ErrorKind::NotFound,
    io::ErrorKind::PermissionDenied,
    io::ErrorKind::ArgumentListTooLong,
    io::ErrorKind::InvalidInput,
    io::ErrorKind::OutOfMemory,
    io::ErrorKind::NotADirectory,
];

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        let kind = format!("{:?}", error.kind());
        Self { message: error.to_string(), kind, code: crate::failure::code_of(&error) }
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        let kind = KINDS.into_iter().find(|kind| format!("{kind:?}") == refusal.kind);
        crate::failure::coded(kind.unwrap_or(io::ErrorKind::Other), refusal.message, refusal.code)
    }
}

/// Serves launches on standard input and output until the input ends, from the first moment of a process on, before it starts a thread
/// or fills memory. Commands that inherit streams get those of the program that started the launcher. Errors: a request is not one, or
/// the system does not let this process be a launcher.
pub fn serve() -> io::Result<()> {
    let mut control = system::Control::take()?;
    let ready = control.prepare().and_then(|()| become_reaper());
    let is_ready = ready.is_ok();
    match control.answer(&line_of(&ready.map_err(Refusal::from))?) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        answered => answered?,
    }
    if !is_ready {
        return Ok(());
    }
    while let Some(line) = control.next_line()? {
        let request: Request = serde_json::from_str(&line)?;
        match carry_out(&request, &mut control) {
            // The one who asked is gone, and the input will be at its end.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            done => done?,
        }
    }
    Ok(())
}

/// Takes the next line that is not empty out of what has come. Nothing is searched twice: a line may have megabytes.
fn take_line(unread: &mut Vec<u8>, searched: &mut usize) -> Option<io::Result<String>> {
    while let Some(length) = unread[*searched..].iter().position(|&byte| byte == b'\n') {
        let rest = unread.split_off(*searched + length + 1);
        let line = std::mem::replace(unread, rest);
        *searched = 0;
        if line.len() > 1 {
            let text = String::from_utf8(line);
            return Some(text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)));
        }
    }
    *searched = unread.len();
    None
}

fn carry_out(request: &Request, control: &mut system::Control) -> io::Result<()> {
    let cancel = control.cancel()?;
    let run = if request.in_group { run_in_group } else { run };
    let ended = run(&request.launch, &cancel).map(|ended| control.seen(ended));
    control.answer(&line_of(&ended.map_err(Refusal::from))?)
}

fn line_of(said: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    Ok(line)
}

/// A launcher, seen from the program that uses it. It ends, with all that it started, when this is dropped.
#[derive(Debug)]
pub struct Supervisor {
    launcher: Child,
    requests: Option<ChildStdin>,
    answers: Receiver<io::Result<String>>,
}

impl Supervisor {
    /// Starts `program`, which with these arguments must do nothing but call [`serve`].
    pub fn start(program: &OsStr, arguments: &[OsString]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let streams = system::pass_streams(&mut command)?;
        let tried = format!("the launcher {}", program.display());
        let mut launcher =
            system::spawn(&mut command).map_err(|error| crate::failure::in_context(tried, error))?;
        drop(streams);
        let requests = launcher.stdin.take();
        let answers = launcher.stdout.take();
        let (sender, receiver) = mpsc::channel();
        let mut supervisor = Self { launcher, requests, answers: receiver };
        read_lines(answers, sender)?;
        // It is ready, or says why it cannot be.
        let Ok(line) = supervisor.answers.recv() else { return Err(supervisor.gone()) };
        let ready: Result<(), Refusal> = serde_json::from_str(&line?)?;
        ready?;
        Ok(supervisor)
    }

    /// Starts a command in the launcher, waits for it and its descendants, and counts what they used. Kills them when `interrupted`
    /// becomes true. Errors: the program, which the text names, cannot be started; or the launcher is gone.
    pub fn run(&mut self, launch: &Launch, interrupted: &AtomicBool) -> io::Result<Ended> {
        self.ask(&Request { launch: launch.clone(), in_group: false }, interrupted)
    }

    /// Runs a command as [`Supervisor::run`] does, inside a control group of its own where this user may make one: then the processor
    /// time of descendants that still run is counted too, and that of those whose parents did not wait for them.
    /// [`Ended::counted_by`] shows which way it went.
    pub fn run_in_group(&mut self, launch: &Launch, interrupted: &AtomicBool) -> io::Result<Ended> {
        self.ask(&Request { launch: launch.clone(), in_group: true }, interrupted)
    }

    fn ask(&mut self, request: &Request, interrupted: &AtomicBool) -> io::Result<Ended> {
        self.send(&line_of(request)?)?;
        let mut stopped = false;
        loop {
            if interrupted.load(Ordering::Relaxed) && !stopped {
                // An empty line is input, and means nothing when it comes too late.
                self.send(b"\n")?;
                stopped = true;
            }
            match self.answers.recv_timeout(INTERRUPTION_CHECK) {
                Ok(line) => {
                    let answer: Result<Ended, Refusal> = serde_json::from_str(&line?)?;
                    return answer.map_err(io::Error::from);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let sent = match &mut self.requests {
            Some(pipe) => pipe.write_all(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        sent.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => self.gone(),
            _ => error,
        })
    }

    fn gone(&mut self) -> io::Error {
        self.requests = None;
        let how = self.launcher.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        system::clear_up(&self.launcher);
        io::Error::new(io::ErrorKind::BrokenPipe, format!("the launcher is gone ({how})"))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The end of its input ends the launcher; waiting makes sure that nothing of it outlives us.
        self.requests = None;
        let _ = self.launcher.wait();
        system::forget(&self.launcher);
    }
}

/// Reads lines in a thread, so that waiting for one can have a time limit on every system.
fn read_lines(pipe: Option<ChildStdout>, sender: Sender<io::Result<String>>) -> io::Result<()> {
    let Some(pipe) = pipe else { return Ok(()) };
    let reader = thread::Builder::new().name("answers".to_owned()).spawn(move || {
        for line in BufReader::new(pipe).lines() {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    reader.map(drop).map_err(|error| limits::thread_refused(&error))
}

/// A line of either direction, for those who check that no line can break a launcher and that nothing is lost on the way.
#[derive(Debug, PartialEq)]
pub struct Message(Said);

#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Said {
    Request(Box<Request>),
    Answer(Box<Result<Ended, Refusal>>),
}

impl Message {
    /// Reads a request or an answer.
    pub fn read(line: &str) -> io::Result<Self> {
        let request = serde_json::from_str(line).map(Said::Request);
        Ok(Self(request.or_else(|_| serde_json::from_str(line).map(Said::Answer))?))
    }

    /// Writes it as it crosses the pipe, without the end of the line.
    pub fn to_line(&self) -> io::Result<String> {
        Ok(serde_json::to_string(&self.0)?)
    }
}
