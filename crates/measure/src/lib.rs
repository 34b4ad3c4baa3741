#![forbid(unsafe_code)]
//! Interleaved, isolated, proven: how samples are taken.
//!
//! A [`Request`] becomes a [`Plan`]; the coordinator walks it round by round, one worker process at a
//! time, and hands what it finds to a [`Sink`]. Only the sampler reads the clock for a measurement.

mod blocks;
mod canary;
mod contender;
mod contest;
mod coordinator;
mod estimate;
mod file_work;
mod folders;
mod launch;
mod notes;
mod order;
mod outcome;
mod plan;
mod ports;
mod preparation;
mod probing;
mod protocol;
mod reference;
mod runner;
mod sampler;
mod schedule;
mod scratch;
mod session;
mod task;
mod twins;
mod worker;
mod workloads;

pub use contender::{Contender, ContenderError, parse_contender, read_contenders};
pub use coordinator::run;
pub use estimate::{Estimate, Outlook};
pub use order::{order, padding_bytes};
pub use plan::{Earlier, Participant, Plan, PlanError, PlannedTask, RefusedEntry, Request, Selection, plan};
pub use ports::{Conditions, Ending, Event, Launcher, MeasureError, Observer, Sink, WorkerCommand};
pub use probing::ProbeFolders;
pub use protocol::{Answer, Assignment, FileWork, Timed};
pub use scratch::{Orphans, Scratch, ScratchRegister};
pub use worker::work;
