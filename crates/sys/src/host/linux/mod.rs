//! `/proc`, `/sys`, and a few calls that are simply tried.

use std::fs;
use std::path::Path;

pub(crate) mod groups;
mod limits;
mod pressure;
mod processor;
mod software;
mod volume;

pub(super) use limits::describe as limits;
pub(super) use pressure::now as pressure;
pub(super) use processor::describe as processor;
pub(crate) use software::huge_pages;
pub(super) use software::{describe as operating_system, load, memory, uptime_s};
pub(super) use volume::{describe as volume, read_ahead_bytes};

pub(super) fn name() -> Option<String> {
    text("/proc/sys/kernel/hostname")
}

/// machine-id(5); the second place is that of systems without systemd.
pub(super) fn machine_id() -> Option<String> {
    text("/etc/machine-id").or_else(|| text("/var/lib/dbus/machine-id"))
}

/// What a small file holds, without the white space around it; `None` when it holds nothing.
pub(crate) fn text(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The number in a small file.
pub(crate) fn number(path: impl AsRef<Path>) -> Option<u64> {
    text(path)?.parse().ok()
}

/// The number behind `key` at the beginning of a line of `text`.
pub(crate) fn number_after(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key))?.split_ascii_whitespace().next()?.parse().ok()
}
