//! Where the inputs and outputs of a run lie.

use std::path::{Path, PathBuf};

use crate::cell::Cell;
use crate::plan::PlannedCell;
use crate::ports::MeasureError;
use crate::scratch::{Scratch, ScratchRegister};

/// The scratch folders of a run, one in each directory.
pub(crate) struct Folders<'a> {
    register: &'a ScratchRegister,
    scratches: Vec<(PathBuf, Scratch)>,
}

impl<'a> Folders<'a> {
    pub(crate) fn new(register: &'a ScratchRegister) -> Self {
        Self { register, scratches: Vec::new() }
    }

    fn scratch(&mut self, directory: &Path) -> Result<&Scratch, MeasureError> {
        let found = self.scratches.iter().position(|(of, _)| of == directory);
        let index = match found {
            Some(index) => index,
            None => {
                let what = format!("a scratch folder cannot be made in {}", directory.display());
                let scratch = self.register.create(directory).map_err(MeasureError::io(what))?;
                self.scratches.push((directory.to_owned(), scratch));
                self.scratches.len() - 1
            }
        };
        Ok(&self.scratches[index].1)
    }

    /// Makes a cell's inputs, once for all cells that share them.
    pub(crate) fn furnish(&mut self, planned: PlannedCell, seed: u64) -> Result<Cell, MeasureError> {
        let name = format!("{}-{}", planned.exhibit.name(), planned.workload.name.replace(['/', ' '], "_"));
        let folder = self.scratch(&planned.setting.directory)?.path().join(name);
        let what = format!("the input of {} cannot be made in {}", planned.exhibit.name(), folder.display());
        if !folder.exists() {
            std::fs::create_dir(&folder)
                .and_then(|()| planned.exhibit.generate(&planned.workload, &folder, seed))
                .map_err(MeasureError::io(what.clone()))?;
        }
        let expected =
            planned.exhibit.expected(&planned.workload, &folder).map_err(MeasureError::io(what))?;
        Ok(Cell::new(planned, folder, expected))
    }
}
