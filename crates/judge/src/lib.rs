#![forbid(unsafe_code)]
//! From samples to what may be said.
//!
//! [`decide()`] judges a record, [`read_samples`] and [`decide_observations`] judge the samples of any program. Both are pure
//! functions: the same samples always give the same sentence.

mod advice;
mod advise;
mod alike;
mod along;
mod answer;
mod between;
mod by;
mod changed;
mod compare;
mod compare_hosts;
mod compare_levels;
mod confirm;
mod contest;
mod curve;
mod curve_words;
mod curves;
mod document;
mod entries;
mod field;
mod flags;
mod flush;
mod further;
mod groups;
mod history;
mod median;
mod moved;
mod observations;
mod plain_way;
mod processors;
mod rank;
mod ranking;
mod read;
mod refusal;
mod seen;
mod spread;
mod terms;
mod tick;
mod wording;

pub use advise::{
    Advice, Asked, Basis, BestLevels, Certainty, Choice, KeptAnswers, Limit, Origin, OverPlain, Question,
    Stretch, advise,
};
pub use between::{Change, Changes, Rule};
pub use by::{NotMeasured, compare_by};
pub use changed::Changed;
pub use compare::{
    ComparedContest, ComparedRuns, ComparedTechnique, PUBLISHED, PUBLISHED_FOR, Showed, Side, compare_runs,
    compare_sides,
};
pub use compare_hosts::Difference;
pub use compare_levels::{ComparedCurve, ComparedLevel};
pub use contest::{Catalogue, Description};
pub use curve::{
    Absence, Absent, Confirmation, Crossover, CrossoverKind, Curve, Gain, Growth, GrowthKind, Level, Line,
    Overhead, PlainWay, Point, Reach, ScalabilityLaw, Spread,
};
pub use document::{Canary, Document, Run, SCHEMA, Verdict, readable_volume};
pub use history::{Course, Followed, History, HistoryLine, RunMedians, history};
pub use median::Median;
pub use observations::{Observation, Options, decide_observations, rank_observations};
pub use rank::{Decided, decide, rank};
pub use ranking::{BestParameter, Entry, FailureLine, Flag, Group, Noise, Ranking, Standing, State};
pub use read::{ReadError, read_run, read_samples};
pub use seen::{Cloud, ContestSeen, Dot, Drift, Seen, Times, seen};
pub use stats::LEAST_HISTORY;

pub use wording::{at_least, at_most};
