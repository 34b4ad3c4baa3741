//! Whether the disks have room for what a run writes.

use std::path::PathBuf;

use model::{Place, Volume, Workload};

use crate::plan::{PlanError, PlannedTask};

/// The scratch space that is needed in each directory, inputs and outputs together.
///
/// # Errors
/// A disk would not hold it.
pub(crate) fn needed_bytes(
    tasks: &[PlannedTask],
    volumes: &[Volume],
) -> Result<Vec<(PathBuf, u64)>, PlanError> {
    let mut needed: Vec<(PathBuf, u64)> = Vec::new();
    let mut seen: Vec<(&str, &Workload, &Place)> = Vec::new();
    for task in tasks {
        let Some(of) = task.setting.directory() else { continue };
        let key = (task.family.name(), &task.workload, &task.setting.place);
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let bytes = task.family.scratch_bytes(&task.workload);
        match needed.iter_mut().find(|(directory, _)| directory == of) {
            Some((_, sum)) => *sum += bytes,
            None => needed.push((of.to_owned(), bytes)),
        }
    }
    for (directory, bytes) in &needed {
        let volume = volumes.iter().find(|volume| volume.directory == *directory);
        // A full disk hurts more than this run: a twentieth of what is free stays free.
        let free = volume.and_then(|volume| volume.free_bytes);
        if let Some(free) = free.filter(|free| free - free / 20 < *bytes) {
            return Err(PlanError::Disk {
                directory: directory.display().to_string(),
                free: model::format_bytes(free),
                needed: model::format_bytes(*bytes),
            });
        }
    }
    Ok(needed)
}
