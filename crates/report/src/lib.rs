#![forbid(unsafe_code)]
//! Decided pages to text: terminal, Markdown, HTML and exports.
//!
//! Nothing is decided or computed here: what a page says was decided before, and only its units are chosen here. The one
//! exception is [`hyperfine`], whose format holds statistics that we use nowhere else.

pub mod advice;
mod conditions;
pub mod csv;
mod curves;
mod expectations;
mod facts;
pub mod html;
pub mod hyperfine;
pub mod json;
mod layout;
pub mod markdown;
mod page;
pub mod pages;
mod phrase;
mod rows;
pub mod text;
mod units;

#[cfg(test)]
mod fixture;

pub use advice::Advice;
pub use layout::plain;
pub use pages::{
    Context, ExplainPage, ExplainedTechnique, Listing, ListingRow, NoisePage, NoiseRow, PlanSummary, Scratch,
    ShowPage, Stood, TimePage,
};
pub use text::Style;
