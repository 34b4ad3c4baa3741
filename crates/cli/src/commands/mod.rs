//! One file a command.

pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod host;
pub(crate) mod judge;
pub(crate) mod list;
pub(crate) mod noise;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod time;
