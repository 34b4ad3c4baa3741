//! One raw timed stretch with its proof, or the reason why there is none.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Evidence that is equal for all techniques of a family at one workload.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// Size of the result in bytes (or whatever the family counts).
    pub bytes: u64,
    /// Digest of the result as lower-case hexadecimal digits.
    pub digest: String,
}

/// The part of a file in the file cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Residency {
    /// Pages of the file that are in memory.
    pub resident_pages: u64,
    /// Pages of the file in all.
    pub total_pages: u64,
}

/// Declares the counters of every sample, the unit last in the name; a new one comes last. All but `sys::usage` walk through the list.
macro_rules! counters {
    ($($(#[$what:meta])+ $name:ident)+) => {
        /// Resources used by a process or a tree of processes. Each part is `None` where the system cannot say.
        #[skip_serializing_none]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
        pub struct Usage {
            $($(#[$what])+ pub $name: Option<u64>,)+
        }

        impl Usage {
            /// The name of each counter in files.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// Returns every counter, in the order of the names.
            pub fn parts_mut(&mut self) -> [&mut Option<u64>; Self::NAMES.len()] {
                [$(&mut self.$name),+]
            }
        }
    };
}

counters! {
    /// Processor time in user mode of the timed stretch with its awaited children; with `process_ns`, of the whole process tree.
    user_ns
    /// Processor time in kernel mode, of the same.
    system_ns
    /// Page faults served without a device.
    minor_faults
    /// Page faults that waited for a device.
    major_faults
    /// Context switches because the process waited.
    voluntary_switches
    /// Context switches because it was preempted.
    involuntary_switches
    /// Time that the main thread was ready to run and waited for a processor.
    run_delay_ns
    /// Largest resident set.
    peak_memory_bytes
    /// Bytes that were really fetched from a device.
    read_bytes
    /// Bytes that were caused to be sent to a device.
    written_bytes
    /// Calls that read, from wherever: a file, a pipe, memory that stands for one.
    read_calls
    /// Calls that write.
    write_calls
}

impl Usage {
    /// Number of the counters, the first ones, with a column of their own in stores and tables; the others share one.
    pub const WITH_COLUMN: usize = 10;

    /// Returns the known counters without a column, by name.
    pub fn without_column(mut self) -> BTreeMap<&'static str, u64> {
        let others = Self::NAMES.iter().zip(self.parts_mut()).skip(Self::WITH_COLUMN);
        others.filter_map(|(name, part)| Some((*name, (*part)?))).collect()
    }

    /// Combines each part of this one and of `other`.
    pub fn combined_with(
        mut self, mut other: Self, combine: impl Fn(Option<u64>, Option<u64>) -> Option<u64>,
    ) -> Self {
        for (one, two) in self.parts_mut().into_iter().zip(other.parts_mut()) {
            *one = combine(*one, *two);
        }
        self
    }

    /// Returns user and system time together; `None` when one of them is unknown.
    pub fn cpu_ns(&self) -> Option<u64> {
        self.user_ns?.checked_add(self.system_ns?)
    }

    /// Returns page faults of both kinds together; what is known when only one of them is.
    pub fn faults(&self) -> Option<u64> {
        together(self.minor_faults, self.major_faults)
    }

    /// Returns context switches of both kinds together; what is known when only one of them is.
    pub fn switches(&self) -> Option<u64> {
        together(self.voluntary_switches, self.involuntary_switches)
    }

    /// Returns a counter, or several together, by the key of the metric.
    pub fn counter(mut self, key: &str) -> Option<u64> {
        match key {
            "cpu_ns" => self.cpu_ns(),
            "faults" => self.faults(),
            "switches" => self.switches(),
            _ => *self.parts_mut().into_iter().nth(Self::NAMES.iter().position(|name| *name == key)?)?,
        }
    }
}

fn together(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        (one, other) => one.or(other),
    }
}

/// One raw timed stretch; never averaged away.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Round in which it was taken, from 0.
    pub round: u32,
    /// Inner round of a session, from 0; always 0 where every sample has a process of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inner: u32,
    /// Place in the round's order, from 0.
    pub position: u32,
    /// From opening to closing, per repetition, read inside the worker.
    pub work_ns: Option<u64>,
    /// From spawn to exit, read outside. Only where the process did the work once and nothing else.
    pub process_ns: Option<u64>,
    /// Repetitions of the work in the timed stretch (`work_ns` is already divided by it).
    pub repetitions: u64,
    /// Resources used by the timed stretch (or, with `process_ns`, by the whole process tree).
    #[serde(flatten)]
    pub usage: Usage,
    /// Logical processor on which the stretch began.
    pub processor_before: Option<u32>,
    /// Logical processor on which it ended; another one when the scheduler moved the thread.
    pub processor_after: Option<u32>,
    /// The input's part in the file cache before the clock started.
    pub resident_before: Option<Residency>,
    /// Proof that the work was done.
    pub proof: Proof,
    /// Values that the technique counted or timed itself, by the metric's key with the unit last: `read_ns`, `units_per_second`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, f64>,
    /// Latencies in nanoseconds by their name: HdrHistograms in their second serialisation, deflated, as base64. Their
    /// quantiles stand in `values`: `NAME_p50_ns`, `NAME_p99_ns`, `NAME_p999_ns`, `NAME_max_ns`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub histograms: BTreeMap<String, String>,
    /// Notes for the reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<SampleNote>,
}

pub(crate) fn is_zero(value: &u32) -> bool {
    *value == 0
}

in_words! {
    /// Reasons why there is no sample.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum FailureKind {
        /// The process ended by a signal, an exception or a non-zero exit code.
        Crash = "crash",
        /// It did not end within its time limit.
        Hang = "hang",
        /// It ended well and the result was not right.
        Wrong = "wrong",
        /// The operating system refused something the technique needs.
        Refused = "refused",
        /// No space was left where it writes: what comes after it is spoiled too.
        DiskFull = "disk-full",
        /// The limit of open files was reached.
        TooManyFiles = "too-many-files",
        /// The technique (or command) does not exist here.
        Missing = "missing",
        /// The budget did not pay for more than its first round, if for that.
        #[serde(alias = "left-out")]
        Skipped = "skipped",
        /// It was not tried: at a lower level of the curve it was slow, and at least ten times as slow as the fastest.
        TenfoldBehind = "tenfold-behind",
    }
}

