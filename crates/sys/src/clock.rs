//! The clock that times all work.

/// Returns the nanoseconds since a fixed moment, the same for all processes of one boot: `CLOCK_MONOTONIC_RAW`, whose rate no time
/// daemon changes, served by the vDSO without a system call.
#[cfg(target_os = "linux")]
#[inline]
pub fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer. The call cannot fail: the clock exists since Linux 2.6.28.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_RAW, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(windows)]
pub use performance_counter::now_ns;

/// Returns the smallest difference in nanoseconds between two different readings of [`now_ns`], of many. Takes a few milliseconds.
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

/// Returns the nanoseconds that one reading of [`now_ns`] takes, typically: the median of batches.
pub fn reading_ns() -> f64 {
    const BATCHES: usize = 101;
    const READINGS: u32 = 200;
    let mut batches = [(); BATCHES].map(|()| {
        let begin = now_ns();
        for _ in 0..READINGS {
            std::hint::black_box(now_ns());
        }
        now_ns() - begin
    });
    batches.sort_unstable();
    // The last reading of a batch is one of those that are timed.
    batches[BATCHES / 2] as f64 / f64::from(READINGS + 1)
}

/// Returns what the system reads the time from: `tsc`, `kvm-clock`.
#[cfg(target_os = "linux")]
pub fn source() -> Option<String> {
    crate::host::system::text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

#[cfg(windows)]
pub use performance_counter::source;

/// `QueryPerformanceCounter`.
#[cfg(windows)]
mod performance_counter {
    use std::sync::OnceLock;

    use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

    /// Nanoseconds since a fixed moment, the same for all processes of one boot.
    #[inline]
    pub fn now_ns() -> u64 {
        let mut ticks = 0;
        // SAFETY: `ticks` is a valid place for the answer. The call cannot fail since Windows XP.
        unsafe { QueryPerformanceCounter(&raw mut ticks) };
        to_ns(ticks as u64, frequency_hz())
    }

    /// Ticks a second, asked for once: it is fixed at boot.
    #[inline]
    fn frequency_hz() -> u64 {
        static FREQUENCY_HZ: OnceLock<u64> = OnceLock::new();
        *FREQUENCY_HZ.get_or_init(|| {
            let mut frequency = 0;
            // SAFETY: `frequency` is a valid place for the answer. The call cannot fail since Windows XP.
            unsafe { QueryPerformanceFrequency(&raw mut frequency) };
            frequency as u64
        })
    }

    /// Returns what the system reads the time from: a counter of this many ticks a second.
    pub fn source() -> Option<String> {
        Some(format!("QueryPerformanceCounter, {} ticks a second", frequency_hz()))
    }

    /// Seconds and the rest apart: their product with a thousand million would not fit.
    #[inline]
    fn to_ns(ticks: u64, frequency_hz: u64) -> u64 {
        const NS_PER_S: u64 = 1_000_000_000;
        ticks / frequency_hz * NS_PER_S + ticks % frequency_hz * NS_PER_S / frequency_hz
    }

    #[cfg(test)]
    mod tests {
        use super::to_ns;

        #[test]
        fn ticks_become_nanoseconds_without_overflow() {
            assert_eq!(to_ns(1, 10_000_000), 100);
            assert_eq!(to_ns(25_000_001, 10_000_000), 2_500_000_100);
            // A counter at 3 GHz after three years of uptime.
            let seconds = 94_608_000;
            assert_eq!(to_ns(seconds * 3_000_000_000 + 3, 3_000_000_000), seconds * 1_000_000_000 + 1);
        }
    }
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
    fn step_and_reading_take_some_time_and_not_much() {
        let (step, reading) = (step_ns(), reading_ns());
        assert!(step > 0 && step < 100_000_000, "a step of {step} ns cannot time anything");
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
