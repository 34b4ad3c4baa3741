//! Windows shows no program the system calls of another one.

use std::io;
use std::sync::atomic::AtomicBool;

use model::CallCounters;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessIoCounters, IO_COUNTERS};

use super::{Edge, Scope, Traced};
use crate::process::Launch;

pub(super) fn mark(_edge: Edge) {}

pub(super) fn counters() -> CallCounters {
    let mut counters = IO_COUNTERS::default();
    // SAFETY: the first call gives a constant that stands for this process; the place is valid for the answer.
    let told = unsafe { GetProcessIoCounters(GetCurrentProcess(), &raw mut counters) };
    if told == 0 {
        return CallCounters::default();
    }
    CallCounters {
        read_calls: Some(counters.ReadOperationCount),
        write_calls: Some(counters.WriteOperationCount),
        other_calls: Some(counters.OtherOperationCount),
        read_bytes: Some(counters.ReadTransferCount),
        written_bytes: Some(counters.WriteTransferCount),
    }
}

pub(super) fn check() -> io::Result<()> {
    Err(refused())
}

pub(super) fn run(_launch: &Launch, _scope: Scope, _interrupted: &AtomicBool) -> io::Result<Traced> {
    Err(refused())
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "Windows shows no program the system calls of another one")
}
