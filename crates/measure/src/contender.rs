//! External commands that enter the same rounds.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use families::Placeholder;
use serde::Deserialize;
use thiserror::Error;

/// A user's or peer's command, split into words as a shell would (on Windows, as its programs do), but never given to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contender {
    /// Its name in the ranking.
    pub name: String,
    /// The family it enters; every family of the run when `None`.
    pub family: Option<String>,
    /// Program and arguments with placeholders in braces.
    pub words: Vec<String>,
}

/// Why a contender was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContenderError {
    /// No `=` between name and command.
    #[error(
        "contender '{0}': a name, '=' and a command are expected; for example 'cp=cp {{input}} {{output}}'"
    )]
    Shape(String),
    /// Quotes are not closed.
    #[error("contender '{0}': a quotation mark is not closed in '{1}'")]
    Quotes(String, String),
    /// Nothing to run.
    #[error("contender '{0}': the command is empty; for example 'cp {{input}} {{output}}'")]
    Empty(String),
    /// Two of one name.
    #[error("contender '{0}' is entered twice; give the second another name")]
    Twice(String),
    /// The name of a technique.
    #[error("contender '{0}': the family {1} has a technique of this name; give the contender another name")]
    Taken(String, String),
    /// A name that the reports could not hold.
    #[error("contender '{0}': a name may hold letters, digits and . _ + - only")]
    Name(String),
    /// A placeholder the family does not know.
    #[error("contender '{name}': {{{placeholder}}} is unknown to the family {family}, which has {known}")]
    Unknown {
        /// The contender.
        name: String,
        /// What stood between the braces.
        placeholder: String,
        /// The family.
        family: String,
        /// What it has.
        known: String,
    },
    /// A placeholder without which the command cannot do the family's work.
    #[error(
        "contender '{name}' has no {{{placeholder}}}: the family {family} would not know what it did; \
         write it where the path belongs, for example 'cp {{input}} {{output}}'"
    )]
    Lacks {
        /// The contender.
        name: String,
        /// What is missing.
        placeholder: String,
        /// The family.
        family: String,
    },
    /// The file of contenders is no such file.
    #[error("the file of contenders: {0}")]
    File(String),
}

/// Reads `NAME=COMMAND`.
///
/// # Errors
/// Says what is expected, with an example.
pub fn parse_contender(text: &str) -> Result<Contender, ContenderError> {
    let (name, command) = text.split_once('=').ok_or_else(|| ContenderError::Shape(text.to_owned()))?;
    new(name.trim(), None, split(name, command)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    contender: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    #[serde(default)]
    family: Option<String>,
    command: Command,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Line(String),
    Words(Vec<String>),
}

/// Reads a TOML file of `[[contender]]` tables with `name`, `command` (a line, or an array of words) and,
/// if it is for one family only, `family`.
///
/// # Errors
/// Names the line of the file.
pub fn read_contenders(toml: &str) -> Result<Vec<Contender>, ContenderError> {
    let file: File = toml::from_str(toml).map_err(|error| {
        let line = error.span().map_or(1, |span| toml[..span.start].matches('\n').count() + 1);
        ContenderError::File(format!("line {line}: {}", error.message()))
    })?;
    if file.contender.is_empty() {
        let sentence = "it holds no [[contender]] table with a name and a command";
        return Err(ContenderError::File(sentence.to_owned()));
    }
    let rows = file.contender.into_iter();
    rows.map(|row| {
        let words = match row.command {
            Command::Line(line) => split(&row.name, &line)?,
            Command::Words(words) => words,
        };
        new(&row.name, row.family, words)
    })
    .collect()
}

fn split(name: &str, command: &str) -> Result<Vec<String>, ContenderError> {
    sys::command_line::split(command)
        .ok_or_else(|| ContenderError::Quotes(name.to_owned(), command.to_owned()))
}

fn new(name: &str, family: Option<String>, words: Vec<String>) -> Result<Contender, ContenderError> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
    if name.is_empty() || !name.chars().all(plain) {
        return Err(ContenderError::Name(name.to_owned()));
    }
    if words.first().is_none_or(String::is_empty) {
        return Err(ContenderError::Empty(name.to_owned()));
    }
    Ok(Contender { name: name.to_owned(), family, words })
}

/// Refuses two contenders of one name.
pub(crate) fn refuse_doubles(contenders: &[Contender]) -> Result<(), ContenderError> {
    let mut seen = BTreeSet::new();
    let mut names = contenders.iter().map(|contender| (&contender.family, &contender.name));
    names.find(|key| !seen.insert(*key)).map_or(Ok(()), |(_, name)| Err(ContenderError::Twice(name.clone())))
}

impl Contender {
    /// Whether it takes part in a family.
    pub fn enters(&self, family: &str) -> bool {
        self.family.as_deref().is_none_or(|only| only == family)
    }

