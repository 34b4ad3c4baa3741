//! The kernel of a regular expression engine.

use std::io;

use memchr::{memchr, memrchr};
use model::Class;
use regex::bytes::Regex;

use super::job::{Notes, SearchJob, always};
use super::kernel::Kernel;
use super::pattern::Pattern;
use super::sequential::one_after_the_other;
use crate::contract::Technique;

pub(super) const REGULAR_EXPRESSION: Technique<SearchJob> = Technique {
    name: "regex",
    alias: &[],
    idea: "read as sequential does, find with the crate regex: literals in the pattern first, then a lazy automaton",
    source: "crate regex, regex::bytes",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    one_after_the_other(job, &Expression::of(&job.pattern)?)
}

/// A compiled expression that is asked of lines.
pub(super) struct Expression {
    regex: Regex,
}

impl Expression {
    pub(super) fn of(pattern: &Pattern) -> io::Result<Self> {
        Ok(Self { regex: pattern.compiled()? })
    }
}

impl Kernel for Expression {
    /// The whole text is searched in one go, and a match may run over the end of its line (`a\sb`). Then the line alone
    /// decides: if it has no match of its own, the search goes on behind it. No line is missed, because a match of a
    /// line alone is also one of the text, and the leftmost is found first.
    fn find(&self, text: &[u8]) -> Option<usize> {
        let mut from = 0;
        while from < text.len() {
            let found = self.regex.find(&text[from..])?;
            let (start, end) = (from + found.start(), from + found.end());
            if start == text.len() && text.ends_with(b"\n") {
                // An empty match behind the last newline is in no line.
                return None;
            }
            let Some(newline) = memchr(b'\n', &text[start..end]) else { return Some(start) };
            let line_start = memrchr(b'\n', &text[from..start]).map_or(from, |before| from + before + 1);
            let line_end = start + newline;
            if self.regex.is_match(&text[line_start..line_end]) {
                return Some(line_start);
            }
            from = line_end + 1;
        }
        None
    }
}
