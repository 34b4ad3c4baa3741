//! The levels of an axis: how people type them, and which number of some workloads is their axis.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::{AmountError, Workload, format_bytes, format_ns, parse_bytes};

/// A curve has at most so many levels.
pub const MOST_LEVELS: usize = 64;

/// Why a list of levels was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LevelsError {
    /// An end, or the step, is no size.
    #[error(transparent)]
    Size(#[from] AmountError),
    /// The factor is none.
    #[error("'{0}': behind the x a whole number from 2 on is expected; for example 4K..1GiBx4")]
    Factor(String),
    /// The step leads nowhere.
    #[error("'{0}': a step of 0 leads nowhere; for example 64K..1M+64K")]
    Step(String),
    /// Nothing can be multiplied.
    #[error("'{0}' begins with 0, which no factor makes larger; begin with 1, or name a step: 0..64K+4K")]
    Zero(String),
    /// The range is empty.
    #[error("'{0}' ends before it begins; for example 4K..1GiB")]
    Backwards(String),
    /// The range is a single value.
    #[error("'{text}' has one level; write {value} for one size, or a larger end for several")]
    One {
        /// What was typed.
        text: String,
        /// Its only value, as it was typed.
        value: String,
    },
    /// More levels than a curve may have.
    #[error(
        "'{text}' has {count} levels, and a curve has at most {MOST_LEVELS}; choose a larger factor or step"
    )]
    TooMany {
        /// What was typed.
        text: String,
        /// The number of levels.
        count: u64,
    },
}

/// Reads a size such as `64K`, or a range of sizes: `4K..1GiB` doubles up to its end, `4K..1GiBx4` multiplies by 4, and
/// `64K..1M+64K` adds. The end belongs to the range, also where no step meets it.
///
/// # Errors
/// Says what does not fit, and what would be right.
pub fn parse_levels(text: &str) -> Result<Vec<u64>, LevelsError> {
    let Some((first, rest)) = text.split_once("..") else { return Ok(vec![parse_bytes(text)?]) };
    let step_at = rest.find(['+', 'x', 'X']).unwrap_or(rest.len());
    let (last, step) = rest.split_at(step_at);
    let (low, high) = (parse_bytes(first)?, parse_bytes(last)?);
    let owned = || text.to_owned();
    let step = match step.split_at_checked(1) {
        None => Step::Times(2),
        Some(("+", step)) => match parse_bytes(step)? {
            0 => return Err(LevelsError::Step(owned())),
            step => Step::Plus(step),
        },
        Some((_, factor)) => match factor.parse() {
            Ok(factor @ 2..) => Step::Times(factor),
            _ => return Err(LevelsError::Factor(owned())),
        },
    };
    if high < low {
        return Err(LevelsError::Backwards(owned()));
    }
    if high == low {
        return Err(LevelsError::One { text: owned(), value: first.to_owned() });
    }
    let count = match step {
        Step::Times(_) if low == 0 => return Err(LevelsError::Zero(owned())),
        Step::Times(_) => 0,
        Step::Plus(step) => (high - low).div_ceil(step).saturating_add(1),
    };
    // A factor of at least 2 makes no more levels than a number has bits.
    let levels = || {
        let next = |at: &u64| step.after(*at).filter(|next| *next < high);
        std::iter::successors(Some(low), next).chain([high])
    };
    let count = if count == 0 { levels().count() as u64 } else { count };
    match count <= MOST_LEVELS as u64 {
        true => Ok(levels().collect()),
        false => Err(LevelsError::TooMany { text: owned(), count }),
    }
}

#[derive(Clone, Copy)]
enum Step {
    Times(u64),
    Plus(u64),
}

impl Step {
    fn after(self, at: u64) -> Option<u64> {
        match self {
            Self::Times(factor) => at.checked_mul(factor),
            Self::Plus(step) => at.checked_add(step),
        }
    }
}

/// The number along which some workloads are the levels of a curve: they differ in it alone, and in the `bytes` that
/// follow from it. `None` where they differ in nothing, or in several numbers alike.
pub fn axis_of(workloads: &[&Workload]) -> Option<String> {
    let names: BTreeSet<&str> =
        workloads.iter().flat_map(|workload| workload.point.numbers().map(|(axis, _)| axis)).collect();
    let levels = |axis: &str| {
        let mut curves: BTreeMap<Workload, BTreeSet<u64>> = BTreeMap::new();
        for workload in workloads {
            if let Some(level) = workload.number(axis) {
                curves.entry(workload.beside(axis)).or_default().insert(level);
            }
        }
        curves.values().map(BTreeSet::len).max().unwrap_or(0)
    };
    let mut axes: Vec<(usize, &str)> = names.into_iter().map(|name| (levels(name), name)).collect();
    axes.sort_by_key(|(levels, _)| std::cmp::Reverse(*levels));
    match axes.as_slice() {
        [(levels @ 2.., axis), rest @ ..] if rest.iter().all(|(other, _)| other < levels) => {
            Some((*axis).to_owned())
        }
        _ => None,
    }
}

