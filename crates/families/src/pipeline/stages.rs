//! The system: producers, a transmitter that sends blocks, a receiver that unpacks them, and consumers; or pairs of threads.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use sys::affinity;
use sys::failure::reworded;
use sys::thread_limits::{Room, limit_reached};

use super::roll::{Arrived, Roll};
use super::strategy::{Bounds, Ends, Put, Strategy, Take, Waits, hung_up};
use super::unit::{Order, Received, Route, Unit};

type Block = Vec<Unit>;

pub(super) struct System {
    pub(super) order: Order,
    addressed: Vec<u64>,
    pub(super) depth: usize,
    /// Blocks, or units, in the other queues: as published, 4 messages where the first queue holds 10.
    further_depth: usize,
    /// Each thread is kept on one of these processors, in turn; empty leaves the choice to the system.
    kept_on: Vec<u32>,
    /// Looked for before the clock starts.
    room: Room,
}

impl System {
    pub(super) fn of(order: Order, depth: usize, kept_on: Vec<u32>) -> Self {
        let (addressed, room) = (order.addressed(), Room::for_threads(order.crew(), None));
        Self { order, addressed, depth, further_depth: (depth * 2 / 5).max(1), kept_on, room }
    }

    pub(super) fn run<S: Strategy>(self: &Arc<Self>, waits: &Waits) -> io::Result<Vec<Received>> {
        match self.order.route {
            Route::Stages => self.run_stages::<S>(waits),
            Route::RoundTrip => self.run_round_trips::<S>(waits),
        }
    }

    fn run_stages<S: Strategy>(self: &Arc<Self>, waits: &Waits) -> io::Result<Vec<Received>> {
        let threads = self.order.threads as usize;
        let bounds = |depth, senders| Bounds { depth, senders, waits: waits.clone() };
        let first = S::open::<Unit>(&bounds(self.depth, threads))?;
        let second = S::open::<Block>(&bounds(self.further_depth, 1))?;
        let third = (0..threads).map(|_| S::open::<Unit>(&bounds(self.further_depth, 1)));
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
        let blocks = second.puts.into_iter().next().ok_or_else(hung_up)?;
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
        &self, mut units: impl Take<Unit>, mut blocks: impl Put<Block>, arrived: &Arrived,
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

    /// Gives every unit to its consumer: units for the same one together.
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
        &self, consumer: usize, mut queue: impl Take<Unit>, arrived: &Arrived,
    ) -> io::Result<Received> {
        let awaited = self.addressed[consumer] as usize;
        let mut received = Received::none(&self.order, awaited);
        let mut units = Vec::with_capacity(self.further_depth.min(awaited));
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

/// Pairs of threads that hand a unit to and fro: the cost of a hand-over where nothing can be collected to batches.
impl System {
    fn run_round_trips<S: Strategy>(self: &Arc<Self>, waits: &Waits) -> io::Result<Vec<Received>> {
        let pairs = self.order.threads as usize;
        let bounds = Bounds { depth: self.depth, senders: 1, waits: waits.clone() };
        // The last place is that of a transmitter, which does not exist here.
        let arrived: Arc<[Arrived]> = (0..=pairs).map(|_| Arrived::default()).collect();
        let mut crew = Crew::of(self);
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for pair in 0..pairs {
            let mut to = S::open::<Unit>(&bounds)?;
            let mut fro = S::open::<Unit>(&bounds)?;
            let puts = (to.puts.pop().ok_or_else(hung_up)?, fro.puts.pop().ok_or_else(hung_up)?);
            let (system, counted) = (Arc::clone(self), Arc::clone(&arrived));
            let (put, take) = (puts.0, fro.take);
            there.push(crew.start(move || system.send(pair as u32, put, take, &counted[pair]))?);
            let (units, mut put, mut take) = (self.order.units, puts.1, to.take);
            back.push(crew.start(move || (0..units).try_for_each(|_| put.put(take.take()?)))?);
        }
        crew.roll.wait(&arrived, self.order.total(), waits.timeout.unwrap_or(Duration::ZERO))?;
        back.into_iter().try_for_each(joined)?;
        there.into_iter().map(joined).collect()
    }

    fn send(
        &self, producer: u32, mut to: impl Put<Unit>, mut fro: impl Take<Unit>, arrived: &Arrived,
    ) -> io::Result<Received> {
        let mut received = Received::none(&self.order, self.order.units as usize);
        for number in 0..self.order.units {
            let mut unit = self.order.make(producer, number);
            unit.leave();
            to.put(unit)?;
            received.accept(&self.order, &fro.take()?);
            arrived.0.store(u64::from(number) + 1, Ordering::Relaxed);
        }
        Ok(received)
    }
}

pub(super) struct Crew<'system> {
    pub(super) roll: Arc<Roll>,
    system: &'system System,
    started: usize,
}

impl<'system> Crew<'system> {
    pub(super) fn of(system: &'system System) -> Self {
        Self { roll: Arc::default(), system, started: 0 }
    }

    pub(super) fn start<R: Send + 'static>(
        &mut self, work: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> io::Result<JoinHandle<Option<R>>> {
        let System { order, kept_on, room, .. } = self.system;
        let processor = kept_on.get(self.started % kept_on.len().max(1)).copied();
        let (nth, all) = (self.started + 1, order.crew());
        let started = room.check(self.started).and_then(|()| {
            self.roll.start(move || {
                processor.map_or(Ok(()), affinity::pin)?;
                work()
            })
        });
        self.started = nth;
        // A thread that has no room is refused with the limit that was reached, where that can be said.
        started.map_err(|error| {
            reworded(format!("start thread {nth} of {all}: {error}{}", limit_reached(None)), &error)
        })
    }
}

/// Returns the result of a thread. Errors and panics were reported before.
pub(super) fn joined<R>(thread: JoinHandle<Option<R>>) -> io::Result<R> {
    let result = thread.join().ok().flatten();
    result.ok_or_else(|| io::Error::other("a thread of the pipeline ended without its result"))
}
