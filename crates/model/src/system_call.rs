//! Work as the system sees it, untimed: its system calls, and the statements of techniques about them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::Usage;

/// All calls of one name.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SystemCall {
    /// Its name in the kernel: `newfstatat`.
    pub name: String,
    /// Number of calls.
    pub calls: u64,
    /// Calls that returned an error.
    pub errors: u64,
    /// Calls that did not return: the thread or process ended in them, or the count was over.
    pub unreturned: u64,
    /// Bytes that it moved, where its return value reports.
    pub bytes: Option<u64>,
    /// Requests that it handed over, where its return value reports: what the kernel does with them is no call.
    pub requests: Option<u64>,
    /// Calls with each notable flag or operation: `O_DIRECT`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<String, u64>,
}

/// The statement of a technique about its system calls.
///
/// | written | means |
/// |:--|:--|
/// | `pread64` | it is made |
/// | `openat O_DIRECT` | it is made with this flag or operation |
/// | `read\|pread64` | one of them is made |
/// | `clone3\|clone *64` | they are made at least 64 times, together |
/// | `fdatasync *pwrite64` | it is made at least as often as the other |
/// | `!read` | it is not made; `!read\|pread64` neither; `!sched_yield *64` fewer than 64 times |
/// | `only mmap\|madvise` | no other call is made |
///
/// A call that only failed was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation<'a> {
    /// The kind of expectation.
    pub kind: Wanted,
    /// The calls, each with its flag: `openat O_DIRECT`.
    pub calls: Vec<&'a str>,
    /// The number of calls, where it names one.
    pub times: Option<Times<'a>>,
}

/// Kinds of expectations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// At least so often, or once.
    Made,
    /// Less often, or never.
    NotMade,
    /// No others are.
    Only,
}

/// Expected numbers of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times<'a> {
    /// This number.
    Number(u64),
    /// As often as this call.
    As(&'a str),
}

impl<'a> Expectation<'a> {
    /// Reads an expectation.
    pub fn parse(text: &'a str) -> Self {
        let (kind, rest) = match (text.strip_prefix('!'), text.strip_prefix("only ")) {
            (Some(rest), _) => (Wanted::NotMade, rest),
            (_, Some(rest)) => (Wanted::Only, rest),
            _ => (Wanted::Made, text),
        };
        let (calls, times) = match rest.split_once(" *") {
            Some((calls, times)) => (calls, Some(times.parse().map_or(Times::As(times), Times::Number))),
            None => (rest, None),
        };
        Self { kind, calls: calls.split('|').map(str::trim).collect(), times }
    }

    fn holds(&self, made: &[SystemCall]) -> bool {
        let sum: u64 = self.calls.iter().map(|wanted| times_made(wanted, made)).sum();
        let least = match self.times {
            None => 1,
            Some(Times::Number(number)) => number,
            Some(Times::As(call)) => times_made(call, made),
        };
        match self.kind {
            Wanted::Made => sum >= least,
            Wanted::NotMade => sum < least,
            Wanted::Only => made.iter().all(|call| self.calls.contains(&call.name.as_str())),
        }
    }
}

/// Counts the calls, or those with the flag.
fn times_made(wanted: &str, made: &[SystemCall]) -> u64 {
    let (name, flag) = wanted.split_once(' ').map_or((wanted, None), |(name, flag)| (name, Some(flag)));
    let succeeded = made.iter().filter(|call| call.name == name && call.calls > call.errors);
    let times = succeeded.map(|call| match flag {
        Some(flag) => call.flags.get(flag).copied().unwrap_or(0),
        None => call.calls - call.errors,
    });
    times.sum()
}

/// Returns whether the calls are what an [`Expectation`] says.
pub fn is_as_expected(expectation: &str, made: &[SystemCall]) -> bool {
    Expectation::parse(expectation).holds(made)
}

/// Reading and writing calls of a process as the system counts them itself, for all processes, whether or not it is traced.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CallCounters {
    /// Calls that read.
    pub read_calls: Option<u64>,
    /// Calls that wrote.
    pub write_calls: Option<u64>,
    /// Other calls on files and devices.
    pub other_calls: Option<u64>,
    /// Bytes that the reading calls gave, from memory or a device.
    pub read_bytes: Option<u64>,
    /// Bytes that the writing calls took.
    pub written_bytes: Option<u64>,
}

