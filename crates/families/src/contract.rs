//! What a technique is, and what a family must tell about its techniques.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use model::{Availability, Class, Host, Preset, Proof, Setting, Trial, Workload};

/// A prepared technique: everything before this point is outside the clock.
pub trait Repeat {
    /// Restores what a repetition consumes, outside the clock.
    ///
    /// # Errors
    /// Whatever the operating system reports.
    fn refresh(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Does the work `times` times. The loop is in here so that the indirect call is paid once a sample.
    ///
    /// # Errors
    /// Whatever the operating system reports.
    fn repeat(&mut self, times: u64) -> io::Result<()>;

    /// What must be equal for all techniques of the family: computed after the clock has stopped.
    ///
    /// # Errors
    /// The result is missing or unreadable.
    fn proof(&mut self) -> io::Result<Proof>;

    /// Parts of the last repetition, each with its own time in nanoseconds. Most techniques have none.
    fn phases_ns(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// What a reader must know of the last repetition: `fell back: ...`. It was noted during the work and is only handed
    /// over here, which must cost nothing: a process that is timed from outside does it inside its time.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// What a look at the result shows: `reflinked`. Only asked for after the clock, where work is timed inside.
    fn notes_on_the_output(&self) -> Vec<String> {
        Vec::new()
    }
}

/// An axis inside a technique, e.g. the size of its buffer.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Name with the unit last: `buffer_bytes`.
    pub name: &'static str,
    /// The values that enter the contest by default, ascending.
    pub values: &'static [u64],
}

/// One answer to a family's question.
pub struct Technique<Job: 'static> {
    /// A standard term in snake case.
    pub name: &'static str,
    /// Published programs that worked like this.
    pub alias: &'static [&'static str],
    /// The idea in one line.
    pub idea: &'static str,
    /// The program, page or paper that it comes from.
    pub source: &'static str,
    /// What kind of result it leaves.
    pub class: Class,
    /// Whether it is not a competitor but the limit.
    pub ceiling: bool,
    /// Its own axis, when it has one.
    pub parameter: Option<Parameter>,
    /// The technique from which it differs in a detail that users would call a setting: answers name both as one.
    pub variant_of: Option<&'static str>,
    /// Whether it can run on this host in this setting. May try things out in the setting's directory.
    pub probe: fn(&Host, &Setting) -> Availability,
    /// Builds the technique for a job. Only what the family gives to all (paths, sizes) may happen here.
    pub prepare: for<'job> fn(&'job Job) -> io::Result<Box<dyn Repeat + 'job>>,
}

impl<Job: 'static> Technique<Job> {
    /// What most techniques are: competitors that move bytes and need nothing but files. A declaration names what
    /// differs, and always its name, idea and source.
    pub const fn usual(prepare: for<'job> fn(&'job Job) -> io::Result<Box<dyn Repeat + 'job>>) -> Self {
        Self {
            name: "",
            alias: &[],
            idea: "",
            source: "",
            class: Class::MovesBytes,
            ceiling: false,
            parameter: None,
            variant_of: None,
            probe: |_host, _setting| Availability::Ready,
            prepare,
        }
    }
}

impl<Job> Clone for Technique<Job> {
    fn clone(&self) -> Self {
        *self
    }
}

// Derived, it would ask the same of the job.
impl<Job> Copy for Technique<Job> {}

/// Two lists as one, whose length is that of both.
pub(crate) const fn joined<Job, const LENGTH: usize>(
    first: &[Technique<Job>],
    second: &[Technique<Job>],
) -> [Technique<Job>; LENGTH] {
    assert!(LENGTH == first.len() + second.len(), "the length is that of both");
    let mut all = [first[0]; LENGTH];
    let mut nth = 1;
    while nth < LENGTH {
        all[nth] = if nth < first.len() { first[nth] } else { second[nth - first.len()] };
        nth += 1;
    }
    all
}

/// A technique as the plan sees it: one value of its parameter chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `name`, or `name@value` where the technique has a parameter.
    pub name: String,
    /// Published programs that worked like this.
    pub aliases: Vec<String>,
    /// The idea in one line.
    pub idea: String,
    /// The program, page or paper that it comes from.
    pub source: String,
    /// What kind of result it leaves.
    pub class: Class,
    /// Whether it is not a competitor but the limit.
    pub ceiling: bool,
    /// The chosen value of its parameter: name with unit, value.
    pub parameter: Option<(&'static str, u64)>,
    /// The technique that it is a variant of.
    pub variant_of: Option<&'static str>,
}

