//! External commands that enter the same rounds.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use families::placeholders::{filled, names_in};
use families::{AnyFamily, Job, JobTechnique, Placeholder};
use model::Workload;
use serde::Deserialize;
use toml::Spanned;

use crate::request::Refusal;

/// A user's or peer's command, split into words as a shell would (on Windows, as its programs do), but never given to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalCommand {
    /// Its name in the ranking.
    pub name: String,
    /// The family it enters; every family of the run when `None`.
    pub family: Option<String>,
    /// Program and arguments with placeholders in braces.
    pub words: Vec<String>,
    /// Its place in a file; `None` for one of the command line.
    pub origin: Option<Origin>,
}

/// The place of a command in a file: the file, the line and the column of its parts, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    name: String,
    command: String,
}

/// Reads `NAME=COMMAND`.
pub fn parse_command(text: &str) -> Result<ExternalCommand, Refusal> {
    let Some((name, command)) = text.split_once('=') else {
        return Err(Refusal(format!(
            "{}: a name, '=' and a command are expected; for example 'cp=cp {{input}} {{output}}'",
            subject(text, None)
        )));
    };
    let name = name.trim();
    new(name, None, split(&subject(name, None), command)?, None)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, alias = "contender")]
    command: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: Spanned<String>,
    #[serde(default)]
    family: Option<Spanned<String>>,
    command: Spanned<Words>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a command is one text, or an array of words in quotation marks")]
enum Words {
    Line(String),
    Words(Vec<String>),
}

/// Reads a TOML file of `[[command]]` tables with `name`, `command` (a line, or an array of words) and,
/// if it is for one family only, `family`. `shown` is the name of the file.
pub fn read_commands(toml: &str, shown: &str) -> Result<Vec<ExternalCommand>, Refusal> {
    let place = |offset| format!("{shown}, {}", line_and_column(toml, offset));
    let file: File = toml::from_str(toml).map_err(|error| {
        let place = place(error.span().map_or(0, |span| span.start));
        Refusal(format!("{place}: {}", error.message().replace('\n', " ")))
    })?;
    if file.command.is_empty() {
        return Err(Refusal(format!("{shown}: it holds no [[command]] table with a name and a command")));
    }
    let commands = file.command.into_iter().map(|row| {
        let origin = Origin { name: place(row.name.span().start), command: place(row.command.span().start) };
        let name = row.name.into_inner();
        if let Some(family) = &row.family {
            refuse_unknown_family(&subject(&name, Some(&place(family.span().start))), family.get_ref())?;
        }
        let words = match row.command.into_inner() {
            Words::Line(line) => split(&subject(&name, Some(&origin.command)), &line)?,
            Words::Words(words) => words,
        };
        new(&name, row.family.map(Spanned::into_inner), words, Some(origin))
    });
    commands.collect()
}

/// Returns line and column of an offset, counted from 1 as editors do.
pub(crate) fn line_and_column(text: &str, offset: usize) -> String {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
    format!("line {line}, column {column}")
}

fn subject(name: &str, place: Option<&String>) -> String {
    match place {
        None => format!("command '{name}'"),
        Some(place) => format!("{place}: command '{name}'"),
    }
}

fn refuse_unknown_family(command: &str, family: &str) -> Result<(), Refusal> {
    if families::find(family).is_some() {
        return Ok(());
    }
    let all = families::all().iter();
    let known: Vec<&str> = all.filter(|family| !family.is_control()).map(|family| family.name()).collect();
    Err(Refusal(format!("{command}: no family is called '{family}'; there are {}", known.join(", "))))
}

fn split(subject: &str, command: &str) -> Result<Vec<String>, Refusal> {
    sys::command_line::split(command)
        .ok_or_else(|| Refusal(format!("{subject}: a quotation mark is not closed in '{command}'")))
}

fn new(
    name: &str, family: Option<String>, words: Vec<String>, origin: Option<Origin>,
) -> Result<ExternalCommand, Refusal> {
    let command = ExternalCommand { name: name.to_owned(), family, words, origin };
    if !is_plain(name) {
        let subject = command.subject();
        return Err(Refusal(format!("{subject}: a name may hold letters, digits and . _ + - only")));
    }
    if command.words.first().is_none_or(String::is_empty) {
        let subject = command.command_subject();
        let reason = "the command is empty; for example 'cp {input} {output}'";
        return Err(Refusal(format!("{subject}: {reason}")));
    }
    Ok(command)
}

