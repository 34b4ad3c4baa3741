//! A job of the user's own, as a TOML file or as words on the command line.

mod axes;
mod drafts;
mod table;
mod typed;

use std::collections::BTreeSet;
use std::path::Path;

use families::{Command, Generated, GoodExits, Job, JobInput, Proving};
use model::Workload;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use axes::{Axis, axis_of, count, points, sizes_of};
use drafts::{Draft, Fillers, checked, no_shell_warnings, techniques};
use table::{Keys, Text};

use crate::request::Refusal;
use crate::request::command::{is_plain, is_plain_character};

pub use drafts::word_for_a_shell;
pub use typed::{TypedCommands, scan_of_list, scan_of_range};

/// More entries than this are a slip: no run distinguishes them.
pub(crate) const MOST_POINTS: usize = 1_000;

/// A job, and what its user should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadJob {
    /// The job.
    pub job: Job,
    /// One line each.
    pub warnings: Vec<String>,
}

/// Reads a job. `shown` is the name of its file, `directory` the folder in which it stands.
pub fn read_job(toml: &str, shown: &str, directory: &Path) -> Result<ReadJob, Refusal> {
    const KEYS: &[&str] = &[
        "name",
        "question",
        "shell",
        "ignore-failure",
        "proof",
        "prepare",
        "setup",
        "cleanup",
        "input",
        "axes",
        "technique",
    ];
    let text = Text { shown, toml };
    let parsed = DeTable::parse(toml).map_err(|error| {
        text.at(error.span().map_or(0, |span| span.start)).refuse(error.message().replace('\n', " "))
    })?;
    let top = Keys::new(text, parsed.get_ref(), "a job", KEYS)?;
    let shared = shared_axes(&top)?;
    let (input, files, sizes) = input(&top, directory)?;
    let own = Own::of(&top)?;
    let proof = proof(&top)?;
    let drafts = drafts(&top, &own)?;
    let mut filled: Vec<&str> = shared.iter().map(|axis| &*axis.name).collect();
    filled.extend(sizes.as_ref().map(|_| "bytes"));
    filled.extend((input != JobInput::None).then_some("input"));
    let own_axes = drafts.iter().flat_map(|draft| &draft.axes).map(|axis| &*axis.name);
    let declared: Vec<&str> =
        filled.iter().copied().chain(own_axes).chain(["input", "output", "stdout", "bytes"]).collect();
    check_outside(&top, &input, &proof, (&filled, &declared))?;
    check_used(&text, &shared, &input, &proof, &drafts)?;
    let remedy = "write shell = true next to it to run it in a shell";
    let warnings = drafts.iter().flat_map(|draft| no_shell_warnings(draft, remedy)).collect();
    let looks_at_input = input != JobInput::None;
    let fillers = Fillers { outside: &filled, declared: &declared, directory, looks_at_input };
    let techniques = techniques(&drafts, &fillers)?;
    check_outputs(&proof, &drafts)?;
    let made = count(&shared).saturating_mul(sizes.as_ref().map_or(1, Vec::len));
    let made = made.saturating_mul(techniques.len());
    if made > MOST_POINTS {
        return Err(text.at(0).refuse(format!(
            "the axes make {made} points, and at most {MOST_POINTS} are compared; leave values out"
        )));
    }
    let workloads = workloads(&input, &files, sizes.as_deref(), &shared);
    let name = name(&top, shown)?;
    let question = match top.text("question")? {
        Some(question) => question.value,
        None => format!("Which command of {name} is fastest?"),
    };
    let job = Job {
        name,
        question,
        directory: directory.to_owned(),
        input,
        workloads,
        techniques,
        proof,
        show_output: false,
    };
    Ok(ReadJob { job, warnings })
}

