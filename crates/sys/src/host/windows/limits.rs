//! What the system allows this user.

use model::SystemLimits;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use windows_sys::Win32::Security::{GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation};
use windows_sys::Win32::System::JobObjects::{
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, QueryInformationJobObject,
};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use crate::windows::wide;

pub(super) fn describe() -> SystemLimits {
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
    let mut token = std::ptr::null_mut();
    // SAFETY: the place is valid for the answer, a handle that is ours to close.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
        return None;
    }
    // SAFETY: the call has just opened it, and no other value owns it.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    let mut elevation = TOKEN_ELEVATION::default();
    let mut bytes = 0;
    // SAFETY: the buffer is the structure that this question is answered with, and as large as said.
    let answer = unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            TokenElevation,
            (&raw mut elevation).cast(),
            size_of::<TOKEN_ELEVATION>() as u32,
            &raw mut bytes,
        )
    };
    (answer != 0).then_some(elevation.TokenIsElevated != 0)
}

/// The memory limit of the job that this process is in, when it is in one that has a limit.
fn job_memory_bytes() -> Option<u64> {
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    // SAFETY: no handle stands for the job of this process; the buffer is the structure that this question is
    // answered with, and as large as said.
    let answer = unsafe {
        QueryInformationJobObject(
            std::ptr::null_mut(),
            JobObjectExtendedLimitInformation,
            (&raw mut limits).cast(),
            size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
            std::ptr::null_mut(),
        )
    };
    if answer == 0 {
        return None;
    }
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
