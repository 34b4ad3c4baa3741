//! Which workloads there are, and what a user may choose about them.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use model::{Axis, Point, Preset, Value, Workload};

use super::layout::{Layout, MOST_RECORD_BYTES};
use crate::files::invalid;
use crate::parameters::{bytes, counts, within_range, words};
use crate::records::{KEY_BYTES, RECORD_BYTES};

const PUBLISHED_RECORDS: [u64; 2] = [100_000, 400_000];
/// 1 GiB of the published records.
const LARGE_RECORDS: u64 = 16 << 20;

/// The positions of records are numbers of 32 bits.
const MOST_RECORDS: u64 = u32::MAX as u64;

const RECORDS_AXIS: &str = "records";
const RECORD_AXIS: &str = "record_bytes";
const KEY_AXIS: &str = "key_bytes";
const ORDER_AXIS: &str = "order";
const OUTPUT_AXIS: &str = "output";

/// The axes. The record's length stands before the key's: a key must fit into its record.
pub(super) const AXES: &[Axis] = &[
    counts(RECORDS_AXIS, "number of records, instead of --size", &[100_000]),
    bytes(RECORD_AXIS, "length of a record in bytes", &[100]),
    bytes(KEY_AXIS, "length of the key at the start of a record in bytes, at most the record's", &[10]),
    words(
        ORDER_AXIS,
        "of the input: almost_sorted has 5 % random swaps, few_distinct 16 keys; in zipf the second and \
                  third key are half as often as the first, the next four a quarter",
        ORDER_NAMES,
    ),
    words(
        OUTPUT_AXIS,
        "whether the sorted records are written, or stay in memory, as in the published figures",
        &["suppressed", "written"],
    ),
];

const ORDER_NAMES: &[&str] =
    &["almost_sorted", "random", "sorted", "reversed", "few_distinct", "zipf", "all_equal"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Random,
    Sorted,
    Reversed,
    AlmostSorted,
    FewDistinct,
    Zipf,
    AllEqual,
}

pub(super) const ORDERS: [(&str, Order); 7] = [
    ("random", Order::Random),
    ("sorted", Order::Sorted),
    ("reversed", Order::Reversed),
    ("almost_sorted", Order::AlmostSorted),
    ("few_distinct", Order::FewDistinct),
    ("zipf", Order::Zipf),
    ("all_equal", Order::AllEqual),
];

#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) bytes: u64,
    pub(super) layout: Layout,
    pub(super) order: Order,
    pub(super) written: bool,
}

impl Shape {
    pub(super) fn of(workload: &Workload) -> io::Result<Self> {
        Self::read(workload).map_err(invalid)
    }

    fn read(workload: &Workload) -> Result<Self, String> {
        let number = |name| {
            let number = workload.number(name);
            number.ok_or_else(|| format!("the workload '{}' of the sort family has no {name}", workload.name))
        };
        let name = workload.word(ORDER_AXIS).unwrap_or(ORDERS[0].0);
        let order = ORDERS.into_iter().find(|(known, _)| *known == name).map(|(_, order)| order);
        Ok(Self {
            bytes: number("bytes")?,
            layout: Layout::new(number(RECORD_AXIS)?, number(KEY_AXIS)?)?,
            order: order.ok_or_else(|| {
                format!("'{name}' is no order; there are {}", ORDERS.map(|(name, _)| name).join(", "))
            })?,
            written: workload.word(OUTPUT_AXIS) != Some("suppressed"),
        })
    }

    pub(super) fn records(&self, path: &Path) -> io::Result<u64> {
        self.layout.records_in(self.bytes, path).map(|records| records as u64)
    }
}

pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    let published = PUBLISHED_RECORDS.iter().map(|&records| of_records(name_of(records), records));
    match preset {
        Preset::Quick => published.take(1).collect(),
        Preset::Published => published.map(|workload| workload.with(OUTPUT_AXIS, "suppressed")).collect(),
        Preset::Large => vec![of_records("large".to_owned(), LARGE_RECORDS)],
    }
}

fn name_of(records: u64) -> String {
    format!("{records} records")
}

fn of_records(name: String, records: u64) -> Workload {
    complete(Workload::of_bytes(name, records * RECORD_BYTES as u64)).with(RECORDS_AXIS, records)
}

pub(super) fn of_bytes(bytes: u64) -> Workload {
    complete(Workload::of_size(bytes))
}

/// Gives a workload that has only its size the published records, in random order, and a written output.
pub(super) fn complete(workload: Workload) -> Workload {
    workload
        .with(RECORD_AXIS, RECORD_BYTES as u64)
        .with(KEY_AXIS, KEY_BYTES as u64)
        .with(ORDER_AXIS, ORDERS[0].0)
        .with(OUTPUT_AXIS, "written")
}

/// Returns the numbers that an axis takes. A key is no longer than its record, which [`set`] sees.
pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    match axis {
        RECORDS_AXIS => Some(0..=MOST_RECORDS),
        RECORD_AXIS | KEY_AXIS => Some(1..=MOST_RECORD_BYTES),
        _ => None,
    }
}

