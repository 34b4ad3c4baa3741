//! What techniques did at one workload, untimed.

use model::{Account, Setting, Workload};
use serde::Serialize;

/// What the techniques of a family did at one workload, untimed.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ExplainPage {
    /// Name of the family.
    pub family: String,
    /// The question that it answers.
    pub question: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The techniques: the leader and the plain one first.
    pub techniques: Vec<ExplainedTechnique>,
    /// Why a technique leads here: the stored run that says so.
    pub leader_of: Option<String>,
}

/// What one technique did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ExplainedTechnique {
    /// Its name with the values of its parameters.
    pub name: String,
    /// The idea in one line.
    pub idea: String,
    /// Whether it led in the stored run.
    pub is_leader: bool,
    /// Whether it is the baseline.
    pub is_reference: bool,
    /// What it did; `None` where it did not do the work.
    pub account: Option<Account>,
    /// Why it did not do the work here, in a sentence.
    pub failure: Option<String>,
    /// Whether it does not exist here, which is no failure.
    pub is_missing: bool,
    /// The system calls that its idea names.
    pub expected: Vec<String>,
    /// Those of them that were not as expected.
    pub broken: Vec<String>,
}
