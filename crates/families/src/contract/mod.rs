//! What a technique is, and what a family must report about its techniques.

mod any_family;
mod family;
mod files;
mod repeat;
mod technique;

pub use any_family::AnyFamily;
pub use family::{Curve, Family, Isolation};
pub use files::{Files, Placeholder};
pub use repeat::{Body, OwnTime, Repeat};
pub(crate) use technique::joined;
pub use technique::{Entry, Technique, technique_in};
