//! What a piece of work did, untimed: the answer to why it takes as long as it does.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{SystemCall, Usage};

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
    /// What was counted since an earlier reading.
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

/// What a piece of work did once.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Account {
    /// What it used without a trace: faults, switches, bytes at the device.
    pub usage: Usage,
    /// What the system counts of every process.
    pub counters: CallCounters,
    /// Its system calls; `None` where they could not be seen.
    pub calls: Option<Vec<SystemCall>>,
    /// Why its calls could not be seen.
    pub unseen: Option<String>,
    /// Processes that it started, where its calls were seen.
    pub processes: Option<u64>,
    /// Threads that it started, where its calls were seen.
    pub threads: Option<u64>,
    /// What the technique noted: `fell back: ...`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Account {
    /// How many system calls it made; `None` where they could not be seen.
    pub fn calls_made(&self) -> Option<u64> {
        Some(self.calls.as_ref()?.iter().map(|call| call.calls).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
