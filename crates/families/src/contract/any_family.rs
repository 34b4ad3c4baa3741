//! A family as the coordinator holds it.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use model::{
    Availability, Axis, Cache, Durability, Fact, Host, Mark, Metric, Preset, Proof, Setting, Trial, Workload,
};

use super::family::Isolation;
use super::{Body, Curve, Entry, Files, Placeholder};
use crate::commands::Job;

/// Asks the files of a family, or [`Files::NONE`] where it has none.
macro_rules! of_files {
    ($($(#[$said:meta])+ $name:ident($($what:ident: $kind:ty),*) -> $answer:ty;)+) => {
        $($(#[$said])+ fn $name(&self, $($what: $kind),*) -> $answer {
            (self.files().unwrap_or(&Files::NONE).$name)($($what),*)
        })+
    };
}

/// A family with its job type hidden, so that the coordinator can hold all of them in one list.
pub trait AnyFamily: Sync {
    /// Its name: `copy`.
    fn name(&self) -> &'static str;

    /// The question that it answers, as one sentence with a question mark.
    fn question(&self) -> &'static str;

    /// All techniques at all points of their parameters that take part by default, in their order.
    fn entries(&self) -> Vec<Entry>;

    /// Finds the entry of this name, also at a point that does not take part by default. The error is a sentence: there is no such
    /// technique, or a value is none.
    fn entry(&self, name: &str) -> Result<Entry, String> {
        let found = self.entries().into_iter().find(|entry| entry.name == name);
        found.ok_or_else(|| format!("{} has no technique '{name}'", self.name()))
    }

    /// The user's own job, where it is one. A worker must hear of it: it knows the built-in families only.
    fn job(&self) -> Option<&Job> {
        None
    }

    /// Returns how the coordinator spends processes on it.
    fn isolation(&self) -> Isolation {
        Isolation::Sample
    }

    /// Returns whether the work cannot be done twice without [`super::Repeat::refresh`] between.
    fn consumes_its_input(&self) -> bool {
        false
    }

    /// Returns whether it only exists to check the instrument, and is not part of a default run.
    fn is_control(&self) -> bool {
        false
    }

    /// Names the entry that most programs would use.
    fn baseline(&self) -> &'static str;

    /// Returns the baselines of classes that have their own; see [`super::Family::class_baselines`].
    fn class_baselines(&self) -> &'static [&'static str] {
        &[]
    }

    /// A first guess at its speed; see [`super::Family::usual_bytes_per_second`].
    fn usual_bytes_per_second(&self) -> Option<u64> {
        None
    }

    /// Whether each round of a run as it was published has an input of its own.
    fn renews_inputs(&self) -> bool {
        false
    }

    /// The workloads of a preset.
    fn workloads(&self, preset: Preset) -> Vec<Workload>;

    /// Returns the axes that a user may set.
    fn axes(&self) -> &'static [Axis] {
        &[]
    }

    /// Returns what can be compared next to what is known of every sample; see [`super::Family::metrics`].
    fn metrics(&self) -> &'static [Metric] {
        &[]
    }

    /// Finds out what is no contest, in a process of its own, once a run, before the first round; `None` where nothing is.
    fn facts(&self) -> Option<fn() -> Vec<Fact>> {
        None
    }

    /// Returns its question over the levels of an axis.
    fn curve(&self) -> Option<&Curve> {
        None
    }

    /// See [`super::Family::spread_over`].
    fn spread_over(&self) -> Option<&'static str> {
        None
    }

    /// See [`super::Family::same_work_over`].
    fn same_work_over(&self) -> Option<&'static str> {
        None
    }

    /// See [`super::Family::marks`].
    fn marks(&self) -> Vec<Mark> {
        Vec::new()
    }

    /// See [`super::Family::paid`].
    fn paid(&self, workloads: Vec<Workload>, _each_ns: u64) -> Vec<Workload> {
        workloads
    }

    /// See [`super::Family::further_levels`].
    fn further_levels(&self) -> Vec<u64> {
        Vec::new()
    }

    /// See [`super::Family::range`].
    fn range(&self, _axis: &str) -> Option<RangeInclusive<u64>> {
        None
    }

    /// Gives a workload the value that a user typed on one of the [`AnyFamily::axes`]; the error says what would be right.
    fn set(&self, _workload: &mut Workload, axis: &str, _text: &str) -> Result<(), String> {
        Err(format!("the family {} has no axis '{axis}'", self.name()))
    }

    /// Refuses values that do not fit together, before anything is written.
    fn check(&self, _workload: &Workload) -> Result<(), String> {
        Ok(())
    }

    /// See [`super::Family::cache`].
    fn cache(&self) -> Option<Cache> {
        None
    }

    /// Returns the axis that cuts long work short: a limit of time.
    fn limit(&self) -> Option<&'static Axis> {
        self.axes().iter().find(|axis| axis.name.ends_with("_limit_ns"))
    }

    /// See [`super::Family::durability`].
    fn durability(&self, _workload: &Workload) -> Option<Durability> {
        None
    }

    /// See [`super::Family::threads`].
    fn threads(&self, workload: &Workload) -> Option<u64> {
        workload.number("threads")
    }

    /// See [`super::Family::memory_bytes`].
    fn memory_bytes(&self, _workload: &Workload) -> Option<u64> {
        None
    }

    /// Returns the proof that every technique must give.
    fn expected(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof>;

    /// Its files, where it has any.
    fn files(&self) -> Option<&Files> {
        None
    }

    /// Returns whether files take part in its work: else there is no directory, cache state or flush.
    fn works_on_files(&self) -> bool {
        self.files().is_some()
    }

    /// See [`super::Technique::suits`]. An unknown entry is missing.
    fn suits(&self, _entry: &str, _workload: &Workload) -> Availability {
        Availability::Ready
    }

    /// See [`super::Technique::fits`]. An unknown entry is missing.
    fn fits(&self, _entry: &str, _workload: &Workload, _setting: &Setting) -> Availability {
        Availability::Ready
    }

    /// See [`super::Technique::calls`]. An unknown entry has none.
    fn calls(&self, _entry: &str, _workload: &Workload) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether the entry can run on this host in this setting. An unknown entry is missing.
    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability;

    /// Prepares the trial's technique and hands it to `body`.
    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()>;

    /// A workload of this size; `None` when the family has no sizes to choose.
    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        Some(self.files()?.of_bytes?(bytes))
    }

    /// Returns the workload of a size that the user typed. The error is a sentence.
    fn workload_of_size(&self, bytes: u64) -> Result<Workload, String> {
        match self.workload_of_bytes(bytes) {
            Some(_) if bytes == 0 => {
                Err("--size 0: an empty file leaves no work to measure; for example --size 64K".to_owned())
            }
            Some(workload) => Ok(workload),
            None => Err(format!("the family {} has no size to choose; leave --size out", self.name())),
        }
    }

    /// Returns a workload over the user's own files; see [`Files::of_input`]. The error is a sentence: the family works on no files,
    /// or not on these.
    fn workload_of_input(&self, files: &[PathBuf]) -> Result<Workload, String> {
        match self.files().and_then(|of| of.of_input) {
            Some(of_input) => of_input(files),
            None => Err(format!("the family {} works on no files of yours; leave --input out", self.name())),
        }
    }

    of_files! {
        /// See [`Files::generate`]; nothing is made without files.
        generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()>;
        /// See [`Files::inspect`].
        inspect(workload: &Workload, scratch: &Path) -> io::Result<Proof>;
        /// See [`Files::output_is_folder`]; not without files.
        output_is_folder(workload: &Workload) -> bool;
        /// See [`Files::answer_file`]; none without files.
        answer_file(scratch: &Path) -> Option<PathBuf>;
        /// See [`Files::accepts_exit`]; 0 without files.
        accepts_exit(code: i32) -> bool;
        /// See [`Files::scratch_bytes`]; 0 without files.
        scratch_bytes(workload: &Workload) -> u64;
        /// See [`Files::taken_bytes`]; 0 without files.
        taken_bytes(workload: &Workload) -> u64;
        /// See [`Files::have_same_inputs`].
        have_same_inputs(one: &Workload, other: &Workload) -> bool;
        /// See [`Files::inputs`]; none without files.
        inputs(workload: &Workload, scratch: &Path) -> Vec<PathBuf>;
        /// See [`Files::placeholders`]; none without files.
        placeholders(workload: &Workload, scratch: &Path) -> Vec<Placeholder>;
        /// See [`Files::takes_commands`].
        takes_commands(workload: &Workload) -> Result<(), String>;
        /// See [`Files::clear`]; nothing is left without files.
        clear(workload: &Workload, scratch: &Path) -> io::Result<()>;
    }
}
