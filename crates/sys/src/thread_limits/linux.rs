//! Limits from `/proc`, `getrlimit` and control groups. The probe is a child that makes nothing but system calls and threads.

use std::ffi::c_void;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr::null_mut;
use std::{fs, io};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use rustix::process::{Pid, Resource, Signal, WaitOptions, getrlimit, getuid, kill_process, waitpid};

use super::{End, Limit, Probed, grown};
use crate::clock::now_ns;
use crate::host::system::groups::Groups;
use crate::host::system::{number, number_after, text};

/// Memory of a thread next to its stack: about four pages for the kernel's stack, three for what it keeps of the thread, one each for
/// the first page of the stack and its table.
const THREAD_BYTES: u64 = 40 << 10;
const MAPS_A_THREAD: u64 = 2;
const GUARD_BYTES: u64 = 4096;
/// A running thread of the standard library has a second stack, for signals, with a page that guards it.
const MAPS_A_RUNNING_THREAD: u64 = 4;
/// Maps that are left for whatever else the process does meanwhile.
const MAPS_LEFT: u64 = 100;
/// A limit of which less is left counts as reached: others use it too.
const REST: u64 = 8;

/// Returns every limit that is known, for threads with stacks of this size.
pub fn all(stack_bytes: u64) -> Vec<Limit> {
    let mut limits = of_tasks();
    limits.extend(of_memory());
    limits.extend(of_process("self", stack_bytes));
    limits
}

pub(super) fn reached(stack_bytes: u64) -> Option<Limit> {
    reached_by("self", stack_bytes)
}

fn reached_by(process: &str, stack_bytes: u64) -> Option<Limit> {
    let limits = of_tasks().into_iter().chain(of_process(process, stack_bytes));
    let now = limits.min_by_key(|limit| limit.room).filter(|limit| limit.room <= REST);
    // When threads begin, the C library reserves twice the address space that it wants for their memory, and gives half of it back: a
    // limit that was reached then is not reached any more when one looks for it.
    now.or_else(|| {
        let at_its_peak = address_space(process, ("address space at its peak", "VmPeak:"), stack_bytes);
        at_its_peak.filter(|limit| limit.room <= REST)
    })
}

/// Returns the limits on the number of tasks, which all processes of the system, of the user or of the group share.
fn of_tasks() -> Vec<Limit> {
    let mut limits = Vec::new();
    let tasks = tasks_of_the_system();
    for name in ["kernel/threads-max", "kernel/pid_max"] {
        if let Some(most) = number(format!("/proc/sys/{name}")) {
            limits.push(shared(name.replace('/', "."), most, tasks));
        }
    }
    // The limit does not bind root.
    let user = getuid();
    if let Some(most) = getrlimit(Resource::Nproc).current
        && !user.is_root()
    {
        limits.push(shared("RLIMIT_NPROC".to_owned(), most, Some(tasks_of(user.as_raw()))));
    }
    for (folder, most, used) in Groups::read().tasks() {
        limits.push(shared(format!("pids.max of {}", folder.display()), most, Some(used)));
    }
    limits
}

fn shared(name: String, most: u64, used: Option<u64>) -> Limit {
    Limit { name, most, used, room: most.saturating_sub(used.unwrap_or(0)), is_shared: true }
}

/// Returns the tasks behind the slash in the fourth field of `/proc/loadavg` (proc(5)).
fn tasks_of_the_system() -> Option<u64> {
    let loads = text("/proc/loadavg")?;
    let (_, all) = loads.split(' ').nth(3)?.split_once('/')?;
    all.parse().ok()
}

fn tasks_of(user: u32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let processes = processes.flatten().map(|process| process.path()).filter(|folder| is_process(folder));
    let statuses = processes.filter_map(|folder| text(folder.join("status")));
    let own = statuses.filter(|status| number_after(status, "Uid:") == Some(user.into()));
    own.filter_map(|status| number_after(&status, "Threads:")).sum()
}

/// Returns whether its name is a number; `self` and `thread-self` would count this process again.
fn is_process(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().parse::<u32>().is_ok())
}

fn of_memory() -> Option<Limit> {
    let free = number_after(&text("/proc/meminfo")?, "MemAvailable:")? << 10;
    let most = Groups::read().free_memory_bytes().map_or(free, |group| group.min(free));
    let name = "available memory in bytes".to_owned();
    Some(Limit { name, most, used: None, room: most / THREAD_BYTES, is_shared: true })
}

/// Returns the memory of the kernel that is never paged out: the stacks of threads, and small objects that cannot be freed on demand.
fn unpaged_bytes() -> Option<u64> {
    let meminfo = text("/proc/meminfo")?;
    let parts = ["KernelStack:", "SUnreclaim:"].map(|line| number_after(&meminfo, line));
    Some((parts[0]? + parts[1]?) << 10)
}

/// Returns how many threads of the standard library can be alive at once, as far as maps of memory go.
pub(super) fn most_threads() -> u64 {
    let Some(most) = max_maps() else { return u64::MAX };
    most.saturating_sub(maps_of("self").unwrap_or(0) + MAPS_LEFT) / MAPS_A_RUNNING_THREAD
}

