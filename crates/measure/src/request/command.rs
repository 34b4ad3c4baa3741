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
    /// Where in a file it stands; `None` for one of the command line.
    pub origin: Option<Origin>,
}

/// Where a command stands in a file: the file, the line and the column of its parts, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    name: String,
    command: String,
}

/// Reads `NAME=COMMAND`.
pub fn parse_command(text: &str) -> Result<ExternalCommand, Refusal> {
    let (name, command) = text.split_once('=').ok_or_else(|| {
        Refusal(format!(
            "{}: a name, '=' and a command are expected; for example 'cp=cp {{input}} {{output}}'",
            subject(text, None)
        ))
    })?;
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
    let rows = file.command.into_iter();
    rows.map(|row| {
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
    })
    .collect()
}

/// Counted from 1, as editors do.
pub(crate) fn line_and_column(text: &str, offset: usize) -> String {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
    format!("line {line}, column {column}")
}

/// Which command it is about, and where it stands.
fn subject(name: &str, place: Option<&String>) -> String {
    match place {
        None => format!("command '{name}'"),
        Some(place) => format!("{place}: command '{name}'"),
    }
}

fn refuse_unknown_family(command: &str, family: &str) -> Result<(), Refusal> {
    let all = families::all().iter();
    if all.clone().any(|known| known.name() == family) {
        return Ok(());
    }
    let known: Vec<&str> = all.filter(|family| !family.is_control()).map(|family| family.name()).collect();
    Err(Refusal(format!("{command}: no family is called '{family}'; there are {}", known.join(", "))))
}

fn split(subject: &str, command: &str) -> Result<Vec<String>, Refusal> {
    sys::command_line::split(command)
        .ok_or_else(|| Refusal(format!("{subject}: a quotation mark is not closed in '{command}'")))
}

fn new(
    name: &str,
    family: Option<String>,
    words: Vec<String>,
    origin: Option<Origin>,
) -> Result<ExternalCommand, Refusal> {
    let command = ExternalCommand { name: name.to_owned(), family, words, origin };
    if !is_plain(name) {
        return Err(Refusal(format!(
            "{}: a name may hold letters, digits and . _ + - only",
            command.subject()
        )));
    }
    if command.words.first().is_none_or(String::is_empty) {
        return Err(Refusal(format!(
            "{}: the command is empty; for example 'cp {{input}} {{output}}'",
            command.command_subject()
        )));
    }
    Ok(command)
}

