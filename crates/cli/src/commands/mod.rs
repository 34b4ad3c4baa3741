//! One file a command.

pub(crate) mod advise;
pub(crate) mod compare;
pub(crate) mod compare_runs;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod findings;
pub(crate) mod generate;
pub(crate) mod history;
pub(crate) mod host;
pub(crate) mod import;
pub(crate) mod judge;
pub(crate) mod list;
pub(crate) mod noise;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod show;
pub(crate) mod time;
