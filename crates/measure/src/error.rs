//! The reasons why a run ends early, and why a step of it was not done.

use std::io;

use model::FailureKind;
use thiserror::Error;

/// An error that keeps a run from its end.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// A file or folder.
    #[error("{what}: {source}")]
    Io {
        /// The step.
        what: String,
        /// The system's error.
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

#[derive(Debug)]
pub(crate) enum End {
    Interrupted,
    Error(MeasureError),
}

#[derive(Debug)]
pub(crate) enum Halt {
    Failed(FailureKind, String),
    End(End),
}

/// A failure of what was measured, with its reason in a sentence.
pub(crate) type Failed = (FailureKind, String);

pub(crate) type Step<Done> = Result<Done, Halt>;

impl Halt {
    /// Returns the end of the run, which cannot do without this step.
    pub(crate) fn into_end(self, what: impl Into<String>) -> End {
        match self {
            Self::Failed(_, reason) => MeasureError::io(what)(io::Error::other(reason)).into(),
            Self::End(end) => end,
        }
    }
}

impl From<MeasureError> for End {
    fn from(error: MeasureError) -> Self {
        Self::Error(error)
    }
}

impl From<MeasureError> for Halt {
    fn from(error: MeasureError) -> Self {
        Self::End(error.into())
    }
}

impl From<End> for Halt {
    fn from(end: End) -> Self {
        Self::End(end)
    }
}

impl From<Failed> for Halt {
    fn from((kind, reason): Failed) -> Self {
        Self::Failed(kind, reason)
    }
}
