//! The state of the file system before a sample: the output absent, the input warm or cold, little dirty.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use model::{Cache, Residency};
use sys::{page_cache, write_back};

use crate::cell::Cell;

/// More dirty memory than this is written back before a sample begins, so that no technique pays
/// for what another one left behind.
const DIRTY_LIMIT_BYTES: u64 = 64 << 20;

/// So often a file is read to bring it into the file cache.
const MOST_READINGS: u32 = 3;

/// What was seen before the clock started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// Pages of the inputs in memory; `None` when the system cannot tell.
    pub(crate) residency: Option<Residency>,
    /// Why the cache state that was asked for is not proven.
    pub(crate) doubt: Option<String>,
    /// That an input had to be made anew before this sample.
    pub(crate) remade: Option<String>,
}

impl Observed {
    /// What a reader must know of it.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.doubt.iter().chain(&self.remade).cloned().collect()
    }
}

/// Brings a cell's files into the state that its setting asks for.
pub(crate) fn set(cell: &Cell) -> io::Result<Observed> {
    cell.exhibit.clear(&cell.workload, &cell.folder)?;
    write_back::settle(&cell.folder, DIRTY_LIMIT_BYTES)?;
    let inputs = cell.exhibit.inputs(&cell.workload, &cell.folder);
    if inputs.is_empty() {
        return Ok(Observed::default());
    }
    match cell.setting.cache {
        Cache::Cold => {
            let eviction = page_cache::evict(&inputs)?;
            let doubt = (!eviction.proven).then(|| format!("cold: not proven ({})", eviction.how));
            Ok(Observed { residency: eviction.residency, doubt, remade: None })
        }
        Cache::Warm => warm(&inputs),
    }
}

fn warm(inputs: &[PathBuf]) -> io::Result<Observed> {
    let mut sum: Option<Residency> = Some(Residency { resident_pages: 0, total_pages: 0 });
    for input in inputs {
        let mut residency = page_cache::residency(input)?;
        // Pages that the last technique read without keeping them may still leave after the first reading.
        for _ in 0..MOST_READINGS {
            if residency.is_some_and(|pages| pages.resident_pages >= pages.total_pages) {
                break;
            }
            page_cache::load(input)?;
            residency = page_cache::residency(input)?;
        }
        sum = sum.zip(residency).map(|(sum, pages)| Residency {
            resident_pages: sum.resident_pages + pages.resident_pages,
            total_pages: sum.total_pages + pages.total_pages,
        });
    }
    let short = sum.filter(|pages| pages.resident_pages < pages.total_pages);
    let doubt = short.map(|pages| {
        format!("warm: only {} of {} pages stay in memory", pages.resident_pages, pages.total_pages)
    });
    Ok(Observed { residency: sum, doubt, remade: None })
}

/// Where a trial's result goes, whichever process leaves it; `None` where the work is done on the inputs themselves.
pub(crate) fn output(cell: &Cell) -> Option<PathBuf> {
    let named = || {
        let places = cell.exhibit.placeholders(&cell.workload, &cell.folder);
        let output = places.into_iter().find(|place| place.name == "output");
        output.and_then(|place| place.values.into_iter().next()).map(PathBuf::from)
    };
    cell.exhibit.answer_file(&cell.folder).or_else(named)
}

/// The inputs of all folders of a run as they were generated, so that a change does not go unseen.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    folders: Vec<(PathBuf, Vec<(PathBuf, State)>)>,
}

/// Length and time of the last change; `None` where no file stands.
type State = Option<(u64, SystemTime)>;

impl Inputs {
    /// Makes all inputs of a cell anew if one of them is not as it was generated, and names that one. The first look at
    /// a folder takes its inputs as they stand.
    ///
    /// Where the family has no output of its own, the work is done on the inputs themselves, and nothing is checked.
    pub(crate) fn restore(&mut self, cell: &Cell, seed: u64) -> io::Result<Option<PathBuf>> {
        if output(cell).is_none() {
            return Ok(None);
        }
        let Some((_, files)) = self.folders.iter_mut().find(|(folder, _)| *folder == cell.folder) else {
            let paths = cell.exhibit.inputs(&cell.workload, &cell.folder).into_iter();
            let files = paths.map(|path| (path.clone(), look_at(&path))).filter(|(_, state)| state.is_some());
            self.folders.push((cell.folder.clone(), files.collect()));
            return Ok(None);
        };
        let changed = files.iter().find(|(path, state)| look_at(path) != *state);
        let Some(changed) = changed.map(|(path, _)| path.clone()) else { return Ok(None) };
        cell.exhibit.clear(&cell.workload, &cell.folder)?;
        for (path, _) in &*files {
            remove(path)?;
        }
        cell.exhibit.generate(&cell.workload, &cell.folder, seed)?;
        files.iter_mut().for_each(|(path, state)| *state = look_at(path));
        Ok(Some(changed))
    }
}

fn look_at(path: &Path) -> State {
    let file = fs::symlink_metadata(path).ok()?;
    Some((file.len(), file.modified().ok()?))
}

/// An input may have become a link, and what it points to is not ours to write.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
