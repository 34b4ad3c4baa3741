//! The system calls that a piece of work made, and what a technique says of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// All calls of one name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SystemCall {
    /// Its name in the kernel: `newfstatat`.
    pub name: String,
    /// How often it was made.
    pub calls: u64,
    /// How often it returned an error.
    pub errors: u64,
    /// How often it did not return: its thread or process ended in it, or what was counted was over.
    pub unreturned: u64,
    /// Bytes that it moved, where its return value tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Requests that it handed over, where its return value tells: what the kernel does with them is no call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// How often it was made with each flag or operation worth telling: `O_DIRECT`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<String, u64>,
}

/// Whether the calls are what an expectation says: `pread64` was made, `openat O_DIRECT` was made with this flag,
/// `read|pread64` is one of the two, `!read` was not made. A call that only failed was not made.
pub fn is_as_expected(expectation: &str, made: &[SystemCall]) -> bool {
    let is_made = |wanted: &str| {
        let (name, flag) = match wanted.trim().split_once(' ') {
            Some((name, flag)) => (name, Some(flag)),
            None => (wanted.trim(), None),
        };
        made.iter().any(|call| {
            call.name == name
                && call.calls > call.errors
                && flag.is_none_or(|flag| call.flags.contains_key(flag))
        })
    };
    match expectation.strip_prefix('!') {
        Some(unwanted) => !is_made(unwanted),
        None => expectation.split('|').any(is_made),
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
    fn a_call_is_expected_by_name_by_flag_as_one_of_several_or_not_at_all() {
        let calls = [made("openat", 2, 0, &["O_DIRECT"]), made("pread64", 7, 1, &[])];
        for kept in ["openat", "openat O_DIRECT", "read|pread64", "!read", "!openat O_SYNC"] {
            assert!(is_as_expected(kept, &calls), "{kept}");
        }
        for broken in ["read", "openat O_SYNC", "read|write", "!pread64", "!openat O_DIRECT"] {
            assert!(!is_as_expected(broken, &calls), "{broken}");
        }
    }

    #[test]
    fn a_call_that_only_failed_was_not_made() {
        let calls = [made("copy_file_range", 1, 1, &[])];
        assert!(!is_as_expected("copy_file_range", &calls));
        assert!(is_as_expected("!copy_file_range", &calls));
    }
}
