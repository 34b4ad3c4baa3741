//! `/proc`, `/sys`, and a few calls that are simply tried.

use std::ffi::CStr;
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::{fs, io};

use model::{Memory, OperatingSystem, SystemLimits};
use rustix::process::{Resource, getrlimit};

use self::groups::Groups;
use super::Pressure;

pub(crate) mod groups;
mod processor;
mod volume;

pub(super) use processor::describe as processor;
pub use volume::describe as volume;

pub(super) fn name() -> Option<String> {
    text("/proc/sys/kernel/hostname")
}

/// Returns the identity of machine-id(5); the second place is that of systems without systemd.
pub(super) fn machine_id() -> Option<String> {
    text("/etc/machine-id").or_else(|| text("/var/lib/dbus/machine-id"))
}

/// Returns what a small file holds, without the white space around it; `None` when it holds nothing.
pub(crate) fn text(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn number(path: impl AsRef<Path>) -> Option<u64> {
    text(path)?.parse().ok()
}

/// Returns the number behind `key` at the beginning of a line of `text`.
pub(crate) fn number_after(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key))?.split_ascii_whitespace().next()?.parse().ok()
}

pub(super) fn operating_system() -> OperatingSystem {
    OperatingSystem {
        family: "linux".to_owned(),
        name: distribution(),
        kernel: text("/proc/sys/kernel/osrelease"),
        c_library: Some(c_library()),
    }
}

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
        handed_back_bytes: handed_back_bytes(),
        huge_pages: huge_pages(),
    }
}

pub(crate) fn huge_pages() -> Option<String> {
    chosen(&text("/sys/kernel/mm/transparent_hugepage/enabled")?)
}

/// Finds free page reporting, a feature of virtio's balloon device (Virtual I/O Device specification 1.2, section 5.5).
fn handed_back_bytes() -> Option<u64> {
    const DEVICES: &str = "/sys/bus/virtio/devices";
    const BALLOON: &str = "0x0005";
    /// Of the kernel, where it does not say: the size of a huge page.
    const USUAL_ORDER: u32 = 9;
    let mut devices = fs::read_dir(DEVICES).ok()?.flatten().map(|device| device.path());
    devices.find(|device| {
        text(device.join("device")).as_deref() == Some(BALLOON)
            && reports_free_pages(&text(device.join("features")).unwrap_or_default())
    })?;
    let order = text("/sys/module/page_reporting/parameters/page_reporting_order");
    let order = order.and_then(|order| order.parse().ok()).unwrap_or(USUAL_ORDER);
    (rustix::param::page_size() as u64).checked_shl(order)
}

/// Returns whether `VIRTIO_BALLOON_F_REPORTING` is set: bit 5 of a device's features, which are printed as digits, bit 0 first.
fn reports_free_pages(features: &str) -> bool {
    features.as_bytes().get(5) == Some(&b'1')
}

/// Returns the word in brackets, by which the kernel marks what is in force among what it offers.
fn chosen(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

pub(super) fn load() -> Option<[f64; 3]> {
    let line = text("/proc/loadavg")?;
    let mut fields = line.split_ascii_whitespace().map(|field| field.parse().ok());
    Some([fields.next()??, fields.next()??, fields.next()??])
}

pub(super) fn uptime_s() -> Option<u64> {
    text("/proc/uptime")?.split('.').next()?.parse().ok()
}

pub(super) fn pressure() -> Pressure {
    let ticks = text("/proc/stat").and_then(|stat| ticks(&stat));
    let events = text("/proc/vmstat").unwrap_or_default();
    let groups = Groups::read();
    Pressure {
        steal_ticks: ticks.map(|(steal, _)| steal),
        total_ticks: ticks.map(|(_, total)| total),
        thermal_throttles: thermal_throttles(),
        quota_throttles: groups.quota_throttles(),
        swap_in_pages: number_after(&events, "pswpin "),
        memory_kills: number_after(&events, "oom_kill "),
        group_memory_kills: groups.memory_kills(),
        memory_stalls: memory_stalls(&events),
    }
}

/// Returns the number of allocations that had to free memory of the host first: `allocstall`, by zones since Linux 4.10, without those
/// of groups.
fn memory_stalls(events: &str) -> Option<u64> {
    let zones = events.lines().filter_map(|line| line.strip_prefix("allocstall")?.split_once(' '));
    zones.filter_map(|(_, count)| count.parse::<u64>().ok()).reduce(|sum, count| sum + count)
}

/// Returns steal and total of the line for all processors. The last two fields (guests) are in the first two already.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    const STEAL: usize = 7;
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let fields: Vec<u64> = line.split_ascii_whitespace().map_while(|field| field.parse().ok()).collect();
    Some((*fields.get(STEAL)?, fields[..=STEAL].iter().sum()))
}

