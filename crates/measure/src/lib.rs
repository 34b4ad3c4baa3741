#![forbid(unsafe_code)]
//! Interleaved, isolated, proven: how samples are taken.
//!
//! A [`Request`] becomes a [`Plan`]; the coordinator walks it round by round, one worker process at a
//! time, and hands what it finds to a [`Sink`]. Only the sampler reads the clock for a measurement.
//!
//! The rooms, each of which imports only those above it:
//!
//! | room | what is there |
//! |:--|:--|
//! | `error`, `stop`, `order` | why a run fails, whether long work may go on, the coin |
//! | `scratch`, `ports` | private folders; what stands between a run and the world |
//! | `request` | what was asked |
//! | `worker` | the process that does the work, and what it gets |
//! | `plan` | what will be measured |
//! | `task` | one workload in one setting while it is measured |
//! | `time` | where the time goes |
//! | `files` | the files before a process, and what it leaves |
//! | `sample` | from one process to one sample or failure |
//! | `rounds` | the loop |
//! | `explain` | what techniques do once, untimed |

mod error;
mod explain;
mod files;
mod order;
mod plan;
mod ports;
mod request;
mod rounds {
    pub(crate) mod canary;
    pub(crate) mod coordinator;
    pub(crate) mod facts;
    pub(crate) mod folders;
    pub(crate) mod free_memory;
}
/// `runner` starts a process and limits its time, `file_work` makes, restores and proves files, `reading` turns a process into a
/// sample, `turn` takes one turn of a round; `launch` says how a process is started, `outcome` what its end means.
mod sample {
    pub(crate) mod file_work;
    pub(crate) mod launch;
    pub(crate) mod outcome;
    pub(crate) mod reading;
    pub(crate) mod runner;
    pub(crate) mod turn;
}
mod scratch;
mod stop;
mod task;
mod time;
mod worker;

pub use error::MeasureError;
pub use explain::{Accounts, ExplainedTask, explain};
pub use plan::estimate::{
    FURTHER_CONTEST_NS, FURTHER_LEVEL_NS, ONE_CONTEST_NS, Outlook, SAME_WORK_LEVEL_NS, SESSION_CONTEST_NS,
};
pub use plan::planned::{Earlier, Estimate, Participant, Plan, PlannedTask, RefusedEntry, never_measured};
pub use plan::probing::ProbeFolders;
pub use plan::requests::serves;
pub use plan::workloads::set;
pub use plan::{plan, plan_together};
pub use ports::{Answers, Ending, Environment, Event, Heard, Launcher, Observer, Sink, WorkerCommand};
pub use request::command::{ExternalCommand, parse_command, read_commands};
pub use request::job_file::{
    ReadJob, TypedCommands, read_job, scan_of_list, scan_of_range, word_for_a_shell,
};
pub use request::{Refusal, Request, Selection, Untimed};
pub use rounds::coordinator::run;
pub use scratch::{Orphans, Scratch, ScratchRegister};
pub use worker::protocol::{Answer, Assignment, Did, FileWork, Timed};
pub use worker::work;