fn name(top: &Keys<'_>, shown: &str) -> Result<String, Refusal> {
    let stem = Path::new(shown).file_stem().unwrap_or_default().to_string_lossy();
    let (name, place) = match top.text("name")? {
        Some(given) => (given.value, given.place),
        None => (stem.replace(|c| !is_plain_character(c), "-"), top.text.at(0)),
    };
    if !is_plain(&name) {
        return Err(place.refuse(format!("the name '{name}' may hold letters, digits and . _ + - only")));
    }
    match families::find(&name) {
        None => Ok(name),
        Some(_) => Err(place.refuse(format!(
            "a job cannot be called '{name}', which is a family of bakeoff; write another name at its top, for \
             example name = \"my-{name}\""
        ))),
    }
}

fn shared_axes(top: &Keys<'_>) -> Result<Vec<Axis>, Refusal> {
    let Some(table) = top.table("axes")? else { return Ok(Vec::new()) };
    let mut axes = Vec::new();
    for (key, value) in table::in_order(table.get_ref()) {
        let axis = axis_of(top.text, key, value)?;
        if Workload::NO_AXES.contains(&axis.name.as_str()) {
            return Err(top.text.at(axis.start).refuse(format!(
                "a shared axis cannot be called '{}', which a run uses itself; choose another name",
                axis.name
            )));
        }
        axes.push(axis);
    }
    Ok(axes)
}

/// The input: its origin, the user's files, and the sizes.
type InputParts = (JobInput, Vec<std::path::PathBuf>, Option<Vec<u64>>);

fn input(top: &Keys<'_>, directory: &Path) -> Result<InputParts, Refusal> {
    const KEYS: &[&str] = &["generate", "bytes", "files", "command", "shell"];
    let Some(table) = top.table("input")? else { return Ok((JobInput::None, Vec::new(), None)) };
    let keys = Keys::new(top.text, table.get_ref(), "[input]", KEYS)?;
    let sizes = keys.value("bytes").map(|value| sizes_of(top.text, value)).transpose()?;
    let place = top.text.at(table.span().start);
    let generated = keys.text("generate")?;
    let files = keys.value("files");
    let command = keys.command("command", false)?;
    match (generated, files, command) {
        (Some(what), None, None) => {
            let what = match &*what.value {
                "records" => Generated::Records,
                "text" => Generated::Text,
                other => {
                    return Err(what.place.refuse(format!("'{other}' cannot be generated; there are \"records\" and \"text\"")));
                }
            };
            match sizes {
                Some(sizes) => Ok((JobInput::Generated(what), Vec::new(), Some(sizes))),
                None => Err(place.refuse("a generated input needs a size, for example bytes = \"10MB\"")),
            }
        }
        (None, Some(files), None) => match sizes {
            None => Ok((JobInput::Files, files_of(top.text, files, directory)?, None)),
            Some(_) => Err(place.refuse("your files keep their size; leave bytes out")),
        },
        (None, None, Some(command)) => Ok((JobInput::Made(command), Vec::new(), sizes)),
        _ => Err(place.refuse(
            "an input is one of generate, files and command; for example generate = \"text\" and bytes = \"10MB\"",
        )),
    }
}

fn files_of(
    text: Text<'_>, value: &Spanned<DeValue<'_>>, directory: &Path,
) -> Result<Vec<std::path::PathBuf>, Refusal> {
    let place = text.at(value.span().start);
    let expected = "files are a list of names in quotation marks, for example files = [\"access.log\"]";
    let list = value.get_ref().as_array().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| place.refuse(expected))?;
    let mut files = Vec::new();
    for value in list {
        let place = text.at(value.span().start);
        let name = value.get_ref().as_str().ok_or_else(|| place.refuse(expected))?;
        let path = directory.join(name);
        // Looked at before it is opened: to open a pipe would wait for another process.
        let seen = std::fs::metadata(&path);
        if seen.as_ref().is_ok_and(|seen| !seen.is_file()) {
            return Err(place.refuse(format!("{} is not a file", path.display())));
        }
        seen.and_then(|_| std::fs::File::open(&path))
            .map_err(|error| place.refuse(format!("{} cannot be read: {error}", path.display())))?;
        if path.to_str().is_none() {
            return Err(place.refuse(format!("the name {} is not UTF-8; rename it", path.display())));
        }
        files.push(path);
    }
    Ok(files)
}

