//! The files of the family: the records, and where the sorted ones go.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use model::{Proof, Workload};

use super::generate::write_input;
use super::proof::proof_of_records;
use super::workload::{self, Shape};
use crate::contract::{Files, Placeholder};
use crate::files::{at, copy_in, made_anew, make_empty, remove_if_there, single, workload_of_one};

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

/// The input, and the index of an earlier run where one is kept. Every technique reads the input where it stands
/// and leaves it as it is: a technique that sorts in place makes a copy first, inside the clock.
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
        return Err(io::Error::new(io::ErrorKind::Unsupported, sentence));
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
/// Sorted runs that wait to be merged.
pub(super) const RUNS: &str = "sort.runs";
/// What a command puts aside. One that is killed leaves it there, and it may be as large as the input.
const TEMPORARY: &str = "temporary";

/// What makes the input another one stands in the name: the inputs of several workloads may lie side by side.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

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
}
