//! The pipeline of three stages, over any channel and over our own queue with its blocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use queue::{Manner, Patience, Queue};
use sys::usage;

use crate::channels::{Channel, Put, Putter, Take};

const BLOCK: usize = 5;

/// One comparison.
pub(crate) struct Plan {
    /// Producers, and as many consumers.
    pub(crate) threads: usize,
    /// Of the queues to the transmitter (units), to the receiver (blocks) and to each consumer (units).
    pub(crate) bounds: [usize; 3],
    /// Mean steps of work on a unit where it is made, and again where it arrives; a step takes about a nanosecond.
    pub(crate) work_steps: u64,
    pub(crate) units_each: u32,
}

impl Plan {
    pub(crate) fn units(&self) -> u64 {
        self.threads as u64 * u64::from(self.units_each)
    }
}

/// What one run took.
pub(crate) struct Seen {
    pub(crate) wall_ns: u64,
    pub(crate) cpu_ns: u64,
    pub(crate) switches: u64,
}

#[derive(Clone, Copy, Default)]
struct Unit {
    producer: u32,
    number: u32,
    consumer: u32,
    seed: u64,
    _payload: [u64; 4],
}

#[derive(Clone, Copy, Default)]
struct Block {
    units: [Unit; BLOCK],
    filled: usize,
}

impl Block {
    fn units(&self) -> &[Unit] {
        &self.units[..self.filled]
    }
}

/// The pipeline over a channel, a unit at a time.
pub(crate) fn through<C: Channel>(plan: &Plan) -> Seen {
    let [first, second, third] = plan.bounds;
    let (to_transmitter, transmitter) = C::new::<Unit>(first);
    let (to_receiver, receiver) = C::new::<Block>(second);
    let (to_consumers, consumers): (Vec<_>, Vec<_>) =
        (0..plan.threads).map(|_| C::new::<Unit>(third)).unzip();
    let start = &Start::default();
    let mut threads = Vec::new();
    thread::scope(|scope| {
        let mut keep = |thread: thread::ScopedJoinHandle<'_, ()>| threads.push(thread.thread().clone());
        for producer in 0..plan.threads {
            let put = to_transmitter.clone();
            keep(scope.spawn(move || {
                start.wait();
                produce(plan, producer, |unit| put.put(unit));
            }));
        }
        drop(to_transmitter);
        keep(scope.spawn(move || {
            start.wait();
            let mut block = Block::default();
            while let Some(unit) = transmitter.take() {
                block.units[block.filled] = unit;
                block.filled += 1;
                if block.filled == BLOCK {
                    to_receiver.put(block);
                    block.filled = 0;
                }
            }
            if block.filled > 0 {
                to_receiver.put(block);
            }
        }));
        keep(scope.spawn(move || {
            start.wait();
            while let Some(block) = receiver.take() {
                for &unit in block.units() {
                    to_consumers[unit.consumer as usize].put(unit);
                }
            }
        }));
        let consumers = consumers.into_iter().enumerate().map(|(consumer, taker)| {
            scope.spawn(move || {
                start.wait();
                let mut check = Check::new(plan, consumer);
                while let Some(unit) = taker.take() {
                    check.arrives(&unit);
                }
                check.arrived
            })
        });
        let consumers: Vec<_> = consumers.collect();
        threads.extend(consumers.iter().map(|thread| thread.thread().clone()));
        timed(plan, start, &threads, || {
            consumers.into_iter().map(|thread| thread.join().expect("no check failed")).sum()
        })
    })
}

/// The pipeline over our own queue: blocks are taken as blocks, and consumers are left alone while there is more for them.
pub(crate) fn own(plan: &Plan) -> Seen {
    let [first, second, third] = plan.bounds;
    let transmitter = Arc::new(Queue::<Unit>::new(first));
    let receiver = Arc::new(Queue::<Block>::new(second));
    let consumers: Vec<_> = (0..plan.threads).map(|_| Arc::new(Queue::<Unit>::new(third))).collect();
    let start = &Start::default();
    let mut threads = Vec::new();
    thread::scope(|scope| {
        let mut keep = |thread: thread::ScopedJoinHandle<'_, ()>| threads.push(thread.thread().clone());
        let to_transmitter = Putter::new(transmitter.clone());
        for producer in 0..plan.threads {
            let put = to_transmitter.clone();
            keep(scope.spawn(move || {
                start.wait();
                produce(plan, producer, |unit| put.put(unit));
            }));
        }
        drop(to_transmitter);
        let to_receiver = receiver.clone();
        keep(scope.spawn(move || {
            start.wait();
            transmit(&transmitter, &to_receiver);
        }));
        let to_consumers = consumers.clone();
        keep(scope.spawn(move || {
            start.wait();
            deliver(&receiver, &to_consumers);
        }));
        let consumers = consumers.iter().enumerate().map(|(consumer, queue)| {
            scope.spawn(move || {
                start.wait();
                let mut check = Check::new(plan, consumer);
                let mut units = Vec::new();
                while queue.take_up_to(usize::MAX, &mut units) > 0 {
                    units.drain(..).for_each(|unit| check.arrives(&unit));
                }
                check.arrived
            })
        });
        let consumers: Vec<_> = consumers.collect();
        threads.extend(consumers.iter().map(|thread| thread.thread().clone()));
        timed(plan, start, &threads, || {
            consumers.into_iter().map(|thread| thread.join().expect("no check failed")).sum()
        })
    })
}

