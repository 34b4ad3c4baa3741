//! A job with nothing to declare: commands and scans as words of the command line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use families::{Command, GoodExits, Job, JobInput, Proving};
use model::Workload;

use super::axes::{self, Axis, count, points, twice};
use super::drafts::{Draft, Fillers, no_shell_warnings, techniques};
use super::table::{Place, Unsplit};
use super::{MOST_POINTS, ReadJob};
use crate::request::Refusal;

const NAME: &str = Workload::TYPED_COMMANDS;

/// The commands as `bakeoff time` gets them.
#[derive(Debug, Clone, Default)]
pub struct TypedCommands {
    /// Each a line.
    pub lines: Vec<String>,
    /// One command in words.
    pub words: Vec<String>,
    /// Names, in the order of the commands; as many as there are commands, or none.
    pub names: Vec<String>,
    /// Scans: names and values.
    pub axes: Vec<(String, Vec<String>)>,
    /// A shell gets the commands.
    pub shell: bool,
    /// The exit codes that are no failure.
    pub good_exits: GoodExits,
    /// One for all, or one for each command.
    pub prepare: Vec<String>,
    /// One for all.
    pub setup: Option<String>,
    /// One for all.
    pub cleanup: Option<String>,
    /// Their output goes where this program prints.
    pub show_output: bool,
}

/// Reads `1,2,3`.
pub fn scan_of_list(name: &str, values: &str) -> Result<(String, Vec<String>), Refusal> {
    let place = Place { shown: "-L", position: Some(format!("{name} {values}")) };
    scan(name, values.split(',').filter(|_| !values.is_empty()).map(str::to_owned).collect(), &place)
}

/// Reads `1..8` and `0.5..2:0.5`.
pub fn scan_of_range(name: &str, typed: &str) -> Result<(String, Vec<String>), Refusal> {
    let place = Place { shown: "-P", position: Some(format!("{name} {typed}")) };
    let refuse =
        |reason: &str| place.refuse(format!("{reason}; for example -P {name} 1..8 or -P {name} 1..8:2"));
    let (ends, step) = match typed.split_once(':') {
        Some((ends, step)) => (ends, Some(step)),
        None => (typed, None),
    };
    let (from, to) = ends.split_once("..").ok_or_else(|| refuse("a range has two ends with '..' between"))?;
    scan(name, axes::range(from, to, step).map_err(|reason| refuse(&reason))?, &place)
}

fn scan(name: &str, values: Vec<String>, place: &Place<'_>) -> Result<(String, Vec<String>), Refusal> {
    let axis = axes::checked(Axis { name: name.to_owned(), values, start: 0 }, place)?;
    Ok((axis.name, axis.values))
}

impl TypedCommands {
    /// Returns the job of these commands, run in `directory`.
    pub fn job(&self, directory: PathBuf) -> Result<ReadJob, Refusal> {
        let drafts = self.drafts()?;
        let mut names = self.axes.iter().map(|(name, _)| name);
        if let Some(name) = names.find(|name| !drafts.iter().any(|draft| draft.mentions(name))) {
            return Err(Refusal(format!(
                "no command holds {{{name}}}, so that the scan of '{name}' changes nothing; write it where its value belongs"
            )));
        }
        let fillers = Fillers { outside: &[], declared: &[], directory: &directory, looks_at_input: false };
        let warnings =
            drafts.iter().flat_map(|draft| no_shell_warnings(draft, "--shell runs it in a shell")).collect();
        let techniques = techniques(&drafts, &fillers)?;
        let question = match techniques.len() {
            1 => "How long does the command take?",
            _ => "Which command is fastest?",
        };
        let job = Job {
            name: NAME.to_owned(),
            question: question.to_owned(),
            input: JobInput::None,
            workloads: vec![Workload { name: Workload::AS_GIVEN.to_owned(), ..Workload::default() }],
            techniques,
            proof: Proving::Exit,
            show_output: self.show_output,
            directory,
        };
        Ok(ReadJob { job, warnings })
    }

    /// Returns the values that each command has of the scans, by the command's name. Whether its program is there is not asked.
    pub fn points(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let drafts = self.drafts().unwrap_or_default();
        let many = drafts.iter().fold(0_usize, |many, draft| many.saturating_add(count(&draft.axes)));
        if many > MOST_POINTS {
            return BTreeMap::new();
        }
        let points =
            drafts.iter().flat_map(|draft| points(&draft.axes).into_iter().map(move |at| (draft, at)));
        let named = points.map(|(draft, point)| {
            let values = point.iter().map(|(axis, value)| ((*axis).to_owned(), (*value).to_owned()));
            (draft.name_at(&point), values.collect())
        });
        named.collect()
    }

    fn drafts(&self) -> Result<Vec<Draft<'static>>, Refusal> {
        let unsplit =
            |line| if self.shell { Unsplit::Whole(Command::Shell(line)) } else { Unsplit::Line(line) };
        let mut commands: Vec<_> =
            self.lines.iter().map(|line| (line.clone(), unsplit(line.clone()))).collect();
        if !self.words.is_empty() {
            commands.push((self.words.join(" "), Unsplit::Whole(Command::Words(self.words.clone()))));
        }
        self.check_counts(commands.len())?;
        let step = |name: &'static str, line: Option<&String>| {
            let place = Place { shown: name, position: None };
            line.map(|line| unsplit(line.clone()).split(&place)).transpose()
        };
        let mut drafts: Vec<Draft<'static>> = Vec::new();
        for (nth, (shown, command)) in commands.into_iter().enumerate() {
            let prepare = if self.prepare.len() > 1 { self.prepare.get(nth) } else { self.prepare.first() };
            let mut name = self.names.get(nth).cloned().unwrap_or(shown);
            while drafts.iter().any(|draft| draft.name == name) {
                name.push_str(" (again)");
            }
            let mut draft = Draft {
                place: Place { shown: "the command", position: None },
                name,
                command,
                setup: step("--setup", self.setup.as_ref())?,
                prepare: step("--prepare", prepare)?,
                cleanup: step("--cleanup", self.cleanup.as_ref())?,
                good_exits: self.good_exits.clone(),
                axes: Vec::new(),
            };
            // An axis is for those that hold it.
            let axes = self.axes.iter().filter(|(axis, _)| draft.mentions(axis)).cloned();
            draft.axes = axes.map(|(name, values)| Axis { name, values, start: 0 }).collect();
            drafts.push(draft);
        }
        Ok(drafts)
    }

    fn check_counts(&self, commands: usize) -> Result<(), Refusal> {
        let (prepared, named) = (self.prepare.len(), self.names.len());
        if prepared > 1 && prepared != commands {
            return Err(Refusal(format!(
                "--prepare is given {prepared} times for {commands} commands; give one for all, or one for each"
            )));
        }
        if named > commands {
            let plural = if commands == 1 { "" } else { "s" };
            return Err(Refusal(format!(
                "--name is given {named} times for {commands} command{plural}; give one for each at most"
            )));
        }
        match twice(self.axes.iter().map(|(name, _)| name)) {
            Some(name) => Err(Refusal(format!("two scans are called '{name}'; give one another name"))),
            None => Ok(()),
        }
    }
}
