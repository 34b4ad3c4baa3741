#![forbid(unsafe_code)]
//! Interleaved, isolated, proven: how samples are taken.
//!
//! A [`Request`] becomes a [`Plan`]; the coordinator walks it round by round, one worker process at a
//! time, and hands what it finds to a [`Sink`]. Only the sampler reads the clock for a measurement.

mod explain;
mod files;
mod order;
mod plan;
mod ports;
mod request;
mod rounds;
mod sample;
mod scratch;
mod task;
mod time;
mod worker;

pub use explain::{Explained, ExplainedTask, Explaining, explain};
pub use order::{order, padding_bytes};
pub use plan::estimate::{
    Estimate, FURTHER_CONTEST_NS, FURTHER_LEVEL_NS, ONE_CONTEST_NS, Outlook, SAME_WORK_LEVEL_NS,
    SESSION_CONTEST_NS,
};
pub use plan::probing::ProbeFolders;
pub use plan::{
    Earlier, Participant, Plan, PlanError, PlannedTask, RefusedEntry, Request, Selection, plan, plan_together,
};
pub use ports::{Ending, Environment, Event, Launcher, MeasureError, Observer, Sink, WorkerCommand};
pub use request::contender::{Contender, ContenderError, parse_contender, read_contenders};
pub use request::job_file::{
    JobError, ReadJob, TypedCommands, read_job, scan_of_list, scan_of_range, word_for_a_shell,
};
pub use rounds::coordinator::run;
pub use sample::session::{SessionError, serves};
pub use sample::untimed::Untimed;
pub use scratch::{Orphans, Scratch, ScratchRegister};
pub use time::questions::{Answers, Heard, Question};
pub use worker::protocol::{Answer, Assignment, Did, FileWork, Timed};
pub use worker::work;
