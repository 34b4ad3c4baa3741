//! The system: producers, a transmitter that sends blocks, a receiver that unpacks them, and consumers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use sys::affinity;
use sys::thread_limits::Room;

use super::roll::{Arrived, Roll, refused};
use super::strategy::{Bounds, Ends, Put, Strategy, Take, Waits};
use super::unit::{Order, Received, Route, Unit};

/// What the transmitter sends.
type Block = Vec<Unit>;

/// How many messages each of the three kinds of queues holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depths {
    /// Units on their way to the transmitter.
    pub(super) to_transmitter: usize,
    /// Blocks on their way to the receiver.
    pub(super) to_receiver: usize,
    /// Units on their way to each consumer.
    pub(super) to_consumer: usize,
}

impl Depths {
    /// The published proportions: where the first queue holds 10 units, the others hold 4 messages.
    pub(super) fn of_first(depth: usize) -> Self {
        let further = (depth * 2 / 5).max(1);
        Self { to_transmitter: depth, to_receiver: further, to_consumer: further }
    }
}

/// One repetition: the order, how many units each consumer awaits, and the queues' depths.
pub(super) struct System {
    pub(super) order: Order,
    pub(super) addressed: Vec<u64>,
    pub(super) depths: Depths,
    /// Each thread is kept on one of these processors, in turn; none for where the system wants them.
    pub(super) kept_on: Vec<u32>,
}

impl System {
    /// Threads that work.
    pub(super) fn crew(&self) -> usize {
        match self.order.route {
            Route::Stages => 2 * self.order.threads as usize + 2,
            Route::RoundTrip => 2 * self.order.threads as usize,
        }
    }

    /// Opens the queues, starts all threads, and waits until every unit has arrived.
    ///
    /// # Errors
    /// A queue cannot be opened, a thread cannot be started, one of them failed, or nothing moves any more.
    pub(super) fn run<S: Strategy>(self: &Arc<Self>, waits: &Waits) -> io::Result<Vec<Received>> {
        match self.order.route {
            Route::Stages => self.run_stages::<S>(waits),
            Route::RoundTrip => self.run_round_trips::<S>(waits),
        }
    }

    fn run_stages<S: Strategy>(self: &Arc<Self>, waits: &Waits) -> io::Result<Vec<Received>> {
        let threads = self.order.threads as usize;
        let bounds = |depth, senders| Bounds { depth, senders, waits: waits.clone() };
        let first = S::open::<Unit>(&bounds(self.depths.to_transmitter, threads))?;
        let second = S::open::<Block>(&bounds(self.depths.to_receiver, 1))?;
        let third = (0..threads).map(|_| S::open::<Unit>(&bounds(self.depths.to_consumer, 1)));
        let (mut to_consumers, mut at_consumers) = (Vec::new(), Vec::new());
        for ends in third {
            let Ends { puts, take } = ends?;
            to_consumers.extend(puts);
            at_consumers.push(take);
        }
        let arrived: Arc<[Arrived]> = (0..=threads).map(|_| Arrived::default()).collect();
        let mut crew = Crew::of(self);
        let mut others = Vec::new();
        for (producer, queue) in (0..).zip(first.puts) {
            let system = Arc::clone(self);
            others.push(crew.start(move || system.produce(producer, queue))?);
        }
        let mut consumers = Vec::new();
        for (consumer, queue) in at_consumers.into_iter().enumerate() {
            let (system, arrived) = (Arc::clone(self), Arc::clone(&arrived));
            consumers.push(crew.start(move || system.consume(consumer, queue, &arrived[consumer]))?);
        }
        let (system, taken) = (Arc::clone(self), first.take);
        let blocks = second.puts.into_iter().next().ok_or_else(super::strategy::hung_up)?;
        let counted = Arc::clone(&arrived);
        others.push(crew.start(move || system.transmit(taken, blocks, &counted[threads]))?);
        let (system, taken) = (Arc::clone(self), second.take);
        others.push(crew.start(move || system.receive(taken, to_consumers))?);
        crew.roll.wait(&arrived, self.order.total(), waits.timeout.unwrap_or(Duration::ZERO))?;
        others.into_iter().try_for_each(joined)?;
        consumers.into_iter().map(joined).collect()
    }

