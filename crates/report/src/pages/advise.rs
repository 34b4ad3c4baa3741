//! What the page of `bakeoff advise` is about.

use judge::Advice;
use model::{Conditions, Workload};
use serde::Serialize;

/// What to use for a task, or what would tell it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AdvicePage {
    /// Name of the family.
    pub family: String,
    /// The question that it answers.
    pub question: String,
    /// The task that was asked about.
    pub workload: Workload,
    /// Under which conditions.
    pub conditions: Conditions,
    /// The advice; `None` where nothing was measured that tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// Why kept runs of the family were set aside, each in a sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<String>,
    /// The command that measures it, where it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure_with: Option<String>,
    /// The file that the advice was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
}
