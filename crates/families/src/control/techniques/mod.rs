//! The techniques: a table, and two that take a file of their own.

mod controls;
mod exhaust_memory;
mod shrinking_file;

use crate::contract::{Technique, joined};
use crate::control::job::ControlJob;

pub(super) const TECHNIQUES: &[Technique<ControlJob>] =
    &joined::<_, { controls::CONTROLS.len() + APART.len() }>(controls::CONTROLS, APART);

const APART: &[Technique<ControlJob>] = &[exhaust_memory::EXHAUST_MEMORY, shrinking_file::SHRINKING_FILE];
