//! A POSIX message queue that carries the addresses of the messages.

use std::io;
use std::sync::Arc;

use model::{Availability, Workload};

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::strategy::{Bounds, Ends, Queue, Strategy, shared};
use crate::pipeline::system::{MOST_MESSAGES, MessageQueue};
use crate::pipeline::workload::DEPTH;

pub(in crate::pipeline::techniques) const POSIX_MESSAGE_QUEUE: Technique<PipelineJob> = Technique {
    name: "posix_message_queue",
    idea: "the addresses of the messages go through a queue of the kernel (mq_send, mq_receive); above fs.mqueue.msg_max messages, usually 10, it needs CAP_SYS_RESOURCE",
    source: "mq_overview(7)",
    calls: &["mq_timedsend", "mq_timedreceive"],
    suits,
    needs: "Linux with POSIX message queues, and a depth of at most fs.mqueue.msg_max (or CAP_SYS_RESOURCE)",
    probe: |_host, _setting| tried_out(1),
    ..Technique::usual(PipelineJob::by::<PosixMessageQueue>)
};

/// How deep a queue may be depends on the host.
fn suits(workload: &Workload) -> Availability {
    match workload.number(DEPTH) {
        Some(depth) => tried_out(depth as usize),
        None => Availability::Ready,
    }
}

/// Opens a queue of this depth, the deepest that is needed.
fn tried_out(depth: usize) -> Availability {
    match MessageQueue::open(depth) {
        Ok(_) => Availability::Ready,
        Err(error) => Availability::Missing(refusal(depth, MessageQueue::most_messages(), &error)),
    }
}

/// The kernel answers with "invalid argument" where a queue would be too deep.
fn refusal(depth: usize, most: Option<u64>, error: &io::Error) -> String {
    match most {
        Some(most) if depth as u64 > most => format!(
            "a message queue of {depth} is refused: {MOST_MESSAGES} is {most}; as root: echo {depth} > {MOST_MESSAGES} \
             (CAP_SYS_RESOURCE passes it)"
        ),
        _ => format!("POSIX message queues are refused here: {error}"),
    }
}

struct PosixMessageQueue;

impl Strategy for PosixMessageQueue {
    type Put<T: Send + 'static> = Arc<MessageQueue>;
    type Take<T: Send + 'static> = Arc<MessageQueue>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        shared::<T, MessageQueue>(bounds)
    }
}

impl<T: Send + 'static> Queue<T> for MessageQueue {
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
    fn a_queue_that_is_too_deep_is_refused_with_the_limit_and_its_value() {
        let invalid = io::Error::from_raw_os_error(libc::EINVAL);
        let told = refusal(100, Some(10), &invalid);
        assert!(told.contains("of 100 is refused: /proc/sys/fs/mqueue/msg_max is 10;"), "{told}");
        let other = refusal(4, Some(10), &io::Error::from_raw_os_error(libc::ENOSYS));
        assert!(other.starts_with("POSIX message queues are refused here: "), "{other}");
    }

    #[test]
    fn queues_deeper_than_the_kernel_allows_are_skipped() {
        // No privilege passes this.
        let at = |depth: u64| suits(&Workload::default().with(DEPTH, depth));
        let Availability::Missing(reason) = at(1 << 20) else { panic!("a queue of a million messages") };
        assert!(!reason.is_empty());
        if tried_out(1) == Availability::Ready {
            assert_eq!(at(4), Availability::Ready);
        }
    }
}
