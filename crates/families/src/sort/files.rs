//! The records, those of the published tests or others of any length in any order, and the sorted ones.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use model::{Proof, Workload};

use super::layout::Layout;
use super::proof::proof_of_records;
use super::source::no_room;
use super::workload::{self, Order, Shape};
use crate::contract::{Files, Placeholder};
use crate::files::{
    at, copy_in, made_anew, make_empty, remove_if_there, single, unsupported, workload_of_one,
};
use crate::random::{Random, mix};
use crate::records::{KEY_BYTES, RECORD_BYTES, write_records};

pub(super) const FILES: Files = Files {
    of_bytes: Some(workload::of_bytes),
    // Whether the length is one of whole records is seen when the records' length is known for sure: it may yet be set.
    of_input: Some(|files| workload_of_one("sort", files).map(workload::complete)),
    // The input, the output, sorted runs as large as both, and an index that an earlier run left.
    scratch_bytes: |workload| single::scratch_bytes(workload, 4),
    // The output, and the records in the memory of the program.
    taken_bytes: |workload| workload.bytes().unwrap_or(0).saturating_mul(2),
    generate,
    inputs,
    clear,
    inspect,
    placeholders,
    ..Files::NONE
};

fn generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
    let shape = Shape::of(workload)?;
    let path = input_of(workload, scratch)?;
    remove_if_there(&index_of(workload, scratch)?)?;
    if let Some(original) = workload.files.first() {
        shape.records(original)?;
        return copy_in(original, &path, shape.bytes);
    }
    let records = shape.records(Path::new("--size"))?;
    let mut writer = BufWriter::new(made_anew(&path)?);
    write_input(&mut writer, shape.layout, shape.order, records, seed)
        .and_then(|()| writer.flush())
        .map_err(at("write", &path))
}

/// The input, and the index of an earlier run. Techniques leave the input as it is: one that sorts in place makes a copy first.
fn inputs(workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
    let index = index_of(workload, scratch).into_iter().filter(|path| path.exists());
    input_of(workload, scratch).into_iter().chain(index).collect()
}

fn clear(_workload: &Workload, scratch: &Path) -> io::Result<()> {
    [OUTPUT, INDEX, RUNS].iter().try_for_each(|name| remove_if_there(&scratch.join(name)))?;
    make_empty(&scratch.join(TEMPORARY))
}

fn inspect(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    let shape = Shape::of(workload)?;
    if !shape.written {
        let sentence = "with output=suppressed the sorted records are in the memory of a process that has ended; \
                        measure the work inside of it, or leave output=suppressed out";
        return Err(unsupported(sentence));
    }
    proof_of_records(&scratch.join(OUTPUT), shape.layout)
}

fn placeholders(workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
    let input = input_of(workload, scratch).into_iter().map(|path| Placeholder::required("input", path));
    let others = [
        Placeholder::required("output", scratch.join(OUTPUT)),
        Placeholder::optional("scratch", vec![scratch.join(TEMPORARY).into()]),
    ];
    input.chain(others).collect()
}

pub(super) const OUTPUT: &str = "sort.output";
pub(super) const INDEX: &str = "sort.index";
pub(super) const RUNS: &str = "sort.runs";
/// A file that a command puts aside. A killed one leaves it there, and it may be as large as the input.
const TEMPORARY: &str = "temporary";

/// Returns the path of the input, which holds all that shapes it: inputs of several workloads may lie side by side.
pub(super) fn input_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    Ok(scratch.join(format!("{}.input", stem_of(workload)?)))
}

pub(super) fn index_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    Ok(scratch.join(format!("{}.index", stem_of(workload)?)))
}

fn stem_of(workload: &Workload) -> io::Result<String> {
    let shape = Shape::of(workload)?;
    let (record_bytes, key_bytes) = (shape.layout.record_bytes(), shape.layout.key_bytes());
    let order = if workload.files.is_empty() { workload.word("order").unwrap_or_default() } else { "own" };
    Ok(format!("sort-{}-{record_bytes}-{key_bytes}-{order}", shape.bytes))
}

