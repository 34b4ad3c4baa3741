//! A bound for what a command writes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::wire;

/// Between two looks at the file: rare enough to disturb nothing.
pub(super) const TICK_NS: u64 = 100_000_000;

/// A file that a command may let grow only so far. Its length is looked at ten times a second: a limit of the system
/// would hold for all files that the command writes, also for those in memory that a runtime makes larger than it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// The file. It need not exist.
    #[serde(with = "wire::path")]
    pub path: PathBuf,
    /// A command that makes it longer is killed.
    pub most_bytes: u64,
}

impl Growth {
    pub(super) fn is_exceeded(&self) -> bool {
        self.path.symlink_metadata().is_ok_and(|file| file.is_file() && file.len() > self.most_bytes)
    }
}
