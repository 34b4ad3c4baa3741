//! `ptrace`: a thread of its own follows the command, since only the thread that traces a process learns of its stops.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use model::CallCounters;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::{Edge, Scope, Traced};
use crate::clock;
use crate::host::system::{number_after, text};
use crate::process::system::start::{file_in_memory, input_of};
use crate::process::{Ended, Launch, Status, equipped};

mod counts;
mod follow;

use follow::Followed;

/// The first argument of `prctl` for a mark: no operation that the kernel knows.
const MARK: u64 = 0x62_616b_656f;
const TIME_LIMIT_CHECK: Duration = Duration::from_millis(20);
/// A process that makes one call takes no hundredth of this to be traced.
const CHECK_LIMIT_NS: u64 = 10_000_000_000;

/// Marks an edge in this process, by a call that the kernel does not know. Costs a microsecond where no trace is taken.
pub fn mark(edge: Edge) {
    // SAFETY: the kernel refuses the operation before it looks at its arguments.
    unsafe { libc::syscall(libc::SYS_prctl, MARK, edge as u64, 0, 0, 0) };
}

/// Returns the reading and writing calls of this process and of the children that it has waited for, since it began.
pub fn counters() -> CallCounters {
    let text = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    CallCounters {
        read_calls: number_after(&text, "syscr:"),
        write_calls: number_after(&text, "syscw:"),
        other_calls: None,
        read_bytes: number_after(&text, "rchar:"),
        written_bytes: number_after(&text, "wchar:"),
    }
}

/// Returns which edge a call of `prctl` with these arguments marks.
fn edge_of(arguments: &[u64; 6]) -> Option<Edge> {
    let edges = [Edge::Begin, Edge::End, Edge::Pause, Edge::Resume].into_iter();
    edges.filter(|_| arguments[0] == MARK).find(|&edge| arguments[1] == edge as u64)
}

/// Starts a process that stops before its first call, and gives its number.
type Start<'a> = dyn FnMut() -> io::Result<libc::pid_t> + Send + 'a;

/// Starts a command and counts its calls until it ends; kills what it leaves running, and everything once `interrupted` becomes true or
/// its time is over. Heeds program, arguments, environment, directory, input and time limit. What it prints is kept whole.
pub fn run(launch: &Launch, scope: Scope, interrupted: &AtomicBool) -> io::Result<Traced> {
    let (stdout, stderr) = (file_in_memory(&[])?, file_in_memory(&[])?);
    let mut command = command(launch, &stdout, &stderr)?;
    let began_ns = clock::now_ns();
    let mut start = || Ok(command.spawn()?.id() as libc::pid_t);
    let (followed, cut) = watch(&mut start, scope, launch.time_limit_ns, interrupted)?;
    let status = match (&followed.status, cut) {
        // It may have come to its own end just before.
        (Status::Signal { number: libc::SIGKILL, .. }, Some(cut)) => cut,
        (status, _) => status.clone(),
    };
    let elapsed_ns = clock::now_ns() - began_ns;
    let counts = followed.counts;
    Ok(Traced {
        ended: Ended { elapsed_ns, stdout: whole(stdout)?, stderr: whole(stderr)?, ..Ended::new(status) },
        calls: counts.calls(),
        processes: counts.processes,
        threads: counts.threads,
        is_marked: counts.is_marked(),
    })
}

/// Follows what is started until its end, and says why it was killed where it was.
fn watch(
    start: &mut Start<'_>, scope: Scope, limit_ns: Option<u64>, interrupted: &AtomicBool,
) -> io::Result<(Followed, Option<Status>)> {
    let over = AtomicBool::new(false);
    let (said, number) = mpsc::channel();
    thread::scope(|threads| {
        let over = &over;
        let tracer = thread::Builder::new().name("tracer".to_owned());
        let tracer = tracer.spawn_scoped(threads, move || {
            let leader = start()?;
            // The channel closes when all has ended. Who waits for the number may be gone: then it does not need it any more.
            said.send(leader).ok();
            follow::follow(leader, scope, over)
        })?;
        let cut = kill_when_over(&number, over, limit_ns, interrupted);
        let followed = tracer.join().unwrap_or_else(|_| Err(io::Error::other("the tracer panicked")));
        Ok((followed?, cut))
    })
}