/// What an axis is called: `size`, `file size`, `records`, `threads`.
pub fn axis_name(axis: &str) -> String {
    let words = |name: &str| name.replace('_', " ");
    if axis == "bytes" {
        "size".to_owned()
    } else if let Some(thing) = axis.strip_suffix("_bytes") {
        format!("{} size", words(thing))
    } else if let Some(thing) = axis.strip_suffix("_count") {
        format!("{}s", words(thing))
    } else {
        words(axis.strip_suffix("_ns").unwrap_or(axis))
    }
}

/// A value on an axis with its unit, without the axis's name: `64 KiB`, `1.5 us`, `400000`.
pub fn axis_value(axis: &str, value: u64) -> String {
    if axis == "bytes" || axis.ends_with("_bytes") {
        format_bytes(value)
    } else if axis.ends_with("_ns") {
        format_ns(value as f64)
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse_levels(text).expect_err(text).to_string()
    }

    #[test]
    fn a_range_doubles_up_to_its_end_which_belongs_to_it() {
        assert_eq!(parse_levels("4K..64K"), Ok(vec![4096, 8192, 16384, 32768, 65536]));
        assert_eq!(parse_levels("4K..1GiB").map(|levels| levels.len()), Ok(19));
        assert_eq!(parse_levels("1..5"), Ok(vec![1, 2, 4, 5]));
        assert_eq!(parse_levels("64K"), Ok(vec![65536]));
    }

    #[test]
    fn a_range_may_name_another_factor_or_a_step() {
        assert_eq!(parse_levels("1K..64Kx4"), Ok(vec![1024, 4096, 16384, 65536]));
        assert_eq!(parse_levels("1K..4K+1K"), Ok(vec![1024, 2048, 3072, 4096]));
        assert_eq!(parse_levels("0..1000+400"), Ok(vec![0, 400, 800, 1000]));
        assert_eq!(parse_levels("1..18446744073709551615x4294967296").map(|levels| levels.len()), Ok(3));
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
            assert!(refused(text).contains(part), "{text}: {}", refused(text));
        }
    }

    #[test]
    fn workloads_that_differ_in_one_number_have_it_as_their_axis() {
        let sized = |bytes: u64| Workload::of_bytes(format!("{bytes}B"), bytes);
        let axis = |workloads: &[Workload]| axis_of(&workloads.iter().collect::<Vec<_>>());
        assert_eq!(axis(&[sized(1), sized(2), sized(4)]).as_deref(), Some("bytes"));
        assert_eq!(axis(&[sized(1), sized(1)]), None);
        assert_eq!(axis(&[sized(1)]), None);
        let sorted =
            |records: u64, key: u64| sized(64 * records).with("records", records).with("key_bytes", key);
        assert_eq!(axis(&[sorted(1, 8), sorted(2, 8)]).as_deref(), Some("records"));
        let crossed = [sorted(1, 8), sorted(2, 8), sorted(4, 8), sorted(1, 10), sorted(2, 10), sorted(4, 10)];
        assert_eq!(axis(&crossed).as_deref(), Some("records"), "the axis with most levels");
        assert_eq!(axis(&[sorted(1, 8), sorted(2, 8), sorted(1, 10), sorted(2, 10)]), None, "neither");
        let shaped = |kind: &str, bytes: u64| sized(bytes).with("kind", kind);
        assert_eq!(axis(&[shaped("one", 1), shaped("tree", 2)]), None);
    }

    #[test]
    fn an_axis_and_its_values_are_told_in_words() {
        for (axis, name, value) in [
            ("bytes", "size", "64 KiB"),
            ("file_bytes", "file size", "64 KiB"),
            ("records", "records", "65536"),
            ("file_count", "files", "65536"),
            ("pause_ns", "pause", "65.5 us"),
        ] {
            assert_eq!((axis_name(axis).as_str(), axis_value(axis, 65_536).as_str()), (name, value));
        }
    }
}
