//! From the start of a command to the end of the last process that it left: waiting for children, and the sum of their usage.

use std::collections::HashSet;
use std::ffi::c_void;
use std::fs::{self, File};
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Once, OnceLock};

use model::Usage;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::mm::{Advice, madvise};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid,
};

use super::Cancel;
use super::guard::{any_children, kill_all, living_descendants, timespec};
use super::start::Start;
use crate::clock::now_ns;
use crate::process::growth::{self, Watched};
use crate::process::{Ended, Launch, Status, Survivors, deadline_ns};
use crate::usage::system::{from_rusage, own_peak_bytes};

/// Interval in which orphans that ended early are taken in while the command runs: rare enough to disturb nothing.
const TICK_NS: u64 = 1_000_000_000;
/// Between two looks for the ends of orphans, of which no descriptor reports.
const LINGER_TICK_NS: u64 = 2_000_000;

/// Starts a command, waits for it and its descendants, and counts what they used, in a process of a single thread that takes orphans
/// ([`super::become_reaper`]): it waits for *any* child, and moves limits and processors of the whole process for the start.
pub(in crate::process) fn run(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    let mut start = Start::new(launch)?;
    let earlier = earlier_children();
    let renewed_bytes = renew_own_peak();
    let (child, began_ns) = start.spawn(now_ns)?;
    let mut watch = Watch::over(child, &start, cancel, earlier)?;
    let deadline_ns = deadline_ns(launch, began_ns);
    let (mut forced, ended_ns) = watch.until_main_ends(deadline_ns, launch.growth.as_ref().map(Watched::new));
    // The largest peak RSS that the command can have inherited across exec. Our own peak is a bound, since it only grows; but what we
    // keep of a command's output grows it too.
    let own_peak_bytes =
        own_peak_bytes().zip(renewed_bytes).map(|(own, renewed)| own.min(renewed + SLACK_BYTES));
    let (mut outlived_by, mut longer_ns) = (0, 0);
    if forced.is_none() {
        outlived_by = watch.descendants();
        forced = watch.linger(ended_ns.saturating_add(launch.linger_ns));
        longer_ns = if outlived_by > 0 { now_ns() - ended_ns } else { 0 };
    }
    let are_left = forced.is_none() && launch.survivors == Survivors::Leave;
    let killed = if are_left { 0 } else { watch.kill_all() };
    watch.reaper.reap();
    let left = living_descendants(&watch.reaper.earlier).len();
    let elapsed_ns = if watch.reaper.status.is_some() { ended_ns } else { now_ns() } - began_ns;
    let Watch { streams, reaper, .. } = watch;
    let status = match (forced, reaper.status) {
        (Some(forced), _) => forced,
        (None, Some(status)) => start.memory_spent().unwrap_or_else(|| status_of(status)),
        (None, None) => {
            let text = format!("{}: its end was reported to another process", launch.program.display());
            return Err(io::Error::other(text));
        }
    };
    let ended = report(status, &reaper, streams, elapsed_ns, killed, left as u32, own_peak_bytes);
    Ok(Ended { outlived_by, longer_ns, ..ended })
}

/// Returns what runs below us already, e.g. because an earlier launch was asked to leave it.
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
    /// The ends of descendants that outlive it; of those that no descriptor reports, each look asks again.
    ends_of_others: Vec<OwnedFd>,
    reaper: Reaper,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    other_ended: bool,
    main_ended: bool,
    cancelled: bool,
    at_ns: u64,
}

impl<'launch> Watch<'launch> {
    fn over(
        mut child: Child, start: &Start<'_>, cancel: &'launch Cancel, earlier: HashSet<i32>,
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
        let own_group = start.own_group;
        Ok(Self { cancel, main, end_of_main, own_group, streams, ends_of_others: Vec::new(), reaper })
    }

    /// Returns the status that it is to get where it did not end by itself, and the moment.
    fn until_main_ends(
        &mut self, deadline_ns: u64, mut growth: Option<Watched<'_>>,
    ) -> (Option<Status>, u64) {
        let mut tick_ns = now_ns() + TICK_NS;
        let mut growth_ns = growth.as_ref().map_or(u64::MAX, |_| now_ns() + growth::TICK_NS);
        loop {
            let seen = self.look(deadline_ns.min(tick_ns).min(growth_ns), true);
            if seen.main_ended {
                return (None, seen.at_ns);
            }
            if seen.cancelled {
                return (Some(Status::Cancelled), seen.at_ns);
            }
            if seen.at_ns >= deadline_ns {
                return (Some(Status::TimedOut), seen.at_ns);
            }
            // Not after each read of what the command prints: its time goes on meanwhile.
            if seen.at_ns >= growth_ns {
                if growth.as_mut().is_some_and(Watched::is_exceeded) {
                    return (Some(Status::FileTooLong), seen.at_ns);
                }
                growth_ns = seen.at_ns + growth::TICK_NS;
            }
            if seen.at_ns >= tick_ns {
                // A command that leaves many short-lived orphans must not run out of process numbers.
                self.reaper.reap();
                tick_ns = seen.at_ns + TICK_NS;
            }
        }
    }

