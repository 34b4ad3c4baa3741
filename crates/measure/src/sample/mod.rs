//! From one process to one sample or one failure.

pub(crate) mod file_work;
pub(crate) mod jobs;
pub(crate) mod launch;
pub(crate) mod outcome;
pub(crate) mod reading;
pub(crate) mod runner;
pub(crate) mod session;
pub(crate) mod turn;
