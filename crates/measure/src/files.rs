//! The files of a task: absent, warm, cold or clean before a process starts, and what it has left.

use std::cell::LazyCell;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use families::Proving;
use model::{FailureKind, Residency, SampleNote};
use sys::file_state::FileState;
use sys::{extents, file_state, page_cache, private_folder, write_back};

use crate::error::Failed;
use crate::stop::patiently;
use crate::task::Task;

/// More dirty memory is written back before a sample begins: no technique pays for what another one left.
const DIRTY_LIMIT_BYTES: u64 = 64 << 20;

const MOST_READINGS: u32 = 3;

#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// Pages of the inputs in memory; `None` when the system cannot say.
    pub(crate) residency: Option<Residency>,
    /// The reason why the cache state that was asked for is not proven.
    pub(crate) doubt: Option<SampleNote>,
    pub(crate) remade: Option<SampleNote>,
}

impl Observed {
    pub(crate) fn notes(&self) -> Vec<SampleNote> {
        self.doubt.iter().chain(&self.remade).cloned().collect()
    }
}

/// Removes what a trial has left: all but the inputs, which may be long work, and what lay next to them before any trial.
pub(crate) fn clear(
    task: &Task, kept: &[OsString], check_stop: &dyn Fn() -> io::Result<()>,
) -> io::Result<()> {
    // Asked for only where a trial has left something: there may be millions of them.
    let inputs = LazyCell::new(|| task.family.inputs(&task.workload, &task.folder));
    let output = output(task);
    for entry in fs::read_dir(&task.folder)?.flatten() {
        // There may be millions.
        check_stop()?;
        let name = entry.file_name();
        let path = task.folder.join(&name);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // An output that resists its removal is a failure, which the family finds below.
        let is_output = !is_folder && output.as_ref() == Some(&path);
        if !kept.contains(&name) && !is_output && !inputs.iter().any(|input| input.starts_with(&path)) {
            private_folder::remove_entry(&task.folder, &name, check_stop)?;
        }
    }
    task.family.clear(&task.workload, &task.folder)
}

