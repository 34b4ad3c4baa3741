//! The words in which a claim is compared with what was measured. Each is a list in a finding's TOML file: `[[ratio]]`.
//!
//! A bound is a number that the claim names: `at_least = 2.0`, `at_most = 1.1`, or both for a range. Names are those of published
//! programs where there are any (`cpW`), else names of techniques: the same words then find the published figures.

use std::fmt;

use serde::Deserialize;

/// One name or several: `"cpW"` or `["cpW", "cpC"]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "OneOrMore")]
pub(crate) struct Names(pub(crate) Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl From<OneOrMore> for Names {
    fn from(names: OneOrMore) -> Self {
        match names {
            OneOrMore::One(name) => Self(vec![name]),
            OneOrMore::More(names) => Self(names),
        }
    }
}

fn of_work() -> Names {
    Names(vec!["work".to_owned()])
}

fn work() -> String {
    "work".to_owned()
}

/// Each of `technique` takes less than each of `than`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Faster {
    pub(crate) technique: Names,
    pub(crate) than: Names,
    #[serde(default = "of_work")]
    pub(crate) metric: Names,
}

/// The ratio of what each of `of` takes to what each of `over` takes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ratio {
    pub(crate) of: Names,
    pub(crate) over: Names,
    #[serde(default = "of_work")]
    pub(crate) metric: Names,
    /// The metric of the lower part, where it is another.
    pub(crate) over_metric: Option<String>,
    /// Compares at each of the finding's `levels` of this axis.
    pub(crate) axis: Option<String>,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// The share of one metric in another, both of the same technique: `of = "cpu"`, `in = "work"`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Share {
    pub(crate) technique: Names,
    pub(crate) of: String,
    #[serde(rename = "in")]
    pub(crate) whole: String,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// The cost of one unit of a technique's work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cost {
    pub(crate) technique: Names,
    /// The number of the workload that counts the units: `calls`.
    pub(crate) per: String,
    /// The claim: at most this many nanoseconds for one.
    pub(crate) at_most_ns: f64,
}

/// The exponent with which a technique's time grows along an axis.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Slope {
    pub(crate) technique: Names,
    pub(crate) axis: String,
    pub(crate) from: u64,
    pub(crate) to: u64,
    #[serde(default = "work")]
    pub(crate) metric: String,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// A level of an axis.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Place {
    At(u64),
    /// A level that is found here.
    Found(FoundPlace),
}

/// A level that depends on the host, or on what was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FoundPlace {
    /// As many as processors may be used, or the nearest level below.
    Processors,
    /// Levels that fit into the second cache.
    InCache,
    Smallest,
    Largest,
    /// The level at which the technique is fastest.
    Best,
    Any,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::At(value) => return value.fmt(f),
            Self::Found(FoundPlace::Processors) => "one a processor",
            Self::Found(FoundPlace::InCache) => "in the cache",
            Self::Found(FoundPlace::Smallest) => "smallest",
            Self::Found(FoundPlace::Largest) => "largest",
            Self::Found(FoundPlace::Best) => "the best",
            Self::Found(FoundPlace::Any) => "any",
        })
    }
}

/// The ratio of what a technique takes at one level to what it takes at another.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Overhead {
    pub(crate) technique: Names,
    pub(crate) axis: String,
    pub(crate) at: Place,
    pub(crate) base: Place,
    #[serde(default = "work")]
    pub(crate) metric: String,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// The levels at which a technique is as fast as at its best, but for `within`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plateau {
    pub(crate) technique: Names,
    pub(crate) axis: String,
    /// The claim: this level is one of them (of several that are meant, any one).
    pub(crate) at: Place,
    /// The tolerance over the best level: 0.05 is 5 %.
    pub(crate) within: f64,
    #[serde(default = "work")]
    pub(crate) metric: String,
    /// The claim holds at each value of this further axis, with one level for all of them.
    pub(crate) across: Option<String>,
}

/// The ratio of a technique's times at two values of an axis: the mean over the levels of a curve.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gain {
    pub(crate) technique: Names,
    /// The axis that is changed.
    pub(crate) of: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) axis: String,
    /// The lowest and the highest level that count.
    pub(crate) levels: [u64; 2],
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// The distance of the slowest from the fastest of some techniques at one level, over that at another.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gap {
    pub(crate) technique: Names,
    pub(crate) axis: String,
    pub(crate) at: u64,
    /// The level it is compared with.
    pub(crate) over: u64,
    pub(crate) at_most: f64,
}

/// The ratio of the slowest to the fastest of this many identical runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spread {
    pub(crate) technique: Names,
    /// This many runs in a row.
    pub(crate) runs: u32,
    pub(crate) at_least: f64,
}

/// The ratio of a technique's times on two kinds of file system in one run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileSystems {
    pub(crate) technique: Names,
    pub(crate) of: Names,
    pub(crate) over: Names,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// One of two hosts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Side {
    pub(crate) technique: String,
    /// The system: `linux` or `windows`.
    pub(crate) system: String,
    /// The published machines of this side.
    #[serde(default)]
    pub(crate) published: Vec<String>,
}

/// The ratio of techniques on two hosts; asks for three kept runs of each.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hosts {
    pub(crate) of: Side,
    pub(crate) over: Side,
    #[serde(default)]
    pub(crate) same_processor: bool,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

impl Hosts {
    pub(crate) fn what(&self) -> String {
        let [of, over] = [&self.of, &self.over].map(|side| format!("{} on {}", side.technique, side.system));
        format!("{of} over {over}, on another host")
    }
}

/// A number that was found out next to the contests, or the quotient of two.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fact {
    /// The name: `largest step`.
    pub(crate) name: String,
    /// The subjects; the first that is known counts.
    pub(crate) about: Names,
    /// The subject of the other number.
    pub(crate) over: Option<String>,
    /// Words that were found out about the same, and show why: `runs out first`.
    pub(crate) because: Option<String>,
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
}

/// Something that no run of this tool has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Needs {
    /// The missing thing, in words that follow "it needs".
    pub(crate) what: String,
}