fn thermal_throttles() -> Option<u64> {
    let processors = fs::read_dir("/sys/devices/system/cpu").ok()?.flatten();
    let files = processors.map(|entry| entry.path().join("thermal_throttle/core_throttle_count"));
    files.filter_map(number).reduce(|sum, count| sum + count)
}

pub(super) fn limits() -> SystemLimits {
    let groups = Groups::read();
    SystemLimits {
        privileged: Some(rustix::process::geteuid().is_root()),
        open_files: getrlimit(Resource::Nofile).current,
        processes: getrlimit(Resource::Nproc).current,
        memory_bytes: groups.smallest("memory", &["memory.max", "memory.limit_in_bytes"]),
        processor_quota_millis: groups.processor_quota_millis(),
        ring_refused: ring().err(),
        counters_refused: counters().err(),
        control_groups: groups.version(),
    }
}

fn descriptor(answer: libc::c_long) -> io::Result<OwnedFd> {
    if answer < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(answer as i32) })
}

fn ring() -> Result<(), String> {
    // The kernel's structure has 120 bytes; a zero asks for nothing special.
    let mut parameters = [0_u64; 15];
    // SAFETY: `parameters` has the size of `struct io_uring_params` and lives through the call.
    let made = descriptor(unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, parameters.as_mut_ptr()) });
    made.map(drop).map_err(|error| match text("/proc/sys/kernel/io_uring_disabled").as_deref() {
        Some("2") => "io_uring is switched off for all users (kernel.io_uring_disabled = 2)".to_owned(),
        Some("1") => format!("io_uring is for privileged users only (kernel.io_uring_disabled = 1): {error}"),
        _ if error.raw_os_error() == Some(libc::ENOSYS) => "this kernel has no io_uring".to_owned(),
        _ => format!("io_uring_setup was refused, perhaps by the container: {error}"),
    })
}

/// The beginning of `struct perf_event_attr` in its first published version (64 bytes).
#[repr(C)]
#[derive(Default)]
struct CounterAttributes {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample_kind: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint_kind: u32,
    breakpoint_address: u64,
}

/// Finds out whether this process may count its own processor cycles in user mode, and if not why.
fn counters() -> Result<(), String> {
    // Flags of the structure: disabled, exclude_kernel, exclude_hv.
    const FLAGS: u64 = 1 | 1 << 5 | 1 << 6;
    let size = size_of::<CounterAttributes>() as u32;
    // Kind and event 0 are processor cycles.
    let attributes = CounterAttributes { size, flags: FLAGS, ..CounterAttributes::default() };
    // SAFETY: the structure says its size and lives through the call; then: this process, any processor, no group, no flags.
    let made = descriptor(unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0, -1, -1, 0_u64)
    });
    made.map(drop).map_err(|error| match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => {
            "this machine has no hardware counters, as is usual when it is virtual".to_owned()
        }
        Some(libc::EACCES | libc::EPERM) => {
            let level = number("/proc/sys/kernel/perf_event_paranoid");
            let reason = level.map(|level| format!(" (kernel.perf_event_paranoid = {level}; 2 is needed)"));
            format!("this user may not use them{}", reason.unwrap_or_else(|| format!(": {error}")))
        }
        Some(libc::ENOSYS) => "this kernel has no perf events".to_owned(),
        _ => format!("perf_event_open was refused: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixth_digit_of_the_features_reports_free_pages() {
        assert!(reports_free_pages("0110010100000000"));
        assert!(!reports_free_pages("0110000100000000"));
        assert!(!reports_free_pages(""));
    }

    #[test]
    fn waits_for_memory_are_counted_over_all_zones() {
        let events = "pswpin 9\nallocstall_dma 1\nallocstall_normal 20\nallocstall_movable 300\noom_kill 4";
        assert_eq!(memory_stalls(events), Some(321));
        assert_eq!(memory_stalls("allocstall 7"), Some(7));
        assert_eq!(memory_stalls("pswpin 9"), None);
    }

    #[test]
    fn guest_time_is_not_counted_twice() {
        let stat = "cpu  10 20 30 40 50 60 70 80 1000 2000\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(ticks(stat), Some((80, 360)));
        assert_eq!(ticks("cpu  10 20 30 40"), None);
    }
}