impl FailureKind {
    /// Returns whether the entry was given no chance, and did not fail.
    pub fn is_by_plan(self) -> bool {
        matches!(self, Self::Skipped | Self::TenfoldBehind)
    }
}

/// The budget that did not pay for an entry, and the one that would.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Shortfall {
    /// The budget.
    pub budget_ns: Option<u64>,
    /// About what a budget for all entries must be.
    pub needed_ns: Option<u64>,
}

impl Shortfall {
    /// Returns the budget that would do for all, as a user types it: two digits, rounded up. `None` where it is not known.
    pub fn advised_budget(&self) -> Option<String> {
        let seconds = (self.needed_ns? as f64 / 1e9).max(1.0).ceil();
        let unit = 10f64.powf((seconds.log10().floor() - 1.0).max(0.0));
        Some(format!("{}s", (seconds / unit).ceil() * unit))
    }
}

/// A failure is a row like any other.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// Round in which it happened; `None` before the first round.
    pub round: Option<u32>,
    /// Place in the round's order.
    pub position: Option<u32>,
    /// Its kind.
    pub kind: FailureKind,
    /// The event, in a sentence.
    pub reason: String,
    /// For an entry that was left out: how far the budget reached.
    pub shortfall: Option<Shortfall>,
}

impl Failure {
    /// Makes a failure before the first round.
    pub fn before_the_rounds(kind: FailureKind, reason: impl Into<String>) -> Self {
        Self { round: None, position: None, kind, reason: reason.into(), shortfall: None }
    }

    /// Makes the failure of an entry that the budget did not pay for.
    pub fn skipped(reason: impl Into<String>, shortfall: Shortfall) -> Self {
        Self { shortfall: Some(shortfall), ..Self::before_the_rounds(FailureKind::Skipped, reason) }
    }
}

/// A note on a sample. In files it is one text that begins with its name; an unknown one, as of a newer version, stays what it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(with = "String")]
pub enum SampleNote {
    /// The result shares the extents of the input.
    Reflinked,
    /// The technique did something else than its name says: what, and why.
    FellBack(String),
    /// The input was to be out of the file cache, and this is why that is not proven.
    ColdNotProven(String),
    /// The input was to be in the file cache, and not all of it stayed there.
    NotWarm(String),
    /// Only a part of the work was done, and its time follows from that part: which, and how long that took.
    Extrapolated(String),
    /// The input was made again before this sample: why.
    MadeAgain(String),
    /// In the technique's own words.
    Other(String),
}

