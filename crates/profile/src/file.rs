//! The file: TOML, one host, a table for each task, in it one for each range of its axis; and the host that it is tied to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use model::Value;
use serde::{Deserialize, Serialize};

use crate::ProfileError;

/// The format that is written and read here. It changes when a key changes its meaning; a key that joins does not change it.
pub const FORMAT: i64 = 1;

/// Head of a file, for people who open it.
const HEAD: &str = "\
# What is fastest on this host, as 'bakeoff advise --profile' wrote it. Programs read it with the crate 'profile'.
# It is true on this host, kernel and file system only.
";

/// A host and the kernel that it runs. The fingerprint is that of `bakeoff host`: made of the machine's identity, its processor,
/// the number of processors, its memory and its hypervisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostKey {
    /// Distinguishes the machine from all others: 16 hexadecimal digits.
    pub fingerprint: String,
    /// Kernel release.
    pub kernel: String,
    /// Other lasting facts that decide which technique is fastest, where known: `microcode`, `caches`, and `huge_pages` (who gets
    /// transparent ones).
    pub setup: BTreeMap<String, String>,
}

impl HostKey {
    /// Identifies this host, in less than a millisecond.
    ///
    /// # Errors
    /// The system says nothing by which it could be distinguished from others.
    pub fn here() -> Result<Self, ProfileError> {
        let identity = sys::host::identity();
        let setup = identity.setup.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        match (identity.fingerprint, identity.kernel) {
            (Some(fingerprint), Some(kernel)) => Ok(Self { fingerprint: fingerprint.0, kernel, setup }),
            _ => Err(ProfileError::UnknownHost),
        }
    }
}

/// Advice for one host.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The host, and the kernel that runs on it now.
    pub host: HostKey,
    /// The tasks.
    pub tasks: Vec<Task>,
}

/// A task: a family, a workload but for the value on its axis, and conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Name of the family: `copy`.
    pub family: String,
    /// Version of the bakeoff that measured it.
    pub version: String,
    /// The kernel that it was measured on.
    pub kernel: String,
    /// `warm` or `cold`: what the file cache holds at first.
    pub cache: Option<String>,
    /// `returned` or `durable`: when the clock stops.
    pub durability: Option<String>,
    /// Name of the file system: `ext4`.
    pub file_system: Option<String>,
    /// The compared metric: `work_ns`.
    pub metric: String,
    /// The number along which the ranges lie: `bytes`. Without one there is a single range, from 0 to 0.
    pub axis: Option<String>,
    /// The techniques that could be chosen from; all where it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub among: Vec<String>,
    /// Other facts that decided it on that host, by name: see [`HostKey::setup`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub setup: BTreeMap<String, String>,
    /// The values on the axis that are best, where all do the same work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best_levels: Vec<u64>,
    /// The one of them to choose, where they are no numbers of threads.
    pub chosen_level: Option<u64>,
    /// The other values of the workload.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub workload: BTreeMap<String, Value>,
    /// The ranges, ascending; never empty. Between two ranges, and outside of them, nothing is known.
    #[serde(rename = "range")]
    pub ranges: Vec<Range>,
}

/// Certainty of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Nothing limits yet what choosing it can cost.
    Open,
    /// The cost of choosing it has a limit.
    Limited,
    /// Choosing it costs no more than the difference that the run was asked to neglect.
    Sure,
}

/// The choice for a range of the axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The lowest value on the axis.
    pub from: u64,
    /// The highest value, included.
    pub to: u64,
    /// The technique: `read_write`.
    pub technique: String,
    /// The baseline.
    pub baseline: Option<String>,
    /// The baseline costs at least this many times as much as the technique.
    pub factor_low: Option<f64>,
    /// At most this many times as much.
    pub factor_high: Option<f64>,
    /// The technique is at most this much slower than the fastest at the measured values, as a fraction; absent without a limit.
    pub at_most_slower: Option<f64>,
    /// Certainty of the choice; absent in files of earlier versions.
    pub certainty: Option<Certainty>,
    /// The chance that this choice is judged rightly, from 0 to 1.
    pub confidence: Option<f64>,
    /// Counted rounds that were judged, at least.
    pub rounds: Option<u32>,
    /// When the latest of its runs began: `2026-01-01T00:00:00Z`.
    pub date: Option<String>,
    /// The runs that it was taken from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<String>,
    /// The values of its parameters: `buffer_bytes`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    format: i64,
    fingerprint: String,
    #[serde(default, rename = "task", skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<Task>,
}

