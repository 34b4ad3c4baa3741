//! The words in which a claim is compared with what was measured. Each is a list in a finding's TOML file: `[[ratio]]`.
//!
//! A bound is a number that the claim names: `at_least = 2.0`, `at_most = 1.1`, or both for a range. Names are those of published
//! programs where there are any (`cpW`), else names of techniques: the same words then find the published figures.

use serde::Deserialize;

/// One name or several: `"cpW"` or `["cpW", "cpC"]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "OneOrMore")]
pub struct Names(pub Vec<String>);

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
pub struct Faster {
    /// The ones that are claimed to be faster.
    pub technique: Names,
    /// The ones that are claimed to be slower.
    pub than: Names,
    /// What is compared.
    #[serde(default = "of_work")]
    pub quantity: Names,
}

/// What each of `of` takes over what each of `over` takes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The upper part of the fraction.
    pub of: Names,
    /// The lower part of the fraction.
    pub over: Names,
    /// What is compared.
    #[serde(default = "of_work")]
    pub quantity: Names,
    /// What is compared of the lower part, where it is something else.
    pub over_quantity: Option<String>,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// The share of one quantity in another, both of the same technique: `of = "cpu"`, `in = "work"`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Whose.
    pub technique: Names,
    /// The part.
    pub of: String,
    /// The whole.
    #[serde(rename = "in")]
    pub whole: String,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// What a technique takes for one unit of its work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Whose.
    pub technique: Names,
    /// The number of the workload that counts the units: `calls`.
    pub per: String,
    /// The claim: at most so many nanoseconds for one.
    pub at_most_ns: f64,
}

/// The exponent with which a technique's time grows along an axis.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slope {
    /// Whose.
    pub technique: Names,
    /// Along which axis.
    pub axis: String,
    /// The lowest level.
    pub from: u64,
    /// The highest level.
    pub to: u64,
    /// What is compared.
    #[serde(default = "work")]
    pub quantity: String,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// A level of an axis.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// Its value.
    At(u64),
    /// A level that is found here.
    Found(FoundPlace),
}

/// A level that depends on the host, or on what was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundPlace {
    /// As many as processors may be used, or the nearest level below.
    Processors,
    /// Levels that fit into the second cache.
    InCache,
    /// The lowest level.
    Smallest,
    /// The highest level.
    Largest,
    /// The level at which the technique is fastest.
    Best,
    /// Any level.
    Any,
}

/// What a technique takes at one level over what it takes at another.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// Whose.
    pub technique: Names,
    /// Along which axis.
    pub axis: String,
    /// The level.
    pub at: Place,
    /// The level it is compared with.
    pub base: Place,
    /// What is compared.
    #[serde(default = "work")]
    pub quantity: String,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// The levels at which a technique is as fast as at its best, but for `within`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plateau {
    /// Whose.
    pub technique: Names,
    /// Along which axis.
    pub axis: String,
    /// The claim: this level is one of them (of several that are meant, any one).
    pub at: Place,
    /// What a level may cost over the best and still be one of them: 0.05 is 5 %.
    pub within: f64,
    /// What is compared.
    #[serde(default = "work")]
    pub quantity: String,
    /// The claim holds at each value of this further axis, with one level for all of them.
    pub across: Option<String>,
}

/// What a technique takes at one word or number of an axis over what it takes at another: the mean over the levels of a curve.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gain {
    /// Whose.
    pub technique: Names,
    /// The axis that is changed.
    pub of: String,
    /// From this value.
    pub from: String,
    /// To this one.
    pub to: String,
    /// The axis of the curve.
    pub axis: String,
    /// The lowest level that counts.
    pub least: u64,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// How far apart the slowest and the fastest of some techniques are at one level, over how far they are at another.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Whose.
    pub technique: Names,
    /// Along which axis.
    pub axis: String,
    /// The level.
    pub at: u64,
    /// The level it is compared with.
    pub over: u64,
    /// The claim: at most this.
    pub at_most: f64,
}

/// How much slower the slowest of so many identical runs is than the fastest.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Whose.
    pub technique: Names,
    /// So many runs in a row.
    pub runs: u32,
    /// The claim: at least this.
    pub at_least: f64,
}

