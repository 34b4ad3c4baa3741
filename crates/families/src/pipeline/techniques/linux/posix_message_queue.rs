use std::ffi::CString;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

use model::{Availability, Workload};
use sys::failure::in_context;

use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::prelude::*;
use crate::pipeline::system::ensure_whole;
use crate::pipeline::workload::DEPTH;

pub(in crate::pipeline::techniques) const POSIX_MESSAGE_QUEUE: Technique<PipelineJob> = Technique {
    name: "posix_message_queue",
    idea: "the addresses of the messages go through a queue of the kernel (mq_send, mq_receive); above fs.mqueue.msg_max messages, usually 10, it needs CAP_SYS_RESOURCE",
    source: "mq_overview(7)",
    calls: &["mq_timedsend", "mq_timedreceive"],
    suits,
    needs: "Linux with POSIX message queues, and a depth of at most fs.mqueue.msg_max (or CAP_SYS_RESOURCE)",
    probe: |_host, _setting| tried_out(1),
    ..Technique::usual(PipelineJob::by::<MessageQueue<()>>)
};

/// Leaves out queues that are too deep for this host.
fn suits(workload: &Workload) -> Availability {
    match workload.number(DEPTH) {
        Some(depth) => tried_out(depth as usize),
        None => Availability::Ready,
    }
}

fn tried_out(depth: usize) -> Availability {
    match MessageQueue::<()>::open(depth) {
        Ok(_) => Availability::Ready,
        Err(error) => {
            let most = std::fs::read_to_string(MOST_MESSAGES).ok().and_then(|text| text.trim().parse().ok());
            Availability::Missing(refusal(depth, most, &error))
        }
    }
}

/// Explains "invalid argument", the kernel's answer where a queue would be too deep.
fn refusal(depth: usize, most: Option<u64>, error: &io::Error) -> String {
    match most {
        Some(most) if depth as u64 > most => format!(
            "a message queue of {depth} is refused: {MOST_MESSAGES} is {most}; as root: echo {depth} > {MOST_MESSAGES} \
             (CAP_SYS_RESOURCE passes it)"
        ),
        _ => format!("POSIX message queues are refused here: {error}"),
    }
}

/// The most messages in a queue of a process without CAP_SYS_RESOURCE.
const MOST_MESSAGES: &str = "/proc/sys/fs/mqueue/msg_max";

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A queue of addresses; its name is gone as soon as it is open.
struct MessageQueue<T>(libc::mqd_t, PhantomData<fn(T) -> T>);

impl Shared for MessageQueue<()> {
    type Queue<T: Send + 'static> = MessageQueue<T>;
}

impl<T> MessageQueue<T> {
    fn open(depth: usize) -> io::Result<Self> {
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
        Ok(Self(queue, PhantomData))
    }

    fn send(&self, address: usize) -> io::Result<()> {
        let bytes = address.to_ne_bytes();
        // SAFETY: the queue is open, and the bytes are as many as said.
        let send = || unsafe { libc::mq_send(self.0, bytes.as_ptr().cast(), bytes.len(), 0) };
        retried(|| answered(send() as isize)).map(drop)
    }

    fn receive(&self) -> io::Result<usize> {
        let mut bytes = [0; size_of::<usize>()];
        let (length, none) = (bytes.len(), std::ptr::null_mut());
        let start = bytes.as_mut_ptr().cast();
        // SAFETY: the queue is open, and there is room for as many bytes as said.
        let received = retried(|| answered(unsafe { libc::mq_receive(self.0, start, length, none) }))?;
        ensure_whole(received, length, io::ErrorKind::UnexpectedEof)?;
        Ok(usize::from_ne_bytes(bytes))
    }
}

fn answered(answer: isize) -> io::Result<usize> {
    usize::try_from(answer).map_err(|_| io::Error::last_os_error())
}

impl<T> Drop for MessageQueue<T> {
    fn drop(&mut self) {
        // SAFETY: the queue is open, and nothing uses it after this.
        unsafe { libc::mq_close(self.0) };
    }
}

impl<T: Send + 'static> Queue<T> for MessageQueue<T> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        Self::open(bounds.depth)
    }

    fn put(&self, message: T) -> io::Result<()> {
        self.send(packed(message))
    }

    fn take(&self) -> io::Result<T> {
        let address = self.receive()?;
        // SAFETY: only addresses of packed messages of this type are sent to this queue, and each is received once.
        Ok(unsafe { unpacked(address) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_that_is_too_deep_is_refused_with_the_limit() {
        let invalid = io::Error::from_raw_os_error(libc::EINVAL);
        let refused = refusal(100, Some(10), &invalid);
        assert!(refused.contains("of 100 is refused: /proc/sys/fs/mqueue/msg_max is 10;"), "{refused}");
        let other = refusal(4, Some(10), &io::Error::from_raw_os_error(libc::ENOSYS));
        assert!(other.starts_with("POSIX message queues are refused here: "), "{other}");
    }

    #[test]
    fn queues_deeper_than_the_kernel_allows_are_skipped() {
        // No privilege passes this.
        let deep = suits(&Workload::default().with(DEPTH, 1_u64 << 20));
        let Availability::Missing(reason) = deep else { panic!("a queue of a million messages") };
        assert!(!reason.is_empty());
        if tried_out(1) == Availability::Ready {
            assert_eq!(suits(&Workload::default().with(DEPTH, 4_u64)), Availability::Ready);
        }
    }
}
