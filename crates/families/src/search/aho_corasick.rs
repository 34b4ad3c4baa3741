//! All literals at once, by an automaton or by vector instructions that compare several at a time.

use std::io;

use aho_corasick::{AhoCorasick, packed};

use super::job::{Notes, SearchJob};
use super::kernel::Kernel;
use super::sequential::one_after_the_other;
use crate::contract::Technique;

pub(super) const AHO_CORASICK: Technique<SearchJob> = Technique {
    name: "aho_corasick",
    idea: "read as sequential does, find all literals at once: Teddy's vectors, else an Aho-Corasick automaton",
    source: "crate aho-corasick; Aho and Corasick, Efficient String Matching, 1975; Teddy of Hyperscan",
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    one_after_the_other(job, &LiteralSet::of(&job.pattern.literals(AHO_CORASICK.name)?)?)
}

/// A set of literals, none of them empty.
pub(super) enum LiteralSet {
    /// Few and short literals on a processor with the instructions.
    Packed(packed::Searcher),
    /// Any others.
    Automaton(AhoCorasick),
}

impl LiteralSet {
    pub(super) fn of(literals: &[&[u8]]) -> io::Result<Self> {
        if let Some(searcher) = packed::Searcher::new(literals) {
            return Ok(Self::Packed(searcher));
        }
        let refused = |error| io::Error::new(io::ErrorKind::InvalidInput, format!("the literals: {error}"));
        AhoCorasick::new(literals).map(Self::Automaton).map_err(refused)
    }
}

impl Kernel for LiteralSet {
    fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Packed(searcher) => searcher.find(text).map(|found| found.start()),
            Self::Automaton(automaton) => automaton.find(text).map(|found| found.start()),
        }
    }
}
