//! A job of the user's own: commands that compete, reported in a file or on the command line instead of in Rust.
//!
//! A command is a command like any other, timed from outside. This family says what all of them work on and how their
//! results are proven; what it runs itself (the command that makes an input, the setup, the proof) is never timed.

mod family;
mod job;
mod run;
mod text;

#[cfg(test)]
mod tests;

pub use family::Commands;
pub use job::{Command, Generated, GoodExits, Job, JobInput, JobTechnique, Proving};
