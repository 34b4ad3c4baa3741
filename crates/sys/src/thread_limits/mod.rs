//! The number of threads that there can be, and what runs out first.

use std::fmt;
use std::io;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{all, probe};

/// A limit on threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Its name in the system: `kernel.pid_max`, `RLIMIT_NPROC`.
    pub name: String,
    /// Its value, in its own unit.
    pub most: u64,
    /// The used part of `most`, in the same unit; `None` where the system does not say.
    pub used: Option<u64>,
    /// Threads for which it leaves room.
    pub room: u64,
    /// Other processes use it up too.
    pub is_shared: bool,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.used {
            Some(used) => write!(f, "{} ({}, of which {used} are used)", self.name, self.most),
            None => write!(f, "{} ({})", self.name, self.most),
        }
    }
}

/// The result of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// Threads that were alive at once.
    pub threads: u64,
    /// Time that it took to create them.
    pub elapsed_ns: u64,
    /// Unpaged memory of the kernel that was in use while they were alive, and not before; `None` where the system does not say.
    pub kernel_bytes: Option<u64>,
    /// The reason why there were no more.
    pub end: End,
}

/// The reason why no more threads were created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// As many were created as were asked for.
    AllCreated,
    /// The time was over.
    Late,
    /// The system refused one: the limit that was reached, where that can be said, else the error.
    Refused(String),
    /// The process that created them was killed.
    Killed,
}

/// Returns by how much a figure has grown; `None` where it has not, because of other processes or of a system that does not count it.
fn grown(before: Option<u64>, now: Option<u64>) -> Option<u64> {
    now?.checked_sub(before?).filter(|grown| *grown > 0)
}

/// Returns the size of the stack of a thread that is started without one: the standard library's, or what `RUST_MIN_STACK` says.
fn usual_stack_bytes() -> u64 {
    const USUAL_BYTES: u64 = 2 << 20;
    std::env::var("RUST_MIN_STACK").ok().and_then(|text| text.parse().ok()).unwrap_or(USUAL_BYTES)
}

/// Returns what stands behind the error of a thread that was refused: the limit that was reached, where known. `None` is the usual size.
pub fn limit_reached(stack_bytes: Option<usize>) -> String {
    match system::reached(stack_bytes.map_or_else(usual_stack_bytes, |bytes| bytes as u64)) {
        Some(limit) => format!("; the limit that was reached is {limit}"),
        None => String::new(),
    }
}

/// There is memory for this many on every host on which anything can be measured.
const FEW: usize = 32;
/// This many meet no limit on maps of memory where the program itself meets none.
const MANY: usize = 1_000;
/// Memory that a thread takes at most next to its stack when it begins.
const SETUP_BYTES: u64 = 1 << 20;
/// Stacks for which there must be room when another thread is started: those that were started may not have all their memory yet.
const STACKS_LEFT: u64 = 5;

/// Room for threads of the standard library, found out before the first is started. Each asks for memory when it begins, for a second
/// stack on which signals are handled, and one that gets none ends the process without a word.
#[derive(Debug, Clone)]
pub struct Room {
    /// Threads that can be alive at once.
    most: u64,
    stack_bytes: u64,
    /// There may be no address space for all of them: it is looked for before each.
    is_tight: bool,
}

impl Room {
    /// Returns the room for `count` threads next to what the process holds now. `stack_bytes` is `None` for the usual size.
    pub fn for_threads(count: usize, stack_bytes: Option<usize>) -> Self {
        let stack_bytes = stack_bytes.map_or_else(usual_stack_bytes, |bytes| bytes as u64);
        let all_bytes = (count as u64).saturating_mul(stack_bytes.saturating_add(SETUP_BYTES));
        Self {
            most: if count > MANY { system::most_threads() } else { u64::MAX },
            stack_bytes,
            is_tight: count > FEW && system::reserve(all_bytes).is_err(),
        }
    }

    /// Sees whether there is room for another thread next to this many that are alive.
    pub fn check(&self, alive: usize) -> io::Result<()> {
        if alive as u64 >= self.most {
            return Err(system::no_maps());
        }
        if self.is_tight { system::reserve(self.stack_bytes.saturating_mul(STACKS_LEFT)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK_BYTES: u64 = 64 << 10;

    #[test]
    fn a_few_threads_are_created_and_are_gone_afterwards() {
        for (within_ns, threads, end) in
            [(60_000_000_000, 20, End::AllCreated), (60_000_000_000, 20, End::AllCreated), (0, 0, End::Late)]
        {
            let probed = probe(STACK_BYTES, 20, within_ns).expect("a probe");
            assert_eq!((probed.threads, probed.end), (threads, end));
        }
    }

    #[test]
    fn each_thread_has_a_stack_in_the_kernel() {
        // What others give back meanwhile may hide it.
        let mut tries = (0..5).map(|_| probe(STACK_BYTES, 1_000, 60_000_000_000).expect("a probe"));
        let seen = tries.find_map(|probed| Some((probed.kernel_bytes?, probed.threads)));
        assert!(seen.is_none_or(|(bytes, threads)| bytes > 1024 * threads), "{seen:?}");
        // Wine counts none.
        assert!(seen.is_some() || std::env::consts::OS == "windows");
        assert_eq!(
            [grown(Some(7), Some(9)), grown(Some(9), Some(7)), grown(None, Some(7))],
            [Some(2), None, None]
        );
    }

    #[test]
    fn a_limit_says_how_much_of_it_is_used() {
        let limit =
            Limit { name: "RLIMIT_NPROC".to_owned(), most: 512, used: Some(30), room: 482, is_shared: true };
        assert_eq!(limit.to_string(), "RLIMIT_NPROC (512, of which 30 are used)");
        assert_eq!(Limit { used: None, ..limit }.to_string(), "RLIMIT_NPROC (512)");
    }

    #[test]
    fn few_threads_have_room_and_countless_ones_meet_the_maps() {
        Room::for_threads(2, None).check(1).expect("room for a thread");
        Room::for_threads(500, Some(64 << 10)).check(499).expect("room for a small thread");
        let refused = Room::for_threads(usize::MAX, Some(64 << 10)).check(1 << 40).err();
        assert_eq!(refused.is_some(), system::most_threads() < 1 << 40, "{refused:?}");
        assert!(refused.is_none_or(|error| error.kind() == io::ErrorKind::OutOfMemory));
    }
}
