//! Why a run could not be made, or not to its end, and why a step of it was not done.

use std::io;

use model::FailureKind;
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

/// Why a run ends before its time.
#[derive(Debug)]
pub(crate) enum End {
    Interrupted,
    Error(MeasureError),
}

/// Why a step was not done.
#[derive(Debug)]
pub(crate) enum Halt {
    /// What was measured failed, for the reason in the sentence.
    Failed(FailureKind, String),
    End(End),
}

pub(crate) type Step<Done> = Result<Done, Halt>;

impl Halt {
    /// The same with another sentence about a failure.
    pub(crate) fn explained(self, explain: impl FnOnce(&str) -> String) -> Self {
        match self {
            Self::Failed(kind, reason) => Self::Failed(kind, explain(&reason)),
            Self::End(end) => Self::End(end),
        }
    }

    /// The end of the run, which cannot do without this step.
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

impl From<(FailureKind, String)> for Halt {
    fn from((kind, reason): (FailureKind, String)) -> Self {
        Self::Failed(kind, reason)
    }
}
