//! The imports of most techniques of the family.

pub(super) use std::io;
pub(super) use std::time::Instant;

pub(super) use model::{Availability, Host, Setting};

pub(super) use super::job::{Account, SortJob, Sorted, elapsed_ns};
pub(super) use crate::contract::Technique;
pub(super) use crate::files::tried_out;
pub(super) use crate::parameters::{memory_bytes, number_on};
