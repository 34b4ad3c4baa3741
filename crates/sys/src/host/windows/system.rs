//! System software and memory.

use std::thread;
use std::time::Duration;

use model::{Memory, OperatingSystem};
use profile::host::Facts;
use windows_sys::Win32::System::SystemInformation::{
    GetSystemInfo, GetTickCount64, GlobalMemoryStatusEx, MEMORYSTATUSEX, SYSTEM_INFO,
};

use super::registry;
use crate::windows;

const CURRENT_VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
/// Windows 11 still calls itself 10 in the registry; its builds begin here.
const FIRST_BUILD_OF_11: u32 = 22_000;

pub(super) fn describe(facts: &Facts) -> OperatingSystem {
    // The kernel is `10.0.22631`.
    let build = facts.kernel.as_deref().and_then(|kernel| kernel.rsplit('.').next()?.parse().ok());
    OperatingSystem {
        family: "windows".to_owned(),
        name: edition(build),
        kernel: facts.kernel.clone(),
        // Programs built for x86_64-pc-windows-gnu take C's standard library from the system's own copy.
        c_library: Some("msvcrt".to_owned()),
    }
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

/// Wine fetches it anew once a second, and hands an empty answer to a thread that asks meanwhile.
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

pub(super) fn memory(facts: &Facts) -> Memory {
    let known = memory_status();
    Memory {
        handed_back_bytes: None,
        total_bytes: facts.memory_bytes,
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

pub(super) fn uptime_s() -> u64 {
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { GetTickCount64() / 1000 }
}
