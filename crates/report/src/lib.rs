#![forbid(unsafe_code)]
//! Decided pages to text: terminal, Markdown, HTML and exports.
//!
//! Nothing is decided or computed here: what a page says was decided before, and only its units are chosen here. The
//! exceptions are [`hyperfine`] and [`bmf`], whose formats hold statistics that we use nowhere else.

mod export;
mod html;
mod json;
mod markup;
mod page;
pub mod pages;
mod render;
pub mod text;
mod words;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod one_answer;

pub use export::Export;
pub use export::{benchstat, bmf, csv, hyperfine, pyperf};
pub use page::Page;
pub use pages::{
    AdvicePage, Code, Context, ExplainPage, ExplainedContest, ExplainedTechnique, HostPage, Listing,
    ListingAxis, ListingRow, NoisePage, NoiseRow, PlanSummary, RunPage, Scratch, ShowPage, Stood, TimePage,
};
pub use render::{Format, render};
pub use text::Style;
pub use text::layout::plain;
pub use words::advice::{self, Advice};