/// How the coordinator spends processes on a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One process a sample.
    Process,
    /// One process a session: the child runs the whole family for some inner rounds.
    Session,
}

/// The names that a contender's command line may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// The name between the braces: `input`, `output`.
    pub name: &'static str,
    /// What it stands for in the trial at hand. Several values take the place of a whole word.
    pub values: Vec<OsString>,
    /// Whether a contender cannot do its work without it.
    pub required: bool,
}

impl Placeholder {
    /// A placeholder for one path, without which a contender cannot do its work.
    pub fn required(name: &'static str, path: PathBuf) -> Self {
        Self { name, values: vec![path.into()], required: true }
    }

    /// A placeholder that a contender may do without.
    pub fn optional(name: &'static str, values: Vec<OsString>) -> Self {
        Self { name, values, required: false }
    }
}

/// What a user may choose about a family's workloads with `--set NAME=VALUE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// Its name: `pattern`, `order`.
    pub name: &'static str,
    /// What it means, and which values there are, in one line.
    pub meaning: &'static str,
    /// A value that a user may copy.
    pub example: &'static str,
}

/// What a family asks over the levels of an axis: who is fastest where, and where do two techniques change places?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The number of the workload that makes the levels, which `--set` takes: `file_bytes`.
    pub along: &'static str,
    /// Pairs of techniques of which it is told where they change places.
    pub pairs: &'static [(&'static str, &'static str)],
    /// The levels of a run for which the user chose no workload; only the techniques of the pairs take part in them.
    pub levels: &'static [&'static str],
}

impl Curve {
    /// Whether an entry belongs to a technique of one of the pairs.
    pub fn asks_for(&self, entry: &str) -> bool {
        let technique = entry.split('@').next().unwrap_or(entry);
        self.pairs.iter().any(|(one, other)| technique == *one || technique == *other)
    }
}

/// What the worker does with a prepared technique.
pub type Body<'a> = dyn FnMut(&mut dyn Repeat) -> io::Result<()> + 'a;

/// A family with its job type hidden, so that the coordinator can hold all of them in one list.
pub trait Family: Sync {
    /// Its name: `copy`.
    fn name(&self) -> &'static str;

    /// The question that it answers, as one sentence with a question mark.
    fn question(&self) -> &'static str;

    /// All techniques with all their parameter values, in the order in which they are listed.
    fn entries(&self) -> Vec<Entry>;

    /// How the coordinator spends processes on it.
    fn mode(&self) -> Mode {
        Mode::Process
    }

    /// Whether the work cannot be done twice without [`Repeat::refresh`] between.
    fn consumes_its_input(&self) -> bool {
        false
    }

    /// Whether it only exists to check the instrument, and is not part of a default run.
    fn is_control(&self) -> bool {
        false
    }

    /// The entry that does it the plain way, as most programs would: the answer says how much slower it is.
    fn reference(&self) -> &'static str;

    /// Bytes of scratch space that a usual technique works through in a second on a usual machine: a first guess, for
    /// the plan of a run on a host where nothing was measured yet. `None` where the space tells nothing of the time.
    fn usual_bytes_per_second(&self) -> Option<u64> {
        None
    }

    /// The workloads of a preset.
    fn workloads(&self, preset: Preset) -> Vec<Workload>;

    /// A workload of a size that the user typed; `None` when the family has no such axis.
    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload>;

    /// A workload over the user's own files. They are looked at here, and [`Family::generate`] makes a private copy of
    /// them: nothing works on them, maps them or changes them.
    ///
    /// # Errors
    /// One sentence: the family works on no files, there are too many, or one is missing, unreadable or of the wrong kind.
    fn workload_of_files(&self, _files: &[PathBuf]) -> Result<Workload, String> {
        Err(format!("the family {} works on no files of yours; leave --input out", self.name()))
    }

