//! The kernel of a regular expression engine.

use std::io;

use memchr::memchr;
use regex::bytes::Regex;

use super::lines::Kernel;
use super::pattern::Pattern;

pub(super) struct Expression {
    regex: Regex,
    /// True where it is asked of every line alone, and not of the whole text.
    by_line: bool,
}

impl Expression {
    pub(super) fn of(pattern: &Pattern) -> io::Result<Self> {
        let by_line = pattern.looks_at_words();
        let regex = if by_line { pattern.compiled()? } else { pattern.compiled_for_text()? };
        Ok(Self { regex, by_line })
    }

    fn find_by_line(&self, text: &[u8]) -> Option<usize> {
        let mut start = 0;
        while start < text.len() {
            let end = memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length);
            if self.regex.is_match(&text[start..end]) {
                return Some(start);
            }
            start = end + 1;
        }
        None
    }
}

impl Kernel for Expression {
    /// Finds a match, which never runs over a line's end: the expression can't match a newline.
    fn find(&self, text: &[u8]) -> Option<usize> {
        if self.by_line {
            return self.find_by_line(text);
        }
        let start = self.regex.find(text)?.start();
        // Behind the last newline there is an empty match perhaps, but no line.
        let is_behind_all = start == text.len() && text.last().is_none_or(|&byte| byte == b'\n');
        (!is_behind_all).then_some(start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::lines::matching_lines;
    use crate::search::proof::matcher;

    const EXPRESSIONS: [&str; 16] = [
        r"a\sb",
        r"a\s*b",
        "[^x]{3}",
        r"\W+",
        "(?s)a.*b",
        "(?s).",
        "^$",
        "^",
        "x*",
        "a?$",
        r"\bab\b",
        r"\B",
        "b|^a",
        r"(?-u:[^a])b",
        r"\D\D",
        r"(a\n|b\s)+$",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn a_text_searched_as_a_whole_gives_the_lines_that_match_alone(
            nth in 0..EXPRESSIONS.len(),
            bytes in proptest::collection::vec(
                prop_oneof![
                    Just(b'a'), Just(b'b'), Just(b'\n'), Just(b' '), Just(b'x'), Just(b'\r'), Just(0xc3), Just(0xa9),
                ],
                0..40,
            ),
        ) {
            let pattern = Pattern::new(EXPRESSIONS[nth], true).expect("an expression");
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            matching_lines(&Expression::of(&pattern).expect("compiled"), &bytes, b"", &mut found);
            let matches = matcher(&pattern).expect("compiled");
            let whole = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            for line in whole.split(|&byte| byte == b'\n').filter(|line| !bytes.is_empty() && matches(line)) {
                expected.extend_from_slice(line);
                expected.push(b'\n');
            }
            prop_assert_eq!(found, expected, "{}", EXPRESSIONS[nth]);
        }
    }
}
