//! System software, memory and load.

use std::ffi::CStr;

use model::{Memory, OperatingSystem};

use super::{number_after, text};

pub(super) fn describe() -> OperatingSystem {
    OperatingSystem {
        family: "linux".to_owned(),
        name: distribution(),
        kernel: text("/proc/sys/kernel/osrelease"),
        c_library: Some(c_library()),
    }
}

/// `PRETTY_NAME` of os-release(5).
fn distribution() -> Option<String> {
    let release = text("/etc/os-release").or_else(|| text("/usr/lib/os-release"))?;
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches(['"', '\'']).to_owned())
}

fn c_library() -> String {
    // SAFETY: the function takes nothing and gives a string that lives as long as the program.
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
    format!("glibc {}", version.to_string_lossy())
}

pub(super) fn memory() -> Memory {
    let meminfo = text("/proc/meminfo").unwrap_or_default();
    let bytes = |key| number_after(&meminfo, key).map(|kib| kib * 1024);
    Memory {
        total_bytes: bytes("MemTotal:"),
        available_bytes: bytes("MemAvailable:"),
        swap_bytes: bytes("SwapTotal:"),
        page_bytes: Some(rustix::param::page_size() as u64),
        huge_pages: text("/sys/kernel/mm/transparent_hugepage/enabled").and_then(|line| chosen(&line)),
    }
}

/// The word in brackets, by which the kernel marks what is in force among what it offers.
pub(super) fn chosen(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

pub(super) fn load() -> Option<[f64; 3]> {
    let line = text("/proc/loadavg")?;
    let mut fields = line.split_ascii_whitespace().map(str::parse::<f64>);
    let mut next = || fields.next()?.ok();
    Some([next()?, next()?, next()?])
}

pub(super) fn uptime_s() -> Option<u64> {
    text("/proc/uptime")?.split('.').next()?.parse().ok()
}
