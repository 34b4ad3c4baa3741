//! What will be measured, decided before anything is.

pub(crate) mod asking;
pub(crate) mod compared;
pub(crate) mod disk;
pub(crate) mod estimate;
pub(crate) mod probing;
pub(crate) mod reference;
pub(crate) mod settings;
pub(crate) mod workloads;

use std::collections::BTreeMap;
use std::path::PathBuf;

use families::{AnyFamily, Entry};
use model::{
    Availability, Cache, Class, Design, Durability, Failure, Host, Kind, Note, Preset, Quantity, Setting,
    Volume, Workload,
};
use thiserror::Error;

use crate::request::contender::{Contender, ContenderError};
use crate::sample::session::SessionError;
use crate::sample::untimed::Untimed;
use crate::scratch::ScratchRegister;
use crate::time::questions::{AskedOf, Question};
use asking::Asking;
use estimate::Estimate;
use probing::{ProbeFolders, ready};
use settings::NoFilesError;
use workloads::Asked;

/// A family and, when not all of them, the entries that take part.
#[derive(Clone)]
pub struct Selection {
    /// The family.
    pub family: &'static dyn AnyFamily,
    /// Names of entries; all of the family when `None`.
    pub entries: Option<Vec<String>>,
}

/// What the user asked for.
#[derive(Clone)]
pub struct Request {
    /// Families and entries.
    pub selections: Vec<Selection>,
    /// Which workloads, when no sizes are given.
    pub preset: Preset,
    /// Sizes in bytes in place of the preset's.
    pub sizes_bytes: Vec<u64>,
    /// The user's own files in place of generated ones.
    pub files: Vec<PathBuf>,
    /// Values on the families' axes: every workload is measured at each of them.
    pub axes: Vec<(String, String)>,
    /// Cache states.
    pub caches: Vec<Cache>,
    /// End points.
    pub durabilities: Vec<Durability>,
    /// Directories, each on a file system of interest.
    pub directories: Vec<PathBuf>,
    /// Processors to run on; all when empty.
    pub processors: Vec<u32>,
    /// External commands.
    pub contenders: Vec<Contender>,
    /// The name of what is compared; when `None`, what each family compares, or `process` with contenders.
    pub metric: Option<String>,
    /// Chance of error of a contest.
    pub alpha: f64,
    /// Whether all contests share `alpha`.
    pub alpha_is_shared: bool,
    /// A contest ends when choosing its leader costs at most this fraction.
    pub delta: f64,
    /// The most counted rounds.
    pub rounds: u32,
    /// The fewest counted rounds before anything is decided, as far as the budget pays for them; 0 leaves it to the plan.
    pub least_rounds: u32,
    /// What is done before the first timed process of an entry, where processes are timed from outside.
    pub untimed: Untimed,
    /// The technique or contender that all are compared with; each family's own when `None`.
    pub reference: Option<String>,
    /// Time that the whole run may take; where it stretches, that of one contest.
    pub budget_ns: u64,
    /// Whether the budget grows with the number of contests, and gives way to what a short contest of all entries needs.
    pub budget_stretches: bool,
    /// After this long a process counts as hanging.
    pub time_limit_ns: u64,
    /// Memory that a worker or contender may take.
    pub memory_limit_bytes: Option<u64>,
    /// Seed of everything random.
    pub seed: u64,
    /// The question that its samples answer, and at which workloads; `None` for contests, which ask for the fastest.
    pub question: Option<Question>,
}

/// One workload in one setting with all who take part.
pub struct PlannedTask {
    /// The family.
    pub family: &'static dyn AnyFamily,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The entries.
    pub participants: Vec<Participant>,
    /// Entries that cannot run here, and why.
    pub refused: Vec<RefusedEntry>,
    /// Entries that the budget does not pay for even once, and a sentence that says so.
    pub left_out: Vec<(Participant, Failure)>,
    /// The curve of which it is a level, by a number that the other levels share.
    pub curve: Option<usize>,
    /// Whether the family asked for it, and not the user.
    pub is_extra: bool,
}

