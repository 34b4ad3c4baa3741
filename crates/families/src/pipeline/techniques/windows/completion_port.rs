use std::io;
use std::marker::PhantomData;

use windows_sys::Win32::System::IO::{GetQueuedCompletionStatus, OVERLAPPED, PostQueuedCompletionStatus};
use windows_sys::Win32::System::Threading::INFINITE;

use crate::files::{self, checked};
use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::strategy::{Bounds, Queue, Shared};
use crate::pipeline::system::Semaphore;
use crate::pipeline::techniques::{PipelineJob, Technique};

pub(in crate::pipeline::techniques) const COMPLETION_PORT: Technique<PipelineJob> = Technique {
    name: "completion_port",
    idea: "the addresses of the messages are posted to a completion port; a semaphore counts the places",
    source: "Microsoft, PostQueuedCompletionStatus",
    ..Technique::usual(PipelineJob::by::<Port<()>>)
};

struct Port<T> {
    port: files::Port,
    places: Semaphore,
    messages: PhantomData<fn(T) -> T>,
}

impl Shared for Port<()> {
    type Queue<T: Send + 'static> = Port<T>;
}

impl<T> Port<T> {
    /// Queues an address in the place of a key.
    fn post(&self, address: usize) -> io::Result<()> {
        // SAFETY: the port is open; no structure stands behind the packet.
        checked(unsafe { PostQueuedCompletionStatus(self.port.handle(), 0, address, std::ptr::null()) })
    }

    fn wait(&self) -> io::Result<usize> {
        let (mut bytes, mut key) = (0, 0);
        let mut none: *mut OVERLAPPED = std::ptr::null_mut();
        let (port, places) = (self.port.handle(), (&raw mut bytes, &raw mut key, &raw mut none));
        // SAFETY: the port is open, and all three are valid places for the answer.
        checked(unsafe { GetQueuedCompletionStatus(port, places.0, places.1, places.2, INFINITE) })?;
        Ok(key)
    }
}

impl<T: Send + 'static> Queue<T> for Port<T> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        let places = u32::try_from(bounds.depth).map_err(io::Error::other)?;
        let (port, places) = (files::Port::of_files(&[])?, Semaphore::open(places)?);
        Ok(Self { port, places, messages: PhantomData })
    }

    fn put(&self, message: T) -> io::Result<()> {
        self.places.acquire()?;
        self.post(packed(message))
    }

    fn take(&self) -> io::Result<T> {
        let address = self.wait()?;
        self.places.release()?;
        // SAFETY: only addresses of packed messages of this type are posted to this port, and each is taken once.
        Ok(unsafe { unpacked(address) })
    }
}
