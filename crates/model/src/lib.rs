#![forbid(unsafe_code)]
//! The vocabulary: plain data that every other crate speaks, and no input or output.
//!
//! Units stand last in a name and are true. What the system cannot tell is `None` here and absent
//! in every file: an unknown is never a zero.

mod host;
mod levels;
mod quantity;
mod record;
mod sample;
mod summary;
mod trial;
mod words;

pub use host::{CacheLevel, Host, Memory, OperatingSystem, Processor, SystemLimits, Volume};
pub use levels::{LevelsError, MOST_LEVELS, axis_name, axis_of, axis_value, parse_levels};
pub use quantity::{QuantityError, format_bytes, format_ns, parse_bytes, parse_duration_ns};
pub use record::{Along, Design, Increment, Metric, Note, Record, RunId, Tool, TrialRecord};
pub use sample::{Failure, FailureKind, Proof, Residency, Sample, Usage};
pub use summary::Summary;
pub use trial::{Availability, Cache, Class, Durability, Kind, Preset, Setting, Trial, Workload};
pub use words::{parse_assignment, parse_processors, parse_share};
