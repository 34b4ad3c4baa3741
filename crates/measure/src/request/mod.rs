//! What was asked.

pub(crate) mod contender;
pub(crate) mod job_file;