/// Makes a folder again, whatever stands in its place. What cannot be removed is set aside under another name.
pub(crate) fn renew(folder: &Path, nth: u32, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
    let (Some(root), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    private_folder::unlock(root)?;
    if private_folder::remove_entry(root, name, check_stop).is_err() {
        // An interruption ends it at once; then nothing is set aside either.
        if let Err(stopped) = check_stop()
            && stopped.kind() == io::ErrorKind::Interrupted
        {
            return Err(stopped);
        }
        fs::rename(folder, root.join(format!("aside-{nth}")))?;
    }
    fs::create_dir(folder)
}

/// Brings a task's files into the state that its setting asks for; what a trial has left is removed already.
pub(crate) fn prepare(task: &Task, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<Observed> {
    // A folder that was made again lacks what this puts into it.
    task.family.clear(&task.workload, &task.folder)?;
    bring_into_state(task, check_stop)
}

/// Brings the inputs into the state that is asked for, and leaves what stands in the place of the output.
pub(crate) fn bring_into_state(task: &Task, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<Observed> {
    settle(&task.folder, check_stop)?;
    let inputs = task.family.inputs(&task.workload, &task.folder);
    if inputs.is_empty() {
        return Ok(Observed::default());
    }
    if !task.setting.is_cold() {
        return warm(&inputs, check_stop);
    }
    let eviction = patiently(check_stop, move || page_cache::evict(&inputs))?;
    let doubt = (!eviction.proven).then(|| SampleNote::ColdNotProven(eviction.how.to_string()));
    Ok(Observed { residency: eviction.residency, doubt, remade: None })
}

/// Writes back the file system of a folder where much is dirty, which nothing can end.
fn settle(folder: &Path, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
    if write_back::dirty_bytes().is_some_and(|bytes| bytes <= DIRTY_LIMIT_BYTES) {
        return Ok(());
    }
    let folder = folder.to_owned();
    patiently(check_stop, move || write_back::settle(&folder, DIRTY_LIMIT_BYTES))
}

fn warm(inputs: &[PathBuf], check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<Observed> {
    let mut sum: Option<Residency> = Some(Residency { resident_pages: 0, total_pages: 0 });
    for input in inputs {
        let mut residency = page_cache::residency(input)?;
        // Pages that the last technique read without keeping them may still leave after the first reading.
        for _ in 0..MOST_READINGS {
            if residency.is_some_and(|pages| pages.resident_pages >= pages.total_pages) {
                break;
            }
            page_cache::load(input, check_stop)?;
            residency = page_cache::residency(input)?;
        }
        sum = sum.zip(residency).map(|(sum, pages)| Residency {
            resident_pages: sum.resident_pages + pages.resident_pages,
            total_pages: sum.total_pages + pages.total_pages,
        });
    }
    let doubt = sum.filter(|sum| sum.resident_pages < sum.total_pages).map(|sum| {
        let Residency { resident_pages, total_pages } = sum;
        SampleNote::NotWarm(format!("only {resident_pages} of {total_pages} pages stay in memory"))
    });
    Ok(Observed { residency: sum, doubt, remade: None })
}

/// Returns where a trial's result goes, whichever process leaves it; `None` where the work is done on the inputs themselves.
pub(crate) fn output(task: &Task) -> Option<PathBuf> {
    task.family.answer_file(&task.folder).or_else(|| {
        let places = task.family.placeholders(&task.workload, &task.folder);
        let output = places.into_iter().find(|place| place.name == "output");
        output.and_then(|place| place.values.into_iter().next()).map(PathBuf::from)
    })
}

#[derive(Debug, Default)]
pub(crate) struct Inputs {
    folders: Vec<Noted>,
}

#[derive(Debug)]
struct Noted {
    folder: PathBuf,
    names: Vec<OsString>,
    inputs: Vec<(PathBuf, Option<FileState>)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    AsBefore,
    Changed(PathBuf),
    /// This one looks as before, and yet something was done to it.
    Touched(PathBuf),
}

impl Inputs {
    /// Looks whether the inputs of a task are as they were generated. The first look at a folder takes them as they stand.
    /// Where the family has no output of its own, the work is done on the inputs themselves, and nothing is checked.
    pub(crate) fn look_at(&mut self, task: &Task) -> Seen {
        let Some(noted) = self.folders.iter().find(|noted| noted.folder == task.folder) else {
            self.note(task);
            return Seen::AsBefore;
        };
        if output(task).is_none() {
            return Seen::AsBefore;
        }
        let mut touched = None;
        for (path, before) in &noted.inputs {
            match (file_state::of(path).ok(), before) {
                (now, before) if now == *before => {}
                (Some(now), Some(before)) if now.looks_like(before) => touched = touched.or(Some(path)),
                _ => return Seen::Changed(path.clone()),
            }
        }
        touched.map_or(Seen::AsBefore, |path| Seen::Touched(path.clone()))
    }

    /// Takes the inputs of a task as they stand for what they ought to be.
    pub(crate) fn note(&mut self, task: &Task) {
        // Listed once: what lists them may go with them.
        if let Some(noted) = self.folders.iter_mut().find(|noted| noted.folder == task.folder) {
            noted.inputs.iter_mut().for_each(|(path, state)| *state = file_state::of(path).ok());
            return;
        }
        let paths = task.family.inputs(&task.workload, &task.folder).into_iter();
        let states = paths.map(|path| (path.clone(), file_state::of(&path).ok()));
        let entries = fs::read_dir(&task.folder).into_iter().flatten().flatten();
        self.folders.push(Noted {
            folder: task.folder.clone(),
            names: entries.map(|entry| entry.file_name()).collect(),
            inputs: states.filter(|(_, state)| state.is_some()).collect(),
        });
    }

    pub(crate) fn settle(&self, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
        self.folders.iter().try_for_each(|noted| settle(&noted.folder, check_stop))
    }

    /// Returns the names of all that a task's folder held before any trial; `None` before its inputs were noted.
    pub(crate) fn names_of(&self, task: &Task) -> Option<&[OsString]> {
        self.folders.iter().find(|noted| noted.folder == task.folder).map(|noted| &*noted.names)
    }
}

/// An output may be this much longer than all that its family needs.
const OUTPUT_SLACK_BYTES: u64 = 16 << 20;

/// Entries beyond those of a right folder that are still listed: the proof reports better what is wrong with them.
const MORE_ENTRIES: usize = 1_000;

/// Returns what a process has written, by the time it ended: its output, or the inputs where the work is done on them.
pub(crate) fn results(task: &Task) -> Vec<PathBuf> {
    match output(task) {
        Some(path) => vec![path],
        None if task.family.job().is_some() => Vec::new(),
        None => task.family.inputs(&task.workload, &task.folder),
    }
}

/// Returns whether what the contest leaves shares extents with something: then it is no copy of bytes.
pub(crate) fn shares_extents(task: &Task) -> bool {
    outputs(task).iter().any(|path| extents::shared(path).is_ok_and(|shared| shared == Some(true)))
}

/// Returns a failure when the output is no regular file (or folder of them), or longer than any right one. Decided before it is
/// opened: a pipe would be waited for without end, and a file that is mostly a hole may take days to read.
pub(crate) fn irregular_output(task: &Task) -> Option<Failed> {
    if task.family.job().is_some() {
        return irregular_output_of_job(task);
    }
    let most_bytes = task.family.scratch_bytes(&task.workload).saturating_add(OUTPUT_SLACK_BYTES);
    let Some(path) = output(task) else {
        // The work is done on the inputs themselves.
        return results(task).iter().find_map(|path| irregular_file(path, most_bytes));
    };
    if !task.family.output_is_folder(&task.workload) {
        irregular_file(&path, most_bytes)
    } else if path.symlink_metadata().ok()?.is_dir() {
        irregular_folder(task, &path, most_bytes)
    } else {
        Some((FailureKind::Wrong, "left no folder in the place of its output".to_owned()))
    }
}

/// A right folder has an entry for each input. One that has many more is not listed to its end, which may take for ever.
fn irregular_folder(task: &Task, path: &Path, most_bytes: u64) -> Option<Failed> {
    let right = task.family.inputs(&task.workload, &task.folder).len();
    let most = right + MORE_ENTRIES;
    let entries = entries_of(path, most);
    if entries.len() == most {
        let reason = format!("left at least {most} entries in the folder of its output, not {right}");
        return Some((FailureKind::Wrong, reason));
    }
    entries.iter().find_map(|entry| irregular_file(entry, most_bytes))
}

fn irregular_file(path: &Path, most_bytes: u64) -> Option<Failed> {
    let seen = path.symlink_metadata().ok()?;
    if seen.is_file() && seen.len() > most_bytes {
        let reason = format!("left {} bytes, and no right result has more than {most_bytes}", seen.len());
        return Some((FailureKind::Wrong, reason));
    }
    match seen.file_type() {
        seen if seen.is_file() => None,
        seen if seen.is_symlink() => Some(no_own_file("a link")),
        seen if seen.is_dir() => Some(no_own_file("a folder")),
        _ => Some(no_own_file("a pipe, socket or device")),
    }
}

fn no_own_file(what: &str) -> Failed {
    (FailureKind::Wrong, format!("left {what} instead of a file of its own"))
}

/// Returns a failure when the output is only another name of bytes that were there before.
pub(crate) fn is_link(task: &Task) -> Option<Failed> {
    if task.family.job().is_some_and(|job| !job.looks_at_the_output()) {
        return None;
    }
    let linked = outputs(task).iter().any(|path| extents::is_linked(path).unwrap_or(false));
    linked.then(|| no_own_file("a link"))
}

/// Returns the files that a trial leaves: one, none, or those of a folder.
fn outputs(task: &Task) -> Vec<PathBuf> {
    match output(task).filter(|path| path.exists()) {
        // Those of a longer one are a failure before.
        Some(folder) if task.family.output_is_folder(&task.workload) => {
            entries_of(&folder, task.family.inputs(&task.workload, &task.folder).len() + MORE_ENTRIES)
        }
        output => output.into_iter().collect(),
    }
}

/// Returns what lies in a folder, this many entries at most. One that cannot be read is reported when the result is looked at.
fn entries_of(folder: &Path, most: usize) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().take(most).map(|entry| entry.path()).collect()
}

/// Returns a failure where the bytes of the output are the proof, and it is no file. What else looks at it may look at a folder.
fn irregular_output_of_job(task: &Task) -> Option<Failed> {
    let job = task.family.job().filter(|job| job.proof == Proving::Output)?;
    if output(task)?.symlink_metadata().ok()?.is_file() || job.techniques.is_empty() {
        return None;
    }
    let sentence =
        "left no file in the place of its output; a command that prints what matters of it is a proof";
    Some((FailureKind::Wrong, sentence.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a folder again in which a file was left. Returns the folder around it, itself, and what came of it.
    fn renewed(stop: impl Fn() -> io::Result<()>) -> (tempfile::TempDir, PathBuf, io::Result<()>) {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("copy-0");
        fs::create_dir_all(folder.join("left")).expect("created");
        fs::write(folder.join("left/file"), "x").expect("written");
        let done = renew(&folder, 3, &stop);
        (root, folder, done)
    }

    fn names(root: &Path) -> Vec<String> {
        let names = fs::read_dir(root).expect("readable").flatten();
        let mut names: Vec<_> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_that_is_not_removed_in_time_is_set_aside() {
        let (root, folder, done) = renewed(|| Err(io::ErrorKind::TimedOut.into()));
        done.expect("set aside");
        assert_eq!(names(root.path()), ["aside-3", "copy-0"]);
        assert!(root.path().join("aside-3/left/file").exists());
        assert_eq!(names(&folder), Vec::<String>::new());
    }

    #[test]
    fn a_folder_that_can_be_removed_is_made_again() {
        let (root, folder, done) = renewed(|| Ok(()));
        done.expect("made again");
        assert_eq!((names(root.path()), names(&folder)), (vec!["copy-0".to_owned()], Vec::new()));
    }

    #[test]
    fn an_interruption_sets_nothing_aside() {
        let (root, folder, done) = renewed(|| Err(io::ErrorKind::Interrupted.into()));
        assert_eq!(done.expect_err("interrupted").kind(), io::ErrorKind::Interrupted);
        assert_eq!(names(root.path()), ["copy-0"]);
        assert!(folder.join("left/file").exists());
    }
}
