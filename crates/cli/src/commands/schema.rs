//! `bakeoff schema`: what the JSON of a run looks like, for programs that read it.

use anyhow::Result;

use crate::exit::Done;
use crate::terminal::print;

/// The schema of this version, as the documentation has it.
const OF_A_RUN: &str = include_str!("../../../../docs/schema-run-2.json");

pub(crate) fn schema() -> Result<Done> {
    print(OF_A_RUN)?;
    Ok(Done::Well)
}
