//! The clock that times all work.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

/// Nanoseconds since some fixed moment before this process began.
///
/// Linux reads `CLOCK_MONOTONIC_RAW`, whose rate no time daemon changes; Windows the performance counter. The
/// moment is the same for all processes of one boot, so that differences may be taken across processes.
#[inline]
pub fn now_ns() -> u64 {
    system::now_ns()
}

/// The smallest difference, in nanoseconds, seen between two different readings of [`now_ns`].
///
/// Measured over many readings back to back; this takes a few milliseconds.
pub fn step_ns() -> u64 {
    const READINGS: u32 = 100_000;
    let mut step = u64::MAX;
    let mut earlier = now_ns();
    let mut taken = 0;
    // A coarse clock may stand still for all of the readings: go on until it has moved once.
    while taken < READINGS || step == u64::MAX {
        let later = now_ns();
        if later > earlier {
            step = step.min(later - earlier);
        }
        earlier = later;
        taken = taken.saturating_add(1);
    }
    step
}

/// Nanoseconds that one reading of [`now_ns`] takes, typically: the median of batches.
pub fn reading_ns() -> f64 {
    const BATCHES: usize = 101;
    const READINGS: u32 = 200;
    let batch = || {
        let begin = now_ns();
        for _ in 0..READINGS {
            std::hint::black_box(now_ns());
        }
        now_ns() - begin
    };
    let mut batches = [0; BATCHES];
    batches.fill_with(batch);
    batches.sort_unstable();
    // The last reading of a batch is one of those that are timed.
    batches[BATCHES / 2] as f64 / f64::from(READINGS + 1)
}

/// What the system reads the time from: `tsc`, `kvm-clock`, a counter of so many ticks a second.
pub fn source() -> Option<String> {
    system::source()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_goes_back_and_does_move() {
        let readings: Vec<u64> = (0..10_000).map(|_| now_ns()).collect();
        assert!(readings.is_sorted());
        assert!(readings.first() < readings.last());
    }

    #[test]
    fn the_step_is_a_real_difference() {
        let step = step_ns();
        assert!(step > 0, "a step of nothing is no step");
        assert!(step < 100_000_000, "a step of {step} ns cannot time anything");
    }

    #[test]
    fn a_reading_takes_some_time() {
        let reading = reading_ns();
        assert!(reading > 0.0 && reading < 1e6, "{reading} ns");
    }

    #[test]
    fn a_pause_is_seen_in_full() {
        let before = now_ns();
        std::thread::sleep(std::time::Duration::from_millis(20));
        // The raw clock and the sleeping clock differ by less than one part in a thousand.
        assert!(now_ns() - before >= 19_900_000);
    }
}
