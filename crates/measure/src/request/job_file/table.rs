//! Tables of a job's file, with the line and the column of whatever is wrong.

use families::{Command, GoodExits};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::request::Refusal;
use crate::request::command::line_and_column;

#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) shown: &'t str,
    pub(super) toml: &'t str,
}

/// A place in a file, or a word of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place<'t> {
    pub(super) shown: &'t str,
    pub(super) position: Option<String>,
}

impl Place<'_> {
    pub(super) fn refuse(&self, what: impl std::fmt::Display) -> Refusal {
        Refusal(match &self.position {
            None => format!("{}: {what}", self.shown),
            Some(position) => format!("{}, {position}: {what}", self.shown),
        })
    }
}

impl<'t> Text<'t> {
    pub(super) fn at(&self, offset: usize) -> Place<'t> {
        Place { shown: self.shown, position: Some(line_and_column(self.toml, offset)) }
    }
}

/// A command before values are put into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unsplit {
    /// To be split into words.
    Line(String),
    /// Words already, or for a shell, which splits it.
    Whole(Command),
}

#[derive(Debug)]
pub(super) struct Placed<'t, T> {
    pub(super) value: T,
    pub(super) place: Place<'t>,
}

pub(super) type Row<'t> = (&'t Spanned<DeString<'t>>, &'t Spanned<DeValue<'t>>);

pub(super) fn in_order<'t>(table: &'t DeTable<'t>) -> Vec<Row<'t>> {
    let mut rows: Vec<Row<'t>> = table.iter().collect();
    rows.sort_by_key(|(key, _)| key.span().start);
    rows
}

/// A table of which every key is known.
pub(super) struct Keys<'t> {
    pub(super) text: Text<'t>,
    table: &'t DeTable<'t>,
}

impl<'t> Keys<'t> {
    pub(super) fn new(
        text: Text<'t>, table: &'t DeTable<'t>, of: &str, known: &[&str],
    ) -> Result<Self, Refusal> {
        let (keys, others) = Self::open(text, table, of, known)?;
        match others.first() {
            None => Ok(keys),
            Some((key, _)) => Err(unknown(text, key, of, known)),
        }
    }

    /// Returns a table that may also hold axes: those rows.
    pub(super) fn open(
        text: Text<'t>, table: &'t DeTable<'t>, of: &str, known: &[&str],
    ) -> Result<(Self, Vec<Row<'t>>), Refusal> {
        let rows = in_order(table).into_iter();
        let others: Vec<Row<'t>> = rows.filter(|(key, _)| !known.contains(&&**key.get_ref())).collect();
        let no_axis = others.iter().find(|(key, value)| {
            !matches!(value.get_ref(), DeValue::Array(_) | DeValue::Table(_))
                || nearest(key.get_ref(), known).is_some_and(|(_, similarity)| similarity >= 0.9)
        });
        match no_axis {
            None => Ok((Self { text, table }, others)),
            Some((key, _)) => Err(unknown(text, key, of, known)),
        }
    }

    pub(super) fn value(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.get(key)
    }

    fn place_of(&self, value: &Spanned<DeValue<'_>>) -> Place<'t> {
        self.text.at(value.span().start)
    }

    /// Returns where a key of a table inside stands, or the table.
    pub(super) fn place_in(&self, table: &str, key: &str) -> Place<'t> {
        let outer = self.value(table);
        let inner = outer.and_then(|outer| outer.get_ref().as_table()).and_then(|table| table.get(key));
        self.text.at(inner.or(outer).map_or(0, |value| value.span().start))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<Placed<'t, String>>, Refusal> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let place = self.place_of(value);
        match value.get_ref().as_str() {
            Some(text) => Ok(Some(Placed { value: text.to_owned(), place })),
            None => Err(place.refuse(format!("{key} is a text in quotation marks"))),
        }
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, Refusal> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let flag = value.get_ref().as_bool().map(Some);
        flag.ok_or_else(|| self.place_of(value).refuse(format!("{key} is true or false")))
    }

