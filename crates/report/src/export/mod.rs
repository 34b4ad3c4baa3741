//! Runs in the formats of other programs.

pub mod benchstat;
pub mod bmf;
pub mod csv;
pub(crate) mod exported;
pub mod hyperfine;
pub mod pyperf;