    fn produce(&self, producer: u32, mut queue: impl Put<Unit>) -> io::Result<()> {
        for number in 0..self.order.units {
            let mut unit = self.order.make(producer, number);
            unit.leave();
            queue.put(unit)?;
        }
        Ok(())
    }

    /// Collects units to blocks. The last block holds what is left.
    fn transmit(
        &self,
        mut units: impl Take<Unit>,
        mut blocks: impl Put<Block>,
        arrived: &Arrived,
    ) -> io::Result<()> {
        let total = self.order.total();
        let mut left = total;
        while left > 0 {
            let size = usize::try_from(left).map_or(self.order.batch, |left| left.min(self.order.batch));
            let mut block = Vec::with_capacity(size);
            while block.len() < size {
                units.take_some(size - block.len(), &mut block)?;
                arrived.0.store(total - left + block.len() as u64, Ordering::Relaxed);
            }
            left -= size as u64;
            blocks.put(block)?;
        }
        Ok(())
    }

    /// Gives every unit to its consumer: those that follow each other to the same one together.
    fn receive(&self, mut blocks: impl Take<Block>, mut consumers: Vec<impl Put<Unit>>) -> io::Result<()> {
        let mut left = self.order.total();
        let mut together: Vec<Unit> = Vec::with_capacity(self.order.batch);
        while left > 0 {
            let block = blocks.take()?;
            left -= block.len() as u64;
            for unit in block {
                if let Some(before) = together.first().filter(|before| before.consumer != unit.consumer) {
                    consumers[before.consumer as usize].put_all(&mut together)?;
                }
                together.push(unit);
            }
            if let Some(last) = together.first() {
                consumers[last.consumer as usize].put_all(&mut together)?;
            }
        }
        Ok(())
    }

    fn consume(
        &self,
        consumer: usize,
        mut queue: impl Take<Unit>,
        arrived: &Arrived,
    ) -> io::Result<Received> {
        let awaited = self.addressed[consumer] as usize;
        let mut received = Received::none(&self.order, awaited);
        let mut units = Vec::with_capacity(self.depths.to_consumer.min(awaited));
        let mut left = awaited;
        while left > 0 {
            queue.take_some(left, &mut units)?;
            left -= units.len();
            for unit in units.drain(..) {
                received.accept(&self.order, &unit);
            }
            arrived.0.store((awaited - left) as u64, Ordering::Relaxed);
        }
        Ok(received)
    }
}

/// The threads that were started so far.
pub(super) struct Crew<'system> {
    pub(super) roll: Arc<Roll>,
    all: usize,
    started: usize,
    kept_on: &'system [u32],
    room: Room,
}

impl<'system> Crew<'system> {
    pub(super) fn of(system: &'system System) -> Self {
        let all = system.crew();
        let room = Room::for_threads(all, None);
        Self { roll: Arc::default(), all, started: 0, kept_on: &system.kept_on, room }
    }

    pub(super) fn start<R: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> io::Result<JoinHandle<Option<R>>> {
        let processor = self.kept_on.iter().copied().cycle().nth(self.started);
        let has_room = self.room.check(self.started);
        self.started += 1;
        has_room.map_err(|error| refused((self.started, self.all), &error))?;
        self.roll.start((self.started, self.all), move || {
            processor.map_or(Ok(()), affinity::pin)?;
            work()
        })
    }
}

/// What a thread found out. Errors and panics were told before.
pub(super) fn joined<R>(thread: JoinHandle<Option<R>>) -> io::Result<R> {
    let result = thread.join().ok().flatten();
    result.ok_or_else(|| io::Error::other("a thread of the pipeline ended without its result"))
}
