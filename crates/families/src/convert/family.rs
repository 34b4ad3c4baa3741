//! The family as the coordinator sees it.

use std::fs::File;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use model::{
    Availability, Durability, Host, Preset, Proof, Setting, Trial, Workload, format_bytes, parse_bytes,
};

use super::TECHNIQUES;
use super::job::ConvertJob;
use super::plain::{copy_of_ascii, proof_of_converted, refuse_other_than_ascii};
use crate::contract::{Body, Entry, Family, Placeholder, entries_of};
use crate::files::{at, proof_of, remove_if_there, workload_of_one};
use crate::lookup::technique_of;
use crate::records::write_record_bytes;

/// 200,000 records of 64 bytes; the output is twice as long.
const PUBLISHED_BYTES: u64 = 12_800_000;
const LARGE_BYTES: u64 = 512 << 20;
/// Room for the folder itself and for what a file system adds to a file.
const SLACK_BYTES: u64 = 1 << 20;

/// How do I convert a file from ASCII to UTF-16LE?
pub struct Convert;

impl Family for Convert {
    fn name(&self) -> &'static str {
        "convert"
    }

    fn question(&self) -> &'static str {
        "How do I convert a file from ASCII to UTF-16LE?"
    }

    fn entries(&self) -> Vec<Entry> {
        entries_of(TECHNIQUES)
    }

    /// The output of the first conversion would make the second another piece of work.
    fn consumes_its_input(&self) -> bool {
        true
    }

    fn reference(&self) -> &'static str {
        super::REFERENCE
    }

    fn usual_bytes_per_second(&self) -> Option<u64> {
        Some(4_000_000_000)
    }

    fn workloads(&self, preset: Preset) -> Vec<Workload> {
        vec![match preset {
            Preset::Quick | Preset::Published => Workload::of_bytes("published", PUBLISHED_BYTES),
            Preset::Large => Workload::of_bytes("large", LARGE_BYTES),
        }]
    }

    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        let short = format_bytes(bytes).replace(' ', "");
        let exact = parse_bytes(&short) == Ok(bytes);
        Some(Workload::of_bytes(if exact { short } else { format!("{bytes}B") }, bytes))
    }

    fn workload_of_files(&self, files: &[PathBuf]) -> Result<Workload, String> {
        let workload = workload_of_one(self.name(), files)?;
        files
            .iter()
            .try_for_each(|file| refuse_other_than_ascii(file))
            .map_err(|refused| refused.to_string())?;
        Ok(workload)
    }

    fn scratch_bytes(&self, workload: &Workload) -> u64 {
        workload.bytes().unwrap_or(0).saturating_mul(3).saturating_add(SLACK_BYTES)
    }

    fn generate(&self, workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
        let path = source_of(workload, scratch)?;
        if let Some(original) = workload.files.first() {
            return copy_of_ascii(original, &path, bytes_of(workload)?);
        }
        let mut file = File::create(&path).map_err(at("create", &path))?;
        write_record_bytes(&mut file, bytes_of(workload)?, seed).map_err(at("write", &path))
    }

    fn inputs(&self, workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
        source_of(workload, scratch).into_iter().collect()
    }

    fn expected(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        proof_of_converted(&source_of(workload, scratch)?)
    }

    fn clear(&self, _workload: &Workload, scratch: &Path) -> io::Result<()> {
        remove_if_there(&destination_in(scratch))
    }

    fn inspect(&self, _workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        proof_of(&destination_in(scratch))
    }

    fn placeholders(&self, workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        let input = source_of(workload, scratch).into_iter().map(|path| ("input", path));
        let output = ("output", destination_in(scratch));
        input.chain([output]).map(|(name, path)| Placeholder::required(name, path)).collect()
    }

    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability {
        match technique_of(self.name(), TECHNIQUES, entry) {
            Ok((technique, _)) => (technique.probe)(host, setting),
            Err(refused) => Availability::Missing(refused.to_string()),
        }
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (technique, parameter) = technique_of(self.name(), TECHNIQUES, &trial.technique)?;
        let job = ConvertJob {
            source: source_of(&trial.workload, &trial.scratch)?,
            destination: destination_in(&trial.scratch),
            bytes: bytes_of(&trial.workload)?,
            durable: trial.setting.durability == Durability::Durable,
            parameter,
            processors: NonZero::new(trial.setting.processors.len()),
        };
        let mut prepared = (technique.prepare)(&job)?;
        body(&mut *prepared)
    }
}

fn bytes_of(workload: &Workload) -> io::Result<u64> {
    let sentence = || format!("the workload '{}' of the convert family has no size in bytes", workload.name);
    workload.bytes().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, sentence()))
}

/// The size stands in the name: the inputs of several workloads may lie side by side.
fn source_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    Ok(scratch.join(format!("convert-{}.input", bytes_of(workload)?)))
}

fn destination_in(scratch: &Path) -> PathBuf {
    scratch.join("convert.output")
}
