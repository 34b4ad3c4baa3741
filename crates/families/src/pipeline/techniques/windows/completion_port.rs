//! A completion port as a queue, and a semaphore that counts its places.

use std::io;
use std::sync::Arc;

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::strategy::{Bounds, Ends, Queue, Strategy, shared};
use crate::pipeline::system::{CompletionPort, Semaphore};

pub(in crate::pipeline::techniques) const COMPLETION_PORT: Technique<PipelineJob> = Technique {
    name: "completion_port",
    idea: "the addresses of the messages are posted to a completion port; a semaphore counts the places",
    source: "Microsoft, PostQueuedCompletionStatus",
    ..Technique::usual(PipelineJob::by::<Posting>)
};

struct Posting;

impl Strategy for Posting {
    type Put<T: Send + 'static> = Arc<Port>;
    type Take<T: Send + 'static> = Arc<Port>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        shared::<T, Port>(bounds)
    }
}

struct Port {
    port: CompletionPort,
    places: Semaphore,
}

impl<T: Send + 'static> Queue<T> for Port {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        let places = u32::try_from(bounds.depth).map_err(io::Error::other)?;
        Ok(Self { port: CompletionPort::open()?, places: Semaphore::open(places)? })
    }

    fn put(&self, message: T) -> io::Result<()> {
        self.places.acquire()?;
        self.port.post(packed(message))
    }

    fn take(&self) -> io::Result<T> {
        let address = self.port.wait()?;
        self.places.release()?;
        // SAFETY: only addresses of packed messages of this type are posted to this port, and each is taken once.
        Ok(unsafe { unpacked(address) })
    }
}