/// One entry of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// Name in the ranking.
    pub name: String,
    /// Published programs.
    pub aliases: Vec<String>,
    /// Where it comes from.
    pub kind: Kind,
    /// For a twin: whose.
    pub twin_of: Option<String>,
    /// The technique that it is a variant of.
    pub variant_of: Option<String>,
    /// What kind of result it leaves.
    pub class: Class,
    /// A contender's command.
    pub contender: Option<Contender>,
    /// About how long the work takes once.
    pub estimate: Estimate,
    /// Whether the user asked for it by its name: then it is tried wherever it can run.
    pub is_named: bool,
}

/// An entry that cannot take part here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedEntry {
    /// The entry.
    pub entry: Entry,
    /// Why not, in a sentence.
    pub reason: String,
}

impl Request {
    /// Whether processes are timed from outside, as contenders must be.
    pub(crate) fn is_timed_from_outside(&self) -> bool {
        let by_process = self.metric.as_deref().is_some_and(|name| Quantity::PROCESS.is_called(name));
        by_process || self.has_commands()
    }

    /// Whether external commands take part.
    pub(crate) fn has_commands(&self) -> bool {
        !self.contenders.is_empty()
            || self.selections.iter().any(|selection| selection.family.job().is_some())
    }
}

/// What will be measured.
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<PlannedTask>,
    /// What is fixed before the first round; the looks of each task follow from round 0.
    pub design: Design,
    /// Largest scratch space needed in each directory, inputs and outputs together.
    pub disk_bytes: Vec<(PathBuf, u64)>,
    /// Whether processes are timed from outside, as contenders must be.
    pub from_outside: bool,
    /// The most counted rounds.
    pub rounds: u32,
    /// The fewest counted rounds before anything is decided.
    pub least_rounds: u32,
    /// What is done before the first timed process of an entry.
    pub untimed: Untimed,
    /// Time that the whole run may take.
    pub budget_ns: u64,
    /// Whether the budget gives way to what a short contest of all entries needs.
    pub budget_stretches: bool,
    /// After this long a process counts as hanging.
    pub time_limit_ns: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// The preset asked for.
    pub preset: Preset,
    /// What a reader must know of the host, whatever is measured.
    pub notes: Vec<Note>,
    /// The questions that its samples answer; without any, its contests decide who is measured how long.
    pub questions: Vec<AskedOf>,
}

/// Why nothing can be measured.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// A contender is not well formed.
    #[error(transparent)]
    Contender(#[from] ContenderError),
    /// A family has no axis of sizes.
    #[error("the family {0} has no size to choose; leave --size out or name another family")]
    NoSizes(String),
    /// An entry that the family does not have.
    #[error("{0}")]
    Entry(String),
    /// A value that is none.
    #[error("--set {axis}={value}: {reason}")]
    Axis {
        /// The axis.
        axis: String,
        /// The value.
        value: String,
        /// Why not.
        reason: String,
    },
    /// A workload whose parts do not fit together.
    #[error("{0}")]
    Workload(String),
    /// Files that a family cannot work on.
    #[error("--input: {0}")]
    Files(String),
    /// Nothing is left to compare.
    #[error("nothing to compare in {family}: {reasons}")]
    Nothing {
        /// The family.
        family: String,
        /// Why each entry cannot run.
        reasons: String,
    },
    /// Nothing is left to compare in any family.
    #[error("nothing of what would be compared is available here; 'bakeoff list' shows what is")]
    NoneAvailable,
    /// The disk would not hold it.
    #[error(
        "{directory} has {free} free and the run needs up to {needed}; \
         free some space, or choose a smaller --size or another --dir"
    )]
    Disk {
        /// The directory.
        directory: String,
        /// Its free space.
        free: String,
        /// What is needed.
        needed: String,
    },
    /// A reference that does not take part.
    #[error(
        "--reference {0}: no family of this run has a technique or contender of this name that can run here; \
         'bakeoff list FAMILY' names the techniques"
    )]
    Reference(String),
    /// A limit that the host does not have.
    #[error("--memory-limit: the memory of {family} cannot be limited here, since {reason}; leave it out")]
    Memory {
        /// The family.
        family: String,
        /// Why not, in a clause.
        reason: String,
    },
    /// What techniques that share a process cannot serve.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// What a family without files cannot serve.
    #[error(transparent)]
    NoFiles(#[from] NoFilesError),
    /// A quantity that outside commands do not have.
    #[error(
        "contenders can be compared by process, cpu, user, system, memory, faults or switches, not by {0}: what happens inside a command cannot be seen"
    )]
    InsideACommand(String),
    /// A quantity that is not measured.
    #[error("--metric {name}: {family} is compared by {known}")]
    Metric {
        /// What was asked for.
        name: String,
        /// A family that does not have it.
        family: String,
        /// What it has.
        known: String,
    },
}