/// What a technique takes on one kind of file system over what it takes on another, both in one run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSystems {
    /// Whose.
    pub technique: Names,
    /// Names of file systems of the one kind.
    pub of: Names,
    /// Names of file systems of the other kind.
    pub over: Names,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// One of two hosts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// The technique.
    pub technique: String,
    /// The system: `linux` or `windows`.
    pub system: Option<String>,
    /// It has at least so many processors.
    pub processors_at_least: Option<u32>,
    /// It has at most so many processors.
    pub processors_at_most: Option<u32>,
    /// The published machines of this side.
    #[serde(default)]
    pub published: Vec<String>,
}

/// What a technique takes on one host over what one takes on another; asks for three kept runs of each.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hosts {
    /// The upper part of the fraction.
    pub of: Side,
    /// The lower part of the fraction.
    pub over: Side,
    /// Whether both must have the same model of processor.
    #[serde(default)]
    pub same_processor: bool,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

impl Hosts {
    /// What is compared, in a few words.
    pub(crate) fn what(&self) -> String {
        let system =
            |side: &Side| side.system.as_ref().map_or(String::new(), |system| format!(" on {system}"));
        let (of, over) = (system(&self.of), system(&self.over));
        format!("{}{of} over {}{over}, on another host", self.of.technique, self.over.technique)
    }
}

/// A number that was found out beside the contests, or the quotient of two.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What it is: `largest step`.
    pub name: String,
    /// What it is about; the first of these that is known.
    pub about: Names,
    /// What the other number is about.
    pub over: Option<String>,
    /// Words that were found out about the same, and tell why: `runs out first`.
    pub because: Option<String>,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
}

/// What no run of this tool has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// What would be needed, in words that follow "it needs".
    pub what: String,
}

/// One comparison of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Each of `technique` takes less than each of `than`.
    Faster(Faster),
    /// What each of `of` takes over what each of `over` takes.
    Ratio(Ratio),
    /// The share of one quantity in another, both of the same technique: `of = "cpu"`, `in = "work"`.
    Share(Share),
    /// What a technique takes for one unit of its work.
    Cost(Cost),
    /// The exponent with which a technique's time grows along an axis.
    Slope(Slope),
    /// What a technique takes at one level over what it takes at another.
    Overhead(Overhead),
    /// The levels at which a technique is as fast as at its best, but for `within`.
    Plateau(Plateau),
    /// What a technique takes at one word or number of an axis over what it takes at another: the mean over the levels of a curve.
    Gain(Gain),
    /// How far apart the slowest and the fastest of some techniques are at one level, over how far they are at another.
    Gap(Gap),
    /// How much slower the slowest of so many identical runs is than the fastest.
    Spread(Spread),
    /// What a technique takes on one kind of file system over what it takes on another, both in one run.
    FileSystems(FileSystems),
    /// What a technique takes on one host over what one takes on another; asks for three kept runs of each.
    Hosts(Hosts),
    /// A number that was found out beside the contests, or the quotient of two.
    Fact(Fact),
    /// What no run of this tool has.
    Needs(Needs),
}

impl Part {
    /// The names of techniques and published programs that it compares.
    pub fn names(&self) -> Vec<&str> {
        let lists: Vec<&Names> = match self {
            Self::Faster(part) => vec![&part.technique, &part.than],
            Self::Ratio(part) => vec![&part.of, &part.over],
            Self::Share(part) => vec![&part.technique],
            Self::Cost(part) => vec![&part.technique],
            Self::Slope(part) => vec![&part.technique],
            Self::Overhead(part) => vec![&part.technique],
            Self::Plateau(part) => vec![&part.technique],
            Self::Gain(part) => vec![&part.technique],
            Self::Gap(part) => vec![&part.technique],
            Self::Spread(part) => vec![&part.technique],
            Self::FileSystems(part) => vec![&part.technique],
            Self::Hosts(part) => return vec![&part.of.technique, &part.over.technique],
            Self::Fact(_) | Self::Needs(_) => Vec::new(),
        };
        let mut names: Vec<&str> =
            lists.into_iter().flat_map(|list| list.0.iter().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The axis along which it looks at levels.
    pub fn axis(&self) -> Option<&str> {
        match self {
            Self::Slope(part) => Some(&part.axis),
            Self::Overhead(part) => Some(&part.axis),
            Self::Plateau(part) => Some(&part.axis),
            Self::Gain(part) => Some(&part.axis),
            Self::Gap(part) => Some(&part.axis),
            _ => None,
        }
    }
}
