//! The registry, and calls that each report a few facts.

use std::thread;
use std::time::Duration;

use model::{Memory, OperatingSystem, SystemLimits};
use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::Security::{TOKEN_ELEVATION, TokenElevation};
use windows_sys::Win32::System::JobObjects::{
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation,
};
use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, REG_ROUTINE_FLAGS, RRF_RT_REG_BINARY, RRF_RT_REG_SZ, RegGetValueW,
};
use windows_sys::Win32::System::SystemInformation::{
    ComputerNameDnsHostname, GetComputerNameExW, GetSystemInfo, GetTickCount64, GlobalMemoryStatusEx,
    MEMORYSTATUSEX, OSVERSIONINFOW, SYSTEM_INFO,
};
use windows_sys::Win32::System::Threading::GetSystemTimes;

use super::Pressure;
use crate::windows::{
    function_of, job_information, text, text_of, token_information, units, wide, wine_version,
};

mod processor;
mod volume;

pub(crate) use volume::mount_point;

pub(super) use processor::describe as processor;
pub use volume::describe as volume;

/// Windows does not say.
pub(super) fn load() -> Option<[f64; 3]> {
    None
}

/// Returns the identity that was made when the system was installed.
pub(super) fn machine_id() -> Option<String> {
    registry_text(r"SOFTWARE\Microsoft\Cryptography", "MachineGuid")
}

/// Returns the time of all processors, the only one of these counters that Windows reports.
pub(super) fn pressure() -> Pressure {
    let mut times = [FILETIME::default(); 3];
    let [idle, kernel, user] = &mut times;
    // SAFETY: the three places are valid for the answers.
    let answer = unsafe { GetSystemTimes(&raw mut *idle, &raw mut *kernel, &raw mut *user) };
    // The time in the kernel has the idle time in it.
    Pressure { total_ticks: (answer != 0).then(|| units(times[1]) + units(times[2])), ..Pressure::default() }
}

const CURRENT_VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
/// Windows 11 still calls itself 10 in the registry; its builds begin here.
const FIRST_BUILD_OF_11: u32 = 22_000;

pub(super) fn name() -> Option<String> {
    let mut length = 256;
    // SAFETY: the buffer holds as many units as said.
    text_of::<256>(|buffer| unsafe {
        GetComputerNameExW(ComputerNameDnsHostname, buffer.as_mut_ptr(), &raw mut length)
    })
}

pub(super) fn operating_system() -> OperatingSystem {
    let version = version();
    OperatingSystem {
        family: "windows".to_owned(),
        name: edition(version.map(|version| version.2)),
        kernel: version.map(|(major, minor, build)| format!("{major}.{minor}.{build}")),
        // Programs built for x86_64-pc-windows-gnu take C's standard library from the system's own copy.
        c_library: Some("msvcrt".to_owned()),
    }
}

/// Returns major, minor and build number. `GetVersionEx` would lie to programs without a manifest.
fn version() -> Option<(u32, u32, u32)> {
    let own_size = size_of::<OSVERSIONINFOW>() as u32;
    let mut version = OSVERSIONINFOW { dwOSVersionInfoSize: own_size, ..Default::default() };
    // SAFETY: the structure says its own size.
    let status = unsafe { RtlGetVersion(&raw mut version) };
    (status >= 0).then_some((version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber))
}

fn edition(build: Option<u32>) -> Option<String> {
    let product = registry_text(CURRENT_VERSION, "ProductName").map(|product| match build {
        Some(FIRST_BUILD_OF_11..) => product.replacen("Windows 10", "Windows 11", 1),
        _ => product,
    });
    let release = registry_text(CURRENT_VERSION, "DisplayVersion");
    let product = match (product, release) {
        (Some(product), Some(release)) => Some(format!("{product} {release}")),
        (product, _) => product,
    };
    match (wine_version(), product) {
        (Some(wine), Some(product)) => Some(format!("Wine {wine} (as {product})")),
        (Some(wine), None) => Some(format!("Wine {wine}")),
        (None, product) => product,
    }
}

/// Returns the state of memory. Wine fetches it once a second, and hands an empty answer, for which it is asked again, meanwhile.
pub(crate) fn memory_status() -> Option<MEMORYSTATUSEX> {
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

pub(super) fn memory() -> Memory {
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

pub(super) fn uptime_s() -> Option<u64> {
    // SAFETY: the call takes nothing and cannot fail.
    Some(unsafe { GetTickCount64() } / 1000)
}

pub(super) fn limits() -> SystemLimits {
    SystemLimits {
        privileged: is_elevated(),
        memory_bytes: job_memory_bytes(),
        ring_refused: ring_refused(),
        counters_refused: Some(
            "Windows gives hardware counters to tracing sessions of administrators, not to a program"
                .to_owned(),
        ),
        ..SystemLimits::default()
    }
}

fn is_elevated() -> Option<bool> {
    let mut elevation = TOKEN_ELEVATION::default();
    token_information(TokenElevation, &mut elevation).ok()?;
    Some(elevation.TokenIsElevated != 0)
}

fn job_memory_bytes() -> Option<u64> {
    let limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION =
        job_information(std::ptr::null_mut(), JobObjectExtendedLimitInformation)?;
    let flags = limits.BasicLimitInformation.LimitFlags;
    let set = |flag: u32, bytes: usize| (flags & flag != 0 && bytes > 0).then_some(bytes as u64);
    let process = set(JOB_OBJECT_LIMIT_PROCESS_MEMORY, limits.ProcessMemoryLimit);
    let job = set(JOB_OBJECT_LIMIT_JOB_MEMORY, limits.JobMemoryLimit);
    process.into_iter().chain(job).min()
}

/// Returns why there is no IoRing. It came with Windows 11; older systems do not have its functions at all.
fn ring_refused() -> Option<String> {
    let is_missing = function_of("kernelbase.dll", c"CreateIoRing").is_none();
    is_missing.then(|| "this Windows has no IoRing; it came with Windows 11".to_owned())
}

fn registry_text(key: &str, value: &str) -> Option<String> {
    let mut buffer = [0_u16; 512];
    registry_value(key, value, RRF_RT_REG_SZ, &mut buffer)?;
    text(&buffer)
}

/// This many bytes; `None` when there are none, or another number of them.
fn registry_bytes<const COUNT: usize>(key: &str, value: &str) -> Option<[u8; COUNT]> {
    let mut buffer = [0_u8; COUNT];
    let length_bytes = registry_value(key, value, RRF_RT_REG_BINARY, &mut buffer)?;
    (length_bytes == COUNT).then_some(buffer)
}

/// Reads a value of this kind and answers its length in bytes; `None` when there is none, or one that the buffer cannot hold.
fn registry_value<T: Copy>(
    key: &str, value: &str, kind: REG_ROUTINE_FLAGS, buffer: &mut [T],
) -> Option<usize> {
    let (key, value) = (wide(key), wide(value));
    let mut bytes = size_of_val(buffer) as u32;
    // SAFETY: both names end in a zero; the buffer is as large as said, and of numbers, for which every pattern is a value.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            value.as_ptr(),
            kind,
            std::ptr::null_mut(),
            buffer.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    (status == 0).then_some(bytes as usize)
}
