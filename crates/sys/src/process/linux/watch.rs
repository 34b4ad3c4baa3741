//! From the start of a command to the end of the last process that it left.

use std::collections::HashSet;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use super::kill::{Process, any_children, kill_each, living_descendants};
use super::main_end::MainEnd;
use super::own_peak;
use super::report::{Reaper, report, status_of};
use super::start::Start;
use super::streams::Stream;
use crate::clock::now_ns;
use crate::process::growth::{self, Watched};
use crate::process::{Cancel, End, Ended, KILL_NS, Launch, Survivors, deadline_ns};

/// How often orphans that ended early are taken in while the command runs: rare enough to disturb nothing.
const TICK_NS: u64 = 1_000_000_000;
/// Between two looks for the ends of orphans, of which no descriptor tells.
const LINGER_TICK_NS: u64 = 2_000_000;

/// Starts a command, waits for it and its descendants, and counts what they used. Errors: the program, which the text names, cannot
/// be started.
///
/// Must be called only in a process of a single thread that takes orphans ([`super::become_reaper`]): it waits for *any* child, and
/// moves limits and processors of the whole process for the moment of the start. A small process also keeps the peak memory
/// honest, because a new process starts with the peak of the one that starts it.
pub(in crate::process) fn run(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    let mut start = Start::new(launch)?;
    let earlier = earlier_children();
    let renewed_bytes = own_peak::renew();
    let (child, began_ns) = start.spawn(now_ns)?;
    let mut watch = Watch::over(child, &start, cancel, earlier)?;
    let deadline_ns = deadline_ns(launch, began_ns);
    let (mut end, ended_ns) = watch.until_main_ends(deadline_ns, launch.growth.as_ref().map(Watched::new));
    let own_peak_bytes = own_peak::bound(renewed_bytes);
    if end == End::Itself {
        end = watch.linger(ended_ns.saturating_add(launch.linger_ns));
    }
    let killed = match (end, launch.survivors) {
        (End::Itself, Survivors::Leave) => 0,
        _ => watch.kill_all(),
    };
    watch.reaper.reap();
    let left = living_descendants(&watch.reaper.earlier).len();
    let elapsed_ns = if watch.reaper.status.is_some() { ended_ns } else { now_ns() } - began_ns;
    let Watch { streams, reaper, .. } = watch;
    let status = match (end.status(), reaper.status) {
        (Some(killed), _) => killed,
        (None, Some(status)) => start.memory_spent().unwrap_or_else(|| status_of(status)),
        (None, None) => {
            let text = format!("{}: its end was told to another process", launch.program.display());
            return Err(io::Error::other(text));
        }
    };
    Ok(report(status, &reaper, streams, elapsed_ns, killed, left as u32, own_peak_bytes))
}

/// What runs below us already, e.g. because an earlier launch was told to leave it.
fn earlier_children() -> HashSet<i32> {
    if !any_children() {
        return HashSet::new();
    }
    Reaper::new(0, HashSet::new()).reap();
    living_descendants(&HashSet::new()).iter().map(|process| process.id).collect()
}

struct Watch<'launch> {
    cancel: &'launch Cancel,
    main: Pid,
    end_of_main: MainEnd,
    own_group: bool,
    streams: [Stream; 2],
    reaper: Reaper,
}

/// What a look at the descriptors has shown.
#[derive(Debug, Clone, Copy)]
struct Seen {
    main_ended: bool,
    cancelled: bool,
    at_ns: u64,
}

impl<'launch> Watch<'launch> {
    fn over(
        mut child: Child,
        start: &Start<'_>,
        cancel: &'launch Cancel,
        earlier: HashSet<i32>,
    ) -> io::Result<Self> {
        let main = Pid::from_child(&child);
        let end_of_main = MainEnd::of(main).inspect_err(|_| {
            // Whom we cannot watch we do not leave behind.
            let _ = child.kill().and_then(|()| child.wait());
        })?;
        let streams = [
            Stream::new(child.stdout.take().map(OwnedFd::from), start.kept_bytes())?,
            Stream::new(child.stderr.take().map(OwnedFd::from), start.kept_bytes())?,
        ];
        let reaper = Reaper::new(main.as_raw_nonzero().get(), earlier);
        Ok(Self { cancel, main, end_of_main, own_group: start.own_group, streams, reaper })
    }

