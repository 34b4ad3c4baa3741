//! Counters of what disturbs a measurement.

use std::fs;

use super::groups::Groups;
use super::{number, number_after, text};
use crate::host::Pressure;

pub(in crate::host) fn now() -> Pressure {
    let ticks = text("/proc/stat").and_then(|stat| ticks(&stat));
    let events = text("/proc/vmstat").unwrap_or_default();
    let groups = Groups::read();
    Pressure {
        steal_ticks: ticks.map(|(steal, _)| steal),
        total_ticks: ticks.map(|(_, total)| total),
        thermal_throttles: thermal_throttles(),
        quota_throttles: groups.quota_throttles(),
        swap_in_pages: number_after(&events, "pswpin "),
        memory_kills: number_after(&events, "oom_kill "),
        group_memory_kills: groups.memory_kills(),
        memory_stalls: memory_stalls(&events),
    }
}

/// Allocations that had to free memory of the host first: `allocstall`, by zones since Linux 4.10. One that had to do so in
/// its control group only is not counted there.
fn memory_stalls(events: &str) -> Option<u64> {
    let of_zone = |line: &str| line.strip_prefix("allocstall")?.split_once(' ')?.1.parse::<u64>().ok();
    let counts: Vec<u64> = events.lines().filter_map(of_zone).collect();
    (!counts.is_empty()).then(|| counts.iter().sum())
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
    fn waits_for_memory_are_counted_over_all_zones() {
        let events = "pswpin 9\nallocstall_dma 1\nallocstall_normal 20\nallocstall_movable 300\noom_kill 4";
        assert_eq!(memory_stalls(events), Some(321));
        assert_eq!(memory_stalls("allocstall 7"), Some(7));
        assert_eq!(memory_stalls("pswpin 9"), None);
    }

    #[test]
    fn guest_time_is_not_counted_twice() {
        let stat = "cpu  10 20 30 40 50 60 70 80 1000 2000\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(ticks(stat), Some((80, 360)));
        assert_eq!(ticks("cpu  10 20 30 40"), None);
    }
}
