//! The child that creates threads, and its parent that looks what it has reached.

use std::ffi::c_void;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::null_mut;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::{folder_of, reached_by};
use crate::clock::now_ns;
use crate::thread_limits::{End, Probed};

/// A child that hangs is ended by the kernel.
const LONGEST_S: u32 = 10;

/// What child and parent share. It is read when the child has said that it is done, or is gone.
#[repr(C)]
struct Report {
    threads: u64,
    elapsed_ns: u64,
    /// 0, or the error of the thread that was refused.
    error: i32,
    is_late: bool,
}

/// Memory that a child shares with its parent.
struct SharedReport(*mut Report);

impl SharedReport {
    fn new() -> io::Result<Self> {
        // SAFETY: a new mapping overlaps none; the kernel fills it with zeros, which is a valid report.
        let at = unsafe {
            libc::mmap(
                null_mut(),
                size_of::<Report>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if at == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(Self(at.cast())) }
    }
}

impl Drop for SharedReport {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and nothing refers to it any more.
        unsafe { libc::munmap(self.0.cast(), size_of::<Report>()) };
    }
}

/// Has a child process create up to `most` threads that do nothing, with stacks of this size, within about `within_ns`, and end
/// them again.
pub fn probe(stack_bytes: u64, most: u64, within_ns: u64) -> io::Result<Probed> {
    let report = SharedReport::new()?;
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let end = writer.as_raw_fd();
    // SAFETY: the child makes system calls and threads only, and ends without running anything of ours.
    let child = unsafe { libc::fork() };
    match child {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            // SAFETY: the report is mapped and only this process writes to it; the descriptor is open.
            unsafe { create(&mut *report.0, stack_bytes as usize, most, within_ns, end) }
        }
        _ => {}
    }
    drop(writer);
    // It writes one byte when it is done; the end of the pipe tells that it is gone.
    let is_alive = matches!(rustix::io::retry_on_intr(|| rustix::io::read(&reader, &mut [0_u8; 1])), Ok(1));
    let child = Pid::from_raw(child).ok_or(io::ErrorKind::InvalidData)?;
    // SAFETY: the child writes no more.
    let told = unsafe { report.0.read() };
    let refused = (told.error != 0).then(|| refusal(child, stack_bytes, told.error));
    let _ = kill_process(child, Signal::KILL);
    rustix::io::retry_on_intr(|| waitpid(Some(child), WaitOptions::empty()))?;
    let end = match (is_alive, refused) {
        (_, Some(reason)) => End::Refused(reason),
        (false, None) => End::Killed,
        (true, None) if told.is_late => End::Late,
        (true, None) => End::AllCreated,
    };
    Ok(Probed { threads: told.threads, elapsed_ns: told.elapsed_ns, end })
}

/// What a child has reached that still holds all its threads.
fn refusal(child: Pid, stack_bytes: u64, error: i32) -> String {
    match reached_by(&folder_of(child), stack_bytes) {
        Some(limit) => limit.to_string(),
        None => io::Error::from_raw_os_error(error).to_string(),
    }
}

/// Creates the threads, tells so, and waits to be killed.
///
/// # Safety
/// The calling process is a child that was made for this; `end` is its end of a pipe.
unsafe fn create(report: &mut Report, stack_bytes: usize, most: u64, within_ns: u64, end: i32) -> ! {
    // SAFETY: the calls take numbers and places that are valid through them. The threads do nothing but wait.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::alarm(LONGEST_S);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        report.error = libc::pthread_attr_init(&raw mut attributes);
        if report.error == 0 {
            report.error = libc::pthread_attr_setstacksize(&raw mut attributes, stack_bytes);
        }
        let start_ns = now_ns();
        while report.error == 0 && report.threads < most {
            if now_ns() - start_ns >= within_ns {
                report.is_late = true;
                break;
            }
            let mut thread: libc::pthread_t = 0;
            report.error =
                libc::pthread_create(&raw mut thread, &raw const attributes, wait_for_ever, null_mut());
            report.threads += u64::from(report.error == 0);
        }
        report.elapsed_ns = now_ns() - start_ns;
        libc::write(end, [1_u8].as_ptr().cast(), 1);
        loop {
            libc::pause();
        }
    }
}

extern "C" fn wait_for_ever(_: *mut c_void) -> *mut c_void {
    loop {
        // SAFETY: the call takes nothing; no signal has a handler that ends the wait for good.
        unsafe { libc::poll(null_mut(), 0, -1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_tell_how_much_is_used_and_whether_others_use_them_too() {
        let limited = crate::thread_limits::all(1 << 30);
        assert!(limited.iter().any(|limit| limit.name == "vm.max_map_count" && !limit.is_shared));
        let tasks = limited.iter().find(|limit| limit.name == "kernel.threads-max").expect("a limit");
        assert!(tasks.used.is_some_and(|used| used > 0) && tasks.room < tasks.most);
    }

    #[test]
    fn stacks_that_no_address_space_holds_are_refused_with_a_reason() {
        let probed = probe(1 << 46, 20, 60_000_000_000).expect("a probe");
        assert!(matches!(&probed.end, End::Refused(reason) if !reason.is_empty()), "{probed:?}");
        assert!(probed.threads < 20);
    }
}
