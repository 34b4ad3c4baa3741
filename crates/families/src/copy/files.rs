//! The files of the family: what is copied, and where to.

use std::io;
use std::path::{Path, PathBuf};

use model::{Proof, Workload};

use super::workload::{file_bytes, file_count};
use crate::contract::{Files, Placeholder};
use crate::files::{at, copy_in, made_anew, make_empty, proof_of, proof_of_folder, single, workload_of_one};
use crate::records::write_record_bytes;

/// Room that one of many files needs next to its bytes: the rest of its last block, its entry and its inode.
const FILE_SLACK_BYTES: u64 = 8 << 10;

pub(super) const FILES: Files = Files {
    of_bytes: Some(Workload::of_size),
    of_input: Some(|files| workload_of_one("copy", files)),
    scratch_bytes,
    taken_bytes: |workload| workload.bytes().unwrap_or(0),
    generate,
    inputs,
    clear: |_workload, scratch| single::clear("copy", scratch),
    inspect,
    output_is_folder: |workload| file_count(workload).is_some(),
    placeholders,
    ..Files::NONE
};

/// Returns the path of the file, or of the folder of many. It holds the sizes: inputs of several workloads may lie side by side.
pub(super) fn source_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    match file_count(workload) {
        Some(files) => Ok(scratch.join(format!("copy-{files}x{}.input", file_bytes(workload)))),
        None => single::input("copy", workload, scratch),
    }
}

pub(super) fn names_in_folder(files: u64) -> impl Iterator<Item = String> {
    let digits = files.to_string().len();
    (1..=files).map(move |nth| format!("file-{nth:0digits$}"))
}

pub(super) fn expected(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    proof_of_what_lies_at(&source_of(workload, scratch)?, workload)
}

/// Returns the placeholders. A command is given the folder as a whole, as `cp -r` takes it.
fn placeholders(workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
    let source = source_of(workload, scratch).into_iter().map(|path| Placeholder::required("input", path));
    source.chain([Placeholder::required("output", single::output("copy", scratch))]).collect()
}

fn inspect(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    proof_of_what_lies_at(&single::output("copy", scratch), workload)
}

fn proof_of_what_lies_at(path: &Path, workload: &Workload) -> io::Result<Proof> {
    if file_count(workload).is_some() { proof_of_folder(path) } else { proof_of(path) }
}

fn scratch_bytes(workload: &Workload) -> u64 {
    let slack = file_count(workload).unwrap_or(0).saturating_mul(2 * FILE_SLACK_BYTES);
    single::scratch_bytes(workload, 2).saturating_add(slack)
}

fn inputs(workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
    let Ok(source) = source_of(workload, scratch) else { return Vec::new() };
    match file_count(workload) {
        Some(files) => names_in_folder(files).map(|name| source.join(name)).collect(),
        None => vec![source],
    }
}

fn generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
    let source = source_of(workload, scratch)?;
    let Some(files) = file_count(workload) else {
        let bytes = single::input_bytes("copy", workload)?;
        return match workload.files.first() {
            Some(original) => copy_in(original, &source, bytes),
            None => write_records(&source, bytes, seed),
        };
    };
    make_empty(&source)?;
    // No two files are alike: one that is copied to the name of another is reported.
    let seeds = (0..files).map(|nth| seed.wrapping_add(nth));
    names_in_folder(files)
        .zip(seeds)
        .try_for_each(|(name, seed)| write_records(&source.join(name), file_bytes(workload), seed))
}

fn write_records(path: &Path, bytes: u64, seed: u64) -> io::Result<()> {
    let mut file = made_anew(path)?;
    write_record_bytes(&mut file, bytes, seed).map_err(at("write", path))
}
