//! The imports of most techniques of the family.

pub(super) use std::io;

pub(super) use super::job::{STACK_BYTES, ThreadsJob};
pub(super) use crate::contract::Technique;
