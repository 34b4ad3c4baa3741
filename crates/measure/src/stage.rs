//! The state of the file system before a sample: the output absent, the input warm or cold, little dirty.

use std::io;

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

fn warm(inputs: &[std::path::PathBuf]) -> io::Result<Observed> {
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
