//! The imports of most techniques of the family.

pub(super) use std::io;

pub(super) use super::job::{Buffer, CopyJob, FileToCopy, Notes, buffer_of};
pub(super) use super::workload::{many_files_only, one_file_only};
pub(super) use crate::contract::Technique;
pub(super) use crate::files::{
    Mapping, OpenFile, Views, at, cut_unfilled, fewer_threads, in_parallel, pour, pour_range, presize,
    probe_direct,
};
pub(super) use crate::parameters::buffer_bytes;
