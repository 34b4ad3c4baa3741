//! Counters of what disturbs a measurement.

use std::fs;

use super::groups::Groups;
use super::{number, number_after, text};
use crate::host::Pressure;
use crate::write_back;

pub(super) fn now() -> Pressure {
    let ticks = text("/proc/stat").and_then(|stat| ticks(&stat));
    let swaps = text("/proc/vmstat").unwrap_or_default();
    Pressure {
        steal_ticks: ticks.map(|(steal, _)| steal),
        total_ticks: ticks.map(|(_, total)| total),
        thermal_throttles: thermal_throttles(),
        quota_throttles: Groups::read().quota_throttles(),
        dirty_bytes: write_back::dirty_bytes(),
        swap_in_pages: number_after(&swaps, "pswpin "),
        swap_out_pages: number_after(&swaps, "pswpout "),
        memory_kills: number_after(&swaps, "oom_kill "),
    }
}

/// Steal and total of the line for all processors. The last two fields (guests) are in the first two already.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    const STEAL: usize = 7;
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let fields: Vec<u64> = line.split_ascii_whitespace().map_while(|field| field.parse().ok()).collect();
    Some((*fields.get(STEAL)?, fields[..=STEAL].iter().sum()))
}

/// Over all processors; `None` where no processor has such a counter.
fn thermal_throttles() -> Option<u64> {
    let entries = fs::read_dir("/sys/devices/system/cpu").ok()?;
    let counts: Vec<u64> = entries
        .flatten()
        .filter_map(|entry| number(entry.path().join("thermal_throttle/core_throttle_count")))
        .collect();
    (!counts.is_empty()).then(|| counts.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guest_time_is_not_counted_twice() {
        let stat = "cpu  10 20 30 40 50 60 70 80 1000 2000\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(ticks(stat), Some((80, 360)));
        assert_eq!(ticks("cpu  10 20 30 40"), None);
    }
}
