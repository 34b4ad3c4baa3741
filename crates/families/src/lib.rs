//! The exhibits: one folder a family, one file a technique.
//!
//! A technique knows nothing of time, statistics, storage or output.

mod contract;

pub use contract::{
    Body, Entry, Exhibit, Mode, Parameter, Placeholder, Repeat, Technique, entries_of, split_entry,
};
