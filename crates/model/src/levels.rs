//! The levels of an axis: how people type them, and which number of some workloads is their axis.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    AmountError, Axis, Value, Values, Workload, format_bytes, format_ns, parse_bytes, parse_count,
    parse_duration_ns,
};

/// A curve has at most this many levels.
pub const MOST_LEVELS: usize = 64;

/// The form in which the numbers of an axis are typed, with examples of what would be right.
pub(crate) struct Typed {
    read: fn(&str) -> Result<u64, AmountError>,
    what: &'static str,
    range: &'static str,
    factor: &'static str,
    step: &'static str,
    step_from_0: &'static str,
}

const SIZES: Typed = Typed {
    read: parse_bytes,
    what: "size",
    range: "4K..1GiB",
    factor: "4K..1GiBx4",
    step: "64K..1M+64K",
    step_from_0: "1K..64K+1K",
};

const COUNTS: Typed = Typed {
    read: parse_count,
    what: "value",
    range: "1..64",
    factor: "1..64x4",
    step: "4..64+4",
    step_from_0: "0..64+4",
};

const DURATIONS: Typed = Typed {
    read: parse_duration_ns,
    what: "duration",
    range: "1us..1s",
    factor: "1us..1sx10",
    step: "10ms..100ms+10ms",
    step_from_0: "0ms..100ms+10ms",
};

impl Typed {
    pub(crate) fn parse(&self, text: &str) -> Result<u64, String> {
        (self.read)(text).map_err(|refused| refused.to_string())
    }
}

pub(crate) fn typed(values: Values) -> Option<&'static Typed> {
    match values {
        Values::Bytes(_) => Some(&SIZES),
        Values::Counts(_) => Some(&COUNTS),
        Values::DurationsNs(_) => Some(&DURATIONS),
        Values::Words(_) | Values::Text(_) => None,
    }
}

/// Reads a size such as `64K`, or a range: `4K..1GiB` doubles, `4K..1GiBx4` multiplies by 4, `64K..1M+64K` adds. The end belongs to it.
/// Errors: says what does not fit, and what would be right.
pub fn parse_levels(text: &str) -> Result<Vec<u64>, String> {
    levels(text, &SIZES)
}

impl Axis {
    /// Reads one value, or of numbers several: a range as in [`parse_levels`], or a list with commas (`1..64`, `1,2,8..64x4`).
    /// Errors: one sentence: what does not fit, and what would be right.
    pub fn parse_several(&self, text: &str) -> Result<Vec<Value>, String> {
        let Some(typed) = typed(self.values).filter(|_| text.contains(',') || text.contains("..")) else {
            return Ok(vec![self.parse(text)?]);
        };
        let mut values = Vec::new();
        for part in text.split(',') {
            values.extend(levels(part, typed)?.into_iter().map(Value::Number));
        }
        Ok(values)
    }
}

fn levels(text: &str, typed: &Typed) -> Result<Vec<u64>, String> {
    let Some((first, rest)) = text.split_once("..") else { return Ok(vec![typed.parse(text)?]) };
    let step_at = rest.find(['+', 'x', 'X']).unwrap_or(rest.len());
    let (last, step) = rest.split_at(step_at);
    let (low, high) = (typed.parse(first)?, typed.parse(last)?);
    // Each level is the one before times the factor plus the step.
    let (factor, step) = match step.split_at_checked(1) {
        None => (2, 0),
        Some(("+", step)) => (1, typed.parse(step)?),
        Some((_, factor)) => (factor.parse().unwrap_or(0), 0),
    };
    let problem = match (factor, step) {
        (1, 0) if rest[step_at..].starts_with('+') => {
            format!(": a step of 0 leads nowhere; for example {}", typed.step)
        }
        (0 | 1, 0) => {
            format!(": behind the x a whole number from 2 on is expected; for example {}", typed.factor)
        }
        _ if high < low => format!(" ends before it begins; for example {}", typed.range),
        _ if high == low => {
            format!(" has one level; write {first} for one {}, or a larger end for several", typed.what)
        }
        (2.., _) if low == 0 => {
            let example = typed.step_from_0;
            format!(" begins with 0, which no factor makes larger; begin with 1, or name a step: {example}")
        }
        _ => String::new(),
    };
    if !problem.is_empty() {
        return Err(format!("'{text}'{problem}"));
    }
    let levels = std::iter::successors(Some(low), |at| at.checked_mul(factor)?.checked_add(step));
    let levels = levels.take_while(|at| *at < high).chain([high]);
    let count = match step {
        // A factor of at least 2 makes no more levels than a number has bits.
        0 => levels.clone().count() as u64,
        _ => (high - low).div_ceil(step).saturating_add(1),
    };
    if count > MOST_LEVELS as u64 {
        let limit = format!("a curve has at most {MOST_LEVELS}; choose a larger factor or step");
        return Err(format!("'{text}' has {count} levels, and {limit}"));
    }
    Ok(levels.collect())
}