/// Returns whether a page, a file and a word of the command line can hold a name.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_plain_character)
}

pub(crate) fn is_plain_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-')
}

pub(crate) fn refuse_doubles(commands: &[ExternalCommand]) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    let double = commands.iter().find(|command| !seen.insert((&command.family, &command.name)));
    double.map_or(Ok(()), |command| Err(command.refused_as_second()))
}

/// Refuses commands of which none enters a family of the run: what the user asked for would not be measured.
pub(crate) fn refuse_strangers<'f>(
    commands: &[ExternalCommand], mut families: impl Iterator<Item = &'f str>,
) -> Result<(), Refusal> {
    let Some(first) = commands.first() else { return Ok(()) };
    if families.any(|family| commands.iter().any(|command| command.enters(family))) {
        return Ok(());
    }
    Err(Refusal(format!(
        "{}: it is for the family {}, which this run leaves out; name that family, or leave it out",
        first.subject(),
        first.family.as_deref().unwrap_or_default()
    )))
}

impl ExternalCommand {
    /// Returns whether it takes part in a family.
    pub fn enters(&self, family: &str) -> bool {
        self.family.as_deref().is_none_or(|only| only == family)
    }

    pub(crate) fn subject(&self) -> String {
        subject(&self.name, self.origin.as_ref().map(|origin| &origin.name))
    }

    pub(crate) fn refused_as_second(&self) -> Refusal {
        Refusal(format!("{} is entered twice; give the second another name", self.subject()))
    }

    fn command_subject(&self) -> String {
        subject(&self.name, self.origin.as_ref().map(|origin| &origin.command))
    }

    /// Checks the placeholders against what the family offers.
    pub fn check(&self, family: &str, placeholders: &[Placeholder]) -> Result<(), Refusal> {
        let used: BTreeSet<&str> = self.words.iter().flat_map(|word| names_in(word)).collect();
        let command = self.command_subject();
        match placeholders.iter().find(|p| p.required && !used.contains(&*p.name)) {
            None => Ok(()),
            Some(lacking) => Err(Refusal(format!(
                "{command} has no {{{}}}: the family {family} would not know what it did; write it where the path \
                 belongs, for example 'cp {{input}} {{output}}'",
                lacking.name
            ))),
        }
    }

    pub(crate) fn check_at(&self, family: &dyn AnyFamily, workload: &Workload) -> Result<(), Refusal> {
        self.check(family.name(), &family.placeholders(workload, Path::new("")))?;
        family.takes_commands(workload).map_err(|why| Refusal(format!("{}: {why}", self.subject())))
    }

    /// Returns a technique of a job: a command like any other.
    pub(crate) fn of_job(job: &Job, technique: &JobTechnique) -> Self {
        Self {
            name: technique.name.clone(),
            family: Some(job.name.clone()),
            words: technique.command.words(),
            origin: None,
        }
    }

