//! Two short loops of known length at the start of each round show what other programs do. They never adjust a sample.

use std::collections::TryReserveError;
use std::hint::black_box;
use std::io;

use sys::clock;

/// Larger than most last-level caches' share of one core.
const WALK_BYTES: usize = 64 << 20;
/// Where memory is limited a shorter walk shows at least what happens in the caches.
const WALK_BYTES_MIN: usize = 1 << 20;
/// About half a millisecond on a machine of 2020.
const SPINS: u64 = 400_000;
const STEPS: u32 = 4_000;

/// The state of the walk: a permutation with one long cycle.
pub(crate) struct Canary {
    next: Vec<u32>,
    place: u32,
}

impl Canary {
    /// Fails where there is no memory for the shortest walk either.
    pub(crate) fn new() -> io::Result<Self> {
        let mut bytes = WALK_BYTES;
        loop {
            match Self::of_size(bytes) {
                Ok(canary) => return Ok(canary),
                Err(_) if bytes > WALK_BYTES_MIN => bytes /= 2,
                Err(_) => {
                    let text = format!("{} MiB more cannot be allocated", (2 * WALK_BYTES_MIN) >> 20);
                    return Err(io::Error::new(io::ErrorKind::OutOfMemory, text));
                }
            }
        }
    }

    fn of_size(bytes: usize) -> Result<Self, TryReserveError> {
        let slots = bytes / size_of::<u32>();
        let mut next: Vec<u32> = Vec::new();
        // The same again is left to all that comes later, whose want of memory would end the program.
        next.try_reserve_exact(2 * slots)?;
        next = Vec::new();
        next.try_reserve_exact(slots)?;
        // A full-period linear congruence visits every slot once, in no order a prefetcher knows.
        next.extend(
            (0..slots as u32)
                .map(|slot| slot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % slots as u32),
        );
        Ok(Self { next, place: 0 })
    }

    /// Returns the nanoseconds of the loop in registers and of the walk through memory.
    pub(crate) fn time(&mut self) -> (u64, u64) {
        let start_ns = clock::now_ns();
        let mut value = black_box(0x9E37_79B9_7F4A_7C15_u64);
        for _ in 0..SPINS {
            value ^= value << 13;
            value ^= value >> 7;
            value ^= value << 17;
        }
        black_box(value);
        let spun_ns = clock::now_ns();
        for _ in 0..STEPS {
            self.place = self.next[self.place as usize];
        }
        black_box(self.place);
        (spun_ns - start_ns, clock::now_ns() - spun_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_visits_every_slot() {
        for bytes in [WALK_BYTES, WALK_BYTES_MIN] {
            let canary = Canary::of_size(bytes).expect("memory");
            let (mut place, mut steps) = (canary.next[0], 1_usize);
            while place != 0 && steps <= canary.next.len() {
                place = canary.next[place as usize];
                steps += 1;
            }
            assert_eq!(steps * size_of::<u32>(), bytes);
        }
    }

    #[test]
    fn both_loops_take_time() {
        let (processor_ns, memory_ns) = Canary::new().expect("memory").time();
        assert!(processor_ns > 0 && memory_ns > 0);
    }
}