    /// Waits for the end of the command itself; gives the reason and the moment.
    fn until_main_ends(&mut self, deadline_ns: u64, mut growth: Option<Watched<'_>>) -> (End, u64) {
        let mut tick_ns = now_ns() + TICK_NS;
        loop {
            let growth_ns = growth.as_ref().map_or(u64::MAX, |_| now_ns() + growth::TICK_NS);
            let seen = self.look(deadline_ns.min(tick_ns).min(growth_ns), true);
            if seen.main_ended {
                return (End::Itself, seen.at_ns);
            }
            if seen.cancelled {
                return (End::Cancelled, seen.at_ns);
            }
            if seen.at_ns >= deadline_ns {
                return (End::TimedOut, seen.at_ns);
            }
            if growth.as_mut().is_some_and(Watched::is_exceeded) {
                return (End::FileTooLong, seen.at_ns);
            }
            if seen.at_ns >= tick_ns {
                // A command that leaves many short-lived orphans must not run out of process numbers.
                self.reaper.reap();
                tick_ns = seen.at_ns + TICK_NS;
            }
        }
    }

    /// Waits for the ends of the descendants.
    fn linger(&mut self, deadline_ns: u64) -> End {
        loop {
            let left = self.reaper.reap();
            if !left || (!self.reaper.earlier.is_empty() && self.living().is_empty()) {
                return End::Itself;
            }
            let now = now_ns();
            if now >= deadline_ns {
                return End::Itself;
            }
            if self.look(deadline_ns.min(now + LINGER_TICK_NS), false).cancelled {
                return End::Cancelled;
            }
        }
    }

    /// Sleeps until something happens or `until_ns` has come, and reads what was printed meanwhile.
    fn look(&mut self, until_ns: u64, main_too: bool) -> Seen {
        let already = self.cancel.source.as_ref().is_some_and(|source| source.already);
        let left_ns = if already { 0 } else { until_ns.saturating_sub(now_ns()) };
        let timeout =
            Timespec { tv_sec: (left_ns / 1_000_000_000) as i64, tv_nsec: (left_ns % 1_000_000_000) as i64 };
        let mut polled = Vec::with_capacity(5);
        let mut owners = Vec::with_capacity(5);
        let mut watch = |owner, descriptor| {
            polled.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            owners.push(owner);
        };
        if main_too {
            watch(Owner::Main, self.end_of_main.descriptor());
        }
        if let Some(source) = &self.cancel.source {
            watch(Owner::Cancel, source.input.as_fd());
            watch(Owner::Cancel, source.guard.as_fd());
        }
        for (index, stream) in self.streams.iter().enumerate() {
            if let Some(descriptor) = stream.descriptor() {
                watch(Owner::Stream(index), descriptor);
            }
        }
        // An interrupted wait is a look that has seen nothing.
        let ready = poll(&mut polled, Some(&timeout)).is_ok_and(|count| count > 0);
        let at_ns = now_ns();
        let mut seen = Seen { main_ended: false, cancelled: already, at_ns };
        let happened: Vec<Owner> = match ready {
            true => polled
                .iter()
                .zip(&owners)
                .filter(|(fd, _)| !fd.revents().is_empty())
                .map(|(_, &o)| o)
                .collect(),
            false => Vec::new(),
        };
        drop(polled);
        for owner in happened {
            match owner {
                Owner::Main => seen.main_ended = self.end_of_main.has_come(true),
                Owner::Cancel => seen.cancelled = true,
                Owner::Stream(index) => {
                    self.streams[index].read();
                }
            }
        }
        seen
    }

    fn living(&self) -> Vec<Process> {
        living_descendants(&self.reaper.earlier)
    }

    /// Kills the command and all of its descendants, also those that were born during the killing; gives the number of descendants.
    fn kill_all(&mut self) -> u32 {
        let main = self.main.as_raw_nonzero().get();
        let mut ids = HashSet::new();
        let deadline_ns = now_ns() + KILL_NS;
        let mut empty_looks = 0;
        // While one look goes on, a process may move from a parent that ends to us: only the second one is sure.
        while empty_looks < 2 {
            let living = self.living();
            if self.own_group && self.reaper.status.is_none() {
                // The command has not been waited for, so the number is still that of its group.
                let _ = kill_process_group(self.main, Signal::KILL);
            }
            ids.extend(living.iter().map(|process| process.id).filter(|&id| id != main));
            empty_looks = if living.is_empty() { empty_looks + 1 } else { 0 };
            if !living.is_empty() && !kill_each(&living, deadline_ns) {
                break;
            }
            self.reaper.reap();
        }
        ids.len() as u32
    }
}

#[derive(Debug, Clone, Copy)]
enum Owner {
    Main,
    Cancel,
    Stream(usize),
}
