//! Where the inputs and outputs of a run lie.

use std::path::{Path, PathBuf};

use model::Workload;

use crate::cell::Cell;
use crate::plan::PlannedCell;
use crate::ports::MeasureError;
use crate::scratch::{Scratch, ScratchRegister};

/// The scratch folders of a run, one in each directory.
pub(crate) struct Folders<'a> {
    register: &'a ScratchRegister,
    scratches: Vec<(PathBuf, Scratch)>,
    /// Which input lies where: cells that differ in their conditions only share it.
    inputs: Vec<(&'static str, Workload, PathBuf)>,
}

impl<'a> Folders<'a> {
    pub(crate) fn new(register: &'a ScratchRegister) -> Self {
        Self { register, scratches: Vec::new(), inputs: Vec::new() }
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
    pub(crate) fn prepare(
        &mut self,
        planned: PlannedCell,
        seed: u64,
        from_outside: bool,
    ) -> Result<Cell, MeasureError> {
        let family = planned.exhibit.name();
        let root = self.scratch(&planned.setting.directory)?.path().to_owned();
        let what = |folder: &Path| format!("the input of {family} cannot be made in {}", folder.display());
        let known = self.inputs.iter().find(|(of, workload, folder)| {
            *of == family && *workload == planned.workload && folder.starts_with(&root)
        });
        let folder = match known {
            Some((_, _, folder)) => folder.clone(),
            None => {
                // A name that says all of a workload could hold anything that a user typed.
                let folder = root.join(format!("{family}-{}", self.inputs.len()));
                std::fs::create_dir(&folder)
                    .and_then(|()| planned.exhibit.generate(&planned.workload, &folder, seed))
                    .map_err(MeasureError::io(what(&folder)))?;
                self.inputs.push((family, planned.workload.clone(), folder.clone()));
                folder
            }
        };
        let expected =
            planned.exhibit.expected(&planned.workload, &folder).map_err(MeasureError::io(what(&folder)))?;
        Ok(Cell::new(planned, folder, expected, from_outside))
    }
}