impl CallCounters {
    /// Returns the counts since an earlier reading.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let less = |after: Option<u64>, before: Option<u64>| Some(after?.saturating_sub(before?));
        Self {
            read_calls: less(self.read_calls, before.read_calls),
            write_calls: less(self.write_calls, before.write_calls),
            other_calls: less(self.other_calls, before.other_calls),
            read_bytes: less(self.read_bytes, before.read_bytes),
            written_bytes: less(self.written_bytes, before.written_bytes),
        }
    }
}

/// The account of one piece of work, as the system saw it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Account {
    /// Use of the machine without a trace: faults, switches, bytes at the device.
    pub usage: Usage,
    /// Counters of the system for every process.
    pub counters: CallCounters,
    /// Its system calls; `None` where they could not be seen.
    pub calls: Option<Vec<SystemCall>>,
    /// Reason why its calls could not be seen.
    pub unseen: Option<String>,
    /// Processes that it started, where its calls were seen.
    pub processes: Option<u64>,
    /// Threads that it started, where its calls were seen.
    pub threads: Option<u64>,
    /// True if a limit cut the work short, with or without a trace: some of this is of a part, and compares with nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Notes of the technique: `fell back: ...`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Account {
    /// Counts its system calls; `None` where they could not be seen.
    pub fn calls_made(&self) -> Option<u64> {
        Some(self.calls.as_ref()?.iter().map(|call| call.calls).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, calls: u64, errors: u64, flags: &[&str]) -> SystemCall {
        let flags = flags.iter().map(|&flag| (flag.to_owned(), 1)).collect();
        SystemCall { name: name.to_owned(), calls, errors, flags, ..SystemCall::default() }
    }

    #[test]
    fn calls_are_held_against_what_is_expected_of_them() {
        let named = [
            made("openat", 2, 0, &["O_DIRECT"]),
            made("pread64", 7, 1, &[]),
            // A call that only failed was not made.
            made("copy_file_range", 1, 1, &[]),
        ];
        let counted = [
            made("clone3", 3, 0, &[]),
            made("clone", 5, 1, &[]),
            made("pwrite64", 4, 0, &[]),
            made("fdatasync", 4, 0, &[]),
        ];
        let mapped = [made("mmap", 1, 0, &[]), made("madvise", 1, 1, &[])];
        let cases: [(&[SystemCall], &str, &str); 4] = [
            (
                &named,
                "openat, openat O_DIRECT, read|pread64, !read, !openat O_SYNC, !copy_file_range",
                "read, openat O_SYNC, read|write, !pread64, !openat O_DIRECT, copy_file_range",
            ),
            (
                &counted,
                "clone3|clone *7, !clone3|clone *8, fdatasync *pwrite64, msync *0, fdatasync *read",
                "clone3|clone *8, !clone3|clone *7, !read|clone, clone3 *pwrite64",
            ),
            // A call that failed was tried.
            (&mapped, "only mmap|madvise|munmap", "only mmap"),
            (&[], "only mmap", "mmap"),
        ];
        for (calls, kept, broken) in cases {
            kept.split(", ").for_each(|kept| assert!(is_as_expected(kept, calls), "{kept}"));
            broken.split(", ").for_each(|broken| assert!(!is_as_expected(broken, calls), "{broken}"));
        }
    }

    #[test]
    fn what_one_reading_does_not_know_the_difference_does_not_know() {
        let before = CallCounters { read_calls: Some(3), read_bytes: Some(10), ..CallCounters::default() };
        let after = CallCounters { read_calls: Some(5), write_calls: Some(9), ..CallCounters::default() };
        assert_eq!(after.since(&before), CallCounters { read_calls: Some(2), ..CallCounters::default() });
    }

    #[test]
    fn calls_that_were_not_seen_are_not_none() {
        assert_eq!(Account::default().calls_made(), None);
        assert_eq!(Account { calls: Some(Vec::new()), ..Account::default() }.calls_made(), Some(0));
    }
}
