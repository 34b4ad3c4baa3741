//! Sentences about contests.

pub(crate) mod advice;
pub(crate) mod answer;
pub(crate) mod flush;
pub(crate) mod further;
pub(crate) mod processors;
pub(crate) mod terms;
pub(crate) mod wording;
