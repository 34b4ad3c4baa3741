//! The files of the family: what is copied, and where to.

use std::fs::File;
use std::io;
use std::path::Path;

use model::{Preset, Workload};

use crate::contract::Files;
use crate::files::{at, copy_in, proof_of, single, workload_of_one};
use crate::records::write_record_bytes;

/// 400,000 records of 64 bytes.
const PUBLISHED_BYTES: u64 = 25_600_000;
const LARGE_BYTES: u64 = 1 << 30;

pub(super) const FILES: Files = Files {
    of_bytes: Some(Workload::of_size),
    of_input: Some(|files| workload_of_one("copy", files)),
    scratch_bytes: |workload| single::scratch_bytes(workload, 2),
    generate,
    inputs: |workload, scratch| single::inputs("copy", workload, scratch),
    clear: |_workload, scratch| single::clear("copy", scratch),
    inspect: |_workload, scratch| proof_of(&single::output("copy", scratch)),
    placeholders: |workload, scratch| single::placeholders("copy", workload, scratch),
    ..Files::NONE
};

pub(super) fn workloads(preset: Preset) -> Vec<Workload> {
    vec![match preset {
        Preset::Quick | Preset::Published => Workload::of_bytes("published", PUBLISHED_BYTES),
        Preset::Large => Workload::of_bytes("large", LARGE_BYTES),
    }]
}

fn generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
    let (path, bytes) = (single::input("copy", workload, scratch)?, single::input_bytes("copy", workload)?);
    if let Some(original) = workload.files.first() {
        return copy_in(original, &path, bytes);
    }
    let mut file = File::create(&path).map_err(at("create", &path))?;
    write_record_bytes(&mut file, bytes, seed).map_err(at("write", &path))
}
