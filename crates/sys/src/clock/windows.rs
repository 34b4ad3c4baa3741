//! `QueryPerformanceCounter`.

use std::sync::atomic::{AtomicU64, Ordering};

use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

/// Ticks a second, asked for once: it is fixed at boot. 0 is "not asked yet".
static FREQUENCY_HZ: AtomicU64 = AtomicU64::new(0);

#[inline]
pub(super) fn now_ns() -> u64 {
    let mut ticks = 0;
    // SAFETY: `ticks` is a valid place for the answer. The call cannot fail since Windows XP.
    unsafe { QueryPerformanceCounter(&raw mut ticks) };
    to_ns(ticks as u64, frequency_hz())
}

#[inline]
fn frequency_hz() -> u64 {
    match FREQUENCY_HZ.load(Ordering::Relaxed) {
        0 => ask_for_the_frequency(),
        known => known,
    }
}

#[cold]
fn ask_for_the_frequency() -> u64 {
    let mut frequency = 0;
    // SAFETY: `frequency` is a valid place for the answer. The call cannot fail since Windows XP.
    unsafe { QueryPerformanceFrequency(&raw mut frequency) };
    FREQUENCY_HZ.store(frequency as u64, Ordering::Relaxed);
    frequency as u64
}

pub(super) fn source() -> Option<String> {
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