const BATCH_BYTES: usize = 64 << 10;

/// Digits of a key that are drawn; those of a longer key follow from them.
const DRAWN_DIGITS: usize = 16;

const FEW_KEYS: u64 = 16;

/// Swaps for 100 records that are almost sorted.
const SWAPS_PER_CENT: u64 = 5;

/// Writes records of hexadecimal keys, printable characters, and CR LF where there is room; the same seed gives the same bytes.
pub(super) fn write_input(
    writer: &mut impl Write, layout: Layout, order: Order, records: u64, seed: u64,
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

/// The keys of all records as numbers of at most sixteen hexadecimal digits.
struct Keys {
    order: Order,
    records: u64,
    seed: u64,
    most: u64,
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

    /// Returns a rank, by whole numbers that are alike on all machines: every octave of ranks is drawn as often as any other.
    fn skewed(&self, random: u64) -> u64 {
        let octaves = u64::from((self.records + 1).ilog2());
        let first = 1 << (random % octaves);
        first - 1 + mix(random) % first
    }

    fn drawn(&self, nth: u64) -> u64 {
        Random(self.seed ^ mix(nth + 1)).next() & self.most
    }

    /// Returns the key with the `rank`th place among as many as there are records: each is drawn from a stretch of its own.
    fn ranked(&self, rank: u64) -> u64 {
        let (rank, stretch) = (u128::from(rank), u128::from(self.most) + 1);
        let within = u128::from(self.drawn(rank as u64));
        ((rank * stretch + within) / u128::from(self.records)) as u64
    }
}

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

/// Writes the number's lowest digits, at most sixteen. Those of a longer key follow from the number.
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
    use std::collections::{HashMap, HashSet};
    use std::fs;

    use super::*;
    use crate::sort::workload::ORDERS;

    #[test]
    fn what_a_command_put_aside_is_gone_before_the_next_begins() {
        let scratch = tempfile::tempdir().expect("scratch");
        let workload = workload::of_bytes(640);
        let mut places = placeholders(&workload, scratch.path()).into_iter();
        let aside =
            PathBuf::from(places.find(|place| place.name == "scratch").expect("offered").values.remove(0));
        assert_ne!(aside, scratch.path(), "the inputs stand there");
        for _ in 0..2 {
            clear(&workload, scratch.path()).expect("cleared");
            assert_eq!(fs::read_dir(&aside).expect("a folder").count(), 0);
            fs::write(aside.join("run"), "of records").expect("written");
            fs::create_dir(aside.join("more")).expect("made");
            fs::write(aside.join("more").join("run"), "of records").expect("written");
        }
    }

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
            let distinct = |keys: Vec<Vec<u8>>| keys.into_iter().collect::<HashSet<_>>().len();
            let falls = |order| of(order).windows(2).filter(|pair| pair[0] > pair[1]).count();
            assert!(of(Order::Sorted).is_sorted() && distinct(of(Order::Sorted)) > 9_990);
            assert!(of(Order::Reversed).iter().rev().is_sorted());
            let (almost, random) = (falls(Order::AlmostSorted), falls(Order::Random));
            assert!(
                (500..=2_000).contains(&almost) && (4_500..5_500).contains(&random),
                "{almost}, {random}"
            );
            assert_eq!(distinct(of(Order::FewDistinct)), FEW_KEYS as usize);
            assert_eq!(distinct(of(Order::AllEqual)), 1);
            let skewed = of(Order::Zipf);
            let mut counts = HashMap::new();
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
    fn random_records_of_published_lengths_are_what_generate_writes() {
        let mut text = Vec::new();
        write_records(&mut text, 100, 3).expect("memory takes all");
        assert_eq!(written((64, 8), Order::Random, 100).concat(), text);
    }
}