pub(super) fn set(workload: &mut Workload, axis: &Axis, value: Value) -> Result<(), String> {
    if axis.name == ORDER_AXIS && !workload.files.is_empty() {
        return Err("your file keeps its order; leave --set order out".to_owned());
    }
    // A refused value changes nothing.
    let mut changed = workload.clone();
    match (axis.name, &value) {
        (RECORDS_AXIS, Value::Number(records)) => {
            fit_to_count(&mut changed.point, *records)?;
            within_range(axis, &value, range(axis.name))?;
            changed.name = name_of(*records);
        }
        (RECORD_AXIS, Value::Number(record_bytes)) => fit_to_records(&mut changed.point, *record_bytes)?,
        _ => {}
    }
    changed.point.set(axis.name, value);
    Shape::read(&changed)?;
    *workload = changed;
    Ok(())
}

/// Sets the size of this many records, unless a file or a size was named.
fn fit_to_count(point: &mut Point, records: u64) -> Result<(), String> {
    if point.number(RECORDS_AXIS).is_none() {
        return Err(
            "the length of the file is named already; leave that or the number of records out".to_owned()
        );
    }
    let record_bytes = point.number(RECORD_AXIS).unwrap_or(RECORD_BYTES as u64);
    point.set("bytes", records.checked_mul(record_bytes).ok_or("so many records make no file")?);
    Ok(())
}

/// Sets the size of records of this length; one that cannot hold the usual key is its own key.
fn fit_to_records(point: &mut Point, record_bytes: u64) -> Result<(), String> {
    if let Some(records) = point.number(RECORDS_AXIS) {
        point.set("bytes", records.checked_mul(record_bytes).ok_or("so long records make no file")?);
    }
    if let Some(key_bytes) = point.number(KEY_AXIS) {
        point.set(KEY_AXIS, record_bytes.min(key_bytes));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SORT;
    use crate::testing::{assert_set_refuses, changed};

    #[test]
    fn presets_are_the_published_numbers_of_records() {
        let bytes = |preset| of_preset(preset).iter().map(|workload| workload.bytes()).collect::<Vec<_>>();
        assert_eq!(bytes(Preset::Quick), [Some(6_400_000)]);
        assert_eq!(bytes(Preset::Published), [Some(6_400_000), Some(25_600_000)]);
        assert_eq!(bytes(Preset::Large), [Some(1 << 30)]);
    }

    #[test]
    fn longer_records_make_a_longer_file_and_a_typed_size_stays() {
        let preset = of_preset(Preset::Quick).remove(0);
        let longer =
            changed(SORT, preset, &[("record_bytes", "100"), ("key_bytes", "10")]).expect("possible");
        let shape = Shape::of(&longer).expect("whole");
        assert_eq!((shape.bytes, shape.records(Path::new("x")).expect("whole")), (10_000_000, 100_000));
        let typed = changed(SORT, of_bytes(6_400), &[("record_bytes", "100")]).expect("possible");
        assert_eq!((typed.bytes(), typed.name.as_str()), (Some(6_400), "6.4kB"));
    }

    #[test]
    fn another_number_of_records_acts_as_one_of_the_preset() {
        let preset = of_preset(Preset::Quick).remove(0);
        let more = changed(SORT, preset.clone(), &[("records", "400k"), ("output", "suppressed")])
            .expect("possible");
        assert_eq!(more, of_preset(Preset::Published).remove(1));
        let longer =
            changed(SORT, preset.clone(), &[("records", "1k"), ("record_bytes", "100")]).expect("possible");
        assert_eq!((longer.bytes(), longer.number("records")), (Some(100_000), Some(1_000)));
        let fewer =
            changed(SORT, preset.clone(), &[("record_bytes", "100"), ("records", "1k")]).expect("possible");
        assert_eq!(fewer.point, longer.point);
        for named in [
            of_bytes(6_400),
            complete(Workload { files: vec!["mine".into()], ..Workload::of_bytes("mine", 64) }),
        ] {
            let sentence = changed(SORT, named, &[("records", "1k")]).expect_err("two lengths");
            assert!(sentence.contains("named already"), "{sentence}");
        }
        assert!(SORT.set(&mut preset.clone(), "records", "4294967295").is_ok());
    }

    #[test]
    fn a_record_shorter_than_the_usual_key_is_its_own_key() {
        let short = changed(SORT, of_bytes(64), &[("record_bytes", "4")]).expect("possible");
        assert_eq!(Shape::of(&short).expect("whole").layout.key_bytes(), 4);
        let shorter = changed(SORT, short, &[("key_bytes", "1")]).expect("possible");
        assert_eq!(Shape::of(&shorter).expect("whole").layout.key_bytes(), 1);
    }

    #[test]
    fn a_value_that_is_none_is_refused_with_what_would_be_one() {
        let cases = [
            ("order=backwards", "order is one of almost_sorted, random"),
            ("output=no", "for example output=suppressed"),
            ("record_bytes=many", "'many' is not a size"),
            ("record_bytes=0", "from 1 to 65536"),
            ("record_bytes=65537", "from 1 to 65536"),
            ("key_bytes=65", "at most record_bytes"),
            ("key_bytes=0", "at least 1"),
            ("records=4294967296", "a whole number from 0 to 4294967295 is expected"),
            ("records=1000000000000000000", "make no file"),
            ("colour=red", "no axis 'colour'"),
        ];
        assert_set_refuses(SORT, &of_preset(Preset::Quick)[0], &cases);
        let mut own = complete(Workload { files: vec!["mine".into()], ..Workload::of_bytes("mine", 64) });
        assert!(SORT.set(&mut own, "order", "sorted").is_err());
    }
}