/// Whether a page, a file and a word of the command line can hold a name.
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
    commands: &[ExternalCommand],
    mut families: impl Iterator<Item = &'f str>,
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
    /// Whether it takes part in a family.
    pub fn enters(&self, family: &str) -> bool {
        self.family.as_deref().is_none_or(|only| only == family)
    }

    /// Its name and where that stands.
    pub(crate) fn subject(&self) -> String {
        subject(&self.name, self.origin.as_ref().map(|origin| &origin.name))
    }

    pub(crate) fn refused_as_second(&self) -> Refusal {
        Refusal(format!("{} is entered twice; give the second another name", self.subject()))
    }

    /// Its name and where its command stands.
    fn command_subject(&self) -> String {
        subject(&self.name, self.origin.as_ref().map(|origin| &origin.command))
    }

    /// Checks the placeholders against what the family offers.
    pub fn check(&self, family: &str, placeholders: &[Placeholder]) -> Result<(), Refusal> {
        let used: BTreeSet<&str> = self.words.iter().flat_map(|word| names_in(word)).collect();
        let command = self.command_subject();
        if let Some(unknown) = used.iter().find(|name| !placeholders.iter().any(|known| known.name == **name))
        {
            let known: Vec<String> = placeholders.iter().map(|p| format!("{{{}}}", p.name)).collect();
            let known = known.join(", ");
            return Err(Refusal(format!(
                "{command}: {{{unknown}}} is unknown to the family {family}, which has {known}"
            )));
        }
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

    /// A technique of a job: a command like any other.
    pub(crate) fn of_job(job: &Job, technique: &JobTechnique) -> Self {
        Self {
            name: technique.name.clone(),
            family: Some(job.name.clone()),
            words: technique.command.words(),
            origin: None,
        }
    }

    /// The words with every placeholder replaced by its values.
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
    fn a_command_is_split_into_words_and_paths_with_spaces_stay_one_word() {
        let command = parse_command("dd = dd if={input} \"of={output}\" bs=256K").expect("well formed");
        assert_eq!(command.name, "dd");
        let words = command.expand(&places());
        assert_eq!(words, ["dd", "if=/a b/input", "of=/a b/output", "bs=256K"]);
    }

    #[test]
    fn a_word_that_is_a_placeholder_of_several_values_becomes_several_words() {
        let command = parse_command("rg=rg -e x -- {files} --all={files}").expect("well formed");
        let words = command.expand(&places());
        assert_eq!(words[4..], ["/a b/1", "/a b/2", "--all=/a b/1 /a b/2"]);
    }

    #[test]
    fn braces_that_are_no_placeholder_stay() {
        let command = parse_command("x=awk \"{print $1} {input}\" {output}").expect("well formed");
        assert_eq!(command.check("copy", &places()), Ok(()));
        assert_eq!(command.expand(&places())[1], "{print $1} /a b/input");
    }

    #[test]
    fn what_is_wrong_is_named_with_an_example() {
        let refused = |text: &str| {
            let error = match parse_command(text) {
                Err(error) => error,
                Ok(command) => command.check("copy", &places()).expect_err(text),
            };
            error.to_string()
        };
        assert!(refused("cp {input} {output}").contains("a name, '=' and a command"));
        assert!(refused("=cp").contains("name"));
        assert!(refused("cp=").contains("empty"));
        assert!(refused("cp=cp \"x").contains("quotation"));
        assert!(refused("cp=cp {input} /tmp/x").contains("no {output}"));
        assert!(refused("cp=cp {input} {outptu} {output}").contains("{outptu} is unknown"));
    }

    #[test]
    fn a_file_of_commands_is_read_and_a_bad_line_is_named() {
        let toml = "[[command]]\nname = 'cp'\ncommand = 'cp {input} {output}'\n\
                    [[command]]\nname = 'odd'\nfamily = 'copy'\ncommand = ['my cp', '{input}', '{output}']\n";
        let read = read_commands(toml, "file").expect("well formed");
        assert_eq!(read[1].words[0], "my cp");
        assert!(read[1].enters("copy") && !read[1].enters("sort"));
        let error = read[1].check("search", &[]).expect_err("other placeholders").to_string();
        assert!(error.starts_with("file, line 7, column 11: command 'odd': {input} is unknown"), "{error}");
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named_with_its_line_and_column() {
        let refused = |lines: &str| {
            let toml = format!("# Commands\n[[command]]\nname = 'ü'\n{lines}\n");
            read_commands(&toml, "file").expect_err(lines).to_string()
        };
        let command = "command = 'cp {input} {output}'";
        let cases = [
            (
                format!("{command}\nfamily = 'cpoy'"),
                "line 5, column 10: command 'ü': no family is called 'cpoy'; there are",
            ),
            (format!("{command}\nfamily = ''"), "line 5, column 10: command 'ü': no family is called ''"),
            (format!("{command}\nfamliy = 'copy'"), "line 5, column 1: unknown field `famliy`"),
            (format!("{command}\nfamily = 5"), "line 5, column 10: invalid type: integer `5`"),
            (format!("{command}\nname = 'x'"), "line 5, column 1: duplicate key"),
            ("command = 5".to_owned(), "line 4, column 11: a command is one text, or an array of words"),
            (
                "command = ['cp', 5]".to_owned(),
                "line 4, column 11: a command is one text, or an array of words",
            ),
            ("command = []".to_owned(), "line 4, column 11: command 'ü': the command is empty"),
            (
                r#"command = 'cp "x'"#.to_owned(),
                "line 4, column 11: command 'ü': a quotation mark is not closed",
            ),
            ("command = 'cp".to_owned(), "line 4, column 14: "),
            (String::new(), "line 2, column 1: missing field `command`"),
            (
                format!("{command}\n[[command]]\nname = 'a b'\n{command}"),
                "line 6, column 8: command 'a b': a name may hold",
            ),
            (format!("{command}\n[[commands]]"), "line 5, column 3: unknown field `commands`"),
        ];
        for (lines, expected) in cases {
            let said = refused(&lines);
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
        assert!(
            refused.starts_with("file, line 2, column 8: command 'cp': it is for the family copy"),
            "{refused}"
        );
    }
}
