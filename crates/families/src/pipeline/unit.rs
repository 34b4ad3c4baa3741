//! The units that travel: to whom each goes, the work of making and of using one, and the proof that all arrived in order.

use model::Proof;

use crate::files::digest_of;
use crate::random::{PublishedRand, mix};

/// Addresses and work are the same in every run: they are part of the question.
const SEED: u64 = 0x2005_0f1a_9d3c_71e5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    Stages,
    RoundTrip,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) route: Route,
    /// Producers, and as many consumers; or pairs of threads.
    pub(super) threads: u32,
    pub(super) units: u32,
    pub(super) batch: usize,
    pub(super) work_steps: u64,
    pub(super) payload_bytes: usize,
}

pub(super) struct Unit {
    pub(super) producer: u32,
    pub(super) consumer: u32,
    number: u32,
    put_ns: u64,
    /// The result of making it.
    value: u64,
    payload: Box<[u8]>,
    checksum: u32,
}

impl Order {
    pub(super) fn total(&self) -> u64 {
        u64::from(self.threads) * u64::from(self.units)
    }

    /// Returns the number of all threads, those of the stages between both ends included.
    pub(super) fn crew(&self) -> usize {
        let stages = if self.route == Route::Stages { 2 } else { 0 };
        2 * self.threads as usize + stages
    }

    fn drawn(&self, producer: u32, number: u32) -> u64 {
        mix(SEED ^ (u64::from(producer) << 32 | u64::from(number)))
    }

    /// Returns the receiver of a unit. What comes back comes back to its producer.
    fn address(&self, producer: u32, drawn: u64) -> u32 {
        match self.route {
            Route::Stages => (drawn % u64::from(self.threads)) as u32,
            Route::RoundTrip => producer,
        }
    }

    /// Returns a number of steps from 0 to twice the average.
    fn steps(&self, drawn: u64) -> u64 {
        drawn % (2 * self.work_steps + 1)
    }

    /// Returns the number of units that each consumer awaits.
    pub(super) fn addressed(&self) -> Vec<u64> {
        let mut addressed = vec![0; self.threads as usize];
        for producer in 0..self.threads {
            for number in 0..self.units {
                addressed[self.address(producer, self.drawn(producer, number)) as usize] += 1;
            }
        }
        addressed
    }

    pub(super) fn make(&self, producer: u32, number: u32) -> Unit {
        let drawn = self.drawn(producer, number);
        let value = work(drawn, self.steps(drawn.rotate_left(24)));
        let payload = filled(self.payload_bytes, drawn as u32);
        let (consumer, checksum) = (self.address(producer, drawn), checksum_of(&payload));
        Unit { producer, consumer, number, put_ns: 0, value, payload, checksum }
    }

    /// Returns the proof, computed by one thread without any queue.
    pub(super) fn expected(&self) -> Proof {
        let mut consumers: Vec<Received> = (0..self.threads).map(|_| Received::none(self, 0)).collect();
        for producer in 0..self.threads {
            for number in 0..self.units {
                let unit = self.make(producer, number);
                consumers[unit.consumer as usize].use_up(self, &unit);
            }
        }
        proof_of(&consumers)
    }
}

impl Unit {
    pub(super) fn leave(&mut self) {
        self.put_ns = sys::clock::now_ns();
    }
}

#[derive(Debug)]
pub(super) struct Received {
    /// A result for each producer that depends on the order of its units.
    streams: Vec<u64>,
    units: u64,
    /// The time of each unit on its way.
    pub(super) latencies_ns: Vec<u64>,
}

impl Received {
    pub(super) fn none(order: &Order, units: usize) -> Self {
        let streams = vec![SEED; order.threads as usize];
        Self { streams, units: 0, latencies_ns: Vec::with_capacity(units) }
    }

    pub(super) fn accept(&mut self, order: &Order, unit: &Unit) {
        self.latencies_ns.push(sys::clock::now_ns().saturating_sub(unit.put_ns));
        self.use_up(order, unit);
    }

