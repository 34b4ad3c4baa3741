//! The launcher's own streams, kept apart from those of the commands.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{dup, fcntl_dupfd_cloexec};
use rustix::process::{getpid, set_child_subreaper};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use super::{STREAMS, take_line};
use crate::process::system::guard::kill_descendants;
use crate::process::system::{Cancel, guard, remove_groups_of_the_dead};
use crate::process::{Ended, Status};
use crate::signals;

/// Lets the launcher, and whatever else is started until the answer is dropped, inherit this program's standard input and output.
pub(super) fn pass_streams(command: &mut Command) -> io::Result<[OwnedFd; 2]> {
    let streams = [dup(rustix::stdio::stdin())?, dup(rustix::stdio::stdout())?];
    command.env(STREAMS, format!("{},{}", streams[0].as_raw_fd(), streams[1].as_raw_fd()));
    Ok(streams)
}

static LAUNCHERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Starts the launcher. From now on this program takes the orphans that a launcher and its guard leave when both are killed.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    set_child_subreaper(Some(getpid()))?;
    let block = || {
        signals::mask_those_of_a_terminal(libc::SIG_BLOCK);
        Ok(())
    };
    // A Ctrl-C before the launcher has its handlers waits for them. SAFETY: the child makes system calls only.
    unsafe { command.pre_exec(block) };
    let launcher = command.spawn()?;
    LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner).push(launcher.id());
    Ok(launcher)
}

/// Takes note that a launcher has ended. What it was asked to leave goes on.
pub(super) fn forget(launcher: &Child) -> HashSet<i32> {
    let mut launchers = LAUNCHERS.lock().unwrap_or_else(PoisonError::into_inner);
    launchers.retain(|&id| id != launcher.id());
    launchers.iter().map(|&id| id as i32).collect()
}

/// Kills what a launcher that was killed left behind.
pub(super) fn clear_up(launcher: &Child) {
    kill_descendants(&forget(launcher), false);
    remove_groups_of_the_dead();
}

pub(super) struct Control {
    requests: File,
    answers: File,
    unread: Vec<u8>,
    guard: Option<OwnedFd>,
}

impl Control {
    /// Takes standard input and output for requests and answers, and puts in their places what commands inherit.
    pub(super) fn take() -> io::Result<Self> {
        let requests = File::from(fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?);
        let answers = File::from(fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?);
        match passed_streams() {
            Some([input, output]) => {
                dup2_stdin(&input)?;
                dup2_stdout(&output)?;
            }
            None => {
                dup2_stdin(File::open("/dev/null")?)?;
                dup2_stdout(rustix::stdio::stderr())?;
            }
        }
        outlive_the_terminal();
        Ok(Self { requests, answers, unread: Vec::new(), guard: None })
    }

    pub(super) fn prepare(&mut self) -> io::Result<()> {
        self.guard = Some(guard::enter()?);
        Ok(())
    }

    pub(super) fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut searched = 0;
        loop {
            if let Some(line) = take_line(&mut self.unread, &mut searched) {
                return line.map(Some);
            }
            if self.guard_is_gone(None) {
                return Ok(None);
            }
            let mut buffer = [0; 1 << 16];
            match self.requests.read(&mut buffer)? {
                0 => return Ok(None),
                count => self.unread.extend_from_slice(&buffer[..count]),
            }
        }
    }

    /// Returns what stops a launch when anything comes after the line read last.
    pub(super) fn cancel(&self) -> io::Result<Cancel> {
        HEARD.store(0, Ordering::Relaxed);
        let guard = self.guard.as_ref().ok_or(io::ErrorKind::NotConnected)?.try_clone()?;
        Ok(Cancel { input: self.requests.try_clone()?.into(), guard, already: !self.unread.is_empty() })
    }

    /// Returns a launch that ended as this launcher sees it. Until a command has a process group of its own, and for as long as it shares
    /// that of the terminal, a Ctrl-C reaches it too: what died of a signal that the launcher got as well did not fail.
    pub(super) fn seen(&self, mut ended: Ended) -> Ended {
        if let Status::Signal { number, .. } = ended.status
            && HEARD.load(Ordering::Relaxed) & bit(number) != 0
        {
            ended.status = Status::Cancelled;
        }
        ended
    }

    /// Answers, but not without a guard: then the launcher has killed what it ran, and ends.
    pub(super) fn answer(&mut self, line: &[u8]) -> io::Result<()> {
        const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
        if self.guard_is_gone(Some(&AT_ONCE)) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.answers.write_all(line)
    }

    /// Waits for a request or the end of the guard; says whether it was the latter.
    fn guard_is_gone(&self, timeout: Option<&Timespec>) -> bool {
        let Some(guard) = &self.guard else { return false };
        let mut polled =
            [guard.as_fd(), self.requests.as_fd()].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        while poll(&mut polled, timeout) == Err(rustix::io::Errno::INTR) {}
        !polled[0].revents().is_empty()
    }
}

fn passed_streams() -> Option<[OwnedFd; 2]> {
    let text = std::env::var(STREAMS).ok()?;
    // SAFETY: no other thread reads the environment. A command must not see the variable: it may be another launcher.
    unsafe { std::env::remove_var(STREAMS) };
    let (input, output) = text.split_once(',')?;
    let own = |number: &str| -> Option<OwnedFd> {
        let number: RawFd = number.parse().ok()?;
        // SAFETY: asking about a number that is no open file only gives an error.
        (unsafe { libc::fcntl(number, libc::F_GETFD) } >= 0).then(|| {
            // SAFETY: `pass_streams` made this descriptor for us; it is open, and nothing else here uses it.
            unsafe { OwnedFd::from_raw_fd(number) }
        })
    };
    Some([own(input)?, own(output)?])
}

/// The signals that this launcher has got since the last launch began.
static HEARD: AtomicU64 = AtomicU64::new(0);

/// Returns a signal as a member of a set. Linux has 64.
fn bit(signal: libc::c_int) -> u64 {
    1 << (signal - 1)
}

/// Outlives a Ctrl-C, which reaches every process of the terminal, to kill what it started. By a handler: commands would ignore an
/// *ignored* signal. What is ignored already (by `nohup`, or in the background of a script) stays so.
fn outlive_the_terminal() {
    extern "C" fn take_note(signal: libc::c_int) {
        HEARD.fetch_or(bit(signal), Ordering::Relaxed);
    }
    for signal in signals::OF_A_TERMINAL {
        if signals::action_of(signal) != libc::SIG_IGN {
            signals::handle(signal, take_note, 0);
        }
    }
    signals::mask_those_of_a_terminal(libc::SIG_UNBLOCK);
}
