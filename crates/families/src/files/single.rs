//! Families that make one output file from one input file.

use std::io;
use std::path::{Path, PathBuf};

use model::Workload;

use super::{invalid, remove_if_there};
use crate::contract::Placeholder;

/// Room for the folder itself and for what a file system adds to a file.
const SLACK_BYTES: u64 = 1 << 20;

/// Returns the scratch space where inputs and outputs together are this many times the input.
pub(crate) fn scratch_bytes(workload: &Workload, times: u64) -> u64 {
    workload.bytes().unwrap_or(0).saturating_mul(times).saturating_add(SLACK_BYTES)
}

pub(crate) fn input_bytes(family: &str, workload: &Workload) -> io::Result<u64> {
    workload.bytes().ok_or_else(|| {
        invalid(format!("the workload '{}' of the {family} family has no size in bytes", workload.name))
    })
}

/// Returns the path of the input, which holds the size: the inputs of several workloads may lie side by side.
pub(crate) fn input(family: &str, workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    Ok(scratch.join(format!("{family}-{}.input", input_bytes(family, workload)?)))
}

pub(crate) fn output(family: &str, scratch: &Path) -> PathBuf {
    scratch.join(format!("{family}.output"))
}

/// Returns the inputs: one, or none where the workload has no size.
pub(crate) fn inputs(family: &str, workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
    input(family, workload, scratch).into_iter().collect()
}

pub(crate) fn clear(family: &str, scratch: &Path) -> io::Result<()> {
    remove_if_there(&output(family, scratch))
}

pub(crate) fn placeholders(family: &str, workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
    let input = inputs(family, workload, scratch).into_iter().map(|path| ("input", path));
    let output = ("output", output(family, scratch));
    input.chain([output]).map(|(name, path)| Placeholder::required(name, path)).collect()
}