struct Own {
    shell: bool,
    good_exits: GoodExits,
    setup: Option<Command>,
    prepare: Option<Command>,
    cleanup: Option<Command>,
}

impl Own {
    fn of(top: &Keys<'_>) -> Result<Self, Refusal> {
        let shell = top.flag("shell")?.unwrap_or(false);
        Ok(Self {
            shell,
            good_exits: top.good_exits("ignore-failure")?.unwrap_or_default(),
            setup: top.step("setup", shell)?,
            prepare: top.step("prepare", shell)?,
            cleanup: top.step("cleanup", shell)?,
        })
    }
}

fn drafts<'t>(top: &Keys<'t>, own: &Own) -> Result<Vec<Draft<'t>>, Refusal> {
    const KEYS: &[&str] = &["name", "command", "shell", "ignore-failure", "setup", "prepare", "cleanup"];
    const EXAMPLE: &str = "for example [[technique]], name = \"gzip\", command = \"gzip -c {input}\"";
    let place = top.text.at(0);
    let lacking = || place.refuse(format!("a job has [[technique]] tables; {EXAMPLE}"));
    let value = top.value("technique").ok_or_else(lacking)?;
    let list = value.get_ref().as_array().ok_or_else(lacking)?;
    let (mut drafts, mut seen) = (Vec::new(), BTreeSet::new());
    for value in list {
        let place = top.text.at(value.span().start);
        let table = value.get_ref().as_table().ok_or_else(lacking)?;
        let (keys, others) = Keys::open(top.text, table, "a technique", KEYS)?;
        let name =
            keys.text("name")?.ok_or_else(|| place.refuse(format!("a technique has a name; {EXAMPLE}")))?;
        drafts::check_name(&name)?;
        if !seen.insert(name.value.clone()) {
            let reason = format!("a second technique is called '{}'; give it another name", name.value);
            return Err(name.place.refuse(reason));
        }
        let shell = keys.flag("shell")?.unwrap_or(own.shell);
        let Some(line) = keys.value("command") else {
            return Err(place.refuse(format!("the technique '{}' has no command; {EXAMPLE}", name.value)));
        };
        let axes = others.into_iter().map(|(key, value)| axis_of(top.text, key, value));
        let axes = axes.collect::<Result<_, _>>()?;
        drafts.push(Draft {
            place: top.text.at(line.span().start),
            command: keys.unsplit("command", shell)?,
            setup: keys.step("setup", shell)?.or_else(|| own.setup.clone()),
            prepare: keys.step("prepare", shell)?.or_else(|| own.prepare.clone()),
            cleanup: keys.step("cleanup", shell)?.or_else(|| own.cleanup.clone()),
            good_exits: keys.good_exits("ignore-failure")?.unwrap_or_else(|| own.good_exits.clone()),
            name: name.value,
            axes,
        });
    }
    if drafts.is_empty() { Err(lacking()) } else { Ok(drafts) }
}

fn proof(top: &Keys<'_>) -> Result<Proving, Refusal> {
    const EXPECTED: &str = "a proof is \"output\", \"exit\" or \"none\", or a table [proof] with a command";
    const CHOICE: &str = "[proof] has a command, or by = \"output\", \"exit\" or \"none\"";
    let Some(value) = top.value("proof") else { return Ok(Proving::Exit) };
    let place = top.text.at(value.span().start);
    let (name, place) = match value.get_ref() {
        DeValue::String(name) => (name.to_string(), place),
        DeValue::Table(table) => {
            let keys = Keys::new(top.text, table, "[proof]", &["command", "shell", "by"])?;
            match (keys.command("command", false)?, keys.text("by")?) {
                (Some(command), None) => return Ok(Proving::Command(command)),
                (None, Some(by)) => (by.value, by.place),
                _ => return Err(place.refuse(CHOICE)),
            }
        }
        _ => return Err(place.refuse(EXPECTED)),
    };
    match name.as_str() {
        "output" => Ok(Proving::Output),
        "exit" => Ok(Proving::Exit),
        "none" => Ok(Proving::None),
        other => Err(place.refuse(format!("'{other}' is not a proof: {EXPECTED}"))),
    }
}