const REFLINKED: &str = "reflinked";
const FELL_BACK: &str = "fell back: ";
const COLD_NOT_PROVEN: &str = "cold: not proven (";
const NOT_WARM: &str = "warm: ";
const EXTRAPOLATED: &str = "extrapolated: ";
const MADE_AGAIN: &str = "made again: ";

impl From<String> for SampleNote {
    fn from(text: String) -> Self {
        let behind = |name: &str| text.strip_prefix(name).map(str::to_owned);
        if text == REFLINKED {
            return Self::Reflinked;
        }
        let cold = behind(COLD_NOT_PROVEN).and_then(|why| why.strip_suffix(')').map(str::to_owned));
        behind(FELL_BACK)
            .map(Self::FellBack)
            .or_else(|| cold.map(Self::ColdNotProven))
            .or_else(|| behind(NOT_WARM).map(Self::NotWarm))
            .or_else(|| behind(EXTRAPOLATED).map(Self::Extrapolated))
            .or_else(|| behind(MADE_AGAIN).map(Self::MadeAgain))
            .unwrap_or(Self::Other(text))
    }
}

impl From<&str> for SampleNote {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<SampleNote> for String {
    fn from(note: SampleNote) -> Self {
        note.to_string()
    }
}

impl fmt::Display for SampleNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reflinked => f.write_str(REFLINKED),
            Self::FellBack(what) => write!(f, "{FELL_BACK}{what}"),
            Self::ColdNotProven(why) => write!(f, "{COLD_NOT_PROVEN}{why})"),
            Self::NotWarm(what) => write!(f, "{NOT_WARM}{what}"),
            Self::Extrapolated(what) => write!(f, "{EXTRAPOLATED}{what}"),
            Self::MadeAgain(why) => write!(f, "{MADE_AGAIN}{why}"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_combined_is_made_part_by_part() {
        let one = Usage { user_ns: Some(5), read_bytes: Some(1), ..Usage::default() };
        let other = Usage { user_ns: Some(2), written_bytes: Some(9), ..Usage::default() };
        let more = Usage { user_ns: Some(7), ..Usage::default() };
        assert_eq!(one.combined_with(other, |a, b| Some(a? + b?)), more);
        let known = Usage { written_bytes: Some(9), ..one };
        assert_eq!(one.combined_with(other, Option::or), known);
    }

    #[test]
    fn a_kind_of_failure_has_one_word_everywhere() {
        for kind in FailureKind::ALL {
            assert_eq!(serde_json::to_value(kind).expect("a word"), kind.to_string());
        }
        assert_eq!(serde_json::from_str::<FailureKind>("\"left-out\"").ok(), Some(FailureKind::Skipped));
    }

    #[test]
    fn an_advised_budget_has_two_digits_and_is_never_too_small() {
        for (needed_ns, budget) in [
            (Some(200_000_000), Some("1s")),
            (Some(8_200_000_000), Some("9s")),
            (Some(83_200_000_000), Some("84s")),
            (Some(831_000_000_000), Some("840s")),
            (Some(1_000_000_000), Some("1s")),
            (None, None),
        ] {
            let shortfall = Shortfall { needed_ns, ..Shortfall::default() };
            assert_eq!(shortfall.advised_budget().as_deref(), budget);
        }
    }

    #[test]
    fn a_note_comes_back_from_its_text_and_a_newer_one_stays() {
        let notes = [
            (SampleNote::Reflinked, "reflinked"),
            (SampleNote::FellBack("read and write".into()), "fell back: read and write"),
            (SampleNote::ColdNotProven("no answer".into()), "cold: not proven (no answer)"),
            (SampleNote::NotWarm("only 3 of 4 pages".into()), "warm: only 3 of 4 pages"),
            (SampleNote::Extrapolated("read from 2 %".into()), "extrapolated: read from 2 %"),
            (SampleNote::MadeAgain("/a had changed".into()), "made again: /a had changed"),
            (SampleNote::Other("teleported: twice".into()), "teleported: twice"),
            (SampleNote::Other("cold: not proven (cut".into()), "cold: not proven (cut"),
            (SampleNote::Other("reflinked by chance".into()), "reflinked by chance"),
        ];
        for (note, text) in notes {
            assert_eq!(note.to_string(), text);
            assert_eq!(serde_json::to_value(&note).expect("a text"), text);
            assert_eq!(SampleNote::from(text), note);
        }
    }
}
