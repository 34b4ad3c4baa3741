//! What a sample consists of: blocks of calls, timed one by one, of which the median counts.

use crate::noise::finite;
use crate::quantile::median_of_sorted;

/// A block at the start of a process is at least this long.
pub const BLOCK_NS: f64 = 1e6;
/// A block is at least this many steps of the clock long.
const BLOCK_STEPS: f64 = 1000.0;
/// A shorter block is no measurement; it is accepted where the slowest entry would need too long otherwise.
const COARSE_STEPS: f64 = 100.0;
/// No entry's sample should need more than this.
const LONG_NS: f64 = 250e6;

/// Returns the calls in a block, one number for all entries: the fastest entry's block lasts at least `block_ns` and 1,000 steps of
/// the clock, or 100 steps where the slowest would take over 250 ms. Infinite `call_ns` are failures, left out.
pub fn calls_in_a_block(call_ns: &[f64], clock_step_ns: f64, block_ns: f64) -> u64 {
    let finite = finite(call_ns);
    let fastest = finite.first().copied().unwrap_or(f64::INFINITY).max(0.1);
    let slowest = finite.last().copied().unwrap_or(0.0);
    let wanted = (block_ns.max(BLOCK_STEPS * clock_step_ns) / fastest).ceil();
    let calls =
        if wanted * slowest <= LONG_NS { wanted } else { (COARSE_STEPS * clock_step_ns / fastest).ceil() };
    (calls as u64).max(1)
}

/// Returns the blocks in a sample: 5 when a process costs at least 8 blocks of the typical entry, 3 when at least 2, else 1; also 1
/// when 5 blocks of the slowest entry need over 250 ms. The median of 3 or 5 spreads by 0.79 or 0.72 of a single one.
pub fn blocks_in_a_sample(block_ns: &[f64], process_ns: f64) -> u32 {
    let finite = finite(block_ns);
    let (Some(&slowest), Some(typical)) = (finite.last(), median_of_sorted(&finite)) else { return 1 };
    if 5.0 * slowest > LONG_NS {
        1
    } else if process_ns >= 8.0 * typical {
        5
    } else if process_ns >= 2.0 * typical {
        3
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_work_is_repeated_until_the_clock_can_see_it() {
        assert_eq!(calls_in_a_block(&[1e3, 5e3], 20.0, BLOCK_NS), 1000);
        assert_eq!(calls_in_a_block(&[1e3, 5e3], 5000.0, BLOCK_NS), 5000);
        assert_eq!(calls_in_a_block(&[2e6, 5e6, f64::INFINITY], 20.0, BLOCK_NS), 1);
        assert_eq!(calls_in_a_block(&[], 20.0, BLOCK_NS), 1);
        assert_eq!(calls_in_a_block(&[1e3, 5e3], 20.0, 5e4), 50);
        assert_eq!(calls_in_a_block(&[1e3, 5e3], 100.0, 5e4), 100);
        // 1,000 calls would take the slow one a second.
        assert_eq!(calls_in_a_block(&[1e3, 1e6], 20.0, BLOCK_NS), 2);
    }

    #[test]
    fn a_sample_holds_more_blocks_where_its_process_costs_more() {
        assert_eq!(blocks_in_a_sample(&[1e6, 2e6, 3e6], 16e6), 5);
        assert_eq!(blocks_in_a_sample(&[1e6, 2e6, 3e6], 15e6), 3);
        assert_eq!(blocks_in_a_sample(&[1e6, 2e6, 3e6], 3.9e6), 1);
        assert_eq!(blocks_in_a_sample(&[1e6, 2e6, 51e6], 1e9), 1);
        assert_eq!(blocks_in_a_sample(&[f64::INFINITY], 1e9), 1);
    }
}
