//! What is measured of a sample and may be compared: times, amounts, rates and counts.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sample;

/// The direction in which a metric improves.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Small ones, as of times and amounts.
    #[default]
    Less,
    /// Large ones, as of rates.
    More,
}

/// The place of a metric's value in a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The time that the worker read around the work.
    Work,
    /// The time from spawn to exit, read outside.
    Process,
    /// The counters of the system.
    Usage,
    /// [`Sample::values`], under the metric's key.
    Value,
}

/// Unit of a metric's values. It stands last in the metric's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `_ns`
    Nanoseconds,
    /// `_bytes`
    Bytes,
    /// `_bytes_per_second`
    BytesPerSecond,
    /// `_per_second`
    PerSecond,
    /// Anything else: a plain number.
    Count,
}

/// Something that is measured of every sample and may be compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Metric {
    /// Its name in files, the unit last: `work_ns`, `units_per_second`, `handover_p99_ns`.
    pub key: Cow<'static, str>,
    /// The metric in words, as they follow `by`: `the time of the work`.
    pub what: Cow<'static, str>,
    /// The direction in which the metric improves.
    pub better: Better,
    /// The place of its value in a sample.
    pub source: Source,
}

impl Metric {
    /// Time from opening to closing, read inside the worker.
    pub const WORK: Self = Self::of_every_sample("work_ns", "the time of the work", Source::Work);
    /// Time from spawn to exit, read outside.
    pub const PROCESS: Self =
        Self::of_every_sample("process_ns", "the time of the whole process", Source::Process);
    /// User and system time together.
    pub const CPU: Self = Self::of_every_sample("cpu_ns", "user and system time together", Source::Usage);
    /// User time.
    pub const USER: Self = Self::of_every_sample("user_ns", "user time", Source::Usage);
    /// System time.
    pub const SYSTEM: Self = Self::of_every_sample("system_ns", "system time", Source::Usage);
    /// Peak memory.
    pub const MEMORY: Self = Self::of_every_sample("peak_memory_bytes", "peak memory", Source::Usage);
    /// Page faults of both kinds.
    pub const FAULTS: Self = Self::of_every_sample("faults", "page faults", Source::Usage);
    /// Context switches of both kinds.
    pub const SWITCHES: Self = Self::of_every_sample("switches", "context switches", Source::Usage);

    /// The metrics of every sample, whatever its family.
    pub const BUILT_IN: [Self; 8] = [
        Self::WORK,
        Self::PROCESS,
        Self::CPU,
        Self::USER,
        Self::SYSTEM,
        Self::MEMORY,
        Self::FAULTS,
        Self::SWITCHES,
    ];

    const fn of_every_sample(key: &'static str, what: &'static str, source: Source) -> Self {
        Self { key: Cow::Borrowed(key), what: Cow::Borrowed(what), better: Better::Less, source }
    }

    /// Declares a metric of a family of which small values are good. The unit stands last in the key.
    pub const fn less(key: &'static str, what: &'static str) -> Self {
        Self::of_every_sample(key, what, Source::Value)
    }

    /// Declares a metric of a family of which large values are good. The unit stands last in the key.
    pub const fn more(key: &'static str, what: &'static str) -> Self {
        let mut metric = Self::less(key, what);
        metric.better = Better::More;
        metric
    }

    /// Makes a metric of a value that no family declares: of rates large values are good, of all else small ones.
    pub fn undeclared(key: &str) -> Self {
        let is_rate = matches!(Unit::of_key(key), Unit::PerSecond | Unit::BytesPerSecond);
        let better = if is_rate { Better::More } else { Better::Less };
        let (key, what) = (Cow::Owned(key.to_owned()), Cow::Owned(title(key).replace('_', " ")));
        Self { key, what, better, source: Source::Value }
    }

    /// Returns the metric of every sample that has this name or key.
    pub fn built_in(name: &str) -> Option<Self> {
        Self::BUILT_IN.into_iter().find(|metric| metric.is_called(name))
    }

    /// Returns what people type: `work`, `memory`; the key of what families declare.
    pub fn name(&self) -> &str {
        match (&*self.key, self.source) {
            (key, Source::Value) => key,
            ("peak_memory_bytes", _) => "memory",
            (key, _) => key.trim_end_matches("_ns"),
        }
    }

    /// Returns whether a user means it.
    pub fn is_called(&self, name: &str) -> bool {
        self.key == name || self.name() == name
    }

    /// Returns the unit of its values.
    pub fn unit(&self) -> Unit {
        Unit::of_key(&self.key)
    }

