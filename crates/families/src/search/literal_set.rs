//! The kernel of several literals: all of them are looked for at once.

use std::io;

use aho_corasick::{AhoCorasick, packed};

use super::lines::Kernel;
use crate::files::invalid;

pub(super) enum LiteralSet {
    /// Few and short literals on a processor with the instructions.
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
}

impl LiteralSet {
    pub(super) fn of(literals: &[&[u8]]) -> io::Result<Self> {
        if let Some(searcher) = packed::Searcher::new(literals) {
            return Ok(Self::Packed(searcher));
        }
        let built = AhoCorasick::new(literals).map(Self::Automaton);
        built.map_err(|error| invalid(format!("the literals: {error}")))
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
