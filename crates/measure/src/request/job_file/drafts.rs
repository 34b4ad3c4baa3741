//! Turns the commands as they were written into techniques: one for each point of their own axes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use families::placeholders::{filled_word, names_in};
use families::{Command, GoodExits, JobTechnique, Placeholder};
use sys::command_line::{is_there, program_in, split};

use super::MOST_POINTS;
use super::axes::{Axis, Point, count, points};
use super::table::{Place, Placed, Unsplit};
use crate::request::Refusal;
use crate::request::command::is_plain;

impl Unsplit {
    pub(super) fn split(&self, place: &Place<'_>) -> Result<Command, Refusal> {
        self.at(&Vec::new(), place)
    }

    /// Returns the command at a point. A line is split after the values stand in it, as a shell would.
    fn at(&self, point: &Point<'_>, place: &Place<'_>) -> Result<Command, Refusal> {
        let command = match self {
            Self::Whole(command) => command_with(command, point),
            Self::Line(line) => {
                let line = with(line, point);
                let Some(words) = split(&line) else {
                    return Err(place.refuse(format!("a quotation mark is not closed in '{line}'")));
                };
                Command::Words(words)
            }
        };
        let is_empty = match &command {
            Command::Words(words) => words.first().is_none_or(String::is_empty),
            Command::Shell(line) => line.trim().is_empty(),
        };
        if is_empty {
            return Err(place.refuse("the command is empty; for example command = \"gzip -c {input}\""));
        }
        Ok(command)
    }

    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Line(line) => names_in(line).any(|one| one == name),
            Self::Whole(command) => command.has(name),
        }
    }
}

pub(super) fn with(text: &str, point: &Point<'_>) -> String {
    let places =
        point.iter().map(|(axis, value)| Placeholder::optional((*axis).to_owned(), vec![(*value).into()]));
    filled_word(text, &places.collect::<Vec<_>>(), OsStr::to_owned).to_string_lossy().into_owned()
}

fn command_with(command: &Command, point: &Point<'_>) -> Command {
    match command {
        Command::Words(words) => Command::Words(words.iter().map(|word| with(word, point)).collect()),
        Command::Shell(line) => Command::Shell(with(line, point)),
    }
}

#[derive(Debug)]
pub(super) struct Draft<'t> {
    pub(super) place: Place<'t>,
    pub(super) name: String,
    pub(super) command: Unsplit,
    pub(super) setup: Option<Command>,
    pub(super) prepare: Option<Command>,
    pub(super) cleanup: Option<Command>,
    pub(super) good_exits: GoodExits,
    pub(super) axes: Vec<Axis>,
}

impl Draft<'_> {
    fn steps(&self) -> impl Iterator<Item = (&'static str, &Command)> {
        let steps = [("setup", &self.setup), ("preparation", &self.prepare), ("cleanup", &self.cleanup)];
        steps.into_iter().filter_map(|(role, step)| Some((role, step.as_ref()?)))
    }

    pub(super) fn name_at(&self, point: &Point<'_>) -> String {
        let shown: Vec<String> = point.iter().map(|(axis, value)| format!("{axis}={value}")).collect();
        if point.iter().all(|(axis, _)| self.name.contains(&format!("{{{axis}}}"))) {
            with(&self.name, point)
        } else {
            format!("{}@{}", self.name, shown.join(","))
        }
    }

    pub(super) fn mentions(&self, name: &str) -> bool {
        self.command.mentions(name) || self.steps().any(|(_, step)| step.has(name))
    }
}

/// The placeholders that the commands of all techniques may hold next to their own axes.
pub(super) struct Fillers<'a> {
    pub(super) outside: &'a [&'a str],
    /// All names that a placeholder may have somewhere in the job: the braces of others stay.
    pub(super) declared: &'a [&'a str],
    pub(super) directory: &'a Path,
    /// A command that has no `{input}` would work on something else.
    pub(super) looks_at_input: bool,
}

