//! The records to sort: those of the published tests, or others of any length, in any order.

use std::io::{self, Write};

use super::layout::Layout;
use super::room::no_room;
use super::workload::Order;
use crate::random::{Random, mix};
use crate::records::{KEY_BYTES, RECORD_BYTES, write_records};

/// Made before they are handed to the writer: these stay in the nearest caches.
const BATCH_BYTES: usize = 64 << 10;

/// Digits of a key that are drawn; those of a longer key follow from them.
const DRAWN_DIGITS: usize = 16;

const FEW_KEYS: u64 = 16;

/// Swaps for 100 records that are almost sorted.
const SWAPS_PER_CENT: u64 = 5;

/// Writes `records` records in an order; the same seed gives the same bytes on every machine. A record is a key of hexadecimal
/// digits, printable characters, and CR LF where there is room.
pub(super) fn write_input(
    writer: &mut impl Write,
    layout: Layout,
    order: Order,
    records: u64,
    seed: u64,
) -> io::Result<()> {
    if order == Order::Random && (layout.record_bytes(), layout.key_bytes()) == (RECORD_BYTES, KEY_BYTES) {
        return write_records(writer, records, seed);
    }
    let keys = Keys::new(layout, order, records, seed)?;
    let mut text = Random(seed ^ 0x7465_7874);
    let mut batch = vec![0; BATCH_BYTES.next_multiple_of(layout.record_bytes())];
    let batch_records = (batch.len() / layout.record_bytes()) as u64;
    for first in (0..records).step_by(batch_records as usize) {
        let taken = batch_records.min(records - first);
        let batch = &mut batch[..taken as usize * layout.record_bytes()];
        for (record, nth) in batch.chunks_exact_mut(layout.record_bytes()).zip(first..) {
            let (key, rest) = record.split_at_mut(layout.key_bytes());
            write_key(keys.of(nth), key);
            write_text(&mut text, rest);
        }
        writer.write_all(batch)?;
    }
    Ok(())
}

/// The key of every record as a number of at most sixteen hexadecimal digits.
struct Keys {
    order: Order,
    records: u64,
    seed: u64,
    most: u64,
    /// Where almost sorted records stand.
    ranks: Vec<u32>,
}

impl Keys {
    fn new(layout: Layout, order: Order, records: u64, seed: u64) -> io::Result<Self> {
        let digits = layout.key_bytes().min(DRAWN_DIGITS) as u32;
        let ranks = if order == Order::AlmostSorted { swapped(records, seed)? } else { Vec::new() };
        Ok(Self { order, records, seed, most: u64::MAX >> (64 - 4 * digits), ranks })
    }

    fn of(&self, nth: u64) -> u64 {
        match self.order {
            Order::Random => self.drawn(nth),
            Order::Sorted => self.ranked(nth),
            Order::Reversed => self.ranked(self.records - 1 - nth),
            Order::AlmostSorted => self.ranked(u64::from(self.ranks[nth as usize])),
            Order::FewDistinct => self.drawn(mix(self.seed ^ mix(nth)) % FEW_KEYS),
            Order::Zipf => self.drawn(self.skewed(mix(self.seed ^ mix(nth)))),
            Order::AllEqual => self.drawn(0),
        }
    }

    /// A rank from 0 on that is about half as often 1 as 0, and a third as often 2: every octave of ranks is drawn as often
    /// as every other, and inside of it all ranks are. Whole numbers only, so that all machines draw the same.
    fn skewed(&self, random: u64) -> u64 {
        let octaves = u64::from((self.records + 1).ilog2());
        let first = 1 << (random % octaves);
        first - 1 + mix(random) % first
    }

    fn drawn(&self, nth: u64) -> u64 {
        Random(self.seed ^ mix(nth + 1)).next() & self.most
    }

    /// A key that is the `rank`th of as many as there are records: each is drawn from a stretch of its own.
    fn ranked(&self, rank: u64) -> u64 {
        let (rank, stretch) = (u128::from(rank), u128::from(self.most) + 1);
        let within = u128::from(self.drawn(rank as u64));
        ((rank * stretch + within) / u128::from(self.records)) as u64
    }
}

/// The numbers from 0 on, with random swaps.
fn swapped(records: u64, seed: u64) -> io::Result<Vec<u32>> {
    let mut ranks = Vec::new();
    let room = ranks.try_reserve_exact(records as usize);
    room.map_err(|_| no_room("swapping records", size_of::<u32>() * records as usize))?;
    ranks.extend(0..records as u32);
    let mut draw = Random(seed ^ 0x7377_6170);
    for _ in 0..records * SWAPS_PER_CENT / 100 {
        ranks.swap((draw.next() % records) as usize, (draw.next() % records) as usize);
    }
    Ok(ranks)
}

