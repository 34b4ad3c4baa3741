//! The workloads: how many files of which size, how often the pattern stands in them, and which pattern it is.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use model::{Axis, Preset, Value, Values, Workload, format_bytes};

use super::pattern::{PATTERN, Pattern, REGEX, is_yes};
use crate::contract::Curve;
use crate::parameters::{bytes, words};

pub(super) const FREQUENCY: &str = "frequency";
pub(super) const KIND: &str = "kind";
pub(super) const FILE_BYTES: &str = "file_bytes";
pub(super) const FILES: &str = "file_count";
const BYTES: &str = "bytes";

pub(super) const KIND_FILES: &str = "files";
pub(super) const KIND_ONE: &str = "one";
pub(super) const KIND_TREE: &str = "tree";
pub(super) const KIND_INPUT: &str = "input";

pub(super) const RARE: &str = "rare";
pub(super) const COMMON: &str = "common";
pub(super) const ABSENT: &str = "absent";

/// Searched for when the user names nothing else.
pub(super) const NEEDLE: &str = "needle";

const PUBLISHED_FILES: u64 = 20;
/// With 20 files the largest is a little over 1 MB, the smallest a few KB.
const PUBLISHED_BYTES: u64 = 7_500_000;
const ONE_BYTES: u64 = 1 << 30;
const TREE_BYTES: u64 = 100_000_000;
/// Mean size of a file in a tree.
const TREE_FILE_BYTES: u64 = 10_000;
/// Making the files of a larger tree would take many minutes.
const TREE_FILES_MOST: u64 = 1_000_000;
/// Files of the curve over sizes.
const EQUAL_FILES: u64 = 64;
const EQUAL_BYTES_MOST: u64 = 1 << 30;

/// The axes in the order in which they are applied: the size of files follows from their kind, patterns are read last.
pub(super) const AXES: &[Axis] = &[
    words(KIND, "20 files, one file, or a tree of many", &[KIND_TREE, KIND_FILES, KIND_ONE]),
    bytes(FILE_BYTES, "64 files of this size each", &[64 << 10]),
    words(FREQUENCY, "how often the pattern stands in the files", &[COMMON, RARE, ABSENT]),
    words(REGEX, "whether the pattern is a regular expression", &["yes", "no"]),
    Axis {
        name: PATTERN,
        meaning: "what is searched for; several alternatives stand on lines of their own",
        values: Values::Text(NEEDLE),
    },
];

/// The file size from which threads, and processes, are worth their start.
pub(super) const CURVE: Curve = Curve {
    along: FILE_BYTES,
    techniques: &[
        "sequential",
        "thread_pool",
        "thread_per_file",
        "process_per_processor",
        "process_per_file",
    ],
    levels: &["4K", "32K", "256K", "2M"],
};

pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    match preset {
        Preset::Quick | Preset::Published => vec![made("published", KIND_FILES, PUBLISHED_BYTES)],
        Preset::Large => vec![made("one", KIND_ONE, ONE_BYTES), made("tree", KIND_TREE, TREE_BYTES)],
    }
}

pub(super) fn of_bytes(bytes: u64) -> Workload {
    made(&Workload::of_size(bytes).name, KIND_FILES, bytes)
}

pub(super) fn of_input(name: &str, inputs: Vec<PathBuf>, files: u64, bytes: u64) -> Workload {
    let mut workload = made(name, KIND_INPUT, bytes).with(FILES, files);
    workload.point.0.remove(FREQUENCY);
    workload.files = inputs;
    workload
}

pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    (axis == FILE_BYTES).then_some(1..=EQUAL_BYTES_MOST)
}

pub(super) fn set(workload: &mut Workload, axis: &Axis, value: Value) -> Result<(), String> {
    let text = value.to_string();
    match axis.name {
        PATTERN => drop(Pattern::new(&text, is_yes(workload.word(REGEX)))?),
        REGEX => drop(Pattern::new(workload.word(PATTERN).unwrap_or(NEEDLE), text == "yes")?),
        axis if kind_of(workload) == KIND_INPUT => {
            return Err(format!("{axis} shapes files that are made; yours are taken as they are"));
        }
        _ => {}
    }
    match (axis.name, value) {
        (KIND, _) => set_kind(workload, &text),
        (FILE_BYTES, Value::Number(bytes)) => set_file_bytes(workload, bytes)?,
        (axis, value) => workload.point.set(axis, value),
    }
    Ok(())
}

pub(super) fn frequency_of(workload: &Workload) -> &str {
    workload.word(FREQUENCY).unwrap_or(RARE)
}

pub(super) fn kind_of(workload: &Workload) -> &str {
    workload.word(KIND).unwrap_or(KIND_FILES)
}

pub(super) fn files_of(workload: &Workload) -> u64 {
    workload.number(FILES).unwrap_or(PUBLISHED_FILES)
}

fn made(name: &str, kind: &str, bytes: u64) -> Workload {
    Workload::of_bytes(name, bytes)
        .with(FILES, default_files(kind, bytes))
        .with(KIND, kind)
        .with(FREQUENCY, RARE)
        .with(REGEX, "no")
        .with(PATTERN, NEEDLE)
}

