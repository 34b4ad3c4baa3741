//! What a call costs, and whether it enters the kernel.

use sys::clock::now_ns;

use super::Named;
use crate::clock::time_source::AnyClock;

/// Calls in a batch: short enough that few batches are interrupted, long enough that the readings around them matter little.
const BATCH: u64 = 16;
const BATCHES: usize = 2_000;
const LONGEST_NS: u64 = 20_000_000;
const CHAIN_STEPS: u64 = 16;

/// In nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    pub(super) median_ns: f64,
    pub(super) p99_ns: f64,
    pub(super) amid_ns: f64,
}

pub(super) fn of(clock: &dyn AnyClock) -> Cost {
    let pair_ns = at(&mut sample(|| ()), 0.5);
    // The first batches load what later ones find in the cache.
    clock.read_times(BATCH * 4, 0);
    let mut at_once = sample(|| clock.read_times(BATCH, 0));
    let mut amid = sample(|| clock.read_times(BATCH, CHAIN_STEPS));
    let mut work = sample(|| clock.work_alone(BATCH, CHAIN_STEPS));
    let [median_ns, p99_ns] =
        [0.5, 0.99].map(|share| (at(&mut at_once, share) - pair_ns).max(0.0) / BATCH as f64);
    let amid_ns = (at(&mut amid, 0.5) - at(&mut work, 0.5)).max(0.0) / BATCH as f64;
    Cost { median_ns, p99_ns, amid_ns }
}

fn sample(mut batch: impl FnMut()) -> Vec<u64> {
    let mut times = Vec::with_capacity(BATCHES);
    let begin = now_ns();
    while times.len() < BATCHES && (times.len() < 3 || now_ns() - begin < LONGEST_NS) {
        let start = now_ns();
        batch();
        times.push(now_ns() - start);
    }
    times
}

/// Returns the value that this share of all is not above.
fn at(times: &mut [u64], share: f64) -> f64 {
    times.sort_unstable();
    let place = (share * times.len() as f64).ceil() as usize;
    times[place.clamp(1, times.len()) - 1] as f64
}

/// Techniques that enter the kernel for certain: the system call itself, and a counter that only the kernel keeps.
const ENTERING: [&str; 2] = ["syscall", "query_process_cycle_time"];
/// A call of less than this share of such a call did not enter the kernel.
const SHARE: f64 = 0.5;
const CALLS: u64 = 1_000;

pub(super) fn kernel_of(clocks: &[Named], costs: &[Cost]) -> Vec<String> {
    let certain = clocks.iter().zip(costs).find(|(one, _)| ENTERING.contains(&one.name));
    let certain = certain.map(|(one, cost)| (one.name, cost.median_ns));
    let words = clocks.iter().zip(costs).map(|(one, cost)| {
        match sys::kernel_entry::enters(&mut || one.clock.read_times(CALLS, 0)) {
            Ok(true) => "enters it: the call ends a process that may make no system call".to_owned(),
            Ok(false) => {
                format!("stays outside: {CALLS} calls pass in a process that may make no system call")
            }
            Err(_) => by_cost(cost.median_ns, certain),
        }
    });
    words.collect()
}

fn by_cost(cost_ns: f64, certain: Option<(&str, f64)>) -> String {
    let Some((name, ns)) = certain else {
        return "not known: nothing here enters it for certain".to_owned();
    };
    let found = if cost_ns >= SHARE * ns { "enters it" } else { "stays outside" };
    format!("{found}, by its cost: {cost_ns:.0} ns, and {name}, which enters it, costs {ns:.0} ns")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_that_was_seen() {
        let mut times: Vec<u64> = (1..=200).rev().collect();
        assert_eq!((at(&mut times, 0.5), at(&mut times, 0.99)), (100.0, 198.0));
        assert_eq!((at(&mut [7], 0.5), at(&mut [7], 0.99)), (7.0, 7.0));
    }

    #[test]
    fn a_call_that_enters_the_kernel_shows_by_its_cost() {
        assert!(by_cost(22.0, Some(("syscall", 150.0))).starts_with("stays outside, by its cost: 22 ns"));
        assert!(by_cost(140.0, Some(("syscall", 150.0))).starts_with("enters it, by its cost: 140 ns"));
        assert!(by_cost(140.0, None).starts_with("not known"));
    }
}
