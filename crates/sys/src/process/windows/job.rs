//! A job object, and what was seen of the processes in it.

use std::collections::HashMap;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use model::Usage;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatus, PostQueuedCompletionStatus,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_ASSOCIATE_COMPLETION_PORT,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS,
    JobObjectAssociateCompletionPortInformation, JobObjectBasicAccountingInformation,
    JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::SystemServices::{
    JOB_OBJECT_MSG_ABNORMAL_EXIT_PROCESS, JOB_OBJECT_MSG_EXIT_PROCESS, JOB_OBJECT_MSG_NEW_PROCESS,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, INFINITE, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_VM_READ,
};

use crate::process::limit_too_small;
use crate::usage::system::peak_bytes_of;
use crate::windows::{checked, job_information, opened, wine_version};

/// The job's own messages have this key, and the message that ends the listening another.
const OF_THE_JOB: usize = 1;
const STOP: usize = 2;

/// No Windows program gets as far as its first line with less.
const LIMIT_MIN_BYTES: u64 = 1 << 20;

/// A job that kills what is in it when it is dropped.
pub(super) struct Job {
    handle: OwnedHandle,
    port: Arc<OwnedHandle>,
    listener: Option<JoinHandle<Seen>>,
}

impl Job {
    pub(super) fn new(memory_limit_bytes: Option<u64>) -> io::Result<Self> {
        if let Some(bytes) = memory_limit_bytes {
            check_limit(bytes)?;
        }
        let handle = killing_job(memory_limit_bytes)?;
        // SAFETY: no file is given, so the call makes a new port, whose handle is ours alone.
        let port =
            unsafe { opened(CreateIoCompletionPort(INVALID_HANDLE_VALUE, std::ptr::null_mut(), 0, 1)) }?;
        let association = JOBOBJECT_ASSOCIATE_COMPLETION_PORT {
            CompletionKey: std::ptr::without_provenance_mut(OF_THE_JOB),
            CompletionPort: port.as_raw_handle(),
        };
        set(&handle, JobObjectAssociateCompletionPortInformation, &association)?;
        let port = Arc::new(port);
        let listener = thread::Builder::new().name("job".to_owned()).spawn({
            let port = Arc::clone(&port);
            move || listen(&port)
        })?;
        Ok(Self { handle, port, listener: Some(listener) })
    }

    /// Puts a process that has not run yet into the job, and so all that it will start.
    pub(super) fn assign(&self, process: HANDLE) -> io::Result<()> {
        // SAFETY: both handles are open.
        checked(unsafe { AssignProcessToJobObject(self.handle.as_raw_handle(), process) })
    }

    pub(super) fn active(&self) -> u32 {
        self.accounting().map_or(0, |accounting| accounting.ActiveProcesses)
    }

    pub(super) fn kill(&self) -> io::Result<()> {
        // SAFETY: the handle is open.
        checked(unsafe { TerminateJobObject(self.handle.as_raw_handle(), 1) })
    }

    /// Lets what is in the job live on when the job is dropped.
    pub(super) fn release(&self) -> io::Result<()> {
        set(&self.handle, JobObjectExtendedLimitInformation, &JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default())
    }

    /// Returns what all processes of the job used so far, and how that was counted.
    pub(super) fn usage(&mut self) -> (Usage, String) {
        let seen = self.stop_listening().unwrap_or_default();
        // No process lives without a page fault: where none was counted, nothing was.
        let counted = self.accounting().filter(|accounting| accounting.TotalPageFaultCount > 0);
        let Some(counted) = counted else {
            let how = "nothing: the job does not count (Wine's do not), and no other process may be asked for its times";
            return (Usage { peak_memory_bytes: seen.peak_bytes, ..Usage::default() }, how.to_owned());
        };
        let usage = Usage {
            user_ns: Some(counted.TotalUserTime as u64 * 100),
            system_ns: Some(counted.TotalKernelTime as u64 * 100),
            peak_memory_bytes: seen.peak_bytes,
            ..Usage::default()
        };
        (
            usage,
            "job object: the command and all that it started; the peak memory is that of the largest"
                .to_owned(),
        )
    }

    fn accounting(&self) -> Option<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> {
        job_information(self.handle.as_raw_handle(), JobObjectBasicAccountingInformation)
    }

