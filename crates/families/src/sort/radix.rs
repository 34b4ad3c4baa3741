//! Positions of records in the order of their packed keys, by threads: in buckets first, then by digit from the highest.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use super::job::{Account, SortJob, elapsed_ns};
use super::layout::Layout;
use super::lockstep::{GRAIN, Member, Partition, Shared, together};
use super::packing::{Packing, Presence, is_unseen};
use super::source::{Room, Source};
use crate::files::look_up;

/// Large pages: the parts of threads begin and end with them.
const PAGES_BYTES: usize = 2 << 20;
/// Records that are looked at first, spread evenly: enough to see all sixteen digits.
const SAMPLED: usize = 1 << 9;
/// Numbers that a bucket should have.
const WANTED: usize = 48;
/// With more buckets, the places that are written leave the second cache.
const MOST_BITS: u32 = 13;
/// Buckets when there are more numbers than `MOST_BITS` can make small at once.
const USUAL_BITS: u32 = 11;

#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The position's bits in each number of the order.
    pub(super) mask: u64,
    /// Time of the calling thread until all keys were packed.
    pub(super) read_ns: u64,
    pub(super) sort_ns: u64,
}

/// Sorts the positions of the records, stably. `keys`, which takes the keys, and `order` have a number for each record.
pub(super) fn sort_positions(
    records: &[u8], layout: Layout, keys: &mut [u64], order: &mut [u64], threads: usize,
) -> io::Result<Found> {
    let position_bits = usize::BITS - order.len().saturating_sub(1).leading_zeros();
    let search = Search {
        records,
        layout,
        keys: Shared::new(keys),
        order: Shared::new(order),
        position_bits,
        sampled: OnceLock::new(),
        exact: OnceLock::new(),
        present: Mutex::new(Presence::new(layout)),
        surprised: AtomicBool::new(false),
        partition: Partition::new(threads),
    };
    let times = together(threads, |member| search.work(member))?;
    let (read_ns, sort_ns) = times[0];
    Ok(Found { mask: (1 << position_bits) - 1, read_ns, sort_ns })
}

struct Search<'memory> {
    records: &'memory [u8],
    layout: Layout,
    keys: Shared<'memory, u64>,
    order: Shared<'memory, u64>,
    position_bits: u32,
    /// The packing of a sample of the records, and that of all of them if the first failed.
    sampled: OnceLock<Packing>,
    exact: OnceLock<Packing>,
    present: Mutex<Presence>,
    surprised: AtomicBool,
    partition: Partition,
}