/// Times of one repetition in earlier runs on this host, in nanoseconds, by the name of the technique.
pub type Earlier<'a> = &'a dyn Fn(&str, &Workload, &Setting) -> BTreeMap<String, u64>;

/// Turns a request into a plan. Probes what can run here, in folders of `register`; measures nothing.
///
/// # Errors
/// The first thing that makes the run impossible, as a sentence for the user.
pub fn plan(
    request: &Request,
    host: &Host,
    volumes: &[Volume],
    earlier: Earlier<'_>,
    register: Option<&ScratchRegister>,
) -> Result<Plan, PlanError> {
    plan_together(request, &[], host, volumes, earlier, register)
}

/// Turns requests into one plan, measured in the same rounds. They may ask for different families, workloads, processors
/// and states of the file cache. The rules and the budget are those of the first. Questions share the samples that they need.
///
/// # Errors
/// The first thing that makes the run impossible, as a sentence for the user.
pub fn plan_together(
    request: &Request,
    further: &[Request],
    host: &Host,
    volumes: &[Volume],
    earlier: Earlier<'_>,
    register: Option<&ScratchRegister>,
) -> Result<Plan, PlanError> {
    let mut directories = request.directories.clone();
    for directory in further.iter().flat_map(|one| &one.directories) {
        if !directories.contains(directory) {
            directories.push(directory.clone());
        }
    }
    let probes = ProbeFolders::new(register, &directories);
    let mut whole = Asking::default();
    for one in std::iter::once(request).chain(further) {
        whole.add(one, host, volumes, earlier, &probes)?;
    }
    let Asking { mut tasks, compared, curves, references, job_questions, memory, mut notes, asked } = whole;
    if tasks.is_empty() && request.question.is_some() {
        return Err(PlanError::NoneAvailable);
    }
    notes.extend(memory.notes.into_inner());
    let disk_bytes = disk::needed_bytes(&tasks, volumes)?;
    // Questions are left out whole, after round 0.
    if !request.budget_stretches && asked.is_empty() {
        estimate::thin(&mut tasks, &references, request.budget_ns, request.is_timed_from_outside());
    }
    let contests = tasks.iter().map(|task| task.contests() as u32).sum::<u32>();
    let budget_ns = match request.budget_stretches {
        true => estimate::usual_budget_ns(&tasks, &curves, request.budget_ns),
        false => request.budget_ns,
    };
    Ok(Plan {
        design: Design {
            quantity: compared.quantity,
            quantities: compared.quantities,
            alpha: request.alpha,
            shared_by: if request.alpha_is_shared { contests.max(1) } else { 1 },
            delta: request.delta,
            looks: Vec::new(),
            references,
            curves,
            questions: job_questions,
        },
        from_outside: request.is_timed_from_outside(),
        tasks,
        disk_bytes,
        rounds: request.rounds,
        least_rounds: request.least_rounds.min(request.rounds),
        untimed: request.untimed,
        budget_ns,
        budget_stretches: request.budget_stretches,
        time_limit_ns: request.time_limit_ns,
        seed: request.seed,
        preset: request.preset,
        notes,
        questions: asked,
    })
}

