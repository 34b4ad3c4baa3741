#![forbid(unsafe_code)]
//! Interleaved, isolated, proven: how samples are taken.
//!
//! A [`Request`] becomes a [`Plan`]; the coordinator walks it round by round, one worker process at a
//! time, and hands what it finds to a [`Sink`]. Only the sampler reads the clock for a measurement.

mod asking;
mod behind;
mod blocks;
mod budget;
mod canary;
mod compared;
mod contender;
mod contest;
mod coordinator;
mod dealing;
mod disk;
mod estimate;
mod explain;
mod facts;
mod file_work;
mod folders;
mod free_memory;
mod job_file;
mod jobs;
mod launch;
mod notes;
mod order;
mod outcome;
mod output;
mod patience;
mod plan;
mod ports;
mod preparation;
mod probing;
mod protocol;
mod questions;
mod reference;
mod runner;
mod sampler;
mod schedule;
mod scratch;
mod session;
mod settings;
mod task;
mod turn_cost;
mod twins;
mod untimed;
mod waiting;
mod worker;
mod workloads;

pub use contender::{Contender, ContenderError, parse_contender, read_contenders};
pub use coordinator::run;
pub use estimate::{
    Estimate, FURTHER_CONTEST_NS, FURTHER_LEVEL_NS, ONE_CONTEST_NS, Outlook, SAME_WORK_LEVEL_NS,
    SESSION_CONTEST_NS,
};
pub use explain::{Explained, ExplainedTask, Explaining, explain};
pub use job_file::{
    JobError, ReadJob, TypedCommands, read_job, scan_of_list, scan_of_range, word_for_a_shell,
};
pub use order::{order, padding_bytes};
pub use plan::{
    Earlier, Participant, Plan, PlanError, PlannedTask, RefusedEntry, Request, Selection, plan, plan_together,
};
pub use ports::{Ending, Environment, Event, Launcher, MeasureError, Observer, Sink, WorkerCommand};
pub use probing::ProbeFolders;
pub use protocol::{Answer, Assignment, Did, FileWork, Timed};
pub use questions::{Answers, Heard, Question};
pub use scratch::{Orphans, Scratch, ScratchRegister};
pub use session::{SessionError, serves};
pub use untimed::Untimed;
pub use worker::work;
