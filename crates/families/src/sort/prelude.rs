//! The imports of most techniques of the family.

pub(super) use std::io;

pub(super) use super::job::{Account, SortJob, Sorted, elapsed_ns};
pub(super) use crate::contract::Technique;