/// Returns why a thread has no room next to as many as [`most_threads`].
pub(super) fn no_maps() -> io::Error {
    let most = max_maps().map_or(String::new(), |most| format!(" ({most})"));
    let text = format!(
        "a running thread takes {MAPS_A_RUNNING_THREAD} maps of memory; the limit that was reached is vm.max_map_count{most}"
    );
    io::Error::new(io::ErrorKind::OutOfMemory, text)
}

/// Sees whether there is this much address space; none is kept.
pub(super) fn reserve(bytes: u64) -> io::Result<()> {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    // SAFETY: new memory that nothing can use, and that is given back at once.
    unsafe {
        let reserved = mmap_anonymous(null_mut(), bytes, ProtFlags::empty(), MapFlags::PRIVATE)?;
        munmap(reserved, bytes)?;
    }
    Ok(())
}

fn max_maps() -> Option<u64> {
    number("/proc/sys/vm/max_map_count")
}

fn maps_of(process: &str) -> Option<u64> {
    text(format!("/proc/{process}/maps")).map(|maps| maps.lines().count() as u64)
}

fn of_process(process: &str, stack_bytes: u64) -> Vec<Limit> {
    let mut limits = Vec::new();
    let maps = maps_of(process);
    if let Some(most) = max_maps() {
        let room = most.saturating_sub(maps.unwrap_or(0)) / MAPS_A_THREAD;
        limits.push(Limit { name: "vm.max_map_count".to_owned(), most, used: maps, room, is_shared: false });
    }
    limits.extend(address_space(process, ("address space", "VmSize:"), stack_bytes));
    limits
}

/// Returns the limit of address space, and how much of it is used: a line of `/proc/PID/status`.
fn address_space(process: &str, (what, line): (&str, &str), stack_bytes: u64) -> Option<Limit> {
    let most = getrlimit(Resource::As).current?;
    let status = text(format!("/proc/{process}/status")).unwrap_or_default();
    let used = number_after(&status, line).map(|kib| kib << 10);
    let room = most.saturating_sub(used.unwrap_or(0)) / (stack_bytes + GUARD_BYTES);
    Some(Limit { name: format!("{what}, RLIMIT_AS in bytes"), most, used, room, is_shared: false })
}

/// A child that hangs is ended by the kernel.
const LONGEST_S: u32 = 10;

/// A report that child and parent share. It is read when the child has said that it is done, or is gone.
#[repr(C)]
struct Report {
    threads: u64,
    elapsed_ns: u64,
    /// 0, or the error of the thread that was refused.
    error: i32,
    is_late: bool,
}

struct SharedReport(*mut Report);

impl SharedReport {
    fn new() -> io::Result<Self> {
        let (bytes, access) = (size_of::<Report>(), ProtFlags::READ | ProtFlags::WRITE);
        // SAFETY: a new mapping overlaps none; the kernel fills it with zeros, which is a valid report.
        Ok(Self(unsafe { mmap_anonymous(null_mut(), bytes, access, MapFlags::SHARED) }?.cast()))
    }
}

impl Drop for SharedReport {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and nothing refers to it any more.
        let _ = unsafe { munmap(self.0.cast(), size_of::<Report>()) };
    }
}

/// Has a child create up to `most` threads that do nothing, with stacks of this size, within about `within_ns`, and end them.
pub fn probe(stack_bytes: u64, most: u64, within_ns: u64) -> io::Result<Probed> {
    let report = SharedReport::new()?;
    let before_bytes = unpaged_bytes();
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
    // It writes one byte when it is done; the end of the pipe shows that it is gone.
    let is_alive = matches!(rustix::io::retry_on_intr(|| rustix::io::read(&reader, &mut [0_u8; 1])), Ok(1));
    let kernel_bytes = grown(before_bytes, unpaged_bytes().filter(|_| is_alive));
    let child = Pid::from_raw(child).ok_or(io::ErrorKind::InvalidData)?;
    // SAFETY: the child writes no more.
    let said = unsafe { report.0.read() };
    let refused = (said.error != 0).then(|| {
        let limit =
            reached_by(&child.as_raw_nonzero().to_string(), stack_bytes).map(|limit| limit.to_string());
        limit.unwrap_or_else(|| io::Error::from_raw_os_error(said.error).to_string())
    });
    let _ = kill_process(child, Signal::KILL);
    rustix::io::retry_on_intr(|| waitpid(Some(child), WaitOptions::empty()))?;
    let end = match (is_alive, refused) {
        (_, Some(reason)) => End::Refused(reason),
        (false, None) => End::Killed,
        (true, None) if said.is_late => End::Late,
        (true, None) => End::AllCreated,
    };
    Ok(Probed { threads: said.threads, elapsed_ns: said.elapsed_ns, kernel_bytes, end })
}

/// Creates the threads, reports so, and waits to be killed.
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
    fn a_process_is_counted_once_for_its_user() {
        for (name, expected) in
            [("1", true), ("32768", true), ("self", false), ("thread-self", false), ("loadavg", false)]
        {
            assert_eq!(is_process(&Path::new("/proc").join(name)), expected, "{name}");
        }
    }

    #[test]
    fn limits_show_what_is_used_and_whether_they_are_shared() {
        let limited = all(1 << 30);
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
