//! The family as the coordinator sees it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use model::{Availability, Cache, Durability, Host, Preset, Proof, Setting, Trial, Workload};

use super::TECHNIQUES;
use super::generate::write_input;
use super::job::SortJob;
use super::proof::{proof_of_records, proof_once_sorted};
use super::workload::{self, AXES, Shape};
use crate::contract::{Axis, Body, Entry, Family, Placeholder, entries_of};
use crate::files::{at, copy_in, make_empty, remove_if_there, workload_of_one};
use crate::lookup::technique_of;

/// Room for the folder itself and for what a file system adds to a file.
const SLACK_BYTES: u64 = 1 << 20;

/// How do I sort a file of records?
pub struct Sort;

impl Family for Sort {
    fn name(&self) -> &'static str {
        "sort"
    }

    fn question(&self) -> &'static str {
        "How do I sort a file of records?"
    }

    fn entries(&self) -> Vec<Entry> {
        entries_of(TECHNIQUES)
    }

    /// The output of the first repetition would make the second another piece of work.
    fn consumes_its_input(&self) -> bool {
        true
    }

    fn reference(&self) -> &'static str {
        super::REFERENCE
    }

    fn usual_bytes_per_second(&self) -> Option<u64> {
        Some(1_000_000_000)
    }

    fn workloads(&self, preset: Preset) -> Vec<Workload> {
        workload::of_preset(preset)
    }

    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        Some(workload::of_bytes(bytes))
    }

    /// Whether the length is one of whole records is seen when the records' length is known for sure: it may yet be set.
    fn workload_of_files(&self, files: &[PathBuf]) -> Result<Workload, String> {
        workload_of_one(self.name(), files).map(workload::complete)
    }

    fn axes(&self) -> &'static [Axis] {
        AXES
    }

    fn set(&self, workload: &mut Workload, axis: &str, value: &str) -> Result<(), String> {
        workload::set(workload, axis, value)
    }

    /// The length of a file must fit to the length of the records, which may be set after the file was named.
    fn check(&self, workload: &Workload) -> Result<(), String> {
        let shape = Shape::of(workload).map_err(|refused| refused.to_string())?;
        let named = workload.files.first().map_or(Path::new("--size"), PathBuf::as_path);
        shape.records(named).map(drop).map_err(|refused| refused.to_string())
    }

    /// The input, the output, sorted runs as large as both, and an index that an earlier run left.
    fn scratch_bytes(&self, workload: &Workload) -> u64 {
        workload.bytes().unwrap_or(0).saturating_mul(4).saturating_add(SLACK_BYTES)
    }

    fn generate(&self, workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
        let shape = Shape::of(workload)?;
        let path = input_of(workload, scratch)?;
        remove_if_there(&index_of(workload, scratch)?)?;
        if let Some(original) = workload.files.first() {
            shape.records(original)?;
            return copy_in(original, &path, shape.bytes);
        }
        let records = shape.records(Path::new("--size"))?;
        let mut writer = BufWriter::new(File::create(&path).map_err(at("create", &path))?);
        write_input(&mut writer, shape.layout, shape.order, records, seed)
            .and_then(|()| writer.flush())
            .map_err(at("write", &path))
    }

    /// The input, and the index of an earlier run where one is kept. Every technique reads the input where it stands
    /// and leaves it as it is: a technique that sorts in place makes a copy first, inside the clock.
    fn inputs(&self, workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
        let index = index_of(workload, scratch).into_iter().filter(|path| path.exists());
        input_of(workload, scratch).into_iter().chain(index).collect()
    }

    fn expected(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        proof_once_sorted(&input_of(workload, scratch)?, Shape::of(workload)?.layout)
    }

    fn clear(&self, _workload: &Workload, scratch: &Path) -> io::Result<()> {
        [OUTPUT, INDEX, RUNS].iter().try_for_each(|name| remove_if_there(&scratch.join(name)))?;
        make_empty(&scratch.join(TEMPORARY))
    }

    /// # Errors
    /// The output is missing or unreadable, or writing was suppressed.
    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        let shape = Shape::of(workload)?;
        if !shape.written {
            let sentence = "with output=suppressed the sorted records are in the memory of a process that has ended; \
                            measure the work inside of it, or leave output=suppressed out";
            return Err(io::Error::new(io::ErrorKind::Unsupported, sentence));
        }
        proof_of_records(&scratch.join(OUTPUT), shape.layout)
    }

    fn placeholders(&self, workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        let input = input_of(workload, scratch).into_iter().map(|path| Placeholder::required("input", path));
        input
            .chain([
                Placeholder::required("output", scratch.join(OUTPUT)),
                Placeholder::optional("scratch", vec![scratch.join(TEMPORARY).into()]),
            ])
            .collect()
    }

    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability {
        match technique_of(self.name(), TECHNIQUES, entry) {
            Ok((technique, _)) => (technique.probe)(host, setting),
            Err(refused) => Availability::Missing(refused.to_string()),
        }
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (technique, parameter) = technique_of(self.name(), TECHNIQUES, &trial.technique)?;
        let shape = Shape::of(&trial.workload)?;
        let job = SortJob {
            input: input_of(&trial.workload, &trial.scratch)?,
            output: trial.scratch.join(OUTPUT),
            index: trial.scratch.join(INDEX),
            kept_index: index_of(&trial.workload, &trial.scratch)?,
            runs: trial.scratch.join(RUNS),
            layout: shape.layout,
            bytes: shape.bytes,
            written: shape.written,
            durable: trial.setting.durability == Durability::Durable,
            cold: trial.setting.cache == Cache::Cold,
            parameter,
            processors: NonZero::new(trial.setting.processors.len()),
            memory_limit_bytes: trial.setting.memory_limit_bytes,
        };
        let mut prepared = (technique.prepare)(&job)?;
        body(&mut *prepared)
    }
}

