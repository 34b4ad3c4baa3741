//! What the strategies are made of on Windows.

pub(in crate::pipeline) mod address;
mod completion_port;
mod events;
mod locks;
mod pipe;
mod semaphore;
mod srw_lock;

use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{WAIT_ABANDONED, WAIT_OBJECT_0, WAIT_TIMEOUT};
use windows_sys::Win32::System::Threading::WaitForSingleObject;

pub(in crate::pipeline) use completion_port::CompletionPort;
pub(in crate::pipeline) use events::{AutoResetEvent, BroadcastWait, PulsedEvent, SignalWait};
pub(in crate::pipeline) use locks::{KernelLock, UserLock};
pub(in crate::pipeline) use pipe::{pipe_of, read_part, write_part};
pub(in crate::pipeline) use semaphore::Semaphore;
pub(in crate::pipeline) use srw_lock::SlimWait;

/// Waits for an object; false when the limit was reached before.
fn wait_for(object: &OwnedHandle, limit_ms: u32) -> io::Result<bool> {
    // SAFETY: the handle is open.
    match unsafe { WaitForSingleObject(object.as_raw_handle(), limit_ms) } {
        WAIT_OBJECT_0 => Ok(true),
        WAIT_TIMEOUT => Ok(false),
        WAIT_ABANDONED => Err(io::Error::other("a thread ended while it held the mutex")),
        _ => Err(io::Error::last_os_error()),
    }
}
