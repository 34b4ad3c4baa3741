//! A POSIX message queue without a name.

use std::ffi::CString;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use sys::failure::in_context;

/// The kernel tells here how many messages a queue may hold that a process without CAP_SYS_RESOURCE opens.
pub(in crate::pipeline) const MOST_MESSAGES: &str = "/proc/sys/fs/mqueue/msg_max";

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A queue of addresses; its name is gone as soon as it is open.
pub(in crate::pipeline) struct MessageQueue(libc::mqd_t);

impl MessageQueue {
    pub(in crate::pipeline) fn open(depth: usize) -> io::Result<Self> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!("/bakeoff-{}-{number}", std::process::id()))?;
        // SAFETY: all zero is valid for the structure of numbers.
        let mut limits: libc::mq_attr = unsafe { std::mem::zeroed() };
        limits.mq_maxmsg = depth as i64;
        limits.mq_msgsize = size_of::<usize>() as i64;
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        // SAFETY: the name ends with a zero, and the call reads the mode and the limits that the flags announce.
        let queue = unsafe { libc::mq_open(name.as_ptr(), flags, 0o600 as libc::mode_t, &raw const limits) };
        if queue < 0 {
            let tried = format_args!("open a message queue of {depth} messages");
            return Err(in_context(tried, io::Error::last_os_error()));
        }
        // SAFETY: the name ends with a zero.
        unsafe { libc::mq_unlink(name.as_ptr()) };
        Ok(Self(queue))
    }

    /// See [`MOST_MESSAGES`]; `None` where the kernel has no message queues.
    pub(in crate::pipeline) fn most_messages() -> Option<u64> {
        std::fs::read_to_string(MOST_MESSAGES).ok()?.trim().parse().ok()
    }

    pub(in crate::pipeline) fn send(&self, address: usize) -> io::Result<()> {
        let bytes = address.to_ne_bytes();
        loop {
            // SAFETY: the queue is open, and the bytes are as many as said.
            let answer = unsafe { libc::mq_send(self.0, bytes.as_ptr().cast(), bytes.len(), 0) };
            match answer {
                0 => return Ok(()),
                _ => interrupted_or(io::Error::last_os_error())?,
            }
        }
    }

    pub(in crate::pipeline) fn receive(&self) -> io::Result<usize> {
        let mut bytes = [0; size_of::<usize>()];
        loop {
            // SAFETY: the queue is open, and there is room for as many bytes as said.
            let answer = unsafe {
                libc::mq_receive(self.0, bytes.as_mut_ptr().cast(), bytes.len(), std::ptr::null_mut())
            };
            match answer {
                received if received == bytes.len() as isize => return Ok(usize::from_ne_bytes(bytes)),
                received if received >= 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                _ => interrupted_or(io::Error::last_os_error())?,
            }
        }
    }
}

fn interrupted_or(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::Interrupted => Ok(()),
        _ => Err(error),
    }
}

impl Drop for MessageQueue {
    fn drop(&mut self) {
        // SAFETY: the queue is open, and nothing uses it after this.
        unsafe { libc::mq_close(self.0) };
    }
}