    /// Returns how many descendants of the command still run, whose ends are watched from now on.
    fn descendants(&mut self) -> u32 {
        self.reaper.reap();
        let living = living_descendants(&self.reaper.earlier);
        let ids = living.iter().filter_map(|process| Pid::from_raw(process.id));
        self.ends_of_others = ids.filter_map(|id| pidfd_open(id, PidfdFlags::empty()).ok()).collect();
        living.len() as u32
    }

    fn linger(&mut self, deadline_ns: u64) -> Option<Status> {
        loop {
            let left = self.reaper.reap();
            if !left
                || (!self.reaper.earlier.is_empty() && living_descendants(&self.reaper.earlier).is_empty())
            {
                return None;
            }
            let now = now_ns();
            if now >= deadline_ns {
                return None;
            }
            let seen = self.look(deadline_ns.min(now + LINGER_TICK_NS), false);
            if seen.cancelled {
                return Some(Status::Cancelled);
            }
            if seen.other_ended {
                // It may have started others meanwhile, and is gone itself.
                self.descendants();
            }
        }
    }

    /// Sleeps until something happens or `until_ns` has come, and reads what was printed meanwhile.
    fn look(&mut self, until_ns: u64, main_too: bool) -> Seen {
        let already = self.cancel.already;
        let left_ns = if already { 0 } else { until_ns.saturating_sub(now_ns()) };
        let mut polled = Vec::with_capacity(5);
        let mut owners = Vec::with_capacity(5);
        let others = if main_too { &[][..] } else { &self.ends_of_others[..] };
        let mut watch = |owner, descriptor| {
            polled.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            owners.push(owner);
        };
        if main_too {
            watch(Owner::Main, self.end_of_main.descriptor());
        }
        watch(Owner::Cancel, self.cancel.input.as_fd());
        watch(Owner::Cancel, self.cancel.guard.as_fd());
        others.iter().for_each(|end| watch(Owner::Other, end.as_fd()));
        for (index, stream) in self.streams.iter().enumerate() {
            if let Some(descriptor) = stream.descriptor() {
                watch(Owner::Stream(index), descriptor);
            }
        }
        // An interrupted wait is a look that has seen nothing.
        let ready = poll(&mut polled, Some(&timespec(left_ns))).is_ok_and(|count| count > 0);
        let at_ns = now_ns();
        let mut seen = Seen { main_ended: false, other_ended: false, cancelled: already, at_ns };
        let has_happened =
            |(fd, owner): (&PollFd<'_>, Owner)| (ready && !fd.revents().is_empty()).then_some(owner);
        let happened: Vec<Owner> = polled.iter().zip(owners).filter_map(has_happened).collect();
        drop(polled);
        for owner in happened {
            match owner {
                Owner::Main => seen.main_ended = self.end_of_main.has_come(true),
                Owner::Other => seen.other_ended = true,
                Owner::Cancel => seen.cancelled = true,
                Owner::Stream(index) => {
                    self.streams[index].read();
                }
            }
        }
        seen
    }

    /// Kills the command and all of its descendants, also those that were born during the killing; gives the number of descendants.
    fn kill_all(&mut self) -> u32 {
        let mut ids = HashSet::new();
        kill_all(|| {
            self.reaper.reap();
            let living = living_descendants(&self.reaper.earlier);
            if self.own_group && self.reaper.status.is_none() {
                // The command has not been waited for, so the number is still that of its group.
                let _ = kill_process_group(self.main, Signal::KILL);
            }
            ids.extend(living.iter().map(|process| process.id));
            living
        });
        ids.remove(&self.main.as_raw_nonzero().get());
        ids.len() as u32
    }
}

#[derive(Debug, Clone, Copy)]
enum Owner {
    Main,
    /// A descendant that outlives it.
    Other,
    Cancel,
    Stream(usize),
}

enum MainEnd {
    Descriptor(OwnedFd),
    /// Ready once any child has ended: where a filter of system calls gives no descriptor of a process.
    AnyChild(Pid, &'static PipeReader),
}

impl MainEnd {
    fn of(main: Pid) -> io::Result<Self> {
        match pidfd_open(main, PidfdFlags::empty()) {
            Ok(descriptor) => Ok(Self::Descriptor(descriptor)),
            Err(_) => Ok(Self::AnyChild(main, ends_of_children()?)),
        }
    }