/// Returns the number along which some workloads are the levels of a curve: they differ only in it and in the `bytes` that follow
/// from it. `None` where they differ in nothing, or in several numbers alike.
pub fn axis_of(workloads: &[&Workload]) -> Option<String> {
    let names: BTreeSet<&str> =
        workloads.iter().flat_map(|workload| workload.point.numbers().map(|(axis, _)| axis)).collect();
    let axes = names.into_iter().map(|axis| {
        let mut curves: BTreeMap<Workload, BTreeSet<u64>> = BTreeMap::new();
        for workload in workloads {
            if let Some(level) = workload.number(axis) {
                curves.entry(workload.without_axis(axis)).or_default().insert(level);
            }
        }
        (curves.values().map(BTreeSet::len).max().unwrap_or(0), axis)
    });
    let mut axes: Vec<(usize, &str)> = axes.collect();
    axes.sort_by_key(|(levels, _)| std::cmp::Reverse(*levels));
    match axes.as_slice() {
        [(levels @ 2.., axis), rest @ ..] if rest.iter().all(|(other, _)| other < levels) => {
            Some((*axis).to_owned())
        }
        _ => None,
    }
}

/// Names an axis: `size`, `file size`, `records`, `threads`.
pub fn axis_name(axis: &str) -> String {
    let name = if axis == "bytes" {
        "size".to_owned()
    } else if let Some(thing) = axis.strip_suffix("_bytes") {
        format!("{thing} size")
    } else if let Some(thing) = axis.strip_suffix("_count") {
        format!("{thing}s")
    } else {
        axis.strip_suffix("_ns").unwrap_or(axis).to_owned()
    };
    name.replace('_', " ")
}

/// Names an axis as a metric that has one value: `size`, `file size`, `number of threads`, `depth`.
pub fn axis_kind(axis: &str) -> String {
    let name = axis_name(axis);
    if is_bytes(axis) || axis.ends_with("_ns") || !name.ends_with('s') {
        name
    } else {
        format!("number of {name}")
    }
}

fn is_bytes(axis: &str) -> bool {
    axis == "bytes" || axis.ends_with("_bytes")
}

/// Formats a value on an axis with its unit, without the axis's name: `64 KiB`, `1.5 us`, `400000`.
pub fn axis_value(axis: &str, value: u64) -> String {
    if is_bytes(axis) {
        format_bytes(value)
    } else if axis.ends_with("_ns") {
        format_ns(value as f64)
    } else {
        value.to_string()
    }
}

