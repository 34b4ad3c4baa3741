use super::sequential::one_after_the_other;
use crate::search::expression::Expression;
use crate::search::prelude::*;

pub(super) const REGULAR_EXPRESSION: Technique<SearchJob> = Technique {
    name: "regex",
    idea: "read as sequential does, find with the crate regex: literals in the pattern first, then a lazy automaton",
    source: "crate regex, regex::bytes",
    calls: &["read"],
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| one_after_the_other(job, &Expression::of(&job.pattern)?))
    })
};
