//! A job object for each command: it holds all that the command starts, counts it, and kills it as a whole. A command is in its job,
//! on its processors, before it does anything.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Seek, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, NTSTATUS, WAIT_OBJECT_0};
use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_TEMPORARY, FILE_FLAG_DELETE_ON_CLOSE};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, SetProcessAffinityMask, WaitForMultipleObjects,
};

use self::job::Job;
use super::growth::{self, Watched};
use super::{Ended, Input, KILL_NS, Launch, Status, Survivors, deadline_ns, equipped};
use crate::affinity::set_of;
use crate::clock::now_ns;
use crate::failure::{in_context, named};
use crate::windows::{checked, checked_status};

pub use crate::windows::start_patiently;
pub(super) use job::Hold;
/// Every command has a job, which is what a group is elsewhere.
pub(super) use run as run_in_group;

mod job;
mod streams;

#[derive(Debug)]
pub(super) struct Cancel {
    pub(super) event: Arc<OwnedHandle>,
}

/// A job holds orphans although no process is their parent.
#[expect(clippy::unnecessary_wraps, reason = "the same question can be refused by other systems")]
pub(super) fn become_reaper() -> io::Result<()> {
    Ok(())
}

const LINGER_TICK: Duration = Duration::from_millis(2);
/// A job still counts a process for about so long after its end.
const MOMENT_NS: u64 = 2_000_000;
/// Between two looks at a limit that is further away than the wait can express.
const WAIT_MS_MAX: u64 = 1_000_000;

pub(super) fn run(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    if launch.group_memory_bytes.is_some() {
        let why = crate::memory_group::available().err().unwrap_or_default();
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let mut job = Job::new(launch.memory_limit_bytes)?;
    let mut command = command(launch)?;
    let streams = streams::connect(&mut command, &launch.output)?;
    let began_ns = now_ns();
    let mut child = spawn(&mut command, launch, &job)?;
    // The command holds our copies of the pipes' other ends, which would keep the pipes open.
    drop(command);
    let deadline_ns = deadline_ns(launch, began_ns);
    let (mut forced, ended_ns) =
        until_main_ends(&child, cancel, deadline_ns, launch.growth.as_ref().map(Watched::new));
    let (mut outlived_by, mut longer_ns) = (0, 0);
    if forced.is_none() {
        outlived_by = descendants(&job, ended_ns);
        forced = linger(&job, cancel, ended_ns.saturating_add(launch.linger_ns));
        longer_ns = if outlived_by > 0 { now_ns() - ended_ns } else { 0 };
    }
    let main_is_over = matches!(child.try_wait(), Ok(Some(_)));
    let survivors = job.active().saturating_sub(u32::from(!main_is_over));
    let leave = forced.is_none() && launch.survivors == Survivors::Leave;
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
    let status = forced.unwrap_or(Status::Exit(exit.code().unwrap_or(-1)));
    Ok(Ended { status, elapsed_ns, outlived_by, longer_ns, usage, stdout, stderr, survivors, counted_by })
}

fn until_main_ends(
    child: &Child, cancel: &Cancel, deadline_ns: u64, mut growth: Option<Watched<'_>>,
) -> (Option<Status>, u64) {
    let longest_ms = growth.as_ref().map_or(WAIT_MS_MAX, |_| growth::TICK_NS / 1_000_000);
    let handles = [child.as_raw_handle(), cancel.event.as_raw_handle()];
    loop {
        let left_ms = deadline_ns.saturating_sub(now_ns()).div_ceil(1_000_000).min(longest_ms);
        let happened = wait(&handles, left_ms as u32);
        let at_ns = now_ns();
        match happened {
            Some(0) => return (None, at_ns),
            Some(_) => return (Some(Status::Cancelled), at_ns),
            None if at_ns >= deadline_ns => return (Some(Status::TimedOut), at_ns),
            None if growth.as_mut().is_some_and(Watched::is_exceeded) => {
                return (Some(Status::FileTooLong), at_ns);
            }
            None => {}
        }
    }
}

fn wait(handles: &[HANDLE], timeout_ms: u32) -> Option<u32> {
    // SAFETY: the handles are open, and there are as many as said.
    let answer = unsafe { WaitForMultipleObjects(handles.len() as u32, handles.as_ptr(), 0, timeout_ms) };
    let index = answer.wrapping_sub(WAIT_OBJECT_0);
    (index < handles.len() as u32).then_some(index)
}

/// Returns how many descendants of a command that has ended still run. The job counts the command itself for a moment longer.
fn descendants(job: &Job, ended_ns: u64) -> u32 {
    while job.active() == 1 && now_ns() < ended_ns + MOMENT_NS {
        thread::yield_now();
    }
    job.active()
}

fn linger(job: &Job, cancel: &Cancel, deadline_ns: u64) -> Option<Status> {
    while job.active() > 0 && now_ns() < deadline_ns {
        if wait(&[cancel.event.as_raw_handle()], 0).is_some() {
            return Some(Status::Cancelled);
        }
        thread::sleep(LINGER_TICK);
    }
    None
}

/// A process that is asked to end does so a moment later.
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

#[link(name = "ntdll", kind = "raw-dylib")]
unsafe extern "system" {
    /// Resumes all threads of a process. The documented way needs the handle of the first thread, which the
    /// standard library does not give; searching the machine for it takes milliseconds.
    fn NtResumeProcess(process: HANDLE) -> NTSTATUS;
}

fn command(launch: &Launch) -> io::Result<Command> {
    if let Some(directory) = &launch.directory {
        // The system would refuse the start without saying which of the two paths it means.
        if !directory.is_dir() {
            let refused = format!("the directory {} does not exist", directory.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, refused));
        }
    }
    let mut command = equipped(Command::new(&launch.program), launch);
    command.stdin(match &launch.input {
        Input::Null => Stdio::null(),
        Input::Inherit => Stdio::inherit(),
        Input::File(path) => File::open(path).map_err(|error| named(path, error))?.into(),
        Input::Bytes(bytes) => temporary_file(bytes)?.into(),
    });
    // In a group of its own a command does not see the Ctrl-C by which the user stops the program that measures it, and cannot
    // be blamed for an end by it. One that reads from the terminal is what the user talks to.
    let talks = launch.input == Input::Inherit && io::stdin().is_terminal();
    command.creation_flags(CREATE_SUSPENDED | if talks { 0 } else { CREATE_NEW_PROCESS_GROUP });
    Ok(command)
}

