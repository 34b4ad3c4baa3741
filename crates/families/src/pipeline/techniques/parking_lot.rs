use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};

use crate::pipeline::prelude::*;

pub(super) const PARKING_LOT: Technique<PipelineJob> = Technique {
    name: "parking_lot",
    idea: "parking_lot's Mutex and Condvar, which spin before they sleep; one thread is woken after the lock is given back",
    source: "parking_lot",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<ParkingLot>)
};

struct ParkingLot;

impl Shared for ParkingLot {
    type Queue<T: Send + 'static> = Ring<T>;
}

struct Ring<T> {
    messages: Mutex<VecDeque<T>>,
    depth: usize,
    room: Condvar,
    message: Condvar,
}

impl<T: Send + 'static> Queue<T> for Ring<T> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        let messages = Mutex::new(VecDeque::with_capacity(bounds.depth));
        Ok(Self { messages, depth: bounds.depth, room: Condvar::new(), message: Condvar::new() })
    }

    fn put(&self, message: T) -> io::Result<()> {
        let mut messages = self.messages.lock();
        self.room.wait_while(&mut messages, |messages| messages.len() == self.depth);
        messages.push_back(message);
        drop(messages);
        self.message.notify_one();
        Ok(())
    }

    fn take(&self) -> io::Result<T> {
        let mut messages = self.messages.lock();
        loop {
            if let Some(taken) = messages.pop_front() {
                drop(messages);
                self.room.notify_one();
                return Ok(taken);
            }
            self.message.wait(&mut messages);
        }
    }
}
