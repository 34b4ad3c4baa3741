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
    /// The task that was asked about; without the number on the axis where all its values were.
    pub workload: Workload,
    /// The number all of whose values were asked about, where nothing was measured that tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<String>,
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
    /// The profile that the advice was merged into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Why the profile keeps what it said of the task before, in a sentence, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_keeps: Option<String>,
}
