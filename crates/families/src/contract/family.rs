//! One question with many answers.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use model::{
    Availability, Axis, Cache, Durability, Fact, Host, Mark, Metric, Point, Preset, Proof, Setting, Trial,
    Value, Workload,
};

use super::{AnyFamily, Body, Entry, Files, Technique, technique_in};
use crate::files::invalid;
use crate::parameters::within_range;

/// One question with many answers: a static on the family's front page.
pub struct Family<Job: 'static> {
    /// Its name: `copy`.
    pub name: &'static str,
    /// The question that it answers, as one sentence with a question mark.
    pub question: &'static str,
    /// The entry that most programs would use: the answer says how much slower it is.
    pub baseline: &'static str,
    /// The entries that most programs would use of techniques of another class.
    pub class_baselines: &'static [&'static str],
    /// The techniques, in the order in which they are listed.
    pub techniques: &'static [Technique<Job>],
    /// The work that one process does: a sample or a session.
    pub isolation: Isolation,
    /// True where the work cannot be done twice without [`super::Repeat::refresh`] between.
    pub consumes_its_input: bool,
    /// True where it only exists to check the instrument, and is not part of a default run.
    pub is_control: bool,
    /// Bytes of scratch space that a usual technique works through in a second, as a first guess, where it has one.
    pub usual_bytes_per_second: Option<u64>,
    /// In a run as it was published, each round has an input of its own.
    pub renews_inputs: bool,
    /// The workloads of a preset.
    pub workloads: fn(Preset) -> Vec<Workload>,
    /// The axes that a user may set, in the order in which they are applied.
    pub axes: &'static [Axis],
    /// The numbers that an axis takes, by its name; others are refused. `None` where they depend on more than the axis.
    pub range: fn(&str) -> Option<RangeInclusive<u64>>,
    /// Gives a workload another value on one of the axes; its name stays, the plan completes it. The error is one sentence.
    pub set: fn(&mut Workload, &Axis, Value) -> Result<(), String>,
    /// Looks at a workload with all that was set, before anything is written. The error is one sentence.
    pub check: fn(&Workload) -> Result<(), String>,
    /// Metrics next to those of every sample. The first is compared by default; none is [`Metric::WORK`] alone.
    pub metrics: &'static [Metric],
    /// Finds out what is no contest: limits of the host, steps of a clock. `None` where there is nothing to find out.
    pub facts: Option<fn() -> Vec<Fact>>,
    /// The question over the levels of an axis.
    pub curve: Option<Curve>,
    /// The axis that says over how many workers the same work is spread: along it, the best number of them is reported.
    pub spread_over: Option<&'static str>,
    /// The state of the file cache in which its work begins, where the question leaves no choice.
    pub cache: Option<Cache>,
    /// The end point of the clock, where the question leaves no choice but that of the workload.
    pub durability: Option<fn(&Workload) -> Durability>,
    /// Memory of a process with its part of the file cache, where the question is about that and the user chose no other limit.
    pub memory_bytes: Option<fn(&Workload) -> u64>,
    /// The threads that a workload starts, where it says so: more than there are processors share these.
    pub threads: fn(&Workload) -> Option<u64>,
    /// The axis along which as many workers do the same work in another way: the best level is reported, and its gain.
    pub same_work_over: Option<&'static str>,
    /// Places on the axis of its curve that explain what happens there, ascending.
    pub marks: fn() -> Vec<Mark>,
    /// Levels of its curve that depend on the host, next to those of [`Curve::levels`]: they take part in the default run.
    pub further_levels: fn() -> Vec<u64>,
    /// The part of a trial that every technique gets; the point is that of its parameters.
    pub job: fn(&Trial, Point) -> io::Result<Job>,
    /// The proof that every technique must give, from the workload and the folder with its inputs.
    pub expected: fn(&Workload, &Path) -> io::Result<Proof>,
    /// Its files, where it has any.
    pub files: Option<Files>,
}

/// The work that the coordinator gives to one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// One process a sample.
    Sample,
    /// One process a session: the child runs the whole family for some inner rounds.
    Session,
}

impl<Job> Family<Job> {
    /// Returns what most families are. A declaration also names its name, question, baseline, techniques and workloads.
    pub const fn usual(
        job: fn(&Trial, Point) -> io::Result<Job>, expected: fn(&Workload, &Path) -> io::Result<Proof>,
    ) -> Self {
        Self {
            name: "",
            question: "",
            baseline: "",
            class_baselines: &[],
            techniques: &[],
            isolation: Isolation::Sample,
            consumes_its_input: false,
            is_control: false,
            usual_bytes_per_second: None,
            renews_inputs: false,
            workloads: |_preset| Vec::new(),
            axes: &[],
            range: |_axis| None,
            set: |workload, axis, value| {
                workload.point.set(axis.name, value);
                Ok(())
            },
            check: |_workload| Ok(()),
            metrics: &[],
            facts: None,
            curve: None,
            spread_over: None,
            cache: None,
            durability: None,
            memory_bytes: None,
            threads: |workload| workload.number("threads"),
            same_work_over: None,
            marks: Vec::new,
            further_levels: Vec::new,
            job,
            expected,
            files: None,
        }
    }