    /// Checks the placeholders against what the family offers.
    ///
    /// # Errors
    /// A placeholder is unknown, or one is missing without which the work cannot be done.
    pub fn check(&self, family: &str, placeholders: &[Placeholder]) -> Result<(), ContenderError> {
        let used: BTreeSet<&str> = self.words.iter().flat_map(|word| names_in(word)).collect();
        let unknown = used.iter().find(|name| !placeholders.iter().any(|known| known.name == **name));
        if let Some(unknown) = unknown {
            let known: Vec<String> = placeholders.iter().map(|p| format!("{{{}}}", p.name)).collect();
            return Err(ContenderError::Unknown {
                name: self.name.clone(),
                placeholder: (*unknown).to_owned(),
                family: family.to_owned(),
                known: known.join(", "),
            });
        }
        match placeholders.iter().find(|p| p.required && !used.contains(p.name)) {
            None => Ok(()),
            Some(lacking) => Err(ContenderError::Lacks {
                name: self.name.clone(),
                placeholder: lacking.name.to_owned(),
                family: family.to_owned(),
            }),
        }
    }

    /// The words with every placeholder replaced by its values. A word that is a placeholder and nothing else
    /// becomes as many words as there are values.
    pub fn expand(&self, placeholders: &[Placeholder]) -> Vec<OsString> {
        let whole = |word: &str| {
            let name = word.strip_prefix('{')?.strip_suffix('}')?;
            placeholders.iter().find(|placeholder| placeholder.name == name)
        };
        let expanded = |word: &String| match whole(word) {
            Some(placeholder) => placeholder.values.clone(),
            None => vec![expand(word, placeholders)],
        };
        self.words.iter().flat_map(expanded).collect()
    }
}

/// The names between braces in a word: lower-case letters and underscores only, so that a brace of an
/// awk program or a JSON text stays what it is.
fn names_in(word: &str) -> impl Iterator<Item = &str> {
    word.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

fn expand(word: &str, placeholders: &[Placeholder]) -> OsString {
    let mut expanded = OsString::new();
    let mut rest = word;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        expanded.push(before);
        let found = placeholders.iter().find_map(|placeholder| {
            let tail = from[1..].strip_prefix(placeholder.name)?.strip_prefix('}')?;
            Some((placeholder, tail))
        });
        match found {
            Some((placeholder, tail)) => {
                let joined = placeholder.values.join(OsStr::new(" "));
                expanded.push(joined);
                rest = tail;
            }
            None => {
                expanded.push("{");
                rest = &from[1..];
            }
        }
    }
    expanded.push(rest);
    expanded
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
        let contender = parse_contender("dd = dd if={input} \"of={output}\" bs=256K").expect("well formed");
        assert_eq!(contender.name, "dd");
        let words = contender.expand(&places());
        assert_eq!(words, ["dd", "if=/a b/input", "of=/a b/output", "bs=256K"]);
    }

    #[test]
    fn a_word_that_is_a_placeholder_of_several_values_becomes_several_words() {
        let contender = parse_contender("rg=rg -e x -- {files} --all={files}").expect("well formed");
        let words = contender.expand(&places());
        assert_eq!(words[4..], ["/a b/1", "/a b/2", "--all=/a b/1 /a b/2"]);
    }

    #[test]
    fn braces_that_are_no_placeholder_stay() {
        let contender = parse_contender("x=awk \"{print $1} {input}\" {output}").expect("well formed");
        assert_eq!(contender.check("copy", &places()), Ok(()));
        assert_eq!(contender.expand(&places())[1], "{print $1} /a b/input");
    }

    #[test]
    fn what_is_wrong_is_named_with_an_example() {
        let refused = |text: &str| {
            let error = match parse_contender(text) {
                Err(error) => error,
                Ok(contender) => contender.check("copy", &places()).expect_err(text),
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
    fn a_file_of_contenders_is_read_and_a_bad_line_is_named() {
        let toml = "[[contender]]\nname = 'cp'\ncommand = 'cp {input} {output}'\n\
                    [[contender]]\nname = 'odd'\nfamily = 'copy'\ncommand = ['my cp', '{input}', '{output}']\n";
        let read = read_contenders(toml).expect("well formed");
        assert_eq!(read[1].words[0], "my cp");
        assert!(read[1].enters("copy") && !read[1].enters("sort"));
        let refused = read_contenders("[[contender]]\nname = 'cp'\nkommand = 'x'\n").expect_err("a typo");
        assert!(refused.to_string().contains("line 3"), "{refused}");
    }

    #[test]
    fn two_contenders_of_one_name_are_refused() {
        let cp = parse_contender("cp=cp {input} {output}").expect("well formed");
        assert_eq!(refuse_doubles(&[cp.clone(), cp]), Err(ContenderError::Twice("cp".to_owned())));
    }
}
