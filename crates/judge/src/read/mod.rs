//! Reads the samples of any program.
//!
//! | form | what it holds |
//! | --- | --- |
//! | CSV | a header line with `round,technique,value`, and `position,inner,family,workload` where known; the export of a run has more, see below |
//! | JSON array | objects with the same keys |
//! | JSON export of a run | an object with `trials` |
//! | hyperfine's JSON | an object with `results`; its runs come in blocks and cannot be judged |
//!
//! Further columns of a CSV, each of which may be absent or empty:
//!
//! | column | what it says |
//! | --- | --- |
//! | `failure`, `reason` | `crash`, `hang`, `wrong`, `refused` or `missing`, and a sentence; such a row needs no value, and no round when it failed before the first |
//! | `kind`, `twin_of` | `built-in`, `command`, `twin` (a control, with the technique that it repeats) or `ceiling` (a limit) |
//! | `variant_of` | the technique from which it differs in a detail: both are one where the answer names techniques |
//! | `class` | `moves-bytes`, `shares-extents`, `reuses-earlier-work`, `flushes-each-piece` or `coarse`, ranked apart; a note `reflinked` in `notes` says the same |
//! | `attempt` | only the last one of a family, workload and setting counts |
//! | `metric` | what the value is, the unit last: `work_ns`, `process_ns`, `peak_memory_bytes`, `faults`, or a name of your own like `units_per_second` |
//! | `better` | `less` or `more`, where that is not plain: of rates (`_per_second`) large values are good, of all else small ones |
//! | `what` | the same in words that stand behind `by`: `units per second` |
//! | `setting`, or `cache`, `durability`, `directory`, `file_system`, `processors`, `memory_limit_bytes` | the conditions: others are another contest |
//! | `curve`, `level` | the number of the workload of which its contest is a level, `bytes`, and the number: contests that differ in nothing else are one curve |
//! | `workload_numbers` | the measures of the workload: `bytes=25600000; threads=8` |
//! | `looks`, `shared_by` | the rounds at which a decision was planned, `8 10 13`, and how many contests share the chance of error |
//! | `baseline` | the technique that the others are measured by |
//!
//! Judged by another metric, the value is that of the column of this name, or that of the name in `values` (`read_ns=17; open_ns=3`).
//!
//! A row whose value is empty is a sample of which the metric is not known: it is skipped.

mod attempts;
mod delimited;
mod json;
pub(crate) mod observations;

use std::path::Path;

use model::Record;
use thiserror::Error;

use crate::decide::Decided;
use crate::read::observations::{Observation, Options, decide_by, decide_observations};

/// The reason why samples could not be read: where, what, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct ReadError {
    /// The file with line and column, as far as there are any.
    pub place: String,
    /// The problem.
    pub problem: String,
}

type Read<T> = Result<T, ReadError>;

/// The samples of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// Those of any program.
    Plain(Vec<Observation>),
    /// An exported run, whose design and notes bear on the answer too.
    Run(Box<Record>),
}

impl Samples {
    /// Judges them: by the rules that are named, else by those of the run.
    pub fn decide(&self, options: &Options) -> Decided {
        match self {
            Self::Plain(observations) => decide_observations(observations, options),
            Self::Run(run) => decide_by(run, options),
        }
    }
}

/// Reads samples from the text of a file. `hint` is its name, which decides the form where the text does not. `by` names the metric
/// to judge by.
///
/// # Errors
/// The text is none of the known forms, a value in it is none, or it does not hold that metric. Line and column are named.
pub fn read_samples(text: &str, hint: Option<&Path>, by: Option<&str>) -> Result<Samples, ReadError> {
    let (text, file) = (without_mark(text), name(hint, "samples"));
    let named_json =
        hint.and_then(Path::extension).is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let samples = if named_json || text.trim_start().starts_with(['{', '[']) {
        json::read(text, by, &file)?
    } else {
        Samples::Plain(delimited::read(text, by, &file)?)
    };
    let is_empty = match &samples {
        Samples::Plain(observations) => observations.is_empty(),
        Samples::Run(run) => {
            run.trials.iter().all(|trial| trial.samples.is_empty() && trial.failures.is_empty())
        }
    };
    if is_empty {
        return Err(ReadError { place: file, problem: "it holds no samples".to_owned() });
    }
    Ok(samples)
}

/// Reads the exported JSON of a run. Its contests are left aside: they follow from the samples.
///
/// # Errors
/// The text is no JSON, has another schema, or is not whole; the sentence says which, with line and column.
pub fn read_run(text: &str, hint: Option<&Path>) -> Result<Record, ReadError> {
    let (text, file) = (without_mark(text), name(hint, "run"));
    let is_list = text.trim_start().starts_with('[');
    let keys: json::Keys = if is_list { Default::default() } else { json::typed(text, &file)? };
    json::record(text, keys.schema, &file)
}

/// Some editors put a byte order mark in front.
fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

fn name(hint: Option<&Path>, unnamed: &str) -> String {
    hint.map_or_else(|| unnamed.to_owned(), |path| path.display().to_string())
}

/// Explains why a number is no value, or `None` when it is one. Infinity stands for a crash or a time-out.
fn refuse_value(value: f64) -> Option<&'static str> {
    (value.is_nan() || value < 0.0)
        .then_some("is no value: write a number from 0 on, or inf for a crash or a time-out")
}

#[cfg(test)]
mod tests;