pub(crate) fn task(
    asked: &Asked,
    setting: Setting,
    request: &Request,
    host: &Host,
    probes: &ProbeFolders,
) -> Result<PlannedTask, PlanError> {
    let Asked { selection, workload, is_extra } = asked;
    let family = selection.family;
    // Timed from outside, a limit would be its process's start and end rather than its work.
    let inside = !request.is_timed_from_outside();
    let named = |entry: &Entry| selection.entries.as_ref().is_none_or(|names| names.contains(&entry.name));
    let chosen = |entry: &Entry| match entry.ceiling {
        true => inside && !is_extra,
        false => named(entry) || reference::is_named(request, entry),
    };
    let mut entries = family.entries();
    for name in selection.entries.iter().flatten() {
        // A value that does not take part by default.
        if !entries.iter().any(|entry| entry.name == *name) {
            entries.push(family.entry(name).map_err(PlanError::Entry)?);
        }
    }
    let (mut participants, mut refused) = (Vec::<Participant>::new(), Vec::new());
    let (mut unsuited, is_named) = (Vec::new(), selection.entries.is_some() && !is_extra);
    let probed = probes.setting(&setting);
    for entry in entries.into_iter().filter(chosen) {
        match (family.suits(&entry.name, workload), is_named) {
            (Availability::Ready, _) => match ready(family, &entry, workload, (host, &probed)) {
                Availability::Ready => {
                    let is_named = is_named || reference::is_named(request, &entry);
                    participants.push(Participant { is_named, ..entry.into() });
                }
                Availability::Missing(reason) => refused.push(RefusedEntry { entry, reason }),
            },
            (Availability::Missing(reason), true) => refused.push(RefusedEntry { entry, reason }),
            // Who does not name it does not expect it at a workload that it is not for.
            (Availability::Missing(reason), false) => unsuited.push(RefusedEntry { entry, reason }),
        }
    }
    if let Some(job) = family.job() {
        let own = job.techniques.iter().map(|technique| Contender::of_job(job, technique));
        participants.extend(own.map(|contender| external(&contender)));
    }
    for contender in request.contenders.iter().filter(|contender| contender.enters(family.name())) {
        contender.check_at(family, workload)?;
        if family.entries().iter().any(|entry| entry.name == contender.name) {
            return Err(ContenderError::Taken(contender.subject(), family.name().to_owned()).into());
        }
        if participants.iter().any(|one| one.name == contender.name) {
            return Err(ContenderError::Twice(contender.subject()).into());
        }
        participants.push(external(contender));
    }
    if !participants.iter().any(Participant::competes) {
        refused.append(&mut unsuited);
    }
    Ok(PlannedTask {
        family,
        workload: workload.clone(),
        setting,
        participants,
        refused,
        left_out: Vec::new(),
        curve: None,
        is_extra: *is_extra,
    })
}

impl From<Entry> for Participant {
    fn from(entry: Entry) -> Self {
        Self {
            name: entry.name,
            aliases: entry.aliases,
            kind: if entry.ceiling { Kind::Ceiling } else { Kind::BuiltIn },
            twin_of: None,
            variant_of: entry.variant_of.map(str::to_owned),
            class: entry.class,
            contender: None,
            estimate: Estimate::default(),
            is_named: false,
        }
    }
}

fn external(contender: &Contender) -> Participant {
    Participant {
        name: contender.name.clone(),
        aliases: Vec::new(),
        kind: Kind::Contender,
        twin_of: None,
        variant_of: None,
        class: Class::MovesBytes,
        contender: Some(contender.clone()),
        estimate: Estimate::default(),
        is_named: true,
    }
}

impl Participant {
    /// Whether it is an entry of a contest: neither a limit nor a twin.
    pub fn competes(&self) -> bool {
        matches!(self.kind, Kind::BuiltIn | Kind::Contender)
    }

    /// The technique of which it is a value or a variant.
    pub(crate) fn technique(&self) -> &str {
        self.variant_of.as_deref().unwrap_or_else(|| self.kind.technique_and_value(&self.name).0)
    }

    /// The same technique a second time, as a control.
    pub(crate) fn twin(&self) -> Self {
        Self {
            name: format!("{} (twin)", self.name),
            aliases: Vec::new(),
            kind: Kind::Twin,
            twin_of: Some(self.name.clone()),
            ..self.clone()
        }
    }
}

impl PlannedTask {
    /// Whether anything of it can be measured but limits.
    pub(crate) fn has_competitor(&self) -> bool {
        self.participants.iter().any(Participant::competes)
    }

    /// The number of classes in which at least two compete.
    fn contests(&self) -> usize {
        let members = |class: &Class| {
            self.participants.iter().filter(|one| one.competes() && one.class == *class).count()
        };
        Class::ALL.iter().filter(|class| members(class) >= 2).count()
    }
}
