//! The workloads: one file, or a folder of many files of one size.

use std::ops::RangeInclusive;

use model::{Availability, Axis, Preset, Value, Workload, format_bytes};

use crate::parameters::{bytes, counts};

/// The axis: a folder of this many files.
const FILES: &str = "files";
const FILE_BYTES: &str = "file_bytes";
/// The number of files of a workload that has a folder of them.
const FILE_COUNT: &str = "file_count";
const BYTES: &str = "bytes";

/// 400,000 records of 64 bytes.
const PUBLISHED_BYTES: u64 = 25_600_000;
const LARGE_BYTES: u64 = 1 << 30;
const SMALL_FILES: u64 = 1_000;
const SMALL_BYTES: u64 = 10_000;
/// More in one folder would be a measurement of the folder.
const FILES_MOST: u64 = 100_000;
const ALL_BYTES_MOST: u64 = 1 << 40;

const PUBLISHED: &str = "published";
const LARGE: &str = "large";
const SMALL: &str = "small_files";

/// The axes in the order in which they are applied: a file has a size of its own only among others.
pub(super) const AXES: &[Axis] = &[
    counts(FILES, "a folder of this many files instead of one file", &[SMALL_FILES]),
    bytes(
        FILE_BYTES,
        "size of each file of the folder; all files together are at most 1 TiB",
        &[SMALL_BYTES],
    ),
];

pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    match preset {
        Preset::Quick | Preset::Published => vec![Workload::of_bytes(PUBLISHED, PUBLISHED_BYTES)],
        Preset::Large => vec![
            Workload::of_bytes(LARGE, LARGE_BYTES),
            many(Workload::of_bytes(SMALL, 0), SMALL_FILES, SMALL_BYTES),
        ],
    }
}

/// Returns the numbers that an axis takes. All files together have a limit too, which [`set`] sees.
pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    match axis {
        FILES => Some(1..=FILES_MOST),
        FILE_BYTES => Some(0..=ALL_BYTES_MOST),
        _ => None,
    }
}

/// Gives a workload another value on an axis. A size that the user typed becomes that of each file.
pub(super) fn set(workload: &mut Workload, axis: &Axis, value: Value) -> Result<(), String> {
    if !workload.files.is_empty() {
        return Err(format!("{} shapes files that are made; yours is taken as it is", axis.name));
    }
    let number = value.number().unwrap_or(0);
    let (files, bytes) = match (axis.name, file_count(workload)) {
        (FILES, _) => (number, file_bytes(workload)),
        (_, Some(files)) => (files, number),
        (_, None) => {
            return Err(format!("{FILE_BYTES} is for many files: add --set {FILES}={SMALL_FILES}"));
        }
    };
    if !(1..=FILES_MOST).contains(&files) {
        return Err(format!("{FILES} must be between 1 and {FILES_MOST}, not {files}; for example 1000"));
    }
    if files.saturating_mul(bytes) > ALL_BYTES_MOST {
        let most = format_bytes(ALL_BYTES_MOST);
        return Err(format!("{files} files of {} are more than {most}", format_bytes(bytes)));
    }
    *workload = many(std::mem::take(workload), files, bytes);
    Ok(())
}

fn many(workload: Workload, files: u64, bytes: u64) -> Workload {
    workload.with(FILE_COUNT, files).with(FILE_BYTES, bytes).with(BYTES, files * bytes)
}

/// Returns the number of files in the folder; `None` where one file is copied, which lies in no folder of its own.
pub(super) fn file_count(workload: &Workload) -> Option<u64> {
    workload.number(FILE_COUNT)
}

pub(super) fn file_bytes(workload: &Workload) -> u64 {
    let is_typed = ![PUBLISHED, LARGE].contains(&workload.name.as_str());
    let typed = workload.bytes().filter(|_| is_typed);
    workload.number(FILE_BYTES).or(typed).unwrap_or(SMALL_BYTES)
}

/// Leaves a technique out of folders; `reason` says what it would have to do with many files.
pub(super) fn one_file_only(workload: &Workload, reason: &str) -> Availability {
    match file_count(workload) {
        Some(_) => Availability::Missing(format!("for one large file: {reason}")),
        None => Availability::Ready,
    }
}

pub(super) fn many_files_only(workload: &Workload) -> Availability {
    match file_count(workload) {
        Some(_) => Availability::Ready,
        None => Availability::Missing(format!("for many files: --set {FILES}={SMALL_FILES} makes them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::COPY;
    use crate::testing::changed;

    fn published() -> Workload {
        COPY.workloads(Preset::Quick).remove(0)
    }

    #[test]
    fn any_number_of_files_of_any_size_can_be_asked_for() {
        let typed = COPY.workload_of_bytes(4_096).expect("the family has sizes");
        for (base, axes, files, bytes) in [
            (published(), &[("files", "1000")][..], 1_000, 10_000),
            (published(), &[("files", "3"), ("file_bytes", "1M")], 3, 1 << 20),
            (published(), &[("files", "7"), ("file_bytes", "0")], 7, 0),
            (typed, &[("files", "20")], 20, 4_096),
            (COPY.workloads(Preset::Large).remove(1), &[("files", "1")], 1, 10_000),
        ] {
            let workload = changed(COPY, base, axes).expect("a workload");
            assert_eq!((file_count(&workload), file_bytes(&workload)), (Some(files), bytes), "{axes:?}");
            assert_eq!(workload.bytes(), Some(files * bytes));
        }
        assert_eq!(file_count(&published()), None);
    }

    #[test]
    fn a_number_that_makes_no_sense_is_refused_in_a_sentence() {
        for (axes, part) in [
            (&[("files", "0")][..], "files must be between 1 and 100000, not 0"),
            (&[("files", "100001")], "not 100001; for example 1000"),
            (&[("files", "many")], "'many'"),
            (&[("file_bytes", "1K")], "add --set files=1000"),
            (&[("files", "100000"), ("file_bytes", "1GiB")], "are more than 1 TiB"),
        ] {
            let sentence = changed(COPY, published(), axes).expect_err(part);
            assert!(sentence.contains(part), "{axes:?}: {sentence}");
        }
        let input = Workload { files: vec!["/user/file".into()], ..Workload::of_bytes("file", 5) };
        let sentence = changed(COPY, input, &[("files", "2")]).expect_err("a file of the user");
        assert!(sentence.contains("yours is taken as it is"), "{sentence}");
    }

    #[test]
    fn every_technique_says_if_it_is_for_one_file_or_for_many() {
        let many = changed(COPY, published(), &[("files", "1000")]).expect("a workload");
        for entry in COPY.entries() {
            let mut refused = Vec::new();
            for (workload, part) in [(&published(), "for many files: "), (&many, "for one large file: ")] {
                if let Availability::Missing(sentence) = COPY.suits(&entry.name, workload) {
                    assert!(sentence.starts_with(part), "{}: {sentence}", entry.name);
                    refused.push(sentence);
                }
            }
            assert!(refused.len() < 2, "{}: {refused:?}", entry.name);
        }
    }
}
