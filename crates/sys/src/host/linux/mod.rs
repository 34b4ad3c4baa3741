//! `/proc`, `/sys`, and a few calls that are simply tried.

use std::fs;
use std::io;
use std::path::Path;

use model::{Host, Volume};

use super::Pressure;

pub(crate) mod groups;
mod limits;
mod pressure;
mod processor;
mod system;
mod volume;

pub(super) fn describe() -> Host {
    Host {
        limits: limits::describe(),
        load: system::load(),
        uptime_s: system::uptime_s(),
        clock_source: crate::clock::source(),
        clock_step_ns: Some(crate::clock::step_ns()),
        clock_reading_ns: Some(crate::clock::reading_ns()),
        ..lasting()
    }
}

/// What stays the same until the machine or its system is another one; the fingerprint is made of it.
pub(super) fn lasting() -> Host {
    Host {
        name: text("/proc/sys/kernel/hostname"),
        os: system::describe(),
        processor: processor::describe(),
        memory: system::memory(),
        ..Host::default()
    }
}

/// Which programs are given huge pages: `always`, `madvise` or `never`.
pub(crate) fn huge_pages() -> Option<String> {
    system::huge_pages()
}

pub(super) fn volume(path: &Path) -> io::Result<Volume> {
    volume::describe(path)
}

pub(super) fn read_ahead_bytes(path: &Path) -> Option<u64> {
    volume::read_ahead_bytes(path)
}

pub(super) fn pressure() -> Pressure {
    pressure::now()
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
