//! A median with its unit.

use model::Unit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A median in the unit of what is compared. In files the unit stands in its key; at most one of the keys is there, and
/// none without a sample.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Median {
    /// Median of what is compared, where it is a time, in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    median_ns: Option<f64>,
    /// Median in bytes, where an amount is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    median_bytes: Option<f64>,
    /// Median in bytes per second, where a throughput is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    median_bytes_per_second: Option<f64>,
    /// Median per second, where another rate is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    median_per_second: Option<f64>,
    /// Median of a count, or of values whose unit is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    median: Option<f64>,
    /// Whether a part of what was measured stands for the whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extrapolated: bool,
}

impl Median {
    /// A value, `None` where there is no sample, and its unit, `None` where it is not known.
    pub fn new(unit: Option<Unit>, value: Option<f64>) -> Self {
        let mut known = Self::default();
        *match unit {
            Some(Unit::Nanoseconds) => &mut known.median_ns,
            Some(Unit::Bytes) => &mut known.median_bytes,
            Some(Unit::BytesPerSecond) => &mut known.median_bytes_per_second,
            Some(Unit::PerSecond) => &mut known.median_per_second,
            Some(Unit::Count) | None => &mut known.median,
        } = value;
        known
    }

    /// The number, whatever its unit.
    pub fn value(&self) -> Option<f64> {
        let Self { median_ns, median_bytes, median_bytes_per_second, median_per_second, median, .. } = *self;
        median_ns.or(median_bytes).or(median_bytes_per_second).or(median_per_second).or(median)
    }
}
