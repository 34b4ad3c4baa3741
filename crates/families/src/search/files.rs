//! The files of the family: what is searched, and where the matching lines go.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{Proof, Workload};

use super::generate::generate as generate_files;
use super::inputs::Place;
use super::pattern::Pattern;
use super::proof::{Demand, proof_of_answer};
use super::{inputs, pattern, workload};
use crate::contract::{Files, Placeholder};
use crate::files::{at, made_anew, remove_if_there};

const FILE_SLACK_BYTES: u64 = 8 << 10;
const SLACK_BYTES: u64 = 1 << 20;

pub(super) const FILES: Files = Files {
    of_bytes: Some(workload::of_bytes),
    of_input: Some(inputs::workload_of),
    scratch_bytes,
    generate,
    inputs,
    clear: |_workload, scratch| remove_if_there(&answer_in(scratch)),
    inspect,
    placeholders,
    answer_file: |scratch| Some(answer_in(scratch)),
    // Programs of this kind end with 1 when no line matches.
    accepts_exit: |code| matches!(code, 0 | 1),
    ..Files::NONE
};

/// Returns the space of inputs and answer: at worst every line matches, with a name in front about as long.
fn scratch_bytes(workload: &Workload) -> u64 {
    let files = workload::files_of(workload).saturating_mul(FILE_SLACK_BYTES);
    let bytes = workload.bytes().unwrap_or(0).saturating_mul(3);
    bytes.saturating_add(files).saturating_add(SLACK_BYTES)
}

fn generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
    let (list, pattern) = (pattern_file_in(scratch), Pattern::of(workload)?);
    let lines = pattern.alternatives() + "\n";
    made_anew(&list)?.write_all(lines.as_bytes()).map_err(at("write", &list))?;
    generate_files(workload, &Place::of(workload, scratch), seed)
}

fn inputs(workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
    let listed = Place::of(workload, scratch).listed();
    listed.unwrap_or_default().into_iter().map(|file| file.path).collect()
}

fn inspect(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    proof_of_answer(&answer_in(scratch), &Place::of(workload, scratch), Demand::AnyOrder)
}

/// Returns `{files}`, their folder `{input}`, and `{pattern_file}` with an alternative a line: not every program takes several.
fn placeholders(workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
    let files = inputs(workload, scratch).into_iter().map(PathBuf::into_os_string).collect();
    let pattern = workload.word(pattern::PATTERN).unwrap_or_default();
    let is_one = !pattern.contains('\n');
    vec![
        Placeholder::optional("files", files),
        Placeholder::optional("input", vec![Place::of(workload, scratch).folder.into()]),
        Placeholder { name: "pattern".into(), values: vec![pattern.into()], required: is_one },
        Placeholder::optional("pattern_file", vec![pattern_file_in(scratch).into()]),
    ]
}

pub(super) fn answer_in(scratch: &Path) -> PathBuf {
    scratch.join("search.output")
}

fn pattern_file_in(scratch: &Path) -> PathBuf {
    scratch.join("search.patterns")
}
