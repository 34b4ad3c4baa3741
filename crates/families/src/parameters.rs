//! The values of a technique's own axes, as the job holds them.

use std::io;
use std::ops::RangeInclusive;

use model::{Axis, Point, Value, Values, Workload, format_bytes};

use crate::files::invalid;

pub(crate) const fn counts(name: &'static str, meaning: &'static str, values: &'static [u64]) -> Axis {
    Axis { name, meaning, values: Values::Counts(values) }
}

/// Returns an axis of sizes.
pub(crate) const fn bytes(name: &'static str, meaning: &'static str, values: &'static [u64]) -> Axis {
    Axis { name, meaning, values: Values::Bytes(values) }
}

pub(crate) const fn words(
    name: &'static str, meaning: &'static str, values: &'static [&'static str],
) -> Axis {
    Axis { name, meaning, values: Values::Words(values) }
}

pub(crate) const fn buffer_bytes(values: &'static [u64]) -> Axis {
    bytes("buffer_bytes", "size of the buffer", values)
}

pub(crate) const fn buffers(values: &'static [u64]) -> Axis {
    counts("buffers", "buffers in flight", values)
}

pub(crate) const fn threads(values: &'static [u64]) -> Axis {
    counts("threads", "threads that share the work", values)
}

pub(crate) const fn memory_bytes(values: &'static [u64]) -> Axis {
    bytes("memory_bytes", "memory for records", values)
}

pub(crate) fn number_on(point: &Point, axis: &str) -> io::Result<u64> {
    point.number(axis).ok_or_else(|| invalid(format!("the value of {axis} is missing")))
}

pub(crate) fn number_of(workload: &Workload, axis: &str) -> io::Result<u64> {
    number_on(&workload.point, axis).map_err(|missing| {
        io::Error::new(missing.kind(), format!("the workload '{}': {missing}", workload.name))
    })
}

pub(crate) fn size_on(point: &Point, axis: &str) -> io::Result<usize> {
    let number = number_on(point, axis)?;
    usize::try_from(number).map_err(|_| invalid(format!("{number} is too large a value of {axis}")))
}

/// Checks a value; the sentence says which ones the axis takes. Words have no range.
pub(crate) fn within_range(
    axis: &Axis, value: &Value, range: Option<RangeInclusive<u64>>,
) -> Result<(), String> {
    match (value.number(), range) {
        (Some(number), Some(range)) if !range.contains(&number) => {
            let (least, most) = range.into_inner();
            let (kind, least, most) = match axis.values {
                Values::Bytes(_) => ("size", format_bytes(least), format_bytes(most)),
                Values::DurationsNs(_) => {
                    ("duration", axis.show(&Value::Number(least)), axis.show(&Value::Number(most)))
                }
                _ => ("whole number", least.to_string(), most.to_string()),
            };
            Err(format!("a {kind} from {least} to {most} is expected, for example {}", axis.example()))
        }
        _ => Ok(()),
    }
}