fn default_files(kind: &str, bytes: u64) -> u64 {
    match kind {
        KIND_ONE => 1,
        KIND_TREE => (bytes / TREE_FILE_BYTES).clamp(1, TREE_FILES_MOST),
        _ => PUBLISHED_FILES,
    }
}

fn default_bytes(kind: &str) -> u64 {
    match kind {
        KIND_ONE => ONE_BYTES,
        KIND_TREE => TREE_BYTES,
        _ => PUBLISHED_BYTES,
    }
}

/// Sets the kind. A size that the user typed stays; one of the old kind gives way to that of the new one.
fn set_kind(workload: &mut Workload, kind: &str) {
    let bytes = workload.bytes().unwrap_or(0);
    let typed = workload.number(FILE_BYTES).is_none() && bytes != default_bytes(kind_of(workload));
    let bytes = if typed { bytes } else { default_bytes(kind) };
    workload.point.0.remove(FILE_BYTES);
    workload.point.set(BYTES, bytes);
    workload.point.set(FILES, default_files(kind, bytes));
    workload.point.set(KIND, kind);
}

fn set_file_bytes(workload: &mut Workload, bytes: u64) -> Result<(), String> {
    if kind_of(workload) != KIND_FILES {
        return Err(format!("{FILE_BYTES} is for {KIND}={KIND_FILES}, not for {KIND}={}", kind_of(workload)));
    }
    if range(FILE_BYTES).is_some_and(|range| !range.contains(&bytes)) {
        let most = format_bytes(EQUAL_BYTES_MOST);
        return Err(format!(
            "{FILE_BYTES} must be between 1 byte and {most}, not {bytes} bytes; for example 64K"
        ));
    }
    workload.point.set(FILE_BYTES, bytes);
    workload.point.set(FILES, EQUAL_FILES);
    workload.point.set(BYTES, bytes * EQUAL_FILES);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SEARCH;
    use crate::testing::{self, assert_set_refuses};

    fn changed(axes: &[(&str, &str)]) -> Workload {
        testing::changed(SEARCH, of_preset(Preset::Quick).remove(0), axes).expect("values")
    }

    #[test]
    fn the_kind_and_the_size_decide_how_many_files_there_are() {
        for (axes, files, bytes) in [
            (&[][..], 20, 7_500_000),
            (&[("kind", "one")][..], 1, 1 << 30),
            (&[("kind", "tree")][..], 10_000, 100_000_000),
            (&[("file_bytes", "16K")][..], 64, 64 << 14),
            (&[("file_bytes", "16K"), ("kind", "one")][..], 1, 1 << 30),
            (&[("kind", "one"), ("kind", "files")][..], 20, 7_500_000),
        ] {
            let workload = changed(axes);
            assert_eq!((files_of(&workload), workload.bytes()), (files, Some(bytes)), "{axes:?}");
        }
    }

    #[test]
    fn a_size_that_was_typed_outlives_another_kind() {
        let mut workload = of_bytes(30_000_000);
        assert_eq!(workload.name, "30MB");
        SEARCH.set(&mut workload, KIND, KIND_ONE).expect("a kind");
        assert_eq!((files_of(&workload), workload.bytes()), (1, Some(30_000_000)));
        SEARCH.set(&mut workload, KIND, KIND_TREE).expect("a kind");
        assert_eq!((files_of(&workload), workload.bytes()), (3_000, Some(30_000_000)));
        assert_eq!(of_bytes(1_234_567).name, "1234567B");
    }

    #[test]
    fn a_value_that_makes_no_sense_is_refused_in_a_sentence() {
        let cases = [
            ("kind=pile", "kind is one of tree, files, one, not 'pile'"),
            ("frequency=often", "for example frequency=common"),
            ("regex=maybe", "regex is one of yes, no"),
            ("file_bytes=0", "between 1 byte and"),
            ("file_bytes=many", "'many' is not a size"),
            ("pattern=", "pattern is empty"),
            ("colour=red", "no axis 'colour'; it has kind, file_bytes, frequency, regex, pattern"),
        ];
        assert_set_refuses(SEARCH, &changed(&[]), &cases);
        for (set, text, part) in [
            (("kind", "one"), "file_bytes=64K", "file_bytes is for kind=files"),
            (("pattern", "a(b"), "regex=yes", "at character 2"),
            (("regex", "yes"), "pattern=a(b", "at character 2"),
        ] {
            assert_set_refuses(SEARCH, &changed(&[set]), &[(text, part)]);
        }
    }

    #[test]
    fn files_of_the_user_are_not_shaped() {
        let mut workload = of_input("src", vec!["/user/src/".into()], 12, 3_456);
        for (axis, value) in [("kind", "one"), ("frequency", "common"), ("file_bytes", "1K")] {
            let sentence = SEARCH.set(&mut workload, axis, value).expect_err(axis);
            assert!(sentence.contains("yours are taken as they are"), "{sentence}");
        }
        SEARCH.set(&mut workload, "pattern", "fn ").expect("any pattern");
        assert_eq!((workload.word("pattern"), files_of(&workload)), (Some("fn "), 12));
    }
}
