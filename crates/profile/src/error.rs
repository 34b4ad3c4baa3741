//! Refusals of profiles.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::FORMAT;

/// Refusal of a file that is not a profile of this host.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read: the system's error.
    #[error("the profile {} cannot be read: {source}", .0.display(), source = .1)]
    Read(PathBuf, #[source] io::Error),
    /// The content of the file is not a profile, or damaged: the fault and its place.
    #[error("the profile {} is damaged: {}; remove it, and let 'bakeoff advise --profile' write it again", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The file was written in another format: which.
    #[error("the profile {} has format {}, and this program reads format {FORMAT}; write it again with a bakeoff of the same version", .0.display(), .1)]
    OtherFormat(PathBuf, i64),
    /// It was measured on another host.
    #[error("the profile {shown} is of another host ({found}; this one is {here}): what is fastest there may be slow here; name another file for this host, or start this one over with 'bakeoff advise --forget --profile {shown}'", shown = .path.display())]
    OtherHost {
        /// The file.
        path: PathBuf,
        /// The fingerprint that stands in it.
        found: String,
        /// The fingerprint of this host.
        here: String,
    },
    /// This host has neither an identity nor a network name, or does not report its kernel.
    #[error(
        "this host cannot be distinguished from others: the system reports no machine identity, no network name or no kernel"
    )]
    UnknownHost,
}

/// Reason why a profile of this host has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoAdvice {
    /// Nothing of that kind stands in the profile.
    #[error("the profile says nothing of {family} {what}; 'bakeoff advise {family} --profile FILE' adds it")]
    Unknown {
        /// Name of the family.
        family: String,
        /// Under which conditions.
        what: String,
    },
    /// It was measured by another version of bakeoff, whose techniques may be others.
    #[error(
        "{family} was measured by bakeoff {measured}, and this program reads what {here} found; measure it again"
    )]
    OtherVersion {
        /// Name of the family.
        family: String,
        /// The version that measured it.
        measured: String,
        /// The version of this crate, which is that of the bakeoff it belongs to.
        here: String,
    },
    /// It was measured under another kernel.
    #[error("{family} was measured on kernel {measured}, and this is {here}; measure it again")]
    OtherKernel {
        /// Name of the family.
        family: String,
        /// The kernel that it was measured on.
        measured: String,
        /// The kernel that runs.
        here: String,
    },
    /// It was measured with another microcode, other caches, or another setting of transparent huge pages.
    #[error("{family} was measured with {what} {measured}, and here it is {here}; measure it again")]
    OtherSetup {
        /// Name of the family.
        family: String,
        /// The difference: `microcode`, `caches` or `huge_pages`.
        what: String,
        /// Its value then.
        measured: String,
        /// Its value here.
        here: String,
    },
    /// It was measured on another file system.
    #[error("{family} was measured on {measured}, and this is {here}; measure it there")]
    OtherFileSystem {
        /// Name of the family.
        family: String,
        /// The file systems that it was measured on.
        measured: String,
        /// The file system that was asked for.
        here: String,
    },
    /// Several tasks of the profile fit what was asked for.
    #[error("several tasks of {family} fit; name also {axes}")]
    Several {
        /// Name of the family.
        family: String,
        /// The values in which they differ.
        axes: String,
    },
    /// The task was measured along an axis, and no value on it was named.
    #[error("{family} depends on {axis}: name a value on it")]
    NoLevel {
        /// Name of the family.
        family: String,
        /// The axis.
        axis: String,
    },
    /// The wanted value lies outside of what was measured, or between two measured values with different answers.
    #[error(
        "{family} has no answer for {axis} {at}: nothing was measured there; measure it, or use what you would use without a profile"
    )]
    NotMeasured {
        /// Name of the family.
        family: String,
        /// The axis.
        axis: String,
        /// The wanted value.
        at: u64,
    },
}
