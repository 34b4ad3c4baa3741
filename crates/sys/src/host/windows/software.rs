//! System software and memory.

use std::thread;
use std::time::Duration;

use model::{Memory, OperatingSystem};
use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::System::SystemInformation::{
    ComputerNameDnsHostname, GetComputerNameExW, GetSystemInfo, GetTickCount64, GlobalMemoryStatusEx,
    MEMORYSTATUSEX, OSVERSIONINFOW, SYSTEM_INFO,
};

use super::registry;
use crate::windows;

const CURRENT_VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
/// Windows 11 still calls itself 10 in the registry; its builds begin here.
const FIRST_BUILD_OF_11: u32 = 22_000;

pub(in crate::host) fn name() -> Option<String> {
    let mut buffer = [0_u16; 256];
    let mut length = buffer.len() as u32;
    // SAFETY: the buffer holds as many units as said.
    let answer = unsafe { GetComputerNameExW(ComputerNameDnsHostname, buffer.as_mut_ptr(), &raw mut length) };
    (answer != 0).then(|| windows::text(&buffer)).flatten()
}

pub(in crate::host) fn describe() -> OperatingSystem {
    let version = version();
    OperatingSystem {
        family: "windows".to_owned(),
        name: edition(version.map(|version| version.2)),
        kernel: version.map(|(major, minor, build)| format!("{major}.{minor}.{build}")),
        // Programs built for x86_64-pc-windows-gnu take C's standard library from the system's own copy.
        c_library: Some("msvcrt".to_owned()),
    }
}

/// Major, minor and build number. `GetVersionEx` would lie to programs without a manifest.
fn version() -> Option<(u32, u32, u32)> {
    let own_size = size_of::<OSVERSIONINFOW>() as u32;
    let mut version = OSVERSIONINFOW { dwOSVersionInfoSize: own_size, ..Default::default() };
    // SAFETY: the structure says its own size.
    let status = unsafe { RtlGetVersion(&raw mut version) };
    (status >= 0).then_some((version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber))
}

fn edition(build: Option<u32>) -> Option<String> {
    let product = registry::text(CURRENT_VERSION, "ProductName").map(|product| match build {
        Some(FIRST_BUILD_OF_11..) => product.replacen("Windows 10", "Windows 11", 1),
        _ => product,
    });
    let release = registry::text(CURRENT_VERSION, "DisplayVersion");
    let product = match (product, release) {
        (Some(product), Some(release)) => Some(format!("{product} {release}")),
        (product, _) => product,
    };
    match (windows::wine_version(), product) {
        (Some(wine), Some(product)) => Some(format!("Wine {wine} (as {product})")),
        (Some(wine), None) => Some(format!("Wine {wine}")),
        (None, product) => product,
    }
}

/// Wine fetches it again once a second, and hands an empty answer to a thread that asks meanwhile.
fn memory_status() -> Option<MEMORYSTATUSEX> {
    const TRIES: u32 = 100;
    const AGAIN: Duration = Duration::from_millis(1);
    let own_size = size_of::<MEMORYSTATUSEX>() as u32;
    for _ in 0..TRIES {
        let mut status = MEMORYSTATUSEX { dwLength: own_size, ..Default::default() };
        // SAFETY: the structure says its own size.
        if unsafe { GlobalMemoryStatusEx(&raw mut status) } == 0 {
            return None;
        }
        if status.ullTotalPhys > 0 {
            return Some(status);
        }
        thread::sleep(AGAIN);
    }
    None
}

pub(in crate::host) fn memory() -> Memory {
    let known = memory_status();
    Memory {
        handed_back_bytes: None,
        total_bytes: known.map(|status| status.ullTotalPhys),
        available_bytes: known.map(|status| status.ullAvailPhys),
        // The limit of what can be committed: memory and page files together.
        swap_bytes: known.map(|status| status.ullTotalPageFile.saturating_sub(status.ullTotalPhys)),
        page_bytes: Some(u64::from(machine().dwPageSize)),
        huge_pages: None,
    }
}

fn machine() -> SYSTEM_INFO {
    let mut machine = SYSTEM_INFO::default();
    // SAFETY: the place is valid for the answer; the call cannot fail.
    unsafe { GetSystemInfo(&raw mut machine) };
    machine
}

pub(in crate::host) fn uptime_s() -> Option<u64> {
    // SAFETY: the call takes nothing and cannot fail.
    Some(unsafe { GetTickCount64() } / 1000)
}