/// The sorted records.
const OUTPUT: &str = "sort.output";
/// The index that a technique makes.
const INDEX: &str = "sort.index";
/// Sorted runs that wait to be merged.
const RUNS: &str = "sort.runs";
/// What a contender puts aside. One that is killed leaves it there, and it may be as large as the input.
const TEMPORARY: &str = "temporary";

/// What makes the input another one stands in the name: the inputs of several workloads may lie side by side.
fn input_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    Ok(scratch.join(format!("{}.input", stem_of(workload)?)))
}

/// The index that is kept from run to run.
fn index_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    Ok(scratch.join(format!("{}.index", stem_of(workload)?)))
}

fn stem_of(workload: &Workload) -> io::Result<String> {
    let shape = Shape::of(workload)?;
    let (record_bytes, key_bytes) = (shape.layout.record_bytes(), shape.layout.key_bytes());
    let order = if workload.files.is_empty() { workload.text("order").unwrap_or_default() } else { "own" };
    Ok(format!("sort-{}-{record_bytes}-{key_bytes}-{order}", shape.bytes))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_a_contender_put_aside_is_gone_before_the_next_begins() {
        let scratch = tempfile::tempdir().expect("scratch");
        let workload = Sort.workload_of_bytes(640).expect("the family has sizes");
        let mut places = Sort.placeholders(&workload, scratch.path()).into_iter();
        let aside =
            PathBuf::from(places.find(|place| place.name == "scratch").expect("offered").values.remove(0));
        assert_ne!(aside, scratch.path(), "the inputs stand there");
        for _ in 0..2 {
            Sort.clear(&workload, scratch.path()).expect("cleared");
            assert_eq!(fs::read_dir(&aside).expect("a folder").count(), 0);
            fs::write(aside.join("run"), "of records").expect("written");
            fs::create_dir(aside.join("more")).expect("made");
            fs::write(aside.join("more").join("run"), "of records").expect("written");
        }
    }
}