impl Profile {
    /// Makes an empty profile of a host.
    pub fn new(host: HostKey) -> Self {
        Self { host, tasks: Vec::new() }
    }

    /// Reads a profile of this host.
    ///
    /// # Errors
    /// The file cannot be read, is not a profile, has another format, or is of another host.
    pub fn load(path: &Path) -> Result<Self, ProfileError> {
        Self::load_for(path, HostKey::here()?)
    }

    /// Reads a profile of a host that is known already.
    ///
    /// # Errors
    /// See [`Profile::load`].
    pub fn load_for(path: &Path, host: HostKey) -> Result<Self, ProfileError> {
        let bytes = fs::read(path).map_err(|source| ProfileError::Read(path.to_owned(), source))?;
        let text = String::from_utf8(bytes).map_err(|_| damaged(path, "it is not UTF-8"))?;
        Self::parse(&text, path, host)
    }

    /// Reads the text of a profile; `path` is the file that errors name.
    ///
    /// # Errors
    /// See [`Profile::load`].
    pub fn parse(text: &str, path: &Path, host: HostKey) -> Result<Self, ProfileError> {
        let table: toml::Table = text.parse().map_err(|error| damaged(path, in_one_line(text, &error)))?;
        match table.get("format").and_then(toml::Value::as_integer) {
            Some(FORMAT) => {}
            Some(found) => return Err(ProfileError::OtherFormat(path.to_owned(), found)),
            None => return Err(damaged(path, "it has no number 'format'")),
        }
        let written: Written =
            toml::from_str(text).map_err(|error| damaged(path, in_one_line(text, &error)))?;
        if written.fingerprint != host.fingerprint {
            let (found, here) = (written.fingerprint, host.fingerprint);
            return Err(ProfileError::OtherHost { path: path.to_owned(), found, here });
        }
        written.tasks.iter().try_for_each(check).map_err(|reason| damaged(path, reason))?;
        Ok(Self { host, tasks: written.tasks })
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// A number is larger than TOML can hold, in a sentence.
    pub fn to_toml(&self) -> Result<String, String> {
        let fingerprint = self.host.fingerprint.clone();
        let written = Written { format: FORMAT, fingerprint, tasks: self.tasks.clone() };
        let text = toml::to_string(&written).map_err(|error| error.to_string().replace('\n', " "))?;
        Ok(format!("{HEAD}\n{text}"))
    }
}

fn damaged(path: &Path, reason: impl Into<String>) -> ProfileError {
    ProfileError::Damaged(path.to_owned(), reason.into())
}

impl Task {
    /// Returns the first fact of the setup that differs: its name, its value there and on `host`. Unknown facts are not compared.
    pub(crate) fn other_setup<'a>(&'a self, host: &'a HostKey) -> Option<[&'a str; 3]> {
        self.setup.iter().find_map(|(name, measured)| {
            let here = host.setup.get(name).filter(|here| *here != measured)?;
            Some([name, measured, here].map(String::as_str))
        })
    }
}

/// Checks that each value on a task's axis has one answer.
fn check(task: &Task) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("a task of {} {what}", task.family));
    let Some(first) = task.ranges.first() else { return wrong("has no range") };
    if task.ranges.iter().any(|range| range.from > range.to) {
        return wrong("has a range that ends before it begins");
    }
    if task.ranges.windows(2).any(|pair| pair[0].to >= pair[1].from) {
        return wrong("has ranges that overlap, or are not ascending");
    }
    if task.axis.is_none() && (task.ranges.len() > 1 || first.from != 0 || first.to != 0) {
        return wrong("has ranges, and no axis");
    }
    if task.ranges.iter().any(|range| range.technique.is_empty()) {
        return wrong("names no technique");
    }
    for Range { factor_low, factor_high, at_most_slower, confidence, .. } in &task.ranges {
        let mut figures = [factor_low, factor_high, at_most_slower, confidence].into_iter().flatten();
        if figures.any(|figure| !figure.is_finite() || *figure < 0.0) {
            return wrong("has a figure that is not a number from 0 on");
        }
    }
    Ok(())
}

/// Says what is wrong with the text, and in which line.
fn in_one_line(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return message };
    format!("line {}: {message}", before.matches('\n').count() + 1)
}