impl Search<'_> {
    /// Does the part of one thread; returns its times for reading and for sorting.
    fn work(&self, member: &Member) -> io::Result<(u64, u64)> {
        let start = Instant::now();
        self.touch(member);
        look_up(&self.records[member.part_of(self.records.len(), PAGES_BYTES)]);
        member.meet_and(|| {
            self.sampled.get_or_init(|| self.packing_of(&self.sample()));
            Ok(())
        })?;
        let part = member.part_of(self.records.len() / self.layout.record_bytes(), GRAIN);
        let (packing, counts) = self.pack_all(member, part.clone())?;
        let read_ns = elapsed_ns(start);
        let start = Instant::now();
        self.sort(member, packing, counts, part)?;
        Ok((read_ns, elapsed_ns(start)))
    }

    /// Touches this thread's share of the arrays' pages: two threads that touch a new page at once both clear one.
    fn touch(&self, member: &Member) {
        const PAGE: usize = PAGES_BYTES / size_of::<u64>();
        for at in member.part_of(self.records.len() / self.layout.record_bytes(), PAGE).step_by(PAGE) {
            // SAFETY: the parts of the threads are disjoint, and no thread uses the arrays before all have met.
            unsafe { (self.keys.put(at, 0), self.order.put(at, 0)) };
        }
    }

    fn packing_of(&self, presence: &Presence) -> Packing {
        Packing::of(presence, self.layout, 63 - self.position_bits)
    }

    fn sample(&self) -> Presence {
        let mut presence = Presence::new(self.layout);
        let records = self.records.len() / self.layout.record_bytes();
        let taken = records.min(SAMPLED);
        for nth in 0..taken {
            // Not quite evenly: in sorted records, even steps would be even in the digits too.
            let stray = nth.wrapping_mul(0x9e37_79b9) >> 7;
            let (first, end) = (nth * records / taken, (nth + 1) * records / taken);
            presence.see(self.layout.record(self.records, first + stray % (end - first)));
        }
        presence
    }

    /// Packs this thread's keys. Where any thread meets a value that the sample did not hold, all pack again.
    fn pack_all(&self, member: &Member, part: Range<usize>) -> io::Result<(&Packing, Vec<u32>)> {
        let sampled = self.sampled.get().ok_or_else(never)?;
        let (counts, marks) = self.pack_part(sampled, part.clone());
        if is_unseen(marks) {
            self.surprised.store(true, Ordering::Relaxed);
        }
        member.meet()?;
        if !self.surprised.load(Ordering::Relaxed) {
            return Ok((sampled, counts));
        }
        let mut presence = Presence::new(self.layout);
        let records = self.records[self.layout.bytes_of(&part)].chunks_exact(self.layout.record_bytes());
        records.for_each(|record| presence.see(record));
        self.present.lock().unwrap_or_else(PoisonError::into_inner).join(&presence);
        member.meet_and(|| {
            let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
            self.exact.get_or_init(|| self.packing_of(&present));
            Ok(())
        })?;
        let exact = self.exact.get().ok_or_else(never)?;
        Ok((exact, self.pack_part(exact, part).0))
    }

    /// Packs a part of the keys; returns the counts of the buckets and the joined marks.
    fn pack_part(&self, packing: &Packing, part: Range<usize>) -> (Vec<u32>, u64) {
        let first = part.start;
        let records = &self.records[first * self.layout.record_bytes()..];
        let records = records.chunks_exact(self.layout.record_bytes());
        // SAFETY: the parts of the threads are disjoint, and none reads another's before all have met.
        let keys = unsafe { self.keys.part(part) };
        let mut counts = vec![0; 1 << self.bucket_bits(packing)];
        let shift = self.bucket_shift(packing);
        let mut all_marks = 0;
        let mut keep = |nth: usize, key: &mut u64, (number, marks): (u64, u64)| {
            all_marks |= marks;
            *key =
                (number & (u64::MAX >> self.position_bits >> 1)) << self.position_bits | (first + nth) as u64;
            // A number with an unseen value may belong nowhere; then nothing here is used.
            if let Some(count) = counts.get_mut((*key >> shift) as usize) {
                *count += 1;
            }
        };
        match packing.eight() {
            Some(tables) if self.layout.record_bytes() >= 8 => {
                for (nth, (key, record)) in keys.iter_mut().zip(records).enumerate() {
                    let first_eight = record.first_chunk().copied().unwrap_or_default();
                    keep(nth, key, Packing::pack_eight(tables, first_eight));
                }
            }
            _ => {
                for (nth, (key, record)) in keys.iter_mut().zip(records).enumerate() {
                    keep(nth, key, packing.pack(record));
                }
            }
        }
        (counts, all_marks)
    }

    fn bucket_bits(&self, packing: &Packing) -> u32 {
        let records = self.records.len() / self.layout.record_bytes();
        let wanted = (records / WANTED).max(1).ilog2();
        (if wanted > MOST_BITS { USUAL_BITS } else { wanted }).min(packing.bits)
    }

    fn bucket_shift(&self, packing: &Packing) -> u32 {
        self.position_bits + packing.bits - self.bucket_bits(packing)
    }

    /// Moves this thread's keys into their buckets, then sorts buckets while there are some.
    fn sort(
        &self, member: &Member, packing: &Packing, counts: Vec<u32>, part: Range<usize>,
    ) -> io::Result<()> {
        let shift = self.bucket_shift(packing);
        // SAFETY: no thread writes keys before all have been moved.
        let keys = unsafe { self.keys.read(part) };
        let bounds =
            self.partition.distribute(member, counts, keys, &self.order, |key| (*key >> shift) as usize)?;
        while let Some(buckets) = self.partition.take() {
            for bucket in buckets {
                let bucket = bounds[bucket]..bounds[bucket + 1];
                // SAFETY: one thread only takes a bucket, all keys have been moved, and none is needed at its first place.
                let (order, spare) = unsafe { (self.order.part(bucket.clone()), self.keys.part(bucket)) };
                sort_by_bits(order, spare, self.position_bits..shift);
                if !packing.is_whole {
                    self.refine(order);
                }
            }
        }
        Ok(())
    }

    fn refine(&self, order: &mut [u64]) {
        let mask = (1 << self.position_bits) - 1;
        let key = |number: &u64| self.layout.key(self.layout.record(self.records, (number & mask) as usize));
        let groups = order.chunk_by_mut(|a, b| a >> self.position_bits == b >> self.position_bits);
        for equal in groups.filter(|equal| equal.len() > 1) {
            equal.sort_unstable_by(|a, b| key(a).cmp(key(b)).then(a.cmp(b)));
        }
    }
}

/// Returns the error of a missing packing; the leading thread sets one before all meet.
fn never() -> io::Error {
    io::Error::other("a thread went on before the keys could be packed")
}

pub(super) struct PackedOrder {
    pub(super) source: Source,
    pub(super) positions: Room<u64>,
    pub(super) mask: u64,
    pub(super) threads: usize,
}