    fn stop_listening(&mut self) -> Option<Seen> {
        let listener = self.listener.take()?;
        // SAFETY: the port is open; a message of our own refers to no memory.
        let sent =
            unsafe { PostQueuedCompletionStatus(self.port.as_raw_handle(), 0, STOP, std::ptr::null()) };
        if sent == 0 { None } else { listener.join().ok() }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop_listening();
    }
}

fn killing_job(memory_limit_bytes: Option<u64>) -> io::Result<OwnedHandle> {
    // SAFETY: without attributes and name the job is new, and its handle ours alone.
    let job = unsafe { opened(CreateJobObjectW(std::ptr::null(), std::ptr::null())) }?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if let Some(bytes) = memory_limit_bytes {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        limits.ProcessMemoryLimit = usize::try_from(bytes).unwrap_or(usize::MAX);
    }
    set(&job, JobObjectExtendedLimitInformation, &limits)?;
    Ok(job)
}

/// A job around this process: what it starts is in it from birth, and is killed when this process is.
pub(in crate::process) struct Hold(OwnedHandle);

impl Hold {
    pub(in crate::process) fn over_this_process() -> io::Result<Self> {
        let job = killing_job(None)?;
        // SAFETY: both handles are open; that of this process needs no closing.
        checked(unsafe { AssignProcessToJobObject(job.as_raw_handle(), GetCurrentProcess()) })?;
        Ok(Self(job))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // We end by ourselves: what we were asked to leave goes on.
        let _ =
            set(&self.0, JobObjectExtendedLimitInformation, &JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default());
    }
}

#[derive(Default)]
struct Seen {
    peak_bytes: Option<u64>,
    living: HashMap<u32, OwnedHandle>,
}

impl Seen {
    /// A handle keeps the counters of a process readable after its end. One that is gone already is not counted.
    fn begin(&mut self, id: u32) {
        // SAFETY: the call takes numbers only, and opens a handle of our own.
        let process =
            unsafe { opened(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ, 0, id)) };
        if let Ok(process) = process {
            self.living.insert(id, process);
        }
    }

    fn end(&mut self, id: u32) {
        if let Some(process) = self.living.remove(&id) {
            self.peak_bytes = self.peak_bytes.max(peak_bytes_of(process.as_raw_handle()));
        }
    }
}

fn listen(port: &OwnedHandle) -> Seen {
    let mut seen = Seen::default();
    loop {
        let (mut message, mut key, mut value) = (0, 0, std::ptr::null_mut());
        // SAFETY: the port is open, and the three places are valid for the answers.
        let answer = unsafe {
            GetQueuedCompletionStatus(
                port.as_raw_handle(),
                &raw mut message,
                &raw mut key,
                &raw mut value,
                INFINITE,
            )
        };
        if answer == 0 || key == STOP {
            break;
        }
        // A job's messages carry the number of a process in the place of an address.
        let id = value.addr() as u32;
        match message {
            JOB_OBJECT_MSG_NEW_PROCESS => seen.begin(id),
            JOB_OBJECT_MSG_EXIT_PROCESS | JOB_OBJECT_MSG_ABNORMAL_EXIT_PROCESS => seen.end(id),
            _ => {}
        }
    }
    let left: Vec<u32> = seen.living.keys().copied().collect();
    left.into_iter().for_each(|id| seen.end(id));
    seen
}

/// A limit that no program could start under, or that would not be kept, must not pass for one.
fn check_limit(bytes: u64) -> io::Result<()> {
    let refused = if bytes < LIMIT_MIN_BYTES {
        limit_too_small(bytes, LIMIT_MIN_BYTES)
    } else if let Some(wine) = wine_version() {
        format!(
            "a memory limit cannot be kept here: the jobs of Wine {wine} hold processes but limit nothing"
        )
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, refused))
}

fn set<T>(job: &OwnedHandle, class: JOBOBJECTINFOCLASS, information: &T) -> io::Result<()> {
    // SAFETY: the handle is open; every caller gives the structure that belongs to the class.
    let answer = unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            class,
            (&raw const *information).cast(),
            size_of::<T>() as u32,
        )
    };
    checked(answer)
}