    fn use_up(&mut self, order: &Order, unit: &Unit) {
        let mut value = work(unit.value, order.steps(unit.value));
        if checksum_of(&unit.payload) != unit.checksum {
            value = !value;
        }
        let stream = &mut self.streams[unit.producer as usize];
        *stream = mix(stream.rotate_left(7) ^ value ^ u64::from(unit.number));
        self.units += 1;
    }
}

pub(super) fn proof_of(consumers: &[Received]) -> Proof {
    let streams = consumers.iter().flat_map(|consumer| &consumer.streams);
    let bytes: Vec<u8> = streams.flat_map(|stream| stream.to_le_bytes()).collect();
    Proof { bytes: consumers.iter().map(|consumer| consumer.units).sum(), digest: digest_of(&bytes) }
}

const WORD_BYTES: usize = size_of::<u32>();

/// Returns memory with a drawn number in each word, as a published producer fills its 256 words.
fn filled(bytes: usize, seed: u32) -> Box<[u8]> {
    let mut payload = Vec::with_capacity(bytes);
    let mut drawn = PublishedRand(seed);
    while payload.len() < bytes {
        let word = drawn.next().to_le_bytes();
        payload.extend_from_slice(&word[..WORD_BYTES.min(bytes - payload.len())]);
    }
    payload.into_boxed_slice()
}

/// Returns the words together, each with the next by an exclusive or.
fn checksum_of(payload: &[u8]) -> u32 {
    let (words, rest) = payload.as_chunks::<WORD_BYTES>();
    let sum = words.iter().fold(0, |sum, word| sum ^ u32::from_le_bytes(*word));
    rest.iter().fold(sum, |sum, byte| sum ^ u32::from(*byte))
}

/// Steps that wait for each other, so that no processor does several at once.
fn work(from: u64, steps: u64) -> u64 {
    let mut state = from;
    for _ in 0..steps {
        state = std::hint::black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: Order =
        Order { route: Route::Stages, threads: 3, units: 40, batch: 5, work_steps: 2, payload_bytes: 9 };

    fn delivered(change: impl Fn(&mut Vec<Unit>)) -> Proof {
        let mut units: Vec<Unit> =
            (0..3).flat_map(|producer| (0..40).map(move |number| ORDER.make(producer, number))).collect();
        change(&mut units);
        let mut consumers: Vec<Received> = (0..3).map(|_| Received::none(&ORDER, 0)).collect();
        for unit in units {
            consumers[unit.consumer as usize].accept(&ORDER, &unit);
        }
        proof_of(&consumers)
    }

    #[test]
    fn producers_fill_and_consumers_check_what_a_unit_carries() {
        let unit = Order { payload_bytes: 1_024, ..ORDER }.make(1, 7);
        let words: Vec<&[u8]> = unit.payload.chunks(4).collect();
        assert!(words.len() == 256 && words.iter().all(|word| word[2..] == [0, 0] && word[1] < 0x80));
        assert_ne!(words[0], words[1]);
        // The first numbers of Microsoft's library after `srand(1)`.
        let mut drawn = PublishedRand(1);
        assert_eq!([(); 3].map(|()| drawn.next()), [41, 18_467, 6_334]);
    }

    #[test]
    fn a_unit_lost_doubled_changed_or_misplaced_changes_the_proof() {
        let right = ORDER.expected();
        assert_eq!(delivered(|_| ()), right);
        assert_eq!(delivered(|units| units.rotate_left(40)), right, "producers do not wait for each other");
        type Change<'c> = &'c dyn Fn(&mut Vec<Unit>);
        let faults: [(&str, Change<'_>); 5] = [
            ("lost", &|units| drop(units.remove(7))),
            ("doubled", &|units| units.insert(7, ORDER.make(0, 7))),
            ("changed", &|units| units[7].payload[3] ^= 1),
            ("misled", &|units| units[7].consumer = (units[7].consumer + 1) % 3),
            ("out of order", &|units| {
                let later = (1..40).find(|&later| units[later].consumer == units[0].consumer);
                units.swap(0, later.expect("a second one"));
            }),
        ];
        for (fault, change) in faults {
            assert_ne!(delivered(change), right, "{fault}");
        }
    }
}
