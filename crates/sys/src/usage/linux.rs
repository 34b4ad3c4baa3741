//! `getrusage`, `/proc/self/io` and `/proc/self/status`.

use std::fs;

use model::Usage;

pub(super) fn of_this_process() -> Usage {
    let mut usage = counted_by_the_kernel();
    if let Ok(text) = fs::read_to_string("/proc/self/io") {
        usage.read_bytes = number_after(&text, "read_bytes:");
        usage.written_bytes = number_after(&text, "write_bytes:");
    }
    // Time on a processor, time waiting for one, number of turns: of the main thread alone.
    if let Ok(text) = fs::read_to_string("/proc/self/schedstat") {
        usage.run_delay_ns = text.split_ascii_whitespace().nth(1).and_then(|delay| delay.parse().ok());
    }
    // `ru_maxrss` starts with the resident set of whoever started us (exec keeps it); VmHWM starts anew.
    usage.peak_memory_bytes = fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|text| number_after(&text, "VmHWM:"))
        .map(|kib| kib * 1024);
    usage
}

fn counted_by_the_kernel() -> Usage {
    // SAFETY: an all-zero `rusage` is valid: it consists of integers only.
    let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `raw` is a valid place for the answer, which the call fills before it returns.
    let answer = unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut raw) };
    if answer == 0 { from_rusage(&raw) } else { Usage::default() }
}

/// What the kernel counted, without the bytes at the device (the caller knows better places for them).
pub(crate) fn from_rusage(raw: &libc::rusage) -> Usage {
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000;
    Usage {
        user_ns: Some(ns(raw.ru_utime)),
        system_ns: Some(ns(raw.ru_stime)),
        minor_faults: Some(raw.ru_minflt as u64),
        major_faults: Some(raw.ru_majflt as u64),
        voluntary_switches: Some(raw.ru_nvcsw as u64),
        involuntary_switches: Some(raw.ru_nivcsw as u64),
        run_delay_ns: None,
        peak_memory_bytes: Some(raw.ru_maxrss as u64 * 1024),
        read_bytes: None,
        written_bytes: None,
    }
}

/// The number behind `key` at the beginning of a line.
fn number_after(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key))?.split_whitespace().next()?.parse().ok()
}
