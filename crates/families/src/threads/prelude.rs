//! The imports of most techniques of the family.

pub(super) use std::io;
pub(super) use std::thread::yield_now;

pub(super) use sys::failure::in_context;

pub(super) use super::job::{STACK_BYTES, ThreadsJob};
pub(super) use super::workload::{a_stack_each, a_thread_each, fewer_threads, own_yields, system_yields};
pub(super) use crate::contract::Technique;
