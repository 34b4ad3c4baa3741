//! What a worker gets: which technique, at which size and shape, in which setting.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Point, Setting, Value, format_bytes, parse_bytes};

in_words! {
    /// The extent of a run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
    pub enum Preset {
        /// Ends within a minute on two processors.
        #[default]
        Quick = "quick",
        /// The sizes of the published tables.
        Published = "published",
        /// Sizes at which today's machines leave their caches.
        Large = "large",
    }
}

/// The size and shape at which a question is asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "AnyWorkload")]
pub struct Workload {
    /// A short name that is unique inside the family, e.g. `published` or `25.6MB`.
    pub name: String,
    /// The user's own files, of which the work gets a private copy; empty where the input is generated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// Its values: `bytes` is 25600000, `threads` is 8, `order` is `random`.
    #[serde(flatten)]
    pub point: Point,
}

/// Version 1 of the schema kept the words apart.
#[derive(Deserialize, JsonSchema)]
struct AnyWorkload {
    name: String,
    #[serde(default)]
    files: Vec<PathBuf>,
    #[serde(default)]
    shape: BTreeMap<String, String>,
    #[serde(flatten)]
    point: Point,
}

impl TryFrom<AnyWorkload> for Workload {
    type Error = String;

    fn try_from(any: AnyWorkload) -> Result<Self, String> {
        let AnyWorkload { name, files, shape, mut point } = any;
        if let Some(taken) = Self::NO_AXES.into_iter().find(|name| shape.contains_key(*name)) {
            return Err(format!(
                "the shape of the workload '{name}' has the key '{taken}', which is not an axis"
            ));
        }
        point.0.extend(shape.into_iter().map(|(axis, word)| (axis, Value::Word(word))));
        Ok(Self { name, files, point })
    }
}

impl Workload {
    /// Names that no axis may have: the values stand next to them.
    pub const NO_AXES: [&str; 3] = ["name", "files", "shape"];

    /// Makes a workload that is fully described by a number of bytes.
    pub fn of_bytes(name: impl Into<String>, bytes: u64) -> Self {
        Self { name: name.into(), ..Self::default() }.with("bytes", bytes)
    }

    /// Makes a workload of a size that a user typed, named after it.
    pub fn of_size(bytes: u64) -> Self {
        let short = format_bytes(bytes).replace(' ', "");
        let exact = parse_bytes(&short) == Ok(bytes);
        Self::of_bytes(if exact { short } else { format!("{bytes}B") }, bytes)
    }

    /// Returns the same with another value on an axis; the unit of a number stands last in the axis' name.
    #[must_use]
    pub fn with(mut self, axis: &str, value: impl Into<Value>) -> Self {
        self.point.set(axis, value);
        self
    }

    /// Name of the workload of commands that are timed as they were given: they work on whatever they name.
    pub const AS_GIVEN: &str = "as-given";

    /// The family of commands that were typed: no one wrote a question for them.
    pub const TYPED_COMMANDS: &str = "commands";

    /// Returns whether commands were timed as they were given.
    pub fn is_as_given(&self) -> bool {
        self.name == Self::AS_GIVEN
    }

    /// Returns the size in bytes, when the workload has one.
    pub fn bytes(&self) -> Option<u64> {
        self.number("bytes")
    }

    /// Returns what all levels of a curve along `axis` share: the same without its name, that number and the `bytes` that follow
    /// from it.
    #[must_use]
    pub fn without_axis(&self, axis: &str) -> Self {
        let mut rest = Self { name: String::new(), ..self.clone() };
        rest.point.0.retain(|name, _| name != axis && name != "bytes");
        rest
    }

    /// Returns the number on an axis.
    pub fn number(&self, axis: &str) -> Option<u64> {
        self.point.number(axis)
    }

    /// Returns the word on an axis.
    pub fn word(&self, axis: &str) -> Option<&str> {
        self.point.word(axis)
    }
}

