//! A record in one line, for lists of runs.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Preset, Record, RunId};

/// A record in one line.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Identity of the run.
    pub id: RunId,
    /// When it began, as RFC 3339 with offset.
    pub started: String,
    /// The preset asked for.
    pub preset: Preset,
    /// Whether it ran to its end.
    pub complete: bool,
    /// The machine's network name, when known.
    pub host: Option<String>,
    /// The command line as typed.
    pub command: Vec<String>,
    /// Names of the families that took part, ascending.
    pub families: Vec<String>,
    /// Number of trials.
    pub trials: u64,
    /// Number of samples of all trials.
    pub samples: u64,
    /// Number of failures of all trials.
    pub failures: u64,
}

impl Record {
    /// The record in one line.
    pub fn summary(&self) -> Summary {
        let mut families: Vec<String> = self.trials.iter().map(|trial| trial.family.clone()).collect();
        families.sort();
        families.dedup();
        Summary {
            id: self.id.clone(),
            started: self.started.clone(),
            preset: self.preset,
            complete: self.complete,
            host: self.host.name.clone(),
            command: self.command.clone(),
            families,
            trials: self.trials.len() as u64,
            samples: self.trials.iter().map(|trial| trial.samples.len() as u64).sum(),
            failures: self.trials.iter().map(|trial| trial.failures.len() as u64).sum(),
        }
    }
}
