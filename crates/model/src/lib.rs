#![forbid(unsafe_code)]
//! The vocabulary: plain data that every other crate speaks, and no input or output. Units stand last in a name and are true. The unknown
//! is `None` here and absent in every file, never a zero.

#[macro_use]
mod words;

mod amount;
mod axis;
mod fault;
mod host;
mod levels;
mod metric;
mod record;
mod sample;
mod setting;
mod system_call;
mod trial;

pub use amount::{
    AmountError, format_bytes, format_long_ns, format_ns, parse_bytes, parse_count, parse_duration_ns,
    three_digits,
};
pub use axis::{Axis, Point, Value, Values};
pub use fault::{Fault, LOOKS_RULE, are_looks};
pub use host::{CacheLevel, Fingerprint, Host, Memory, OperatingSystem, Processor, SystemLimits, Volume};
pub use levels::{MOST_LEVELS, axis_counted, axis_kind, axis_name, axis_of, axis_value, parse_levels};
pub use metric::{Better, Metric, Source, Unit, is_key, title};
pub use record::{
    Along, Began, Design, Fact, FactValue, Increment, Mark, Note, Record, RunId, Summary, Tool, Topic,
    TrialRecord,
};
pub use sample::{Failure, FailureKind, Proof, Residency, Sample, SampleNote, Shortfall, Usage};
pub use setting::{Cache, Conditions, Durability, Place, Setting};
pub use system_call::{Account, CallCounters, Expectation, SystemCall, Times, Wanted, is_as_expected};
pub use trial::{Availability, Class, Kind, Preset, Trial, Workload, is_assignment};
pub use words::{parse_assignment, parse_processors, parse_share};
