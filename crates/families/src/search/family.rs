//! The family as the coordinator sees it.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use model::{Availability, Durability, Host, Preset, Proof, Setting, Trial, Workload};

use super::TECHNIQUES;
use super::expected::expected;
use super::generate::generate;
use super::inputs::Place;
use super::job::SearchJob;
use super::pattern::Pattern;
use super::proof::{Demand, proof_of_answer};
use super::{user_files, workload};
use crate::contract::{Axis, Body, Curve, Entry, Family, Placeholder, entries_of};
use crate::files::{at, remove_if_there};
use crate::lookup::technique_of;

/// Room that a file needs beside its bytes.
const FILE_SLACK_BYTES: u64 = 8 << 10;
/// Room for the folders.
const SLACK_BYTES: u64 = 1 << 20;

/// How do I find the lines with a pattern in many files?
pub struct Search;

impl Family for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn question(&self) -> &'static str {
        "How do I find the lines with a pattern in many files?"
    }

    fn entries(&self) -> Vec<Entry> {
        entries_of(TECHNIQUES)
    }

    /// The answer of the first search would make the second another piece of work.
    fn consumes_its_input(&self) -> bool {
        true
    }

    fn reference(&self) -> &'static str {
        super::REFERENCE
    }

    fn usual_bytes_per_second(&self) -> Option<u64> {
        Some(12_000_000_000)
    }

    fn workloads(&self, preset: Preset) -> Vec<Workload> {
        workload::of_preset(preset)
    }

    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        Some(workload::of_bytes(bytes))
    }

    fn workload_of_files(&self, files: &[PathBuf]) -> Result<Workload, String> {
        user_files::workload_of(files)
    }

    fn axes(&self) -> &'static [Axis] {
        workload::AXES
    }

    fn curve(&self) -> Option<&'static Curve> {
        Some(&workload::CURVE)
    }

    fn set(&self, workload: &mut Workload, axis: &str, value: &str) -> Result<(), String> {
        workload::set(workload, axis, value)
    }

    /// In the worst case every line matches; then the names in front of the lines are about as long as the lines.
    fn scratch_bytes(&self, workload: &Workload) -> u64 {
        let files = workload::files_of(workload).saturating_mul(FILE_SLACK_BYTES);
        let bytes = workload.bytes().unwrap_or(0).saturating_mul(3);
        bytes.saturating_add(files).saturating_add(SLACK_BYTES)
    }

    fn generate(&self, workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
        let (list, pattern) = (pattern_file_in(scratch), Pattern::of(workload)?);
        fs::write(&list, pattern.alternatives() + "\n").map_err(at("write", &list))?;
        generate(workload, &Place::of(workload, scratch), seed)
    }

    fn inputs(&self, workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
        let listed = Place::of(workload, scratch).listed();
        listed.unwrap_or_default().into_iter().map(|file| file.path).collect()
    }

    fn expected(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        expected(&Place::of(workload, scratch), &Pattern::of(workload)?)
    }

    fn clear(&self, _workload: &Workload, scratch: &Path) -> io::Result<()> {
        remove_if_there(&answer_in(scratch))
    }

    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        proof_of_answer(&answer_in(scratch), &Place::of(workload, scratch), Demand::AnyOrder)
    }

    /// `{files}` are all files in their order, `{input}` is the folder that holds them, `{pattern_file}` holds the
    /// alternatives of a pattern on lines of their own: not every program takes several in one word.
    fn placeholders(&self, workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        let files = self.inputs(workload, scratch).into_iter().map(PathBuf::into_os_string).collect();
        let pattern = workload.text(workload::PATTERN).unwrap_or_default();
        let is_one = !pattern.contains('\n');
        vec![
            Placeholder::optional("files", files),
            Placeholder::optional("input", vec![Place::of(workload, scratch).folder.into()]),
            Placeholder { name: "pattern", values: vec![pattern.into()], required: is_one },
            Placeholder::optional("pattern_file", vec![pattern_file_in(scratch).into()]),
        ]
    }

    fn answer_file(&self, scratch: &Path) -> Option<PathBuf> {
        Some(answer_in(scratch))
    }

    /// Programs of this kind end with 1 when no line matches.
    fn accepts_exit(&self, code: i32) -> bool {
        matches!(code, 0 | 1)
    }

    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability {
        match technique_of(self.name(), TECHNIQUES, entry) {
            Ok((technique, _)) => (technique.probe)(host, setting),
            Err(refused) => Availability::Missing(refused.to_string()),
        }
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (technique, parameter) = technique_of(self.name(), TECHNIQUES, &trial.technique)?;
        let job = SearchJob {
            place: Place::of(&trial.workload, &trial.scratch),
            answer: answer_in(&trial.scratch),
            bytes: trial.workload.bytes().unwrap_or(u64::MAX),
            pattern: Pattern::of(&trial.workload)?,
            durable: trial.setting.durability == Durability::Durable,
            parameter,
            processors: NonZero::new(trial.setting.processors.len()),
        };
        let mut prepared = (technique.prepare)(&job)?;
        body(&mut *prepared)
    }
}

fn answer_in(scratch: &Path) -> PathBuf {
    scratch.join("search.output")
}

fn pattern_file_in(scratch: &Path) -> PathBuf {
    scratch.join("search.patterns")
}
