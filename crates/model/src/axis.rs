//! Axes and the points on them: sizes of workloads, threads, pieces, depths, and what a technique can be tuned by.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::levels::typed;

/// A value on an axis. The unit of a number stands last in the name of its axis.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Bytes, a count, or nanoseconds.
    Number(u64),
    /// One of several words, or any text.
    Word(String),
}

impl Value {
    /// Returns the number, where it is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) => None,
        }
    }

    /// Returns the word, where it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Number(_) => None,
            Self::Word(word) => Some(word),
        }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

/// Values by the names of their axes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Point(pub BTreeMap<String, Value>);

impl Point {
    /// Returns the same with another value on an axis.
    #[must_use]
    pub fn with(mut self, axis: &str, value: impl Into<Value>) -> Self {
        self.set(axis, value);
        self
    }

    /// Sets the value on an axis.
    pub fn set(&mut self, axis: &str, value: impl Into<Value>) {
        self.0.insert(axis.to_owned(), value.into());
    }

    /// Returns the number on an axis.
    pub fn number(&self, axis: &str) -> Option<u64> {
        self.0.get(axis)?.number()
    }

    /// Returns the word on an axis.
    pub fn word(&self, axis: &str) -> Option<&str> {
        self.0.get(axis)?.word()
    }

    /// Returns all numbers with the names of their axes.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().filter_map(|(axis, value)| Some((axis.as_str(), value.number()?)))
    }

    /// Returns all words with the names of their axes.
    pub fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(axis, value)| Some((axis.as_str(), value.word()?)))
    }

    /// Returns whether there is no value on any axis.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Kinds of values of an axis, with those that take part when nothing else is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Sizes in bytes, ascending; the name ends in `bytes`.
    Bytes(&'static [u64]),
    /// Counts, ascending.
    Counts(&'static [u64]),
    /// Durations in nanoseconds, ascending; the name ends in `_ns`.
    DurationsNs(&'static [u64]),
    /// These words and no others.
    Words(&'static [&'static str]),
    /// Any text; an example.
    Text(&'static str),
}

const BINARY: [(&str, u64); 4] = [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)];
const DECIMAL_NS: [(&str, u64); 3] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];

/// A named dimension: what a workload differs by, or a technique can be tuned by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// Its name with the unit last: `buffer_bytes`, `threads`, `timeout_ns`, `order`.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub meaning: &'static str,
    /// Its values.
    pub values: Values,
}

impl Axis {
    /// Returns the name without its unit, as in the name of an entry: `buffer`, `threads`, `timeout`.
    pub fn label(&self) -> &'static str {
        let unit = match self.values {
            Values::Bytes(_) => "_bytes",
            Values::DurationsNs(_) => "_ns",
            Values::Counts(_) | Values::Words(_) | Values::Text(_) => "",
        };
        self.name.strip_suffix(unit).filter(|label| !label.is_empty()).unwrap_or(self.name)
    }

    /// Returns the values that take part when nothing else is asked for, in their order.
    pub fn defaults(&self) -> Vec<Value> {
        match self.values {
            Values::Bytes(numbers) | Values::Counts(numbers) | Values::DurationsNs(numbers) => {
                numbers.iter().map(|&number| Value::Number(number)).collect()
            }
            Values::Words(words) => words.iter().map(|&word| word.into()).collect(),
            Values::Text(example) => vec![example.into()],
        }
    }

    /// Returns a value that a user may copy.
    pub fn example(&self) -> String {
        self.defaults().first().map(|value| self.show(value)).unwrap_or_default()
    }

    /// Formats a value as [`Axis::parse`] reads it: `256K`, `100`, `25ms`, `sorted`.
    pub fn show(&self, value: &Value) -> String {
        match (value, self.values) {
            (Value::Word(word), _) => word.clone(),
            (Value::Number(number), Values::Bytes(_)) => in_largest(*number, &BINARY, ""),
            (Value::Number(number), Values::DurationsNs(_)) => in_largest(*number, &DECIMAL_NS, "ns"),
            (Value::Number(number), _) => number.to_string(),
        }
    }

    /// Reads a value as a user types it.
    /// Errors: one sentence: what is wrong, where, and what would be right.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        match (self.values, typed(self.values)) {
            (_, Some(typed)) => typed.parse(text).map(Value::Number),
            (Values::Words(words), _) if !words.contains(&text) => {
                let (name, known, example) = (self.name, words.join(", "), self.example());
                Err(format!("{name} is one of {known}, not '{text}'; for example {name}={example}"))
            }
            _ => Ok(text.into()),
        }
    }
}

/// Formats a number exactly, in the largest of these units that gives a whole one: `256K`, `4000`, `1500us`.
fn in_largest(number: u64, units: &[(&str, u64)], smallest: &str) -> String {
    let fitting = units.iter().find(|(_, size)| number >= *size && number.is_multiple_of(*size));
    let (suffix, size) = fitting.copied().unwrap_or((smallest, 1));
    format!("{}{suffix}", number / size)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER: Axis = Axis { name: "buffer_bytes", meaning: "", values: Values::Bytes(&[64 << 10]) };
    const DEPTH: Axis = Axis { name: "depth", meaning: "", values: Values::Counts(&[0, 100]) };
    const WAIT: Axis = Axis { name: "timeout_ns", meaning: "", values: Values::DurationsNs(&[25_000_000]) };
    const ORDER: Axis = Axis { name: "order", meaning: "", values: Values::Words(&["sorted", "random"]) };

    #[test]
    fn a_value_is_read_as_it_is_shown() {
        for (axis, text, value) in [
            (BUFFER, "256K", Value::Number(256 << 10)),
            (BUFFER, "4000", Value::Number(4000)),
            (DEPTH, "0", Value::Number(0)),
            (WAIT, "25ms", Value::Number(25_000_000)),
            (WAIT, "1500us", Value::Number(1_500_000)),
            (ORDER, "random", "random".into()),
        ] {
            assert_eq!(axis.parse(text), Ok(value.clone()));
            assert_eq!(axis.show(&value), text);
        }
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_refused_with_an_example() {
        for (axis, text, example) in [
            (BUFFER, "25.6MX", "25.6MB"),
            (DEPTH, "many", "20k"),
            (DEPTH, "20KiB", "a unit of bytes stands at character 3"),
            (WAIT, "25", "500ms"),
            (ORDER, "upside-down", "sorted"),
        ] {
            let refused = axis.parse(text).expect_err(text);
            assert!(refused.contains(example), "{refused}");
        }
    }

    #[test]
    fn the_label_of_an_axis_has_no_unit() {
        let labels = [BUFFER, DEPTH, WAIT, ORDER].map(|axis| axis.label());
        assert_eq!(labels, ["buffer", "depth", "timeout", "order"]);
        assert_eq!(Axis { name: "bytes", ..BUFFER }.label(), "bytes");
    }
}
