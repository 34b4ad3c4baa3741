//! How a match is found in memory: the fastest kernel for each kind of pattern.

use std::io;

use memchr::memmem::Finder;

use super::expression::Expression;
use super::literal_set::LiteralSet;
use super::pattern::Pattern;

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
