//! What Linux says of any process in `/proc/<pid>/stat`.

use std::fs;

/// One line of `/proc/<pid>/stat`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) id: i32,
    pub(crate) parent: i32,
    pub(crate) ended: bool,
    pub(crate) started_ticks: u64,
}

impl Process {
    /// Reads the line of a process; `None` where there is none with this number.
    pub(crate) fn read(id: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name stands in parentheses and may hold anything, parentheses and spaces too.
        let mut fields = text.get(text.rfind(')')? + 1..)?.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X" | "x");
        let parent = fields.next()?.parse().ok()?;
        let started_ticks = fields.nth(17)?.parse().ok()?;
        Some(Self { id, parent, ended, started_ticks })
    }
}

/// Whether no process with this number runs; one that was not waited for yet does not.
pub(crate) fn has_ended(id: i32) -> bool {
    Process::read(id).is_none_or(|process| process.ended)
}