/// Formats a number on an axis: `1 thread`, `8 threads`, `1 pass`; what is not counted stands before its number, as `depth 10`.
pub fn axis_counted(axis: &str, number: u64) -> String {
    let name = axis_name(axis);
    match name.strip_suffix('s') {
        None => format!("{name} {number}"),
        Some(_) if number != 1 => format!("{number} {name}"),
        // `passes`
        Some(one) => {
            let one = one.strip_suffix("sse").map_or(one.to_owned(), |stem| format!("{stem}ss"));
            format!("{number} {one}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_doubles_or_takes_its_factor_or_step_up_to_its_end() {
        for (text, levels) in [
            ("64K", &[65536][..]),
            ("4K..64K", &[4096, 8192, 16384, 32768, 65536]),
            ("1..5", &[1, 2, 4, 5]),
            ("1K..64Kx4", &[1024, 4096, 16384, 65536]),
            ("1K..4K+1K", &[1024, 2048, 3072, 4096]),
            ("0..1000+400", &[0, 400, 800, 1000]),
        ] {
            assert_eq!(parse_levels(text).as_deref(), Ok(levels), "{text}");
        }
        for (text, count) in [("4K..1GiB", 19), ("1..18446744073709551615x4294967296", 3)] {
            assert_eq!(parse_levels(text).map(|levels| levels.len()), Ok(count), "{text}");
        }
    }

    #[test]
    fn a_range_that_is_none_is_refused_with_what_would_be_right() {
        for (text, part) in [
            ("64K..4K", "ends before it begins"),
            ("4K..4K", "has one level; write 4K for one size"),
            ("0..4K", "begins with 0"),
            ("4K..1M+16", "has 65281 levels, and a curve has at most 64"),
            ("0..18446744073709551615+1", "levels, and a curve has at most 64"),
            ("4K..64Kx1", "a whole number from 2 on"),
            ("4K..64Kx", "a whole number from 2 on"),
            ("4K..64Kx2.5", "a whole number from 2 on"),
            ("4K..64K+0", "a step of 0 leads nowhere"),
            ("4K..", "'' is not a size"),
            ("..4K", "'' is not a size"),
            ("4K..64Q", "'64Q' is not a size"),
            ("4K..64K..1M", "'64K..1M' is not a size"),
        ] {
            let refused = parse_levels(text).expect_err(text);
            assert!(refused.contains(part), "{text}: {refused}");
        }
    }

    #[test]
    fn only_an_axis_of_numbers_takes_ranges_and_lists() {
        let axis = |values| Axis { name: "axis", meaning: "", values };
        let read = |values, text: &str| {
            let values = axis(values).parse_several(text)?;
            Ok::<_, String>(values.iter().filter_map(Value::number).collect::<Vec<_>>())
        };
        let (counts, waits) = (Values::Counts(&[16]), Values::DurationsNs(&[1000]));
        assert_eq!(read(counts, "1..8"), Ok(vec![1, 2, 4, 8]));
        assert_eq!(read(counts, "0,3,4..64x4"), Ok(vec![0, 3, 4, 16, 64]));
        assert_eq!(read(counts, "7"), Ok(vec![7]));
        assert_eq!(read(counts, "20k,1k..4kx2"), Ok(vec![20_000, 1_000, 2_000, 4_000]));
        assert_eq!(read(waits, "1ms..3ms+1ms"), Ok(vec![1_000_000, 2_000_000, 3_000_000]));
        assert_eq!(read(Values::Bytes(&[1]), "1K,2K"), Ok(vec![1024, 2048]));
        assert_eq!(axis(Values::Text("a")).parse_several("a..b,c"), Ok(vec!["a..b,c".into()]));
        for (text, part) in [
            ("8..1", "ends before it begins; for example 1..64"),
            ("1..", "'' is not a whole number: a number is expected at character 1; for example 16"),
            ("1,,2", "'' is not a whole number"),
            ("-1..8", "'-1' is not a whole number"),
            ("0..8", "name a step: 0..64+4"),
            ("1..100+1", "has 100 levels, and a curve has at most 64"),
            ("8..8", "write 8 for one value"),
        ] {
            let refused = read(counts, text).expect_err(text);
            assert!(refused.contains(part), "{text}: {refused}");
        }
    }

    #[test]
    fn workloads_that_differ_in_one_number_have_it_as_their_axis() {
        let sized = |bytes: u64| Workload::of_bytes(format!("{bytes}B"), bytes);
        assert_eq!(axis_of(&[&sized(1), &sized(2), &sized(4)]).as_deref(), Some("bytes"));
        assert_eq!(axis_of(&[&sized(1), &sized(1)]), None);
        assert_eq!(axis_of(&[&sized(1)]), None);
        let sorted =
            |records: u64, key: u64| sized(64 * records).with("records", records).with("key_bytes", key);
        assert_eq!(axis_of(&[&sorted(1, 8), &sorted(2, 8)]).as_deref(), Some("records"));
        let crossed = [sorted(1, 8), sorted(2, 8), sorted(4, 8), sorted(1, 10), sorted(2, 10), sorted(4, 10)];
        assert_eq!(axis_of(&crossed.each_ref()).as_deref(), Some("records"), "the axis with most levels");
        let crossed_once = [sorted(1, 8), sorted(2, 8), sorted(1, 10), sorted(2, 10)];
        assert_eq!(axis_of(&crossed_once.each_ref()), None, "neither");
        assert_eq!(axis_of(&[&sized(1).with("kind", "one"), &sized(2).with("kind", "tree")]), None);
    }

    #[test]
    fn an_axis_its_kind_and_its_values_have_words() {
        for (axis, name, kind, value) in [
            ("bytes", "size", "size", "64 KiB"),
            ("file_bytes", "file size", "file size", "64 KiB"),
            ("records", "records", "number of records", "65536"),
            ("file_count", "files", "number of files", "65536"),
            ("pause_ns", "pause", "pause", "65.5 us"),
            ("depth", "depth", "depth", "65536"),
        ] {
            let words = [axis_name(axis), axis_kind(axis), axis_value(axis, 65_536)];
            assert_eq!(words, [name, kind, value]);
        }
    }

    #[test]
    fn what_is_counted_stands_behind_its_number_all_else_before_it() {
        for (axis, number, said) in [
            ("threads", 1, "1 thread"),
            ("threads", 2, "2 threads"),
            ("file_count", 1, "1 file"),
            ("passes", 1, "1 pass"),
            ("passes", 8, "8 passes"),
            ("phases", 1, "1 phase"),
            ("work_steps", 1, "1 work step"),
            ("batch", 5, "batch 5"),
            ("depth", 10, "depth 10"),
            ("iterations_per_yield", 100, "iterations per yield 100"),
        ] {
            assert_eq!(axis_counted(axis, number), said);
        }
    }
}
