//! The files of the family: what is converted, and where to.

use std::io;
use std::path::{Path, PathBuf};

use model::{Preset, Workload};

use super::plain::{copy_of_ascii, refuse_other_than_ascii};
use crate::contract::Files;
use crate::files::{at, made_anew, proof_of, single, workload_of_one};
use crate::records::write_record_bytes;

/// 200,000 records of 64 bytes; the output is twice as long.
const PUBLISHED_BYTES: u64 = 12_800_000;
const LARGE_BYTES: u64 = 512 << 20;

pub(super) const FILES: Files = Files {
    of_bytes: Some(Workload::of_size),
    of_input: Some(of_input),
    scratch_bytes: |workload| single::scratch_bytes(workload, 3),
    taken_bytes: |workload| workload.bytes().unwrap_or(0).saturating_mul(2),
    generate,
    inputs: |workload, scratch| single::inputs("convert", workload, scratch),
    clear: |_workload, scratch| single::clear("convert", scratch),
    inspect: |_workload, scratch| proof_of(&single::output("convert", scratch)),
    placeholders: |workload, scratch| single::placeholders("convert", workload, scratch),
    ..Files::NONE
};

pub(super) fn workloads(preset: Preset) -> Vec<Workload> {
    vec![match preset {
        Preset::Quick | Preset::Published => Workload::of_bytes("published", PUBLISHED_BYTES),
        Preset::Large => Workload::of_bytes("large", LARGE_BYTES),
    }]
}

fn of_input(files: &[PathBuf]) -> Result<Workload, String> {
    let workload = workload_of_one("convert", files)?;
    files.iter().try_for_each(|file| refuse_other_than_ascii(file)).map_err(|refused| refused.to_string())?;
    Ok(workload)
}

fn generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
    let (path, bytes) =
        (single::input("convert", workload, scratch)?, single::input_bytes("convert", workload)?);
    if let Some(original) = workload.files.first() {
        return copy_of_ascii(original, &path, bytes);
    }
    let mut file = made_anew(&path)?;
    write_record_bytes(&mut file, bytes, seed).map_err(at("write", &path))
}