/// Checks the placeholders of what runs for all techniques alike.
fn check_outside(
    top: &Keys<'_>, input: &JobInput, proof: &Proving, (filled, declared): (&[&str], &[&str]),
) -> Result<(), Refusal> {
    if let JobInput::Made(command) = input {
        let place = top.place_in("input", "command");
        checked(command, filled, declared, &place, "the command of [input]")?;
    }
    if let Proving::Command(command) = proof {
        let filled: Vec<&str> = filled.iter().copied().chain(["output", "stdout"]).collect();
        let place = top.place_in("proof", "command");
        checked(command, &filled, declared, &place, "the command of [proof]")?;
        if !command.has("output") && !command.has("stdout") {
            return Err(place.refuse(
                "the command of [proof] looks at neither {output} nor {stdout}, so that it proves nothing",
            ));
        }
    }
    Ok(())
}

/// Refuses an axis without effect, which would be the same contest several times.
fn check_used(
    text: &Text<'_>, shared: &[Axis], input: &JobInput, proof: &Proving, drafts: &[Draft<'_>],
) -> Result<(), Refusal> {
    for axis in shared {
        let made = matches!(input, JobInput::Made(command) if command.has(&axis.name));
        let proven = matches!(proof, Proving::Command(command) if command.has(&axis.name));
        if let Some(draft) = drafts.iter().find(|draft| draft.axes.iter().any(|own| own.name == axis.name)) {
            return Err(text.at(axis.start).refuse(format!(
                "two axes are called '{}': this one, and one of the technique '{}'; give one another name",
                axis.name, draft.name
            )));
        }
        if !made && !proven && !drafts.iter().any(|draft| draft.mentions(&axis.name)) {
            return Err(text.at(axis.start).refuse(format!(
                "no command holds {{{0}}}, so that the axis '{0}' changes nothing; write it where its value belongs",
                axis.name
            )));
        }
    }
    Ok(())
}

/// Refuses a proof that looks at what is printed where a command names an output: it would look at nothing.
fn check_outputs(proof: &Proving, drafts: &[Draft<'_>]) -> Result<(), Refusal> {
    let Proving::Command(command) = proof else { return Ok(()) };
    let Some(draft) = drafts.iter().find(|draft| command.has("stdout") && draft.command.mentions("output"))
    else {
        return Ok(());
    };
    Err(draft.place.refuse(format!(
        "'{}' writes {{output}}, and [proof] looks at {{stdout}}; let the proof look at {{output}}, which is what a \
         command prints that names no {{output}}",
        draft.name
    )))
}

fn workloads(
    input: &JobInput, files: &[std::path::PathBuf], sizes: Option<&[u64]>, shared: &[Axis],
) -> Vec<Workload> {
    let sized: Vec<Workload> = match (sizes, files) {
        (Some(sizes), _) => sizes.iter().map(|&bytes| Workload::of_size(bytes)).collect(),
        (None, []) => {
            let name = if *input == JobInput::None { Workload::AS_GIVEN } else { "made" };
            vec![Workload { name: name.to_owned(), ..Workload::default() }]
        }
        (None, [first, others @ ..]) => {
            let mut name = first.file_name().unwrap_or(first.as_os_str()).to_string_lossy().into_owned();
            if !others.is_empty() {
                name = format!("{name}+{}", others.len());
            }
            let bytes = files.iter().filter_map(|file| file.metadata().ok()).map(|seen| seen.len()).sum();
            vec![Workload { files: files.to_vec(), ..Workload::of_bytes(name, bytes) }]
        }
    };
    let mut workloads = Vec::new();
    for workload in sized {
        for point in points(shared) {
            let mut workload = workload.clone();
            for (axis, value) in &point {
                let shown = format!("{axis}={value}");
                workload.name =
                    if workload.is_as_given() { shown } else { format!("{} {shown}", workload.name) };
                workload = workload.with(axis, *value);
            }
            workloads.push(workload);
        }
    }
    workloads
}

#[cfg(test)]
mod tests;