pub(super) fn techniques(drafts: &[Draft<'_>], fillers: &Fillers<'_>) -> Result<Vec<JobTechnique>, Refusal> {
    let (mut techniques, mut names) = (Vec::new(), BTreeSet::new());
    for draft in drafts {
        let made = count(&draft.axes);
        if techniques.len().saturating_add(made) > MOST_POINTS {
            return Err(draft.place.refuse(format!(
                "the axes of '{}' make {made} points, and at most {MOST_POINTS} are compared; leave values out",
                draft.name
            )));
        }
        check_axes(draft)?;
        for point in points(&draft.axes) {
            let technique = technique(draft, &point)?;
            check_placeholders(draft, &technique, fillers)?;
            // A command is found again by its name.
            if !names.insert(technique.name.clone()) {
                let reason = format!("two commands are called '{}'; give one another name", technique.name);
                return Err(draft.place.refuse(reason));
            }
            techniques.push(technique);
        }
    }
    Ok(techniques)
}

fn technique(draft: &Draft<'_>, point: &Point<'_>) -> Result<JobTechnique, Refusal> {
    let step = |step: &Option<Command>| step.as_ref().map(|step| command_with(step, point));
    Ok(JobTechnique {
        name: draft.name_at(point),
        command: draft.command.at(point, &draft.place)?,
        setup: step(&draft.setup),
        prepare: step(&draft.prepare),
        cleanup: step(&draft.cleanup),
        good_exits: draft.good_exits.clone(),
    })
}

fn check_axes(draft: &Draft<'_>) -> Result<(), Refusal> {
    match draft.axes.iter().find(|axis| !draft.mentions(&axis.name)) {
        None => Ok(()),
        Some(axis) => Err(draft.place.refuse(format!(
            "'{}' has the axis '{1}' and no command that holds {{{1}}}; write it where its value belongs",
            draft.name, axis.name
        ))),
    }
}

fn check_placeholders(
    draft: &Draft<'_>, technique: &JobTechnique, fillers: &Fillers<'_>,
) -> Result<(), Refusal> {
    let filled: Vec<&str> = fillers.outside.iter().copied().chain(["output"]).collect();
    let name = &technique.name;
    if technique.command.has("stdout") {
        return Err(draft.place.refuse(format!(
            "'{name}' holds {{stdout}}, which is what it prints; a proof looks at it, and a command writes to {{output}}"
        )));
    }
    let own: Vec<&str> = draft.axes.iter().map(|axis| axis.name.as_str()).collect();
    let filled = [filled.as_slice(), &own].concat();
    checked(&technique.command, &filled, fillers.declared, &draft.place, &format!("'{name}'"))?;
    for (role, step) in draft.steps() {
        checked(step, &filled, fillers.declared, &draft.place, &format!("the {role} of '{name}'"))?;
    }
    if fillers.looks_at_input && !draft.mentions("input") {
        return Err(draft
            .place
            .refuse(format!("'{name}' has no {{input}}, and would not work on the input of the job")));
    }
    // What a setup builds is not there yet.
    if let Some(program) = technique.command.words().first().filter(|_| technique.setup.is_none()) {
        let path = program_in(fillers.directory, program.as_ref());
        if !program.contains('{') && !is_there(&path) {
            return Err(draft.place.refuse(format!("'{name}': there is no program {}", path.display())));
        }
    }
    Ok(())
}

pub(super) fn checked(
    command: &Command, filled: &[&str], declared: &[&str], place: &Place<'_>, of: &str,
) -> Result<(), Refusal> {
    let unknown = command.names().find(|name| declared.contains(name) && !filled.contains(name));
    let Some(unknown) = unknown else { return Ok(()) };
    let known: Vec<String> = filled.iter().map(|name| format!("{{{name}}}")).collect();
    let known = if known.is_empty() { "no placeholder".to_owned() } else { known.join(", ") };
    Err(place.refuse(format!("{of} holds {{{unknown}}}, which nothing fills; there is {known}")))
}

/// Refuses a name that a page, a file or a word of the command line cannot hold.
pub(super) fn check_name(name: &Placed<'_, String>) -> Result<(), Refusal> {
    if is_plain(&name.value) {
        return Ok(());
    }
    Err(name.place.refuse(format!("the name '{}' may hold letters, digits and . _ + - only", name.value)))
}

/// Returns a warning where a word meant for a shell reaches a program as it is.
pub(super) fn no_shell_warnings(draft: &Draft<'_>, remedy: &str) -> Vec<String> {
    let words = match &draft.command {
        Unsplit::Whole(Command::Shell(_)) => return Vec::new(),
        Unsplit::Line(line) => split(line).unwrap_or_default(),
        Unsplit::Whole(Command::Words(words)) => words.clone(),
    };
    let program = words.first().cloned().unwrap_or_default();
    let warning = word_for_a_shell(&words).map(|word| {
        format!(
            "'{word}' reaches {program} as an argument, since no shell reads the command of '{}'; {remedy}",
            draft.name
        )
    });
    Vec::from_iter(warning)
}

/// Returns the first argument of a program that a shell would have read, and that reaches the program since none does.
pub fn word_for_a_shell(words: &[String]) -> Option<&str> {
    // A semicolon that ends a command of find is its own.
    let is_find = words.iter().any(|one| matches!(one.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir"));
    let mut arguments = words.iter().skip(1).map(String::as_str);
    arguments.find(|&word| is_for_a_shell(word) && !(is_find && word == ";"))
}

fn is_for_a_shell(word: &str) -> bool {
    let is_operator =
        matches!(word, "|" | "||" | "|&" | "&&" | "&" | ";" | "<" | "<<" | "<<<" | ">" | ">>" | "&>");
    let redirects = word.strip_prefix(['1', '2', '&']).unwrap_or(word);
    is_operator
        || redirects.starts_with('>') && redirects.len() > 1 && !redirects.contains(' ')
        || word.starts_with("$(")
        || (word.ends_with(';') && word.len() > 1 && !word.contains([' ', '\\']))
}