    /// Returns its value in a sample; `None` when unknown.
    pub fn of(&self, sample: &Sample) -> Option<f64> {
        let counted = match self.source {
            Source::Value => return sample.values.get(&*self.key).copied(),
            Source::Work => sample.work_ns,
            Source::Process => sample.process_ns,
            Source::Usage => sample.usage.counter(&self.key),
        };
        counted.map(|count| count as f64)
    }

    /// Returns a value as a cost: the value itself, or its inverse where more is better; infinite for no value and a rate of 0, both failures.
    pub fn cost(&self, value: f64) -> f64 {
        match self.better {
            _ if !value.is_finite() || value < 0.0 => f64::INFINITY,
            Better::Less => value,
            Better::More => 1.0 / value,
        }
    }
}

impl Default for Metric {
    fn default() -> Self {
        Self::WORK
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Unit {
    /// Returns the unit that stands last in a key.
    pub fn of_key(key: &str) -> Self {
        const SUFFIXES: [(&str, Unit); 4] = [
            ("bytes_per_second", Unit::BytesPerSecond),
            ("per_second", Unit::PerSecond),
            ("bytes", Unit::Bytes),
            ("ns", Unit::Nanoseconds),
        ];
        let known = SUFFIXES.into_iter().find(|(suffix, _)| {
            key.strip_suffix(suffix).is_some_and(|front| front.is_empty() || front.ends_with('_'))
        });
        known.map_or(Self::Count, |(_, unit)| unit)
    }
}

/// Returns a key without its unit: the head of a column of values that show their unit themselves.
pub fn title(key: &str) -> &str {
    let bare = ["_bytes_per_second", "_bytes", "_ns"].into_iter().find_map(|unit| key.strip_suffix(unit));
    bare.filter(|bare| !bare.is_empty()).unwrap_or(key)
}

/// Returns whether a text can be the key of a metric: small letters, digits and `_`, a letter first.
pub fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Usage;

    fn sample() -> Sample {
        Sample {
            work_ns: Some(7),
            repetitions: 1,
            usage: Usage { user_ns: Some(2), system_ns: Some(3), minor_faults: Some(4), ..Usage::default() },
            values: [("units_per_second".to_owned(), 2.5)].into(),
            ..Sample::default()
        }
    }

    #[test]
    fn a_metric_finds_its_value_where_it_stands() {
        let names = ["work", "process_ns", "cpu", "memory", "faults", "switches"];
        let values = names.map(|name| Metric::built_in(name).and_then(|metric| metric.of(&sample())));
        assert_eq!(values, [Some(7.0), None, Some(5.0), None, Some(4.0), None]);
        assert_eq!(Metric::more("units_per_second", "units").of(&sample()), Some(2.5));
        assert_eq!(Metric::less("read_ns", "reading").of(&sample()), None);
    }

    #[test]
    fn a_rate_costs_its_inverse_and_none_at_all_is_a_failure() {
        let rate = Metric::more("units_per_second", "units");
        assert_eq!(rate.cost(4.0), 0.25);
        assert_eq!([0.0, f64::NAN, f64::INFINITY, -1.0].map(|value| rate.cost(value)), [f64::INFINITY; 4]);
        assert_eq!((Metric::FAULTS.cost(0.0), Metric::FAULTS.cost(f64::INFINITY)), (0.0, f64::INFINITY));
    }

    #[test]
    fn the_unit_stands_last_in_the_key() {
        for (key, unit, head) in [
            ("read_ns", Unit::Nanoseconds, "read"),
            ("ns", Unit::Nanoseconds, "ns"),
            ("columns", Unit::Count, "columns"),
            ("peak_memory_bytes", Unit::Bytes, "peak_memory"),
            ("moved_bytes_per_second", Unit::BytesPerSecond, "moved"),
            ("units_per_second", Unit::PerSecond, "units_per_second"),
        ] {
            assert_eq!((Unit::of_key(key), title(key)), (unit, head), "{key}");
        }
        assert_eq!(Metric::undeclared("units_per_second").better, Better::More);
        assert!(is_key("handover_p99_ns") && !is_key("2_ns") && !is_key("a b") && !is_key(""));
    }

    #[test]
    fn each_metric_of_every_sample_has_a_name_of_its_own() {
        let names = Metric::BUILT_IN.map(|metric| metric.name().to_owned());
        assert_eq!(names, ["work", "process", "cpu", "user", "system", "memory", "faults", "switches"]);
    }
}
