//! The imports of most techniques of the family.

pub(super) use std::io;
pub(super) use std::path::Path;

pub(super) use model::{Availability, Host, Setting};

pub(super) use super::job::{Notes, SearchJob, prefix_of, visit_below};
pub(super) use super::kernel::{Best, Kernel};
pub(super) use crate::contract::Technique;
pub(super) use crate::files::SourceMapping;
