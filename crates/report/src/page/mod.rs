//! What each page says, as blocks: decided here once, and written by thin writers.

mod advise;
mod as_printed;
pub(crate) mod blocks;
mod compare;
mod contest;
mod curve;
mod explain;
mod findings;
mod history;
mod run;
mod show;
mod summary;
mod tables;

use serde_json::Value;

use blocks::{Extent, Sections};

pub(crate) use self::findings::{findings, untested};
pub(crate) use compare::{apart, compare};
pub(crate) use contest::{contest, figures_of};
pub(crate) use curve::curve;
pub(crate) use run::{contests, ending, facts, published_tables, run};
pub(crate) use summary::summary;

/// A page that a command prints, in any format.
pub trait Page {
    /// Returns the heading of the HTML page, where that is made of the blocks.
    fn title(&self) -> String {
        String::new()
    }

    /// Returns what the page says.
    fn blocks(&self, extent: Extent) -> Sections;

    /// Returns the same for other programs. What is not known is absent.
    fn json(&self) -> Value;

    /// Returns the HTML page, where it has plots.
    fn drawn(&self) -> Option<String> {
        None
    }
}
