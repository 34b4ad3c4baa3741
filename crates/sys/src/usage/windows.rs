//! `GetProcessTimes`, `GetProcessMemoryInfo` and the accounting of the job that this process is in.
//!
//! Windows counts page faults of both kinds in one sum, bytes read and written whether or not a device had to
//! move, and context switches not for a process: what means something else than asked is left out.

use model::Usage;
use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::JobObjects::{
    JOBOBJECT_BASIC_AND_IO_ACCOUNTING_INFORMATION, JobObjectBasicAndIoAccountingInformation,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetProcessIoCounters, GetProcessTimes, IO_COUNTERS,
};

use crate::windows::{job_information, units};

/// Returns what this process, with all its threads, used since it began.
pub fn of_this_process() -> Usage {
    // SAFETY: the call gives a constant that stands for this process.
    let process = unsafe { GetCurrentProcess() };
    let times_ns = times_ns(process);
    // Where nothing was counted (Wine) nothing is known: no process lives without an operation.
    let calls = io_counters()
        .filter(|calls| calls.ReadOperationCount + calls.WriteOperationCount + calls.OtherOperationCount > 0);
    Usage {
        user_ns: times_ns.map(|(user_ns, _)| user_ns),
        system_ns: times_ns.map(|(_, system_ns)| system_ns),
        peak_memory_bytes: peak_bytes_of(process),
        read_calls: calls.map(|calls| calls.ReadOperationCount),
        write_calls: calls.map(|calls| calls.WriteOperationCount),
        ..Usage::default()
    }
}

/// Reads what every process of the worker's own job used; where the job does not count (Wine), this process alone.
pub struct Meter;

impl Meter {
    /// Makes a meter; nothing has to be opened.
    pub fn open() -> Self {
        Self
    }

    /// Returns what was used since the beginning, without the peak memory.
    pub fn read(&mut self) -> Usage {
        let Some(job) = accounting_of_own_job() else {
            return Usage { peak_memory_bytes: None, ..of_this_process() };
        };
        Usage {
            user_ns: Some(job.BasicInfo.TotalUserTime as u64 * 100),
            system_ns: Some(job.BasicInfo.TotalKernelTime as u64 * 100),
            read_calls: Some(job.IoInfo.ReadOperationCount),
            write_calls: Some(job.IoInfo.WriteOperationCount),
            ..Usage::default()
        }
    }

    /// Returns the peak of this process; a job does not report the working sets of those that have ended.
    pub fn peak_memory_bytes(&self) -> Option<u64> {
        of_this_process().peak_memory_bytes
    }
}

/// Returns what the own job counts; `None` outside a job, and where the job does not count: no process lives without a page fault.
fn accounting_of_own_job() -> Option<JOBOBJECT_BASIC_AND_IO_ACCOUNTING_INFORMATION> {
    let accounting: JOBOBJECT_BASIC_AND_IO_ACCOUNTING_INFORMATION =
        job_information(std::ptr::null_mut(), JobObjectBasicAndIoAccountingInformation)?;
    (accounting.BasicInfo.TotalPageFaultCount > 0).then_some(accounting)
}

/// Returns how often this process read and wrote, whether or not a device had to move.
pub(crate) fn io_counters() -> Option<IO_COUNTERS> {
    let mut counters = IO_COUNTERS::default();
    // SAFETY: the first call gives a constant that stands for this process; the place is valid for the answer.
    let answer = unsafe { GetProcessIoCounters(GetCurrentProcess(), &raw mut counters) };
    (answer != 0).then_some(counters)
}

fn times_ns(process: HANDLE) -> Option<(u64, u64)> {
    let mut times = [FILETIME::default(); 4];
    let [created, ended, system, user] = &mut times;
    // SAFETY: the four places are valid for the answers; a handle that is none only makes the call fail.
    let answer = unsafe {
        GetProcessTimes(process, &raw mut *created, &raw mut *ended, &raw mut *system, &raw mut *user)
    };
    (answer != 0).then(|| (units(times[3]) * 100, units(times[2]) * 100))
}

pub(crate) fn peak_bytes_of(process: HANDLE) -> Option<u64> {
    let mut counters = PROCESS_MEMORY_COUNTERS::default();
    let bytes = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    counters.cb = bytes;
    // SAFETY: `counters` is as large as said; a handle that is none only makes the call fail.
    let answer = unsafe { K32GetProcessMemoryInfo(process, &raw mut counters, bytes) };
    (answer != 0 && counters.PeakWorkingSetSize > 0).then_some(counters.PeakWorkingSetSize as u64)
}