/// Lower-case hexadecimal digits: the number's lowest as many as the key has places, at most sixteen. Those of a longer
/// key follow from the number, so that equal numbers are equal keys.
fn write_key(number: u64, key: &mut [u8]) {
    let (drawn, further) = key.split_at_mut(key.len().min(DRAWN_DIGITS));
    write_digits(number, drawn);
    let mut draw = Random(number);
    further.chunks_mut(DRAWN_DIGITS).for_each(|places| write_digits(draw.next(), places));
}

fn write_digits(mut number: u64, places: &mut [u8]) {
    for place in places.iter_mut().rev() {
        *place = b"0123456789abcdef"[(number & 15) as usize];
        number >>= 4;
    }
}

/// Characters from the space to the underscore, and CR LF at the end where there is room for both.
fn write_text(text: &mut Random, rest: &mut [u8]) {
    let end = rest.len().saturating_sub(2);
    let (text_bytes, line_end) = if rest.len() >= 2 { rest.split_at_mut(end) } else { (rest, &mut [][..]) };
    for places in text_bytes.chunks_mut(8) {
        let drawn = (text.next() & 0x3f3f_3f3f_3f3f_3f3f) + 0x2020_2020_2020_2020;
        places.copy_from_slice(&drawn.to_le_bytes()[..places.len()]);
    }
    line_end.copy_from_slice(&b"\r\n"[..line_end.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::workload::ORDERS;

    fn written(layout: (u64, u64), order: Order, records: u64) -> Vec<Vec<u8>> {
        let layout = Layout::new(layout.0, layout.1).expect("possible");
        let mut text = Vec::new();
        write_input(&mut text, layout, order, records, 3).expect("memory takes all");
        assert_eq!(text.len() as u64, records * layout.record_bytes() as u64);
        text.chunks(layout.record_bytes()).map(<[u8]>::to_vec).collect()
    }

    fn keys(layout: (u64, u64), order: Order, records: u64) -> Vec<Vec<u8>> {
        written(layout, order, records).iter().map(|record| record[..layout.1 as usize].to_vec()).collect()
    }

    #[test]
    fn every_order_is_what_its_name_says() {
        for layout in [(64, 8), (100, 10), (40, 33), (64, 16)] {
            let of = |order| keys(layout, order, 10_000);
            let distinct = |mut keys: Vec<Vec<u8>>| {
                keys.sort();
                keys.dedup();
                keys.len()
            };
            assert!(of(Order::Sorted).is_sorted() && distinct(of(Order::Sorted)) > 9_990);
            assert!(of(Order::Reversed).iter().rev().is_sorted());
            let almost = of(Order::AlmostSorted);
            let falls = almost.windows(2).filter(|pair| pair[0] > pair[1]).count();
            assert!((500..=2_000).contains(&falls), "{falls}");
            let falls = of(Order::Random).windows(2).filter(|pair| pair[0] > pair[1]).count();
            assert!((4_500..5_500).contains(&falls), "{falls}");
            assert_eq!(distinct(of(Order::FewDistinct)), FEW_KEYS as usize);
            assert_eq!(distinct(of(Order::AllEqual)), 1);
            let skewed = of(Order::Zipf);
            let mut counts = std::collections::HashMap::new();
            skewed.iter().for_each(|key| *counts.entry(key).or_insert(0) += 1);
            let mut counts: Vec<u32> = counts.into_values().collect();
            counts.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
            // Each of 13 octaves has a thirteenth of the records: one key, two keys, four keys.
            counts.truncate(2_001);
            let [first, second, _, fourth, ..] = counts[..] else { panic!("{counts:?}") };
            assert!((680..860).contains(&first), "{first}");
            assert!((320..450).contains(&second) && (140..250).contains(&fourth), "{second}, {fourth}");
            assert!(counts.len() > 2_000, "{} keys", counts.len());
        }
    }

    #[test]
    fn no_record_holds_a_line_end_but_at_its_end() {
        for (_, order) in ORDERS {
            for record in written((64, 8), order, 2_000) {
                assert!(record[..8].iter().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')));
                assert!(record[..62].iter().all(|c| (b' '..=b'~').contains(c)));
                assert_eq!(&record[62..], b"\r\n");
            }
        }
        assert!(written((9, 8), Order::Random, 100).iter().all(|record| record[8] != b'\n'));
        assert_eq!(written((1, 1), Order::Sorted, 3)[0].len(), 1);
    }

    #[test]
    fn random_records_of_the_published_lengths_are_those_that_generate_writes() {
        let mut text = Vec::new();
        write_records(&mut text, 100, 3).expect("memory takes all");
        assert_eq!(written((64, 8), Order::Random, 100).concat(), text);
    }
}