/// Returns a file that holds these bytes, more than a pipe takes, and is gone as soon as it is closed.
fn temporary_file(bytes: &[u8]) -> io::Result<File> {
    let name = format!("bakeoff-{}-{}.input", std::process::id(), now_ns());
    let path = std::env::temp_dir().join(name);
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .attributes(FILE_ATTRIBUTE_TEMPORARY)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
        .open(&path);
    let mut file = opened.map_err(|error| named(&path, error))?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

fn spawn(command: &mut Command, launch: &Launch, job: &Job) -> io::Result<Child> {
    let named = |error: io::Error| in_context(launch.program.display(), error);
    let mut child = start_patiently(|| command.spawn()).map_err(named)?;
    let process = child.as_raw_handle();
    let ready = job
        .assign(process)
        .and_then(|()| restrict(process, &launch.processors))
        .and_then(|()| resume(process));
    if let Err(error) = ready {
        // It has done nothing yet, and must not stay behind asleep.
        let _ = child.kill();
        let _ = child.wait();
        return Err(named(error));
    }
    Ok(child)
}

fn restrict(process: HANDLE, processors: &[u32]) -> io::Result<()> {
    if processors.is_empty() {
        return Ok(());
    }
    let mask = set_of(processors)?;
    // SAFETY: the handle is open; the mask is a number.
    checked(unsafe { SetProcessAffinityMask(process, mask) })
        .map_err(|error| in_context(format_args!("processors {processors:?}"), error))
}

fn resume(process: HANDLE) -> io::Result<()> {
    // SAFETY: the handle is open.
    checked_status(unsafe { NtResumeProcess(process) })
}