    /// What a user may choose about the workloads.
    fn axes(&self) -> &'static [Axis] {
        &[]
    }

    /// What it asks over the levels of an axis, beside who is fastest at each workload.
    fn curve(&self) -> Option<&'static Curve> {
        None
    }

    /// Gives a workload another value on one of the [`Family::axes`]; its name stays, the plan completes it.
    ///
    /// # Errors
    /// One sentence: the value is none, where it goes wrong, and what would be one.
    fn set(&self, _workload: &mut Workload, axis: &str, _value: &str) -> Result<(), String> {
        Err(format!("the family {} has no axis '{axis}'", self.name()))
    }

    /// Looks at a workload with all that was set, before anything is written.
    ///
    /// # Errors
    /// One sentence: what does not fit together.
    fn check(&self, _workload: &Workload) -> Result<(), String> {
        Ok(())
    }

    /// Scratch space that a trial needs in bytes, inputs and outputs together.
    fn scratch_bytes(&self, workload: &Workload) -> u64;

    /// Creates the inputs of a workload in the private folder `scratch`.
    ///
    /// # Errors
    /// Whatever the operating system reports; a full disk among them.
    fn generate(&self, workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()>;

    /// The files whose cache state the setting is about.
    fn inputs(&self, workload: &Workload, scratch: &Path) -> Vec<PathBuf>;

    /// The proof that every technique must give.
    ///
    /// # Errors
    /// The input is missing or unreadable.
    fn expected(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof>;

    /// Removes what a trial left behind, so that the next begins with an absent output.
    ///
    /// # Errors
    /// Whatever the operating system reports.
    fn clear(&self, workload: &Workload, scratch: &Path) -> io::Result<()>;

    /// The proof of what stands in the output now, whichever process wrote it.
    ///
    /// # Errors
    /// The output is missing or unreadable.
    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof>;

    /// What a contender's command line may hold.
    fn placeholders(&self, workload: &Workload, scratch: &Path) -> Vec<Placeholder>;

    /// The file that takes what a contender prints, where its standard output is its result.
    fn answer_file(&self, _scratch: &Path) -> Option<PathBuf> {
        None
    }

    /// Whether a contender that ends with this exit code has done its work. The result is proven all the same.
    fn accepts_exit(&self, code: i32) -> bool {
        code == 0
    }

    /// Whether the entry can run on this host in this setting. An unknown entry is missing.
    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability;

    /// Prepares the trial's technique and hands it to `body`.
    ///
    /// # Errors
    /// The technique is unknown, cannot be prepared, or `body` failed.
    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()>;
}

/// Splits `name@value` into the technique and its parameter's value.
///
/// # Errors
/// The value is no size.
pub fn split_entry(entry: &str) -> io::Result<(&str, Option<u64>)> {
    match entry.split_once('@') {
        None => Ok((entry, None)),
        Some((name, value)) => model::parse_bytes(value)
            .map(|value| (name, Some(value)))
            .map_err(|refused| io::Error::new(io::ErrorKind::InvalidInput, refused)),
    }
}

/// The entries of a list of techniques: one for each value of a parameter.
pub fn entries_of<Job>(techniques: &[Technique<Job>]) -> Vec<Entry> {
    techniques.iter().flat_map(entries_of_one).collect()
}

fn entries_of_one<Job>(technique: &Technique<Job>) -> Vec<Entry> {
    let entry = |parameter: Option<(&'static str, u64)>| Entry {
        name: match parameter {
            None => technique.name.to_owned(),
            Some((_, value)) => format!("{}@{}", technique.name, short(value)),
        },
        aliases: technique.alias.iter().map(|&alias| alias.to_owned()).collect(),
        idea: technique.idea.to_owned(),
        source: technique.source.to_owned(),
        class: technique.class,
        ceiling: technique.ceiling,
        parameter,
        variant_of: technique.variant_of,
    };
    match technique.parameter {
        None => vec![entry(None)],
        Some(axis) => axis.values.iter().map(|&value| entry(Some((axis.name, value)))).collect(),
    }
}

/// A parameter's value in the form that [`model::parse_bytes`] reads: `256K`, `1M`, `4000`.
fn short(value: u64) -> String {
    for (suffix, size) in [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)] {
        if value >= size && value.is_multiple_of(size) {
            return format!("{}{suffix}", value / size);
        }
    }
    value.to_string()
}
