#![forbid(unsafe_code)]
//! From samples to what may be said.
//!
//! [`decide()`] judges a record, [`read_samples`] and [`decide_observations`] judge the samples of any program. Both are pure
//! functions: the same samples always give the same sentence.

mod advise;
mod choice;
mod contest;
mod curve;
mod decide;
mod document;
mod plot_data;
mod read;
mod runs;
mod why;
mod wording;
mod words;

pub use advise::{Advice, Advised, Asked, Basis, BestLevels, KeptAnswers, Origin, Question, advise};
pub use choice::{Range, is_compared};
pub use contest::longer_run::MOST_MEASURED_LONGER;
pub use contest::ranking::{
    BestParameter, Choice, Entry, FailureLine, Flag, Further, Median, Noise, Ranking, Ratio, Standing, State,
};
pub use contest::refusal::of_class;
pub use curve::{Absence, Absent, Curve, Gain, Level, Line, Overhead, Point, ScalabilityLaw, Spread};
pub use decide::{Decided, decide, rank, spoils_its_round};
pub use document::{Canary, Document, Run, SCHEMA, Verdict, readable_volume};
pub use plot_data::{Cloud, ContestSeen, Dot, Drift, Seen, Times, seen};
pub use read::observations::{Observation, Options, decide_observations, rank_observations};
pub use read::{ReadError, Samples, read_run, read_samples};
pub use runs::changed::Changed;
pub use runs::compare::{ComparedRuns, compare_runs, compare_sides};
pub use runs::compare_hosts::Difference;
pub use runs::compare_levels::{ComparedCurve, ComparedLevel};
pub use runs::history::{Course, Followed, History, HistoryLine, RunMedians, history};
pub use runs::side::{
    Change, Changes, ComparedContest, ComparedTechnique, FILE_CACHE, PUBLISHED, PUBLISHED_FOR, Rule, Showed,
    Side,
};
pub use runs::{NotMeasured, compare_by};
pub use stats::LEAST_HISTORY;
pub use why::{Counted, Reason, RunAnswer, Transfers, Why, compares_speed, in_question, why};
pub use wording::{at_least, at_most, between, confidence, counted, is_time, marked, once, percent, times};
pub use words::contest::{beyond_rows, cost_at_most};
