//! The folders of a run's inputs and outputs.

use std::io;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use model::{Design, Proof, Workload};
use sys::process::Launch;

use crate::error::{End, MeasureError};
use crate::plan::planned::{Participant, PlannedTask, RefusedEntry};
use crate::ports::{Event, Launcher, Observer};
use crate::sample::launch;
use crate::sample::outcome::failure_of;
use crate::sample::runner::Runner;
use crate::scratch::{Scratch, ScratchRegister};
use crate::task::Task;
use crate::worker::protocol::FileWork;

/// Entries of a task that never run: they cannot, or the budget does not pay for them.
pub(crate) type Absent = (Vec<RefusedEntry>, Vec<Participant>);

/// The scratch folders of a run, one in each directory.
pub(crate) struct Folders<'a> {
    register: &'a ScratchRegister,
    scratches: Vec<(PathBuf, Scratch)>,
    inputs: Vec<Input>,
    pub(crate) cleanups: Vec<Launch>,
}

/// A generated input. Tasks share it where their family makes the same, whatever their conditions.
struct Input {
    family: &'static str,
    workload: Workload,
    folder: PathBuf,
    expected: Proof,
}

impl<'a> Folders<'a> {
    pub(crate) fn new(register: &'a ScratchRegister) -> Self {
        Self { register, scratches: Vec::new(), inputs: Vec::new(), cleanups: Vec::new() }
    }

    fn scratch(&mut self, directory: &Path) -> Result<&Scratch, MeasureError> {
        let known = self.scratches.iter().position(|(of, _)| of == directory);
        let index = known.unwrap_or(self.scratches.len());
        if known.is_none() {
            self.scratches.push((directory.to_owned(), self.register.create(directory)?));
        }
        Ok(&self.scratches[index].1)
    }

    /// Returns the tasks of a plan with their inputs, and which entries of each never run.
    pub(crate) fn prepare_all(
        &mut self, planned: Vec<PlannedTask>, design: &Design, runner: &mut Runner<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<Task>, Vec<Absent>), End> {
        let (mut tasks, mut absent) = (Vec::new(), Vec::new());
        for mut planned in planned {
            observer.see(&Event::Generating { task: &planned.workload.name });
            absent.push((take(&mut planned.refused), take(&mut planned.skipped)));
            tasks.push(self.prepare(planned, design, runner)?);
        }
        Ok((tasks, absent))
    }

    /// Makes a task's inputs, once for all tasks that share them.
    pub(crate) fn prepare(
        &mut self, planned: PlannedTask, design: &Design, runner: &mut Runner<'_>,
    ) -> Result<Task, End> {
        let family = planned.family.name();
        let root = match planned.setting.directory() {
            Some(directory) => Some(self.scratch(directory)?.path().to_owned()),
            None => None,
        };
        let metric = design.compared(family).clone();
        let known = self.inputs.iter().find(|input| {
            let is_here = root.as_ref().is_none_or(|root| input.folder.starts_with(root));
            is_here
                && input.family == family
                && planned.family.have_same_inputs(&input.workload, &planned.workload)
        });
        let task = match known {
            Some(input) => {
                let (folder, expected) = (input.folder.clone(), input.expected.clone());
                Task::new(planned, metric, folder, expected, runner.from_outside)
            }
            None => {
                // A name that says all of a workload could hold anything that a user typed.
                let name = format!("{family}-{}", self.inputs.len());
                let folder = root.map(|root| root.join(name)).unwrap_or_default();
                let shown = folder.display();
                let what = match (planned.family.job(), planned.setting.directory()) {
                    (None, Some(_)) => format!("the input of {family} cannot be made in {shown}"),
                    (None, None) => format!("what {family} must give cannot be found out"),
                    (Some(_), _) => format!("the job {family} cannot begin"),
                };
                if planned.setting.directory().is_some() {
                    std::fs::create_dir(&folder).map_err(MeasureError::io(&what))?;
                }
                let mut task = Task::new(planned, metric, folder, Proof::default(), runner.from_outside);
                // Before the setups: one that fails, or is interrupted, may leave something too.
                self.cleanups.extend(launch::cleanups(&task, runner.time_limit_ns));
                let made = runner.work_on_files(FileWork::Generate, &task);
                task.expected = made.map_err(|halt| halt.into_end(what))?;
                let (workload, folder) = (task.workload.clone(), task.folder.clone());
                self.inputs.push(Input { family, workload, folder, expected: task.expected.clone() });
                task
            }
        };
        Ok(task)
    }

    /// Removes all. What cannot be removed now stays registered, and is reported.
    pub(crate) fn remove(self, observer: &mut dyn Observer, check_stop: &dyn Fn() -> io::Result<()>) {
        for (_, scratch) in self.scratches {
            let folder = scratch.path().to_owned();
            if let Err(refused) = scratch.remove(check_stop) {
                observer.see(&Event::NotRemoved { folder: &folder, reason: &refused.to_string() });
            }
        }
    }
}

pub(crate) fn clean_up(
    launches: &[Launch], launcher: &mut dyn Launcher, observer: &mut dyn Observer, interrupted: &AtomicBool,
) {
    for launch in launches {
        let failed = match launcher.run(launch, interrupted) {
            Ok(ended) => failure_of(&ended).map(|(_, reason)| reason),
            Err(error) => Some(format!("cannot be started: {error}")),
        };
        if let Some(reason) = failed {
            observer.see(&Event::CleanupFailed { reason: &reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::tests::register;

    #[derive(Default)]
    struct NotRemoved(Vec<(PathBuf, String)>);

    impl Observer for NotRemoved {
        fn see(&mut self, event: &Event<'_>) {
            if let Event::NotRemoved { folder, reason } = event {
                self.0.push(((*folder).to_owned(), (*reason).to_owned()));
            }
        }
    }

    #[test]
    fn a_stopped_removal_is_reported_and_done_at_the_next_start() {
        let (_home, register, data) = register();
        let mut said = NotRemoved::default();
        let mut folders = Folders::new(&register);
        folders.scratch(&data).expect("a scratch folder");
        folders.remove(&mut said, &|| Ok(()));
        assert!(said.0.is_empty(), "{:?}", said.0);
        let mut folders = Folders::new(&register);
        let scratch = folders.scratch(&data).expect("a scratch folder").path().to_owned();
        std::fs::write(scratch.join("input"), "x").expect("written");
        folders.remove(&mut said, &|| Err(io::Error::other("it takes longer than 1 min")));
        assert_eq!(said.0, [(scratch.clone(), "it takes longer than 1 min".to_owned())]);
        assert!(scratch.join("input").exists());
        assert_eq!(register.remove_orphans().expect("readable").removed, [scratch]);
        assert_eq!(std::fs::read_dir(&data).expect("readable").count(), 0);
    }
}
