//! The imports of most techniques of the family.

pub(super) use std::io;

pub(super) use super::job::{PipelineJob, timeout};
pub(super) use super::strategy::{Bounds, Ends, Put, Queue, Shared, Strategy, Take, Waits, hung_up};
pub(super) use crate::contract::Technique;
