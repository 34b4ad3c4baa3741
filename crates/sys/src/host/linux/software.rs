//! System software, memory and load.

use std::ffi::CStr;
use std::fs;

use model::{Memory, OperatingSystem};

use super::{number_after, text};

pub(in crate::host) fn describe() -> OperatingSystem {
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

pub(in crate::host) fn memory() -> Memory {
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

/// Free page reporting: a feature of virtio's balloon device (Virtual I/O Device specification 1.2, section 5.5).
fn handed_back_bytes() -> Option<u64> {
    const DEVICES: &str = "/sys/bus/virtio/devices";
    const BALLOON: &str = "0x0005";
    /// Of the kernel, where it does not say: the size of a huge page.
    const USUAL_ORDER: u32 = 9;
    let mut devices = fs::read_dir(DEVICES).ok()?.flatten().map(|device| device.path());
    devices.find(|device| {
        let features = || text(device.join("features")).unwrap_or_default();
        text(device.join("device")).as_deref() == Some(BALLOON) && reports_free_pages(&features())
    })?;
    let order = text("/sys/module/page_reporting/parameters/page_reporting_order");
    let order = order.and_then(|order| order.parse().ok()).unwrap_or(USUAL_ORDER);
    (rustix::param::page_size() as u64).checked_shl(order)
}

/// `VIRTIO_BALLOON_F_REPORTING` is bit 5, and a device's features are printed as digits, bit 0 first.
fn reports_free_pages(features: &str) -> bool {
    features.as_bytes().get(5) == Some(&b'1')
}

/// The word in brackets, by which the kernel marks what is in force among what it offers.
pub(super) fn chosen(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

pub(in crate::host) fn load() -> Option<[f64; 3]> {
    let line = text("/proc/loadavg")?;
    let mut fields = line.split_ascii_whitespace().map(str::parse::<f64>);
    let mut next = || fields.next()?.ok();
    Some([next()?, next()?, next()?])
}

pub(in crate::host) fn uptime_s() -> Option<u64> {
    text("/proc/uptime")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixth_digit_of_the_balloons_features_says_whether_free_pages_are_reported() {
        assert!(reports_free_pages("0110010100000000"));
        assert!(!reports_free_pages("0110000100000000"));
        assert!(!reports_free_pages(""));
    }
}
