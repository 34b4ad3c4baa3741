//! The words that all writers share: names, figures with their units, and sentences about decided data.

pub mod advice;
pub(crate) mod compare;
pub(crate) mod conditions;
pub(crate) mod curves;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod findings;
pub(crate) mod left_aside;
pub(crate) mod phrase;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod units;
