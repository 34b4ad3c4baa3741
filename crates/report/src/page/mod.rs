//! What each page says, as blocks: decided here once, and written by thin writers.

pub(crate) mod blocks;
mod contest;
mod curve;
mod host;
mod list;
mod noise;
mod run;
mod runs;
mod time;

pub(crate) use contest::contest;
#[cfg(test)]
pub(crate) use curve::curve;
pub(crate) use host::host;
pub(crate) use list::list;
pub(crate) use noise::noise;
pub(crate) use run::{judged, run};
pub(crate) use runs::runs;
pub(crate) use time::time;
