//! The state of the file system before a sample: the output absent, the input warm or cold, little dirty.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use model::{Cache, Residency};
use sys::{page_cache, write_back};

use crate::cell::Cell;

/// More dirty memory than this is written back before a sample begins, so that no technique pays
/// for what another one left behind.
const DIRTY_LIMIT_BYTES: u64 = 64 << 20;

/// What was seen before the clock started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    /// Pages of the inputs in memory; `None` when the system cannot tell.
    pub(crate) residency: Option<Residency>,
    /// Why the cache state that was asked for is not proven.
    pub(crate) doubt: Option<String>,
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
            Ok(Observed { residency: eviction.residency, doubt })
        }
        Cache::Warm => warm(&inputs),
    }
}

fn warm(inputs: &[PathBuf]) -> io::Result<Observed> {
    let mut sum: Option<Residency> = Some(Residency { resident_pages: 0, total_pages: 0 });
    for input in inputs {
        let mut residency = page_cache::residency(input)?;
        if residency.is_none_or(|pages| pages.resident_pages < pages.total_pages) {
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
    Ok(Observed { residency: sum, doubt })
}

/// Where a trial's result goes, whoever leaves it; `None` where the work is done on the inputs themselves.
pub(crate) fn output(cell: &Cell) -> Option<PathBuf> {
    let named = || {
        let places = cell.exhibit.placeholders(&cell.workload, &cell.folder);
        let output = places.into_iter().find(|place| place.name == "output");
        output.and_then(|place| place.values.into_iter().next()).map(PathBuf::from)
    };
    cell.exhibit.answer_file(&cell.folder).or_else(named)
}

/// The inputs as they stand beside an output, so that one can see whether somebody changed them.
pub(crate) struct Inputs {
    files: Vec<(PathBuf, Option<(u64, SystemTime)>)>,
}

impl Inputs {
    /// Looks at the inputs now. Where the family has no output of its own, the work is done on the inputs themselves.
    pub(crate) fn seen(cell: &Cell) -> Self {
        let paths = if output(cell).is_some() {
            cell.exhibit.inputs(&cell.workload, &cell.folder)
        } else {
            Vec::new()
        };
        Self { files: paths.into_iter().map(|path| (path.clone(), look_at(&path))).collect() }
    }

    /// Makes all inputs anew if one of them has changed since, and names that one.
    pub(crate) fn restore(&self, cell: &Cell, seed: u64) -> io::Result<Option<&PathBuf>> {
        let Some((changed, _)) = self.files.iter().find(|(path, before)| look_at(path) != *before) else {
            return Ok(None);
        };
        cell.exhibit.clear(&cell.workload, &cell.folder)?;
        for (path, _) in &self.files {
            remove(path)?;
        }
        cell.exhibit.generate(&cell.workload, &cell.folder, seed)?;
        Ok(Some(changed))
    }
}

fn look_at(path: &PathBuf) -> Option<(u64, SystemTime)> {
    let file = fs::symlink_metadata(path).ok()?;
    Some((file.len(), file.modified().ok()?))
}

/// An input may have become a link, and what it points to is not ours to write.
fn remove(path: &PathBuf) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