    pub(super) fn technique_of(&self, entry: &str) -> Result<(&'static Technique<Job>, Point), String> {
        let (family, name) = (self.name, technique_in(entry));
        let values = entry.split_once('@').map(|(_, values)| values);
        if let Some(technique) = self.techniques.iter().find(|technique| technique.name == name) {
            return technique.point_of(values).map(|point| (technique, point));
        }
        match self.techniques.iter().find(|technique| technique.alias.contains(&name)) {
            Some(meant) => Err(meant.named_by_a_program(family, name, values)),
            None => Err(format!("{family} has no technique '{name}'; 'bakeoff list {family}' names them")),
        }
    }
}

macro_rules! declared {
    ($($name:ident: $kind:ty),+ $(,)?) => { $(fn $name(&self) -> $kind { self.$name })+ };
}

macro_rules! asked {
    ($($name:ident($($what:ident: $kind:ty),*) -> $answer:ty),+ $(,)?) => {
        $(fn $name(&self, $($what: $kind),*) -> $answer { (self.$name)($($what),*) })+
    };
}

impl<Job> AnyFamily for Family<Job> {
    declared! {
        name: &'static str,
        question: &'static str,
        isolation: Isolation,
        consumes_its_input: bool,
        is_control: bool,
        baseline: &'static str,
        class_baselines: &'static [&'static str],
        usual_bytes_per_second: Option<u64>,
        renews_inputs: bool,
        axes: &'static [Axis],
        metrics: &'static [Metric],
        facts: Option<fn() -> Vec<Fact>>,
        spread_over: Option<&'static str>,
        same_work_over: Option<&'static str>,
        cache: Option<Cache>,
    }

    asked! {
        workloads(preset: Preset) -> Vec<Workload>,
        threads(workload: &Workload) -> Option<u64>,
        marks() -> Vec<Mark>,
        further_levels() -> Vec<u64>,
        range(axis: &str) -> Option<RangeInclusive<u64>>,
        check(workload: &Workload) -> Result<(), String>,
        expected(workload: &Workload, scratch: &Path) -> io::Result<Proof>,
    }

    fn entries(&self) -> Vec<Entry> {
        let techniques = self.techniques.iter();
        techniques.flat_map(|one| one.points().into_iter().map(|point| Entry::new(one, point))).collect()
    }

    fn entry(&self, name: &str) -> Result<Entry, String> {
        self.technique_of(name).map(|(technique, point)| Entry::new(technique, point))
    }

    fn curve(&self) -> Option<&Curve> {
        self.curve.as_ref()
    }

    fn durability(&self, workload: &Workload) -> Option<Durability> {
        self.durability.map(|of| of(workload))
    }

    fn memory_bytes(&self, workload: &Workload) -> Option<u64> {
        self.memory_bytes.map(|of| of(workload))
    }

    fn set(&self, workload: &mut Workload, axis: &str, text: &str) -> Result<(), String> {
        let Some(axis) = self.axes.iter().find(|known| known.name == axis) else {
            let known: Vec<&str> = self.axes.iter().map(|axis| axis.name).collect();
            let known = known.join(", ");
            return Err(format!("the family {} has no axis '{axis}'; it has {known}", self.name));
        };
        let (value, mut changed) = (axis.parse(text)?, workload.clone());
        (self.set)(&mut changed, axis, value.clone())?;
        within_range(axis, &value, (self.range)(axis.name))?;
        *workload = changed;
        Ok(())
    }

    fn files(&self) -> Option<&Files> {
        self.files.as_ref()
    }

    fn suits(&self, entry: &str, workload: &Workload) -> Availability {
        let found = self.technique_of(entry);
        found.map_or_else(Availability::Missing, |(technique, _)| (technique.suits)(workload))
    }

    fn fits(&self, entry: &str, workload: &Workload, setting: &Setting) -> Availability {
        let found = self.technique_of(entry);
        found.map_or_else(Availability::Missing, |(one, point)| (one.fits)(&point, workload, setting))
    }

    fn calls(&self, entry: &str, workload: &Workload) -> Vec<String> {
        let found = self.technique_of(entry);
        found.map(|(technique, _)| technique.expected_calls(workload)).unwrap_or_default()
    }

    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability {
        let found = self.technique_of(entry);
        found.map_or_else(Availability::Missing, |(technique, _)| (technique.probe)(host, setting))
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (technique, point) = self.technique_of(&trial.technique).map_err(invalid)?;
        let job = (self.job)(trial, point)?;
        let mut prepared = (technique.prepare)(&job)?;
        body(&mut *prepared)
    }
}

/// A question over the levels of an axis: which technique is fastest where?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The number of the workload that makes the levels, which `--set` takes: `file_bytes`.
    pub along: &'static str,
    /// The techniques that are always measured at `levels`; winners at other levels join them.
    pub techniques: &'static [&'static str],
    /// The levels of a run for which the user chose no workload.
    pub levels: &'static [&'static str],
}

impl Curve {
    /// Returns whether an entry belongs to a technique that is always measured at the levels.
    pub fn asks_for(&self, entry: &str) -> bool {
        self.techniques.contains(&technique_in(entry))
    }
}
