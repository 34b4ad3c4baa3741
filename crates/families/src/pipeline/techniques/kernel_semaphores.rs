use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::pipeline::prelude::*;
use crate::pipeline::system::Semaphore;

pub(super) const KERNEL_SEMAPHORES: Technique<PipelineJob> = Technique {
    name: "kernel_semaphores",
    idea: "two semaphores of the kernel count places and messages: eventfd, or a semaphore object; the ring has a lock of its own",
    source: "Dijkstra, Cooperating sequential processes; eventfd(2)",
    calls: &["eventfd2", "read", "write"],
    ..Technique::usual(PipelineJob::by::<KernelSemaphores>)
};

struct KernelSemaphores;

impl Shared for KernelSemaphores {
    type Queue<T: Send + 'static> = Buffer<T>;
}

struct Buffer<T> {
    ring: Mutex<VecDeque<T>>,
    places: Semaphore,
    messages: Semaphore,
}

impl<T> Buffer<T> {
    fn ring(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static> Queue<T> for Buffer<T> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        let places = u32::try_from(bounds.depth).map_err(io::Error::other)?;
        let ring = Mutex::new(VecDeque::with_capacity(bounds.depth));
        Ok(Self { ring, places: Semaphore::open(places)?, messages: Semaphore::open(0)? })
    }

    fn put(&self, message: T) -> io::Result<()> {
        self.places.acquire()?;
        self.ring().push_back(message);
        self.messages.release()
    }

    fn take(&self) -> io::Result<T> {
        self.messages.acquire()?;
        let taken = self.ring().pop_front();
        self.places.release()?;
        taken.ok_or_else(|| io::Error::other("a message was counted that is not there"))
    }
}
