//! `bakeoff schema`: what the JSON of a run looks like, for programs that read it.

use anyhow::Result;
use clap::Args;

use crate::arguments::Common;
use crate::exit::Done;
use crate::terminal::print;

/// The JSON Schema of a run
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

/// The schema of this version, as the documentation has it.
const OF_A_RUN: &str = include_str!("../../../../docs/schema-run-3.json");

pub(crate) fn run(_: &Arguments, _: &Common) -> Result<Done> {
    print(OF_A_RUN)?;
    Ok(Done::Well)
}
