#![forbid(unsafe_code)]
//! Decided pages to text: terminal, Markdown, HTML and exports.
//!
//! Nothing is decided or computed here: what a page says was decided before, and only its units are chosen here. The
//! exceptions are [`hyperfine`] and [`bmf`], whose formats hold statistics that we use nowhere else.

pub mod advice;
pub mod asciidoc;
pub mod benchstat;
pub mod bmf;
mod conditions;
pub mod csv;
mod curves;
mod expectations;
mod exported;
mod facts;
pub mod html;
pub mod hyperfine;
pub mod json;
mod layout;
mod left_aside;
pub mod markdown;
mod markup;
pub mod orgmode;
mod page;
pub mod pages;
mod phrase;
pub mod pyperf;
mod rows;
pub mod text;
mod units;

#[cfg(test)]
mod fixture;

pub use advice::Advice;
pub use exported::Export;
pub use layout::plain;
pub use pages::{
    AdvicePage, Code, Context, ExplainPage, ExplainedTechnique, Listing, ListingAxis, ListingRow, NoisePage,
    NoiseRow, PlanSummary, Scratch, ShowPage, Stood, TimePage,
};
pub use text::Style;
