//! The job: find the lines with a pattern in files, and write them down in the order of the files.

use std::borrow::Cow;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use model::{Point, Proof};
use sys::affinity;

use super::inputs::Place;
use super::lines::{PIECE_BYTES, Rolling, piece_for};
use super::pattern::Pattern;
use super::proof::{Demand, proof_of_answer};
use super::system::folder::Folder;
use crate::contract::Repeat;
use crate::files::remove_if_there;
use crate::parameters::size_on;

#[derive(Debug, Clone)]
pub(super) struct SearchJob {
    pub(super) place: Place,
    pub(super) answer: PathBuf,
    /// Size of all files together, as far as it is known: no buffer needs to be larger.
    pub(super) bytes: u64,
    pub(super) pattern: Pattern,
    pub(super) durable: bool,
    pub(super) parameters: Point,
    /// The number of logical processors of the trial; `None` is all that this process may use.
    pub(super) processors: Option<NonZero<usize>>,
}

pub(super) type Notes = Vec<String>;

pub(super) type SearchOnce = fn(&SearchJob, &mut Notes) -> io::Result<()>;

impl SearchJob {
    pub(super) fn done_by(&self, search_once: SearchOnce) -> io::Result<Box<dyn Repeat + '_>> {
        Ok(Box::new(Searching { job: self, search_once, notes: Notes::new() }))
    }

    /// Returns the number of logical processors that the trial may run on, at least 1. Asks the system only when it must.
    pub(super) fn processors(&self) -> usize {
        affinity::count(self.processors)
    }

    pub(super) fn piece_bytes(&self, most: usize) -> usize {
        piece_for(most, self.bytes)
    }

    /// Returns a buffer for pieces of the usual size.
    pub(super) fn rolling(&self) -> io::Result<Rolling> {
        Rolling::new(self.piece_bytes(PIECE_BYTES))
    }

    pub(super) fn buffer_bytes(&self) -> io::Result<usize> {
        size_on(&self.parameters, "buffer_bytes")
    }

    /// Returns all files in their order, for techniques that must know them before they begin.
    pub(super) fn files(&self) -> io::Result<Vec<Cow<'_, Path>>> {
        let mut files = Vec::with_capacity(self.place.roots.len());
        for root in &self.place.roots {
            if !root.is_folder {
                files.push(Cow::Borrowed(root.path.as_path()));
                continue;
            }
            visit_below(Folder::open(root.path.clone())?, &mut |folder, nth| {
                files.push(Cow::Owned(folder.path_of(nth)));
                Ok(())
            })?;
        }
        Ok(files)
    }
}

/// Returns the text before each line of a file in the answer.
pub(super) fn prefix_of(path: &Path) -> Vec<u8> {
    let path = path.as_os_str().as_encoded_bytes();
    let mut prefix = Vec::with_capacity(path.len() + 1);
    prefix.extend_from_slice(path);
    prefix.push(b':');
    prefix
}

struct Searching<'job> {
    job: &'job SearchJob,
    search_once: SearchOnce,
    notes: Notes,
}

impl Repeat for Searching<'_> {
    fn refresh(&mut self) -> io::Result<()> {
        remove_if_there(&self.job.answer)
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.notes.clear();
            (self.search_once)(self.job, &mut self.notes)?;
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        proof_of_answer(&self.job.answer, &self.job.place, Demand::Order)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// Visits every file below a folder: the folder that holds it, and its place in there.
pub(super) fn visit_below(
    mut folder: Folder, visit: &mut dyn FnMut(&Folder, usize) -> io::Result<()>,
) -> io::Result<()> {
    folder.sort();
    for nth in 0..folder.len() {
        if folder.is_folder(nth) { visit_below(folder.inner(nth)?, visit)? } else { visit(&folder, nth)? }
    }
    Ok(())
}
