//! The imports of most techniques of the family.

pub(super) use std::io;
pub(super) use std::mem::MaybeUninit;

pub(super) use model::{Availability, Host, Setting};

pub(super) use super::job::{ConvertJob, Notes};
pub(super) use crate::contract::Technique;
pub(super) use crate::files::probe_direct;
pub(super) use crate::files::{Mapping, OpenFile, SourceMapping, ThreadFile, in_parallel, presize};
pub(super) use crate::parameters::buffer_bytes;
