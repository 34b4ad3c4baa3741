//! What this user may do. What cannot be read off is tried.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

use model::SystemLimits;
use rustix::process::{Resource, getrlimit};

use super::groups::Groups;
use super::{number, text};

pub(in crate::host) fn describe() -> SystemLimits {
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

/// Makes a descriptor our own, or says why there is none.
fn descriptor(answer: libc::c_long) -> io::Result<OwnedFd> {
    if answer < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(answer as i32) })
}

/// Whether a ring can be made, and if not why.
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

/// Whether this process may count its own processor cycles in user mode, and if not why.
fn counters() -> Result<(), String> {
    // Flags of the structure: disabled, exclude_kernel, exclude_hv.
    const FLAGS: u64 = 1 | 1 << 5 | 1 << 6;
    let attributes = CounterAttributes {
        kind: 0,
        size: size_of::<CounterAttributes>() as u32,
        config: 0,
        flags: FLAGS,
        ..CounterAttributes::default()
    };
    // SAFETY: the structure says its size and lives through the call; then: this process, any processor, no group, no flags.
    let made = descriptor(unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0, -1, -1, 0_u64)
    });
    made.map(drop).map_err(|error| match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => {
            "this machine has no hardware counters, as is usual when it is virtual".to_owned()
        }
        Some(libc::EACCES | libc::EPERM) => match number("/proc/sys/kernel/perf_event_paranoid") {
            Some(level) => {
                format!("this user may not use them (kernel.perf_event_paranoid = {level}; 2 is needed)")
            }
            None => format!("this user may not use them: {error}"),
        },
        Some(libc::ENOSYS) => "this kernel has no perf events".to_owned(),
        _ => format!("perf_event_open was refused: {error}"),
    })
}