impl PackedOrder {
    pub(super) fn find(job: &SortJob, account: &mut Account) -> io::Result<Self> {
        let source = Source::map(job)?;
        let records = source.len() / job.layout.record_bytes();
        let threads = job.threads_for(records, account);
        let (mut keys, mut positions) = (Room::new(records)?, Room::new(records)?);
        let found = sort_positions(&source, job.layout, &mut keys, &mut positions, threads)?;
        account.add("read", found.read_ns);
        account.add("sort", found.sort_ns);
        Ok(Self { source, positions, mask: found.mask, threads })
    }
}

const FEW_NUMBERS: usize = 64;
const WANTED_BY_DIGIT: usize = 24;
/// A digit has at least this many bits: less would be too many rounds.
const FEWEST_BITS: u32 = 4;
/// A digit of this many bits can be counted in little memory...
const NARROW_BITS: u32 = 6;
/// ... and none has more than these: every bucket is written at one place, and these places must stay in the cache.
const WIDE_BITS: u32 = 11;

/// Sorts numbers by their bits in `range`. Their higher bits must be equal; and their lower bits must ascend where the rest is
/// equal, as they are on arrival.
pub(super) fn sort_by_bits(numbers: &mut [u64], spare: &mut [u64], range: Range<u32>) {
    assert_eq!(numbers.len(), spare.len());
    sort_into(numbers, spare, range, false);
}

fn sort_into(numbers: &mut [u64], spare: &mut [u64], range: Range<u32>, in_spare: bool) {
    if numbers.len() <= FEW_NUMBERS || range.is_empty() {
        if numbers.len() > 1 && !range.is_empty() {
            // Whole numbers: their lowest bits are in order anyway.
            numbers.sort_unstable();
        }
        if in_spare {
            spare.copy_from_slice(numbers);
        }
        return;
    }
    let bits =
        (numbers.len() / WANTED_BY_DIGIT).ilog2().clamp(FEWEST_BITS, WIDE_BITS).min(range.end - range.start);
    match bits {
        ..=NARROW_BITS => sort_digit::<{ 1 << NARROW_BITS }>(numbers, spare, range, bits, in_spare),
        _ => sort_digit::<{ 1 << WIDE_BITS }>(numbers, spare, range, bits, in_spare),
    }
}

/// Distributes by the highest digit of the range, then sorts each bucket by the others.
fn sort_digit<const BUCKETS: usize>(
    numbers: &mut [u64], spare: &mut [u64], range: Range<u32>, bits: u32, in_spare: bool,
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

    fn orders(records: &[u8], layout: Layout, threads: usize) -> (Vec<usize>, Vec<usize>) {
        let count = records.len() / layout.record_bytes();
        let mut expected: Vec<usize> = (0..count).collect();
        expected.sort_by_key(|&position| layout.key(layout.record(records, position)));
        let (mut keys, mut order) = (vec![0; count], vec![0; count]);
        let found = sort_positions(records, layout, &mut keys, &mut order, threads).expect("threads start");
        (expected, order.iter().map(|number| (number & found.mask) as usize).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(80))]
        #[test]
        fn positions_are_sorted_by_keys_and_equal_keys_keep_their_order(
            bytes in prop::collection::vec(any::<u8>(), 0..60_000),
            record_bytes in 1_usize..24,
            key_bytes in 1_usize..24,
            values in 1_u8..=255,
            threads in 1_usize..4,
        ) {
            let key_bytes = key_bytes.min(record_bytes);
            let layout = Layout::new(record_bytes as u64, key_bytes as u64).expect("possible");
            let whole = bytes.len() - bytes.len() % record_bytes;
            let records: Vec<u8> = bytes[..whole].iter().map(|byte| byte % values).collect();
            let (expected, found) = orders(&records, layout, threads);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_value_that_the_sample_misses_is_sorted_all_the_same() {
        let layout = Layout::new(8, 8).expect("possible");
        for stray in [0, 1, 4_999, 77_777, 99_999] {
            let mut records = Vec::new();
            for nth in 0..100_000_u64 {
                let key = if nth == stray { "zz~! 000".to_owned() } else { format!("{:08x}", nth * 40_503) };
                records.extend_from_slice(key.as_bytes());
            }
            let (expected, found) = orders(&records, layout, 2);
            assert!(found == expected, "{stray}");
        }
    }

    fn sorted(mut numbers: Vec<u64>, range: Range<u32>) -> Vec<u64> {
        let mut spare = vec![0; numbers.len()];
        sort_by_bits(&mut numbers, &mut spare, range);
        numbers
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn numbers_sort_by_their_bits_and_equal_ones_keep_their_order(
            keys in prop::collection::vec(any::<u64>(), 0..3_000),
            bits in 0_u32..=50,
            few in any::<bool>(),
        ) {
            let most = if few { bits.min(3) } else { bits };
            let keys = keys.iter().map(|drawn| (drawn & ((1 << most) - 1)) << (bits - most));
            let numbers: Vec<u64> = keys.zip(0..).map(|(key, nth)| key << 13 | nth).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(numbers, 13..13 + bits), expected);
        }
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
