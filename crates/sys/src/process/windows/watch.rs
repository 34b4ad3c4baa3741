//! From the start of a command to the end of the last process that it left.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::Child;
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::WaitForMultipleObjects;

use super::job::Job;
use super::start::{command, spawn};
use super::streams::connect;
use crate::clock::now_ns;
use crate::process::growth::{self, Watched};
use crate::process::{Cancel, End, Ended, KILL_NS, Launch, Status, Survivors, deadline_ns};

/// Between two looks for the ends of descendants.
const LINGER_TICK: Duration = Duration::from_millis(2);
/// Between two looks at a limit that is further away than the wait can express.
const WAIT_MS_MAX: u64 = 1_000_000;

/// Starts a command and waits for all of it.
pub(in crate::process) fn run(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    if launch.group_memory_bytes.is_some() {
        let why = crate::memory_group::available().err().unwrap_or_default();
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let mut job = Job::new(launch.memory_limit_bytes)?;
    let mut command = command(launch)?;
    let streams = connect(&mut command, &launch.output)?;
    let began_ns = now_ns();
    let mut child = spawn(&mut command, launch, &job)?;
    // The command holds our copies of the pipes' other ends, which would keep the pipes open.
    drop(command);
    let deadline_ns = deadline_ns(launch, began_ns);
    let (mut end, ended_ns) =
        until_main_ends(&child, cancel, deadline_ns, launch.growth.as_ref().map(Watched::new));
    if end == End::Itself {
        end = linger(&job, cancel, ended_ns.saturating_add(launch.linger_ns));
    }
    let main_is_over = matches!(child.try_wait(), Ok(Some(_)));
    let survivors = job.active().saturating_sub(u32::from(!main_is_over));
    let leave = end == End::Itself && launch.survivors == Survivors::Leave;
    if leave {
        job.release()?;
    } else {
        kill_all(&job)?;
    }
    let exit = child.wait()?;
    let elapsed_ns = if main_is_over { ended_ns } else { now_ns() } - began_ns;
    let mut output: Vec<Vec<u8>> =
        streams.into_iter().map(|stream| stream.finish(leave && survivors > 0)).collect();
    let stderr = output.pop().unwrap_or_default();
    let stdout = output.pop().unwrap_or_default();
    let (usage, mut counted_by) = job.usage();
    if leave && survivors > 0 {
        counted_by += &format!("; not in it: what {survivors} that still run use from now on");
    }
    // Every end has a code here, also that of an exception.
    let status = end.status().unwrap_or(Status::Exit(exit.code().unwrap_or(-1)));
    Ok(Ended { status, elapsed_ns, usage, stdout, stderr, survivors, counted_by })
}

/// Waits for the end of the command itself; gives the reason and the moment.
fn until_main_ends(
    child: &Child,
    cancel: &Cancel,
    deadline_ns: u64,
    mut growth: Option<Watched<'_>>,
) -> (End, u64) {
    let longest_ms = growth.as_ref().map_or(WAIT_MS_MAX, |_| growth::TICK_NS / 1_000_000);
    let mut handles = vec![child.as_raw_handle()];
    handles.extend(cancel.source.as_ref().map(|source| source.event.as_raw_handle()));
    loop {
        let left_ms = deadline_ns.saturating_sub(now_ns()).div_ceil(1_000_000).min(longest_ms);
        let happened = wait(&handles, left_ms as u32);
        let at_ns = now_ns();
        match happened {
            Some(0) => return (End::Itself, at_ns),
            Some(_) => return (End::Cancelled, at_ns),
            None if at_ns >= deadline_ns => return (End::TimedOut, at_ns),
            None if growth.as_mut().is_some_and(Watched::is_exceeded) => return (End::FileTooLong, at_ns),
            None => {}
        }
    }
}

/// The index of the first handle on which something happened.
fn wait(handles: &[HANDLE], timeout_ms: u32) -> Option<u32> {
    // SAFETY: the handles are open, and there are as many as said.
    let answer = unsafe { WaitForMultipleObjects(handles.len() as u32, handles.as_ptr(), 0, timeout_ms) };
    let index = answer.wrapping_sub(WAIT_OBJECT_0);
    (index < handles.len() as u32).then_some(index)
}

/// Waits for the ends of the descendants.
fn linger(job: &Job, cancel: &Cancel, deadline_ns: u64) -> End {
    while job.active() > 0 && now_ns() < deadline_ns {
        let asked =
            cancel.source.as_ref().is_some_and(|source| wait(&[source.event.as_raw_handle()], 0).is_some());
        if asked {
            return End::Cancelled;
        }
        thread::sleep(LINGER_TICK);
    }
    End::Itself
}

/// A process that is told to end does so a moment later.
fn kill_all(job: &Job) -> io::Result<()> {
    let deadline_ns = now_ns() + KILL_NS;
    while job.active() > 0 {
        job.kill()?;
        if now_ns() >= deadline_ns {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "what the command started could not be killed",
            ));
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}
