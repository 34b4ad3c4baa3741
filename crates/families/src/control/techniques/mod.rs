//! The techniques: a table.

mod controls;

pub(super) use controls::CONTROLS as TECHNIQUES;
