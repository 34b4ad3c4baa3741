//! What each page says, as blocks: decided here once, and written by thin writers.

mod advise;
pub(crate) mod blocks;
mod compare;
mod contest;
mod curve;
mod explain;
mod findings;
mod history;
mod host;
mod list;
mod noise;
mod run;
mod runs;
mod show;
mod time;

pub(crate) use self::findings::{claimed, effect, findings, published, untested};
pub(crate) use self::history::history;
pub(crate) use advise::advise;
pub(crate) use compare::{apart, compare, curve_name, letter, name, ratio, times};
pub(crate) use contest::{contest, figures_of};
pub(crate) use curve::curve;
pub(crate) use explain::explain;
pub(crate) use host::host;
pub(crate) use list::list;
pub(crate) use noise::noise;
pub(crate) use run::{ending, facts, judged, run};
pub(crate) use runs::runs;
pub(crate) use show::{further as further_code, show};
pub(crate) use time::time;