    fn descriptor(&self) -> BorrowedFd<'_> {
        match self {
            Self::Descriptor(descriptor) => descriptor.as_fd(),
            Self::AnyChild(_, ends) => ends.as_fd(),
        }
    }

    fn has_come(&self, ready: bool) -> bool {
        match self {
            Self::Descriptor(_) => ready,
            Self::AnyChild(main, ends) => {
                // Emptied first: an end that comes after the look makes it ready again.
                while rustix::io::read(ends, &mut [0; 64]).is_ok_and(|count| count > 0) {}
                let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
                // Who was waited for already is no child any more.
                !matches!(waitid(WaitId::Pid(*main), look), Ok(None))
            }
        }
    }
}

/// Returns a pipe into which the end of each child writes a byte from now on. A handler does not outlive the start of a program.
fn ends_of_children() -> io::Result<&'static PipeReader> {
    static WRITER: AtomicI32 = AtomicI32::new(-1);
    static READER: OnceLock<PipeReader> = OnceLock::new();
    extern "C" fn wake(_: libc::c_int) {
        // SAFETY: `write` may be called in a handler; the descriptor is never closed. A full pipe is ready already. The
        // place of `errno` is this thread's own, and the interrupted code finds in it what was there.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(WRITER.load(Ordering::Relaxed), [1_u8].as_ptr().cast(), 1);
            *libc::__errno_location() = errno;
        }
    }
    if let Some(reader) = READER.get() {
        return Ok(reader);
    }
    let (reader, writer) = io::pipe()?;
    fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    fcntl_setfl(&writer, OFlags::NONBLOCK)?;
    WRITER.store(writer.into_raw_fd(), Ordering::Relaxed);
    if !crate::signals::handle(libc::SIGCHLD, wake, libc::SA_NOCLDSTOP) {
        return Err(io::Error::last_os_error());
    }
    // The first command may have ended before there was a handler.
    wake(libc::SIGCHLD);
    Ok(READER.get_or_init(|| reader))
}

/// As much as a pipe holds: one read empties it.
const PIPE_BYTES: usize = 1 << 16;
/// The largest pipe that a user may make (`fs.pipe-max-size` as it comes).
const LARGEST_PIPE_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Stream {
    pipe: Option<File>,
    kept: Vec<u8>,
    room: u64,
}

impl Stream {
    fn new(pipe: Option<OwnedFd>, room: u64) -> io::Result<Self> {
        let pipe = pipe.map(File::from);
        if let Some(pipe) = &pipe {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(Self { pipe, kept: Vec::new(), room })
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads once. False when there is nothing to read now.
    fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let mut buffer = [0; PIPE_BYTES];
        let count = match pipe.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
            // A pipe that cannot be read is at its end as far as we are concerned.
            Err(_) => 0,
        };
        if count == 0 {
            self.pipe = None;
            return false;
        }
        let keep = count.min(usize::try_from(self.room).unwrap_or(usize::MAX));
        self.kept.extend_from_slice(&buffer[..keep]);
        self.room -= keep as u64;
        true
    }

    /// Returns what was kept, with what still stands in the pipe.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // No more than the largest pipe holds: a survivor that was left may print for ever.
        for _ in 0..LARGEST_PIPE_BYTES / PIPE_BYTES {
            if !self.read() {
                break;
            }
        }
        self.kept
    }
}

/// More than what is touched again between the measurement of our own memory and the start.
const SLACK_BYTES: u64 = 1 << 20;

/// Makes our own peak as small as the system allows, and returns what remains: `execve` takes the peak of the memory it replaces over
/// into `ru_maxrss`, and after `posix_spawn` that memory is ours. Our program text is let go before the first start, and writing 5 to
/// `clear_refs` sets the peak back to what is resident (proc(5)).
fn renew_own_peak() -> Option<u64> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = let_files_go();
    });
    // Without this file the peak is merely higher.
    let _ = fs::write("/proc/self/clear_refs", "5");
    own_peak_bytes()
}

