//! Why a run could not be made, or not to its end.

use std::io;

use thiserror::Error;

/// Why a run could not be made, or not to its end.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// A file or folder.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// The store refused.
    #[error("what was found cannot be kept: {0}")]
    Sink(io::Error),
}

impl MeasureError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
