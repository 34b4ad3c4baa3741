//! What was found out next to the contests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something found out that is no contest: the step of a clock, the largest number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// The family that found it out.
    pub family: String,
    /// What it is: `resolution`.
    pub name: String,
    /// What it is about, a technique or a thing: `clock_monotonic`; empty where it is about the host.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// What was found.
    pub value: FactValue,
}

/// A number with its unit, or words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FactValue {
    /// A number.
    Number {
        /// The number; it is finite.
        number: f64,
        /// Its unit, empty for a plain count: `ns`, `bytes`, `threads`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        unit: String,
    },
    /// What is no number.
    Words {
        /// The words.
        words: String,
    },
}

impl Fact {
    /// A number with its unit.
    pub fn number(family: &str, name: &str, about: &str, number: f64, unit: &str) -> Self {
        Self::new(family, name, about, FactValue::Number { number, unit: unit.to_owned() })
    }

    /// What is no number.
    pub fn words(family: &str, name: &str, about: &str, words: &str) -> Self {
        Self::new(family, name, about, FactValue::Words { words: words.to_owned() })
    }

    fn new(family: &str, name: &str, about: &str, value: FactValue) -> Self {
        Self { family: family.to_owned(), name: name.to_owned(), about: about.to_owned(), value }
    }
}
