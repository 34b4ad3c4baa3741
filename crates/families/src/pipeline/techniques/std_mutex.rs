use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::pipeline::prelude::*;

pub(super) const STD_MUTEX_NOTIFY_ONE: Technique<PipelineJob> = Technique {
    name: "std_mutex_notify_one",
    idea: "the standard library's Mutex and Condvar; one thread is woken after the lock is given back",
    source: "Rust, std::sync::Condvar",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<StdMutex<false>>)
};

pub(super) const STD_MUTEX_NOTIFY_ALL: Technique<PipelineJob> = Technique {
    name: "std_mutex_notify_all",
    idea: "the standard library's Mutex and Condvar; all that wait are woken after the lock is given back",
    source: "Rust, std::sync::Condvar",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<StdMutex<true>>)
};

struct StdMutex<const ALL: bool>;

impl<const ALL: bool> Shared for StdMutex<ALL> {
    type Queue<T: Send + 'static> = StdQueue<T, ALL>;
}

struct StdQueue<T, const ALL: bool> {
    messages: Mutex<VecDeque<T>>,
    depth: usize,
    room: Condvar,
    message: Condvar,
}

impl<T, const ALL: bool> StdQueue<T, ALL> {
    fn lock_when(&self, changed: &Condvar, may: impl Fn(usize) -> bool) -> MutexGuard<'_, VecDeque<T>> {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        changed.wait_while(messages, |messages| !may(messages.len())).unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake<const ALL: bool>(changed: &Condvar) {
    if ALL { changed.notify_all() } else { changed.notify_one() }
}

impl<T: Send + 'static, const ALL: bool> Queue<T> for StdQueue<T, ALL> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        let messages = Mutex::new(VecDeque::with_capacity(bounds.depth));
        Ok(Self { messages, depth: bounds.depth, room: Condvar::new(), message: Condvar::new() })
    }

    fn put(&self, message: T) -> io::Result<()> {
        let mut messages = self.lock_when(&self.room, |length| length < self.depth);
        messages.push_back(message);
        drop(messages);
        wake::<ALL>(&self.message);
        Ok(())
    }

    fn take(&self) -> io::Result<T> {
        let mut messages = self.lock_when(&self.message, |length| length > 0);
        let taken = messages.pop_front();
        drop(messages);
        wake::<ALL>(&self.room);
        taken.ok_or_else(|| io::Error::other("a queue that was not empty holds no message"))
    }
}