/// Waits until the tracer is done, and ends what it traces when the time is over or the user wants it.
fn kill_when_over(
    number: &Receiver<libc::pid_t>, over: &AtomicBool, limit_ns: Option<u64>, interrupted: &AtomicBool,
) -> Option<Status> {
    let began_ns = clock::now_ns();
    let (mut leader, mut cut) = (None, None);
    loop {
        match number.recv_timeout(TIME_LIMIT_CHECK) {
            // Its descriptor stays its own when it has ended; some filters of system calls forbid it.
            Ok(pid) => leader = Pid::from_raw(pid).map(|id| (id, pidfd_open(id, PidfdFlags::empty()).ok())),
            Err(RecvTimeoutError::Disconnected) => return cut,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let is_late = limit_ns.is_some_and(|limit_ns| clock::now_ns() - began_ns > limit_ns);
        let stop = interrupted.load(Ordering::Relaxed).then_some(Status::Cancelled);
        cut = cut.or(stop).or(is_late.then_some(Status::TimedOut));
        if cut.is_some() {
            over.store(true, Ordering::Relaxed);
            // The tracer sees its end and kills all others.
            let _ = match &leader {
                Some((_, Some(descriptor))) => pidfd_send_signal(descriptor, Signal::KILL),
                Some((id, None)) => kill_process(*id, Signal::KILL),
                None => Ok(()),
            };
        }
    }
}

/// Returns the command, which asks to be traced before its program starts: it then stops right after the start.
fn command(launch: &Launch, stdout: &File, stderr: &File) -> io::Result<Command> {
    let mut command = equipped(Command::new(&launch.program), launch);
    command.stdin(input_of(launch)?);
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?).process_group(0);
    // SAFETY: the child makes one system call.
    unsafe { command.pre_exec(ask_to_be_traced) };
    Ok(command)
}

fn ask_to_be_traced() -> io::Result<()> {
    // SAFETY: the call takes no argument but the request; it makes the parent the tracer.
    match unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<()>(), null_mut::<()>()) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn whole(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The exit code of the child when it must not be traced.
const REFUSED: i32 = 3;

/// Starts a child that asks for its own number once, if it can be traced.
fn attempt() -> io::Result<libc::pid_t> {
    // SAFETY: the child makes system calls only, and ends without running anything of ours.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            let code = if ask_to_be_traced().is_ok() { 0 } else { REFUSED };
            // SAFETY: the calls take and give numbers, and the last one ends the process.
            unsafe {
                if code == 0 {
                    libc::raise(libc::SIGSTOP);
                    libc::syscall(libc::SYS_getppid);
                }
                libc::_exit(code)
            }
        }
        child => Ok(child),
    }
}

/// Finds out whether a command can be traced here, by tracing a small process.
pub fn check() -> io::Result<()> {
    let reason = match watch(&mut attempt, Scope::Whole, Some(CHECK_LIMIT_NS), &AtomicBool::new(false)) {
        Ok((followed, _)) if followed.counts.calls().iter().any(|call| call.name == "getppid") => {
            return Ok(());
        }
        Ok((Followed { status: Status::Exit(REFUSED), .. }, _)) => {
            "no process may trace another one here".to_owned()
        }
        Ok(_) => "the kernel reports no system calls (that takes Linux 5.3)".to_owned(),
        Err(error) => format!("no process can be traced here: {error}"),
    };
    let cause = match text("/proc/sys/kernel/yama/ptrace_scope").as_deref() {
        Some("2") => "kernel.yama.ptrace_scope is 2: root may",
        Some("3") => "kernel.yama.ptrace_scope is 3, until the next start of the system",
        _ => "a container's filter of system calls may forbid ptrace",
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{reason} ({cause})")))
}

#[cfg(test)]
mod tests;