fn let_files_go() -> Option<()> {
    let maps = fs::read_to_string("/proc/self/smaps").ok()?;
    let mut candidate = None;
    for line in maps.lines() {
        if let Some(range) = unwritable_file(line) {
            candidate = Some(range);
        } else if let Some(kib) = line.strip_prefix("Anonymous:")
            && let Some((start, end)) = candidate.take()
            && kib.trim() == "0 kB"
        {
            // SAFETY: a private mapping of a file that cannot be written to, of which no page was ever changed (relocations would
            // count as anonymous): its pages are the same when they come back.
            let _ = unsafe { madvise(start as *mut c_void, end - start, Advice::LinuxDontNeed) };
        }
    }
    Some(())
}

/// Returns the addresses of a private, unwritable mapping of a file, from the head line of its entry (proc(5)).
fn unwritable_file(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let addresses = fields.next()?.split_once('-')?;
    let (permissions, inode) = (fields.next()?, fields.nth(2)?);
    let [start, end] = [addresses.0, addresses.1].map(|digits| usize::from_str_radix(digits, 16).ok());
    (matches!(permissions, "r-xp" | "r--p") && inode != "0").then_some((start?, end?))
}

/// Puts the answer together. `killed` descendants had to be, `left` still run; `own_peak_bytes` is what every command starts with.
fn report(
    status: Status, reaper: &Reaper, streams: [Stream; 2], elapsed_ns: u64, killed: u32, left: u32,
    own_peak_bytes: Option<u64>,
) -> Ended {
    let descendants = "every descendant that was waited for";
    let mut counted_by = match reaper.ended {
        0 | 1 => format!("wait4: the command and {descendants}"),
        ended => format!("wait4: the command, {} that it orphaned, and {descendants}", ended - 1),
    };
    if left > 0 {
        counted_by += &format!("; not in it: {left} that still run");
    }
    let mut usage = reaper.usage;
    if let (Some(peak), Some(own)) = (usage.peak_memory_bytes, own_peak_bytes)
        && peak <= own
    {
        usage.peak_memory_bytes = None;
        counted_by += &format!("; memory stayed below the {} KiB of what started it", own / 1024);
    }
    let [stdout, stderr] = streams.map(Stream::finish);
    Ended { elapsed_ns, usage, stdout, stderr, survivors: killed.max(left), counted_by, ..Ended::new(status) }
}

pub(crate) fn status_of(status: i32) -> Status {
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exit(code),
        (None, Some(number)) => Status::Signal { number, name: signal_name(number) },
        // The kernel reports an end in one of these two ways only.
        (None, None) => Status::Exit(-1),
    }
}

fn signal_name(number: i32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
        "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match usize::try_from(number - 1).ok().and_then(|index| NAMES.get(index)) {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {number}"),
    }
}

#[derive(Debug)]
struct Reaper {
    main: i32,
    /// Children that were there before the command: their ends are none of its business.
    earlier: HashSet<i32>,
    status: Option<i32>,
    /// Usage of all that ended, with what they themselves waited for.
    usage: Usage,
    /// The number that ended, without those that their own parents waited for.
    ended: u32,
}

impl Reaper {
    fn new(main: i32, earlier: HashSet<i32>) -> Self {
        Self { main, earlier, status: None, usage: Usage::default(), ended: 0 }
    }

    /// Takes in every child that has ended by now. False when there is no child left.
    fn reap(&mut self) -> bool {
        loop {
            let mut status = 0;
            // SAFETY: an all-zero `rusage` is valid: it consists of integers only.
            let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
            // SAFETY: both places are valid for the answers. `__WALL` covers children of every kind of clone.
            let id = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG | libc::__WALL, &raw mut raw) };
            match id {
                0 => return true,
                1.. => self.take_in(id, status, &raw),
                _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                _ => return false,
            }
        }
    }

    fn take_in(&mut self, id: i32, status: i32, raw: &libc::rusage) {
        if self.earlier.remove(&id) {
            return;
        }
        if id == self.main {
            self.status = Some(status);
        }
        self.ended += 1;
        // The kernel counts in units of 512 bytes, whatever the device has.
        let used = Usage {
            read_bytes: Some(raw.ru_inblock as u64 * 512),
            written_bytes: Some(raw.ru_oublock as u64 * 512),
            ..from_rusage(raw)
        };
        // Processes of one tree have their peaks at different times: the largest is known, their sum is not.
        let peak_memory_bytes = self.usage.peak_memory_bytes.max(used.peak_memory_bytes);
        // What the kernel does not report of a child is not known of the tree.
        let both = self.usage.combined_with(used, |sum, more| Some(sum.unwrap_or(0) + more?));
        self.usage = Usage { peak_memory_bytes, ..both };
    }
}
