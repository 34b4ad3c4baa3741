//! How a match is found in memory: the fastest kernel for each kind of pattern.

use std::io;

use aho_corasick::{AhoCorasick, packed};
use memchr::memmem::Finder;

use super::expression::Expression;
use super::pattern::Pattern;
use crate::files::invalid;

pub(super) use super::lines::Kernel;

/// The fastest kernel known for a pattern, for techniques whose idea is not the kernel.
pub(super) enum Best<'pattern> {
    /// One literal: `memchr::memmem`, vectorised, with the rarest bytes of the literal looked for first.
    Literal(Finder<'pattern>),
    Literals(LiteralSet),
    Expression(Expression),
}

impl<'pattern> Best<'pattern> {
    /// Builds the kernel. This is part of the work: a program that searches once pays for it.
    pub(super) fn of(pattern: &'pattern Pattern) -> io::Result<Self> {
        Ok(match &pattern.texts[..] {
            _ if pattern.is_regex => Self::Expression(Expression::of(pattern)?),
            [text] => Self::Literal(Finder::new(text)),
            _ => Self::Literals(LiteralSet::of(&pattern.literals("a set of literals")?)?),
        })
    }
}

impl Kernel for Best<'_> {
    fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Literal(finder) => finder.find(text),
            Self::Literals(set) => set.find(text),
            Self::Expression(expression) => expression.find(text),
        }
    }
}

/// The kernel of several literals: all of them are looked for at once.
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
