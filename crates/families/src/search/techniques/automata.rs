use super::sequential::one_after_the_other;
use crate::search::expression::Expression;
use crate::search::kernel::LiteralSet;
use crate::search::prelude::*;

pub(super) const AHO_CORASICK: Technique<SearchJob> = Technique {
    name: "aho_corasick",
    idea: "read as sequential does, find all literals at once: Teddy's vectors, else an Aho-Corasick automaton",
    source: "crate aho-corasick; Aho and Corasick, Efficient String Matching, 1975; Teddy of Hyperscan",
    calls: &["read"],
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| {
            one_after_the_other(job, &LiteralSet::of(&job.pattern.literals(AHO_CORASICK.name)?)?)
        })
    })
};

pub(super) const REGULAR_EXPRESSION: Technique<SearchJob> = Technique {
    name: "regex",
    idea: "read as sequential does, find with the crate regex: literals in the pattern first, then a lazy automaton",
    source: "crate regex, regex::bytes",
    calls: &["read"],
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| one_after_the_other(job, &Expression::of(&job.pattern)?))
    })
};
