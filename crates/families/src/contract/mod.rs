//! What a technique is, and what a family must tell about its techniques.

mod any_family;
mod curve;
mod entry;
mod family;
mod files;
mod repeat;
mod technique;

pub use any_family::AnyFamily;
pub use curve::Curve;
pub use entry::{Entry, technique_in};
pub use family::{Family, FindFacts, Isolation};
pub use files::{Files, OfInput, Placeholder};
pub use repeat::{Body, OwnTime, Repeat};
pub use technique::Technique;
pub(crate) use technique::joined;
