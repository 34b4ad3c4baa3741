//! The imports of most techniques of the family.

pub(super) use std::io;

pub(super) use model::{Availability, Host, Setting};

pub(super) use super::job::{ConvertJob, Notes};
pub(super) use crate::contract::Technique;
pub(super) use crate::files::{Mapping, OpenFile, SourceMapping, ThreadFile};
pub(super) use crate::files::{
    fewer_threads, in_parallel, look_up, look_up_for_writing, presize, probe_direct, ranges,
};
pub(super) use crate::parameters::buffer_bytes;