/// Origin of an entry of a contest.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A technique that ships with the tool.
    #[default]
    BuiltIn,
    /// A user's or peer's external command.
    #[serde(alias = "command")]
    Command,
    /// A built-in technique entered a second time: the instrument must not distinguish it from the first.
    Twin,
    /// Not a competitor but the limit: what the hardware needs for the bytes alone.
    Ceiling,
}

in_words! {
    /// Kinds of work; techniques of different classes are never ranked together.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
    pub enum Class {
        /// The bytes themselves are moved.
        #[default]
        MovesBytes = "moves-bytes",
        /// The result shares the extents of the input (reflink, block clone).
        SharesExtents = "shares-extents",
        /// A part of the work was done before, and what it left is used again (an index that stands there already).
        ReusesEarlierWork = "reuses-earlier-work",
        /// Each piece of the result is on the device before the next one is begun.
        FlushesEachPiece = "flushes-each-piece",
        /// Its results are coarser than those of the others (a clock that moves in steps of milliseconds).
        Coarse = "coarse",
    }
}

impl Kind {
    /// Splits an entry's name into its technique and its value behind an `@`. A command may be called after its command line, which may
    /// hold an `@` for a reason of its own (`ssh me@host`): its values are axes with their names.
    pub fn technique_and_value(self, entry: &str) -> (&str, Option<&str>) {
        let parted = match self {
            Self::Command => {
                entry.rsplit_once('@').filter(|(_, values)| values.split(',').all(is_assignment))
            }
            Self::BuiltIn | Self::Twin | Self::Ceiling => entry.split_once('@'),
        };
        parted.map_or((entry, None), |(technique, value)| (technique, Some(value)))
    }

    /// Returns whether a name means an entry: its own, its technique's without the value of a parameter, or an alias.
    pub fn is_called(self, entry: &str, aliases: &[String], name: &str) -> bool {
        entry == name || self.technique_and_value(entry).0 == name || aliases.iter().any(|one| one == name)
    }
}

/// Returns whether this is `name=value`: of an axis, or of a variable before a command.
pub fn is_assignment(text: &str) -> bool {
    let name = text.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Everything a worker gets.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trial {
    /// Name of the family.
    pub family: String,
    /// Name of the technique, with its parameter behind an `@` where it has one: `read_write@256K`.
    pub technique: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The private folder that holds the inputs and takes the outputs; empty for a family that works on no files.
    pub scratch: PathBuf,
    /// Seed for whatever the family draws.
    pub seed: u64,
}

/// The answer to whether a technique can run here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It can.
    Ready,
    /// It cannot, and this sentence says why and, where possible, what to do.
    Missing(String),
}

impl Availability {
    /// Returns whether the technique can run.
    pub fn is_ready(&self) -> bool {
        matches!(self, Self::Ready)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_apart_are_read_unless_they_take_a_key() {
        let read = |shape: &str| {
            let json = serde_json::json!({"name": "w", "shape": {shape: "sorted"}, "bytes": 5});
            serde_json::from_value::<Workload>(json)
        };
        assert_eq!(read("order").ok(), Some(Workload::of_bytes("w", 5).with("order", "sorted")));
        for name in Workload::NO_AXES {
            let refused = read(name).expect_err("it could be written and not be read again").to_string();
            assert!(refused.contains(&format!("'{name}', which is not an axis")), "{refused}");
        }
    }

    #[test]
    fn an_entry_has_its_value_last_and_a_command_line_has_none() {
        assert_eq!(Kind::BuiltIn.technique_and_value("read_write@256K"), ("read_write", Some("256K")));
        assert_eq!(Kind::Command.technique_and_value("zstd@level=3,to=x"), ("zstd", Some("level=3,to=x")));
        assert_eq!(Kind::Command.technique_and_value("ssh me@host@n=2"), ("ssh me@host", Some("n=2")));
        for line in ["zstd@level=3,mode=a@b", "gzip", "ssh me@host", "mail me@host -s a=b c", "a@=1"] {
            assert_eq!(Kind::Command.technique_and_value(line), (line, None));
        }
    }
}
