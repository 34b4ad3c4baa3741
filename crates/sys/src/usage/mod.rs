//! The usage of this process, or of it and its children.

use model::Usage;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
pub(crate) mod system;

pub use system::{Meter, of_this_process};

/// Returns what was used between two readings. The peak memory is that of the later one: no system keeps a peak per stretch.
pub fn difference(before: &Usage, after: &Usage) -> Usage {
    let used = after.combined_with(*before, counted_since);
    Usage { peak_memory_bytes: after.peak_memory_bytes, ..used }
}

/// Returns what a counter counted between two readings, where both are known.
pub(crate) fn counted_since(after: Option<u64>, before: Option<u64>) -> Option<u64> {
    Some(after?.saturating_sub(before?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_shows_in_the_time_and_memory_in_faults_and_peak() {
        const BYTES: usize = 64 << 20;
        let before = of_this_process();
        let began = std::time::Instant::now();
        let mut sum = 0_u64;
        while difference(&before, &of_this_process()).cpu_ns().expect("both times") < 10_000_000 {
            assert!(began.elapsed().as_secs() < 600, "work does not show in the time");
            for _ in 0..100_000 {
                sum = std::hint::black_box(sum.wrapping_mul(31).wrapping_add(7));
            }
        }
        let block = std::hint::black_box(vec![1_u8; BYTES]);
        let after = of_this_process();
        drop(block);
        let used = difference(&before, &after);
        assert!(used.peak_memory_bytes.expect("a peak") >= BYTES as u64, "{used:?}");
        assert!(used.minor_faults.is_none_or(|faults| faults >= 16), "{used:?}");
    }

    #[test]
    fn calls_that_read_and_write_are_counted() {
        use std::io::{Read, Seek, Write};
        let mut file = tempfile::tempfile().expect("a file");
        let mut meter = Meter::open();
        let before = meter.read();
        for _ in 0..100 {
            file.write_all(b"a").expect("written");
        }
        file.rewind().expect("at its beginning");
        for _ in 0..100 {
            file.read_exact(&mut [0]).expect("read");
        }
        let used = difference(&before, &meter.read());
        // Other threads of this process read and write too.
        assert!(used.write_calls.is_none_or(|calls| calls >= 100), "{used:?}");
        assert!(used.read_calls.is_none_or(|calls| calls >= 100), "{used:?}");
    }

    #[test]
    fn a_reading_does_not_count_itself() {
        let mut meter = Meter::open();
        // Other threads may read in between, but not in each of this many pairs.
        let mut pairs = (0..100_000).map(|_| difference(&meter.read(), &meter.read()).read_calls);
        assert!(pairs.any(|calls| calls.is_none_or(|calls| calls == 0)), "the next one counts each reading");
    }

    #[test]
    fn what_one_reading_does_not_know_the_difference_does_not_know() {
        let known = Usage { user_ns: Some(5), peak_memory_bytes: Some(9), ..Usage::default() };
        let used = difference(&Usage { user_ns: Some(2), ..Usage::default() }, &known);
        assert_eq!(used, Usage { user_ns: Some(3), peak_memory_bytes: Some(9), ..Usage::default() });
        assert_eq!(difference(&Usage::default(), &known).user_ns, None);
    }
}
