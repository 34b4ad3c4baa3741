//! What will be measured: the vocabulary of a plan.

use std::collections::BTreeMap;
use std::path::PathBuf;

use families::{AnyFamily, Entry};
use model::{Class, Design, Kind, Note, Setting, Workload};

use crate::request::Request;
use crate::request::command::ExternalCommand;

/// One workload in one setting with all who take part.
#[derive(Clone)]
pub struct PlannedTask {
    /// The family.
    pub family: &'static dyn AnyFamily,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The entries.
    pub participants: Vec<Participant>,
    /// At a level that the family asks for: entries that join if they lead at another level of the curve.
    pub reserve: Vec<Participant>,
    /// Entries that cannot run here, and why.
    pub refused: Vec<RefusedEntry>,
    /// Entries that the budget does not pay for even once.
    pub skipped: Vec<Participant>,
    /// The curve of which it is a level, by a number that the other levels share.
    pub curve: Option<usize>,
    /// The family asked for it, and not the user.
    pub is_extra: bool,
    /// Each round has a new input, the same for all entries.
    pub renews_inputs: bool,
    /// See [`crate::Request::precision`].
    pub precision: Option<f64>,
}

/// One entry of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Participant {
    /// Name in the ranking.
    pub name: String,
    /// Published programs.
    pub aliases: Vec<String>,
    /// Its origin.
    pub kind: Kind,
    /// For a twin: whose.
    pub twin_of: Option<String>,
    /// The technique that it is a variant of.
    pub variant_of: Option<String>,
    /// The kind of result that it leaves.
    pub class: Class,
    /// A command's command.
    pub command: Option<ExternalCommand>,
    /// About how long the work takes once.
    pub estimate: Estimate,
    /// The user asked for it by its name: then it is tried wherever it can run.
    pub is_named: bool,
    /// It takes all rounds, however far behind it is.
    pub stays: bool,
}

/// An entry that cannot take part here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedEntry {
    /// The entry.
    pub entry: Entry,
    /// The reason, in a sentence.
    pub reason: String,
}

/// The plan of a run.
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<PlannedTask>,
    /// The rules that are fixed before the first round; the looks of each task follow from round 0.
    pub design: Design,
    /// Largest scratch space needed in each directory, inputs and outputs together.
    pub disk_bytes: Vec<(PathBuf, u64)>,
    /// The first request: its rules are those of the run.
    pub request: Request,
    /// Time that the whole run may take.
    pub budget_ns: u64,
    /// Notes about the host, whatever is measured.
    pub notes: Vec<Note>,
    /// The questions that its samples answer; without any, its contests decide who is measured how long.
    pub questions: Vec<AskedOf>,
}

/// Times of one repetition in earlier runs on this host, in nanoseconds, by the name of the technique.
pub type Earlier<'a> = &'a dyn Fn(&str, &Workload, &Setting) -> BTreeMap<String, u64>;

/// Returns no times: no earlier run is looked at.
pub fn never_measured(_: &str, _: &Workload, _: &Setting) -> BTreeMap<String, u64> {
    BTreeMap::new()
}

impl From<Entry> for Participant {
    fn from(entry: Entry) -> Self {
        Self {
            name: entry.name,
            aliases: entry.aliases,
            kind: if entry.ceiling { Kind::Ceiling } else { Kind::BuiltIn },
            variant_of: entry.variant_of.map(str::to_owned),
            class: entry.class,
            ..Self::default()
        }
    }
}

impl Participant {
    /// Returns whether it is an entry of a contest: neither a ceiling nor a twin.
    pub fn competes(&self) -> bool {
        matches!(self.kind, Kind::BuiltIn | Kind::Command)
    }

    /// Returns the same technique a second time, as a control.
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
    pub(crate) fn new(family: &'static dyn AnyFamily, workload: Workload, setting: Setting) -> Self {
        Self {
            family,
            workload,
            setting,
            participants: Vec::new(),
            reserve: Vec::new(),
            refused: Vec::new(),
            skipped: Vec::new(),
            curve: None,
            is_extra: false,
            renews_inputs: false,
            precision: None,
        }
    }

    pub(crate) fn can_run(&self) -> bool {
        self.participants.iter().any(Participant::competes)
    }

    pub(crate) fn contests(&self) -> usize {
        let competitors: Vec<_> = self.participants.iter().filter(|one| one.competes()).collect();
        let sizes = Class::ALL.map(|class| competitors.iter().filter(|one| one.class == class).count());
        sizes.into_iter().filter(|&size| size >= 2).count()
    }
}

/// About how long an entry's work takes once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Estimate {
    /// In nanoseconds; `None` where nothing is known.
    pub work_ns: Option<u64>,
    /// Earlier runs on this host say so.
    pub from_earlier: bool,
}

/// A question of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedOf {
    /// Its name.
    pub name: String,
    /// The compared entries: the index of a task, and the name of an entry there.
    pub compared: Vec<(usize, String)>,
}

/// Returns the program of an entry, which a system reads from the device first. Commands of the user's own are all different.
pub(crate) fn program<'a>(family: &dyn AnyFamily, one: &'a Participant) -> &'a str {
    match &one.command {
        None => "",
        Some(command) if family.job().is_some() => &command.name,
        Some(command) => command.words.first().map_or("", String::as_str),
    }
}

/// Returns what is planned together: the levels of a curve, or a single task; as indices, in the order of the tasks.
pub(crate) fn units(curves: impl IntoIterator<Item = Option<usize>>) -> Vec<Vec<usize>> {
    let mut units: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (task, curve) in curves.into_iter().enumerate() {
        match units.iter_mut().find(|(of, _)| curve.is_some() && *of == curve) {
            Some((_, tasks)) => tasks.push(task),
            None => units.push((curve, vec![task])),
        }
    }
    units.into_iter().map(|(_, tasks)| tasks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_of_a_curve_are_planned_together() {
        assert_eq!(units([None, Some(0), None, Some(1), Some(0)]), [vec![0], vec![1, 4], vec![2], vec![3]]);
    }
}
