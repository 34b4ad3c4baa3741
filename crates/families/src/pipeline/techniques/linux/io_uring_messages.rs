use std::marker::PhantomData;
use std::os::fd::AsRawFd;
use std::sync::Arc;

use io_uring::types::Fd;
use io_uring::{IoUring, opcode};
use model::Availability;
use sys::failure::in_context;

use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::prelude::*;
use crate::pipeline::system::Semaphore;

pub(in crate::pipeline::techniques) const IO_URING_MESSAGES: Technique<PipelineJob> = Technique {
    name: "io_uring_messages",
    idea: "the addresses of the messages go from ring to ring (IORING_OP_MSG_RING); an eventfd counts the places",
    source: "io_uring_prep_msg_ring(3)",
    calls: &["io_uring_setup", "io_uring_enter", "eventfd2"],
    needs: "io_uring, Linux 5.18 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe: |_host, _setting| match tried_out() {
        Ok(()) => Availability::Ready,
        Err(error) => {
            Availability::Missing(format!("io_uring sends no messages here (it needs Linux 5.18): {error}"))
        }
    },
    ..Technique::usual(PipelineJob::by::<Messages>)
};

struct Messages;

impl Strategy for Messages {
    type Put<T: Send + 'static> = SendingRing<T>;
    type Take<T: Send + 'static> = ReceivingRing<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let depth = u32::try_from(bounds.depth).map_err(io::Error::other)?;
        let refused = |error: io::Error| in_context("open a ring", error);
        let target = Arc::new(
            IoUring::builder().setup_cqsize(depth.next_power_of_two().max(2)).build(1).map_err(refused)?,
        );
        let places = Arc::new(Semaphore::open(depth)?);
        let puts = (0..bounds.senders).map(|_| {
            let own = IoUring::new(1).map_err(refused)?;
            let (target, places) = (Arc::clone(&target), Arc::clone(&places));
            Ok(SendingRing { own, target, places, messages: PhantomData })
        });
        let puts = puts.collect::<io::Result<_>>()?;
        Ok(Ends { puts, take: ReceivingRing { own: target, places, messages: PhantomData } })
    }
}

struct SendingRing<T> {
    own: IoUring,
    target: Arc<IoUring>,
    places: Arc<Semaphore>,
    messages: PhantomData<fn(T)>,
}

struct ReceivingRing<T> {
    own: Arc<IoUring>,
    places: Arc<Semaphore>,
    messages: PhantomData<fn() -> T>,
}

impl<T: Send + 'static> Put<T> for SendingRing<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        self.places.acquire()?;
        let address = packed(message) as u64;
        let entry = opcode::MsgRingData::new(Fd(self.target.as_raw_fd()), 0, address, None).build();
        // SAFETY: the entry refers to no memory; the target stays open as long as this end.
        unsafe { self.own.submission().push(&entry) }.map_err(io::Error::other)?;
        retried(|| self.own.submit_and_wait(1))?;
        let answer = self.own.completion().next().map(|entry| entry.result());
        match answer {
            Some(0..) => Ok(()),
            Some(code) => Err(in_context("send a message to a ring", io::Error::from_raw_os_error(-code))),
            None => Err(io::Error::other("a ring gave no answer")),
        }
    }
}

impl<T: Send + 'static> Take<T> for ReceivingRing<T> {
    fn take(&mut self) -> io::Result<T> {
        loop {
            // SAFETY: this end is the only one that reads what is completed: the others use the descriptor alone.
            let next = unsafe { self.own.completion_shared() }.next();
            if let Some(entry) = next {
                self.places.release()?;
                // SAFETY: only addresses of packed messages of this type are sent to this ring, and each comes once.
                return Ok(unsafe { unpacked(entry.user_data() as usize) });
            }
            retried(|| self.own.submitter().submit_and_wait(1))?;
        }
    }
}

fn tried_out() -> io::Result<()> {
    let bounds = Bounds { depth: 1, senders: 1, waits: Waits::default() };
    let Ends { mut puts, mut take } = Messages::open::<u8>(&bounds)?;
    puts.iter_mut().try_for_each(|put| put.put(7))?;
    take.take().map(drop::<u8>)
}