    /// Reads `true`, `false` or a list of exit codes.
    pub(super) fn good_exits(&self, key: &str) -> Result<Option<GoodExits>, Refusal> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let code = |one: &Spanned<DeValue<'_>>| one.get_ref().as_integer()?.as_str().parse::<i32>().ok();
        let read = match value.get_ref() {
            DeValue::Boolean(true) => Some(GoodExits::Any),
            DeValue::Boolean(false) => Some(GoodExits::Zero),
            DeValue::Array(codes) => codes.iter().map(code).collect::<Option<_>>().map(GoodExits::And),
            _ => None,
        };
        let expected = format!("{key} is true, false or a list of exit codes: [1, 2]");
        read.map(Some).ok_or_else(|| self.place_of(value).refuse(expected))
    }

    pub(super) fn table(&self, key: &str) -> Result<Option<Spanned<&'t DeTable<'t>>>, Refusal> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let Some(table) = value.get_ref().as_table() else {
            let expected = format!("{key} is a table: write [{key}] above its keys");
            return Err(self.place_of(value).refuse(expected));
        };
        Ok(Some(Spanned::new(value.span(), table)))
    }

    /// Returns a command that is not yet split, since values may still be put into it.
    pub(super) fn unsplit(&self, key: &str, shell: bool) -> Result<Unsplit, Refusal> {
        let expected = "a command is one text, or a list of words in quotation marks";
        let Some(value) = self.value(key) else { return Ok(Unsplit::Whole(Command::Words(Vec::new()))) };
        let place = self.place_of(value);
        match value.get_ref() {
            DeValue::String(line) if shell => Ok(Unsplit::Whole(Command::Shell(line.to_string()))),
            DeValue::String(line) => Ok(Unsplit::Line(line.to_string())),
            DeValue::Array(_) if shell => {
                Err(place.refuse("a shell takes a command as one text; a list of words needs no shell"))
            }
            DeValue::Array(words) => {
                let words = words.iter().map(|word| {
                    let text = word.get_ref().as_str().map(str::to_owned);
                    text.ok_or_else(|| self.place_of(word).refuse(expected))
                });
                Ok(Unsplit::Whole(Command::Words(words.collect::<Result<_, _>>()?)))
            }
            _ => Err(place.refuse(expected)),
        }
    }

    /// Returns a command, where there is one. `shell` next to it decides whether a shell gets it.
    pub(super) fn command(&self, key: &str, shell: bool) -> Result<Option<Command>, Refusal> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let shell = self.flag("shell")?.unwrap_or(shell);
        self.unsplit(key, shell)?.split(&self.place_of(value)).map(Some)
    }

    /// Returns a step next to what is timed: a command, or a table with one.
    pub(super) fn step(&self, key: &str, shell: bool) -> Result<Option<Command>, Refusal> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let Some(table) = value.get_ref().as_table() else {
            return self.unsplit(key, shell)?.split(&self.place_of(value)).map(Some);
        };
        let of = format!("[{key}]");
        let command = Keys::new(self.text, table, &of, &["command", "shell"])?.command("command", shell)?;
        command.ok_or_else(|| self.place_of(value).refuse(format!("{of} has no command"))).map(Some)
    }
}

fn unknown(text: Text<'_>, key: &Spanned<DeString<'_>>, of: &str, known: &[&str]) -> Refusal {
    let name = key.get_ref();
    let hint = match nearest(name, known) {
        Some((known, _)) => format!("did you mean '{known}'?"),
        None if matches!(&**name, "proof" | "question" | "input" | "axes") => {
            "it belongs to the job: write it above the first table".to_owned()
        }
        None => {
            let is_technique = known.contains(&"prepare") && of == "a technique";
            let axes = format!(", and axes with a list of values, for example {name} = [1, 2]");
            format!("there are {}{}", known.join(", "), if is_technique { &*axes } else { "" })
        }
    };
    text.at(key.span().start).refuse(format!("{of} has no key '{name}'; {hint}"))
}

fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<(&'k str, f64)> {
    let similar = known.iter().map(|&known| (known, strsim::jaro_winkler(name, known)));
    similar.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, similarity)| *similarity > 0.75)
}
