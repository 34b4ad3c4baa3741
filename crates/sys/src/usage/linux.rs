//! `getrusage`, `/proc/self/io`, `/proc/self/schedstat` and `/proc/self/status`.

use std::fs::File;
use std::os::unix::fs::FileExt;

use model::Usage;

use crate::host::system::{number_after, text};

/// Returns what this process, with all its threads and without its children, used since it began.
pub fn of_this_process() -> Usage {
    let mut counters = Meter::open();
    Usage { peak_memory_bytes: own_peak_bytes(), ..counters.fill(counted_by_the_kernel(libc::RUSAGE_SELF)) }
}

/// Reads what this process and all that it started used, around a stretch of work. A child is counted as soon as this process has
/// waited for it; one that goes on, or whose end was waited for by another process, is not counted.
pub struct Meter {
    io: Option<File>,
    schedule: Option<File>,
    /// Its own readings, which the kernel counts as calls of this process.
    own_reads: u64,
}

impl Meter {
    /// Opens what is read again and again, so that a reading costs a few microseconds.
    pub fn open() -> Self {
        let schedule = File::open("/proc/self/schedstat").ok();
        Self { io: File::open("/proc/self/io").ok(), schedule, own_reads: 0 }
    }

    /// Returns what was used since the beginning, without the peak memory.
    pub fn read(&mut self) -> Usage {
        let [own, children] = [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].map(counted_by_the_kernel);
        let both = own.combined_with(children, |own, children| Some(own? + children?));
        // Processes of one tree have their peaks at different times.
        self.fill(Usage { peak_memory_bytes: None, ..both })
    }

    /// Adds what is reported in files. The kernel adds bytes and calls of a child to those of the parent that waits for it.
    fn fill(&mut self, mut usage: Usage) -> Usage {
        if let Some(text) = self.io.as_ref().and_then(text_of) {
            usage.read_bytes = number_after(&text, "read_bytes:");
            usage.written_bytes = number_after(&text, "write_bytes:");
            let all_reads = number_after(&text, "syscr:");
            usage.read_calls = all_reads.map(|calls| calls.saturating_sub(self.own_reads));
            usage.write_calls = number_after(&text, "syscw:");
        }
        self.own_reads += [&self.io, &self.schedule].into_iter().flatten().count() as u64;
        // Time on a processor, time waiting for one, number of turns: of the main thread alone.
        if let Some(text) = self.schedule.as_ref().and_then(text_of) {
            usage.run_delay_ns = text.split_ascii_whitespace().nth(1).and_then(|delay| delay.parse().ok());
        }
        usage
    }

    /// Returns the largest resident memory of any of these processes since the beginning.
    pub fn peak_memory_bytes(&self) -> Option<u64> {
        // A child inherits its parent's peak across exec: without children, and where they are small, ours is the larger one.
        own_peak_bytes().max(counted_by_the_kernel(libc::RUSAGE_CHILDREN).peak_memory_bytes)
    }
}

/// Returns `VmHWM`: `ru_maxrss` starts with the resident set of the process that started this one (exec keeps it).
pub(crate) fn own_peak_bytes() -> Option<u64> {
    number_after(&text("/proc/self/status")?, "VmHWM:").map(|kib| kib * 1024)
}

fn text_of(file: &File) -> Option<String> {
    let mut bytes = [0; 512];
    let count = file.read_at(&mut bytes, 0).ok()?;
    Some(String::from_utf8_lossy(&bytes[..count]).into_owned())
}

fn counted_by_the_kernel(of: libc::c_int) -> Usage {
    // SAFETY: an all-zero `rusage` is valid: it consists of integers only.
    let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `raw` is a valid place for the answer, which the call fills before it returns.
    if unsafe { libc::getrusage(of, &raw mut raw) } == 0 { from_rusage(&raw) } else { Usage::default() }
}

/// Returns what the kernel counted, without the bytes at the device (the caller knows better places for them).
pub(crate) fn from_rusage(raw: &libc::rusage) -> Usage {
    let [user_ns, system_ns] = [raw.ru_utime, raw.ru_stime]
        .map(|time| Some(time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000));
    Usage {
        user_ns,
        system_ns,
        minor_faults: Some(raw.ru_minflt as u64),
        major_faults: Some(raw.ru_majflt as u64),
        voluntary_switches: Some(raw.ru_nvcsw as u64),
        involuntary_switches: Some(raw.ru_nivcsw as u64),
        peak_memory_bytes: Some(raw.ru_maxrss as u64 * 1024),
        ..Usage::default()
    }
}
