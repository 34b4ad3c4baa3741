//! What a process has left in the place of its output, before it is proven.

use std::fs;
use std::path::{Path, PathBuf};

use families::Proving;
use model::FailureKind;
use sys::extents;

use crate::files::preparation;
use crate::task::Task;

/// What an output may be longer than all that its family needs.
const OUTPUT_SLACK_BYTES: u64 = 16 << 20;

/// This many entries more than a right folder has are still listed: what is wrong with them, the proof tells better.
const MORE_ENTRIES: usize = 1_000;

/// What a process has written, by the time it ended: its output, or the inputs where the work is done on them.
pub(crate) fn results(task: &Task) -> Vec<PathBuf> {
    match preparation::output(task) {
        Some(path) => vec![path],
        None if task.family.job().is_some() => Vec::new(),
        None => task.family.inputs(&task.workload, &task.folder),
    }
}

/// Whether what the contest leaves shares extents with something: then it is no copy of bytes.
pub(crate) fn shares_extents(task: &Task) -> bool {
    outputs(task).iter().any(|path| extents::shared(path).is_ok_and(|shared| shared == Some(true)))
}

/// A failure when the output is no regular file (or a folder of them, where it is to be one), or one that is longer than any right one. Decided before it is opened: a
/// pipe would be waited for without end, and a file that is mostly a hole may take days to read.
pub(crate) fn irregular_output(task: &Task) -> Option<(FailureKind, String)> {
    if task.family.job().is_some() {
        return irregular_output_of_job(task);
    }
    let most_bytes = task.family.scratch_bytes(&task.workload).saturating_add(OUTPUT_SLACK_BYTES);
    let Some(path) = preparation::output(task) else {
        // The work is done on the inputs themselves.
        return results(task).iter().find_map(|path| irregular_file(path, most_bytes));
    };
    match task.family.output_is_folder(&task.workload) {
        false => irregular_file(&path, most_bytes),
        true if !path.symlink_metadata().ok()?.is_dir() => {
            Some((FailureKind::Wrong, "left no folder in the place of its output".to_owned()))
        }
        true => irregular_folder(task, &path, most_bytes),
    }
}

/// A right folder has an entry for each input. One that has many more is not listed to its end, which may take for ever.
fn irregular_folder(task: &Task, path: &Path, most_bytes: u64) -> Option<(FailureKind, String)> {
    let right = task.family.inputs(&task.workload, &task.folder).len();
    let entries = entries_of(path, right + MORE_ENTRIES);
    if entries.len() == right + MORE_ENTRIES {
        let reason = format!(
            "left at least {} entries in the folder of its output, in place of {right}",
            entries.len()
        );
        return Some((FailureKind::Wrong, reason));
    }
    entries.iter().find_map(|entry| irregular_file(entry, most_bytes))
}

fn irregular_file(path: &Path, most_bytes: u64) -> Option<(FailureKind, String)> {
    let seen = path.symlink_metadata().ok()?;
    if seen.is_file() && seen.len() > most_bytes {
        let reason = format!("left {} bytes, and no right result has more than {most_bytes}", seen.len());
        return Some((FailureKind::Wrong, reason));
    }
    let what = match seen.file_type() {
        seen if seen.is_file() => return None,
        seen if seen.is_symlink() => "a link",
        seen if seen.is_dir() => "a folder",
        _ => "a pipe, socket or device",
    };
    Some((FailureKind::Wrong, format!("left {what} in place of a file of its own")))
}

/// A failure when the output is only another name of bytes that were there before.
pub(crate) fn is_link(task: &Task) -> Option<(FailureKind, String)> {
    if task.family.job().is_some_and(|job| !job.looks_at_the_output()) {
        return None;
    }
    let linked = outputs(task).iter().any(|path| extents::is_linked(path).unwrap_or(false));
    linked.then(|| (FailureKind::Wrong, "left a link in place of a file of its own".to_owned()))
}

/// The files that a trial leaves: one, none, or those of a folder.
fn outputs(task: &Task) -> Vec<PathBuf> {
    match output(task) {
        // Those of a longer one are a failure before.
        Some(folder) if task.family.output_is_folder(&task.workload) => {
            let right = task.family.inputs(&task.workload, &task.folder).len();
            entries_of(&folder, right + MORE_ENTRIES)
        }
        output => output.into_iter().collect(),
    }
}

/// What lies in a folder, this many entries at most. One that cannot be read is told by the process that looks at the result.
fn entries_of(folder: &Path, most: usize) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().take(most).map(|entry| entry.path()).collect()
}

/// The file or folder that a trial leaves, where it leaves one.
pub(crate) fn output(task: &Task) -> Option<PathBuf> {
    preparation::output(task).filter(|path| path.exists())
}

/// A failure where the bytes of the output are the proof, and it is no file. What else looks at it may look at a folder.
fn irregular_output_of_job(task: &Task) -> Option<(FailureKind, String)> {
    let job = task.family.job().filter(|job| job.proof == Proving::Output)?;
    let seen = preparation::output(task)?.symlink_metadata().ok()?;
    let sentence =
        "left no file in the place of its output; a command that prints what matters of it is a proof";
    (!seen.is_file())
        .then(|| (FailureKind::Wrong, sentence.to_owned()))
        .filter(|_| !job.techniques.is_empty())
}
