//! Numbers sorted digit by digit from the highest: a bucket that stays in the nearest caches, over and over.

use std::ops::Range;

/// So few numbers are sorted by comparing them.
const FEW: usize = 64;
/// Numbers in a bucket that is hoped for.
const WANTED: usize = 24;
/// A digit has at least this many bits: less would be too many rounds.
const FEWEST_BITS: u32 = 4;
/// A digit of this many bits can be counted in little memory...
const NARROW_BITS: u32 = 6;
/// ... and none has more than these: every bucket is written at one place, and these places must stay in the cache.
const WIDE_BITS: u32 = 11;

/// Sorts numbers by their bits in `range`, counted from the lowest; above it all must be equal, and below it they must
/// be in ascending order where the rest is equal, as they are when they arrive. `spare` must be as long.
pub(super) fn sort_by_bits(numbers: &mut [u64], spare: &mut [u64], range: Range<u32>) {
    assert_eq!(numbers.len(), spare.len());
    sort_into(numbers, spare, range, false);
}

/// Leaves the sorted numbers where they were, or in `spare`.
fn sort_into(numbers: &mut [u64], spare: &mut [u64], range: Range<u32>, in_spare: bool) {
    if numbers.len() <= FEW || range.is_empty() {
        if numbers.len() > 1 && !range.is_empty() {
            // Whole numbers: their lowest bits are in order anyway.
            numbers.sort_unstable();
        }
        if in_spare {
            spare.copy_from_slice(numbers);
        }
        return;
    }
    let bits = (numbers.len() / WANTED).ilog2().clamp(FEWEST_BITS, WIDE_BITS).min(range.end - range.start);
    match bits {
        ..=NARROW_BITS => sort_digit::<{ 1 << NARROW_BITS }>(numbers, spare, range, bits, in_spare),
        _ => sort_digit::<{ 1 << WIDE_BITS }>(numbers, spare, range, bits, in_spare),
    }
}

/// Distributes by the highest digit of the range, then sorts each bucket by the others.
fn sort_digit<const BUCKETS: usize>(
    numbers: &mut [u64],
    spare: &mut [u64],
    range: Range<u32>,
    bits: u32,
    in_spare: bool,
) {
    let shift = range.end - bits;
    let mask = (1 << bits) - 1;
    let digit_of = |number: u64| (number >> shift & mask) as usize;
    let mut places = [0_u32; BUCKETS];
    numbers.iter().for_each(|&number| places[digit_of(number)] += 1);
    let rest = range.start..shift;
    if places[digit_of(numbers[0])] as usize == numbers.len() {
        return sort_into(numbers, spare, rest, in_spare);
    }
    let mut start = 0;
    for place in &mut places[..1 << bits] {
        start += std::mem::replace(place, start);
    }
    for &number in numbers.iter() {
        let place = &mut places[digit_of(number)];
        spare[*place as usize] = number;
        *place += 1;
    }
    // Now every place is the end of its bucket.
    let mut start = 0;
    for &end in &places[..1 << bits] {
        let bucket = start..end as usize;
        if !bucket.is_empty() {
            sort_into(&mut spare[bucket.clone()], &mut numbers[bucket.clone()], rest.clone(), !in_spare);
        }
        start = bucket.end;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(mut numbers: Vec<u64>, range: Range<u32>) -> Vec<u64> {
        let mut spare = vec![0; numbers.len()];
        sort_by_bits(&mut numbers, &mut spare, range);
        numbers
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn numbers_are_sorted_by_their_bits_and_equal_ones_keep_their_order(
            keys in prop::collection::vec(any::<u64>(), 0..3_000),
            bits in 0_u32..=50,
            few in any::<bool>(),
        ) {
            let most = if few { bits.min(3) } else { bits };
            let key = |key: u64| (key & ((1 << most) - 1)) << (bits - most);
            let numbers: Vec<u64> =
                keys.iter().enumerate().map(|(nth, &drawn)| key(drawn) << 13 | nth as u64).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(numbers, 13..13 + bits), expected);
        }
    }

    #[test]
    fn numbers_that_are_equal_in_every_digit_stay_where_they_are() {
        let equal: Vec<u64> = (0..5_000).map(|nth| 5 << 40 | nth).collect();
        assert_eq!(sorted(equal.clone(), 13..60), equal);
        assert_eq!(sorted(equal.clone(), 13..13), equal);
    }

    #[test]
    fn many_numbers_need_several_digits() {
        let numbers: Vec<u64> =
            (0..300_000_u64).map(|nth| (nth.wrapping_mul(0x9e37_79b9) & 0xffff_ffff) << 20 | nth).collect();
        let mut expected = numbers.clone();
        expected.sort_unstable();
        assert_eq!(sorted(numbers, 20..52), expected);
    }
}
