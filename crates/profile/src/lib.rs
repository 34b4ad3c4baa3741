#![forbid(unsafe_code)]
//! Reads a profile: what `bakeoff advise FAMILY --profile FILE` found fastest on this host, for programs that choose at start.
//!
//! ```no_run
//! use profile::{Profile, Wanted};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let profile = Profile::load("profile.toml".as_ref())?;
//! let wanted = Wanted::new("copy").at("bytes", 300_000_000).in_directory(".".as_ref())?;
//! let pick = profile.best(&wanted)?;
//! println!("{} with {:?} bytes of buffer", pick.technique(), pick.number("buffer_bytes"));
//! # Ok(())
//! # }
//! ```
//!
//! A profile is never trusted on another host: [`Profile::load`] compares its fingerprint, and [`Profile::best`] version, kernel,
//! setup and file system. A program should have a baseline to fall back to; each error says what differs.

mod error;
mod file;
mod lookup;
mod merge;

pub use error::{NoAdvice, ProfileError};
pub use file::{Certainty, FORMAT, HostKey, Profile, Range, Task};
pub use lookup::{Pick, Wanted};
pub use merge::{Foundation, Kept};
pub use model::Value;
