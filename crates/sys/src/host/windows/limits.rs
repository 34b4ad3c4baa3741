//! What the system allows this user.

use model::SystemLimits;
use windows_sys::Win32::Security::{TOKEN_ELEVATION, TokenElevation};
use windows_sys::Win32::System::JobObjects::{
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation,
};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};

use crate::windows::{job_information, token_information, wide};

pub(in crate::host) fn describe() -> SystemLimits {
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

/// The memory limit of the job that this process is in, when it is in one that has a limit.
fn job_memory_bytes() -> Option<u64> {
    let limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION =
        job_information(std::ptr::null_mut(), JobObjectExtendedLimitInformation)?;
    let flags = limits.BasicLimitInformation.LimitFlags;
    let set = |flag: u32, bytes: usize| (flags & flag != 0 && bytes > 0).then_some(bytes as u64);
    let process = set(JOB_OBJECT_LIMIT_PROCESS_MEMORY, limits.ProcessMemoryLimit);
    let job = set(JOB_OBJECT_LIMIT_JOB_MEMORY, limits.JobMemoryLimit);
    process.into_iter().chain(job).min()
}

/// IoRing came with Windows 11; older systems do not have its functions at all.
fn ring_refused() -> Option<String> {
    let library = wide("kernelbase.dll");
    // SAFETY: the name ends in a zero. The library is part of every process, so the handle stays valid.
    let library = unsafe { GetModuleHandleW(library.as_ptr()) };
    // SAFETY: a handle of a loaded library or none, and a name that ends in a zero.
    let found =
        !library.is_null() && unsafe { GetProcAddress(library, c"CreateIoRing".as_ptr().cast()) }.is_some();
    (!found).then(|| "this Windows has no IoRing; it came with Windows 11".to_owned())
}
