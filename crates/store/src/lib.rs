#![forbid(unsafe_code)]
//! Keeps records of runs, round by round, so that a killed run keeps what it had.
//!
//! A store is the only thing that reports read: a fresh run and an old one take the same road.

mod error;
mod resolve;
mod sqlite;

#[cfg(test)]
mod contract;

use model::{Record, TrialRecord};

pub use error::{Result, StoreError};
pub use sqlite::Sqlite;

/// A choice of trials of a run: it sees the run and the trial without their samples.
pub type Meant<'a> = &'a dyn Fn(&Record, &TrialRecord) -> bool;