    /// Returns the words with every placeholder replaced by its values.
    pub fn expand(&self, placeholders: &[Placeholder]) -> Vec<OsString> {
        filled(&self.words, placeholders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Vec<Placeholder> {
        let both = ["input", "output"].map(|name| Placeholder::required(name, format!("/a b/{name}").into()));
        let files = Placeholder::optional("files", vec!["/a b/1".into(), "/a b/2".into()]);
        both.into_iter().chain([files]).collect()
    }

    #[test]
    fn a_placeholder_becomes_words_and_other_braces_stay() {
        for (name, typed, words) in [
            (
                "dd",
                "dd if={input} \"of={output}\" bs=4K",
                &["dd", "if=/a b/input", "of=/a b/output", "bs=4K"][..],
            ),
            ("rg", "rg {files} --all={files}", &["rg", "/a b/1", "/a b/2", "--all=/a b/1 /a b/2"]),
            ("x", "awk \"{print $1} {input}\" {output}", &["awk", "{print $1} /a b/input", "/a b/output"]),
            (
                "y",
                "awk {print} {input} {output} {{output}}",
                &["awk", "{print}", "/a b/input", "/a b/output", "{output}"],
            ),
        ] {
            let command = parse_command(&format!("{name} = {typed}")).expect("well formed");
            assert_eq!(command.name, name);
            assert_eq!(command.expand(&places()), words);
            assert_eq!(command.check("copy", &places()).is_ok(), typed.contains("{output}"), "{typed}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_an_example() {
        let cases = [
            ("cp {input} {output}", "a name, '=' and a command"),
            ("=cp", "name"),
            ("cp=", "empty"),
            ("cp=cp \"x", "quotation"),
            ("cp=cp {input} /tmp/x", "no {output}"),
        ];
        for (text, expected) in cases {
            let checked = parse_command(text).and_then(|command| command.check("copy", &places()));
            assert!(checked.expect_err(text).to_string().contains(expected), "{text}");
        }
    }

    #[test]
    fn a_file_of_commands_is_read_and_a_bad_line_is_named() {
        let toml = "[[command]]\nname = 'cp'\ncommand = 'cp {input} {output}'\n\
                    [[command]]\nname = 'odd'\nfamily = 'copy'\ncommand = ['my cp', '{input}', '{output}']\n";
        let read = read_commands(toml, "file").expect("well formed");
        assert_eq!(read[1].words[0], "my cp");
        assert!(read[1].enters("copy") && !read[1].enters("sort"));
        let file = [Placeholder::required("file", "/a".into())];
        let error = read[1].check("disk", &file).expect_err("other placeholders").to_string();
        assert!(error.starts_with("file, line 7, column 11: command 'odd' has no {file}"), "{error}");
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named_with_its_line_and_column() {
        let cases = [
            ("CP\nfamily = 'cpoy'", "line 5, column 10: command 'ü': no family is called 'cpoy'; there are"),
            ("CP\nfamily = ''", "line 5, column 10: command 'ü': no family is called ''"),
            ("CP\nfamliy = 'copy'", "line 5, column 1: unknown field `famliy`"),
            ("CP\nfamily = 5", "line 5, column 10: invalid type: integer `5`"),
            ("CP\nname = 'x'", "line 5, column 1: duplicate key"),
            ("command = 5", "line 4, column 11: a command is one text, or an array of words"),
            ("command = ['cp', 5]", "line 4, column 11: a command is one text, or an array of words"),
            ("command = []", "line 4, column 11: command 'ü': the command is empty"),
            (r#"command = 'cp "x'"#, "line 4, column 11: command 'ü': a quotation mark is not closed"),
            ("command = 'cp", "line 4, column 14: "),
            ("", "line 2, column 1: missing field `command`"),
            ("CP\n[[command]]\nname = 'a b'\nCP", "line 6, column 8: command 'a b': a name may hold"),
            ("CP\n[[commands]]", "line 5, column 3: unknown field `commands`"),
        ];
        for (lines, expected) in cases {
            let lines = lines.replace("CP", "command = 'cp {input} {output}'");
            let toml = format!("# Commands\n[[command]]\nname = 'ü'\n{lines}\n");
            let said = read_commands(&toml, "file").expect_err(&lines).to_string();
            assert!(said.starts_with(&format!("file, {expected}")), "{said}\ninstead of {expected}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }

    #[test]
    fn two_commands_of_one_name_are_refused() {
        let cp = parse_command("cp=cp {input} {output}").expect("well formed");
        let refused = refuse_doubles(&[cp.clone(), cp]).expect_err("two").to_string();
        assert!(refused.starts_with("command 'cp' is entered twice"), "{refused}");
    }

    #[test]
    fn commands_of_which_none_enters_the_run_are_refused() {
        let toml = "[[command]]\nname = 'cp'\nfamily = 'copy'\ncommand = 'cp {input} {output}'\n";
        let commands = read_commands(toml, "file").expect("well formed");
        assert_eq!(refuse_strangers(&commands, ["sort", "copy"].into_iter()), Ok(()));
        assert_eq!(refuse_strangers(&[], ["sort"].into_iter()), Ok(()));
        let refused = refuse_strangers(&commands, ["sort"].into_iter()).expect_err("none").to_string();
        let expected = "file, line 2, column 8: command 'cp': it is for the family copy";
        assert!(refused.starts_with(expected), "{refused}");
    }
}