fn transmit(units: &Queue<Unit>, receiver: &Queue<Block>) {
    let mut taken = Vec::new();
    let between = Manner { patience: Patience::Between, ..Manner::USUAL };
    let mut block = Block::default();
    while units.take_up_to_after(BLOCK - block.filled, &mut taken, Patience::Between, || ()) > 0 {
        for unit in taken.drain(..) {
            block.units[block.filled] = unit;
            block.filled += 1;
        }
        if block.filled == BLOCK {
            let _ = receiver.put_as(block, between);
            block.filled = 0;
        }
    }
    if block.filled > 0 {
        let _ = receiver.put_as(block, between);
    }
    receiver.close();
}

fn deliver(blocks: &Queue<Block>, consumers: &[Arc<Queue<Unit>>]) {
    let mut taken = Vec::new();
    let mut left_alone = vec![false; consumers.len()];
    loop {
        let wake = || {
            for (queue, left_alone) in consumers.iter().zip(&mut left_alone) {
                if std::mem::take(left_alone) {
                    queue.wake();
                }
            }
        };
        if blocks.take_up_to_after(usize::MAX, &mut taken, Patience::Between, wake) == 0 {
            break;
        }
        for block in taken.drain(..) {
            for &unit in block.units() {
                let consumer = unit.consumer as usize;
                let _ = consumers[consumer].put_as(unit, Manner::QUIETLY);
                left_alone[consumer] = true;
            }
        }
    }
    consumers.iter().for_each(|queue| queue.close());
}

fn produce(plan: &Plan, producer: usize, put: impl Fn(Unit)) {
    let mut random = mixed(producer as u64 + 1);
    for number in 0..plan.units_each {
        random = mixed(random);
        let consumer = (random % plan.threads as u64) as u32;
        work(plan, random);
        put(Unit { producer: producer as u32, number, consumer, seed: random, _payload: [random; 4] });
    }
}

/// What a consumer looks at: that each producer's units come in their order, and that they are its own.
struct Check<'a> {
    plan: &'a Plan,
    consumer: usize,
    next: Vec<u32>,
    arrived: u64,
}

impl<'a> Check<'a> {
    fn new(plan: &'a Plan, consumer: usize) -> Self {
        Self { plan, consumer, next: vec![0; plan.threads], arrived: 0 }
    }

    fn arrives(&mut self, unit: &Unit) {
        assert_eq!(unit.consumer as usize, self.consumer, "a unit of another consumer");
        let next = &mut self.next[unit.producer as usize];
        assert!(unit.number >= *next, "a unit that came twice or too late");
        *next = unit.number + 1;
        work(self.plan, unit.seed);
        self.arrived += 1;
    }
}

/// Holds all threads back until the clock runs.
#[derive(Default)]
struct Start {
    ready: AtomicUsize,
    given: AtomicBool,
}

impl Start {
    fn wait(&self) {
        self.ready.fetch_add(1, Ordering::SeqCst);
        while !self.given.load(Ordering::SeqCst) {
            thread::park();
        }
    }
}

/// Waits for all threads, then times from their start to the end of the last consumer.
fn timed(plan: &Plan, start: &Start, threads: &[thread::Thread], end: impl FnOnce() -> u64) -> Seen {
    while start.ready.load(Ordering::SeqCst) < 2 * plan.threads + 2 {
        thread::sleep(Duration::from_millis(1));
    }
    let before = usage::of_this_process();
    let begin = Instant::now();
    start.given.store(true, Ordering::SeqCst);
    threads.iter().for_each(thread::Thread::unpark);
    let arrived = end();
    let wall_ns = begin.elapsed().as_nanos() as u64;
    let used = usage::difference(&before, &usage::of_this_process());
    assert_eq!(arrived, plan.units(), "units were lost");
    let sum = |one: Option<u64>, other: Option<u64>| one.unwrap_or(0) + other.unwrap_or(0);
    Seen {
        wall_ns,
        cpu_ns: sum(used.user_ns, used.system_ns),
        switches: sum(used.voluntary_switches, used.involuntary_switches),
    }
}

/// A small random amount of work, the same for the same unit.
fn work(plan: &Plan, seed: u64) {
    let mut value = seed;
    for _ in 0..seed >> 32 & (2 * plan.work_steps - 1) {
        value = mixed(value);
    }
    std::hint::black_box(value);
}

fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}
