//! What is searched for: one literal, several, or regular expressions.

use std::io;

use model::Workload;
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

use crate::files::{invalid, unsupported};

pub(super) const PATTERN: &str = "pattern";
pub(super) const REGEX: &str = "regex";

/// Longer patterns would not fit into a command line together with everything else.
const LONGEST_BYTES: usize = 4 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) texts: Vec<String>,
    pub(super) is_regex: bool,
}

pub(super) fn is_yes(value: Option<&str>) -> bool {
    value == Some("yes")
}

impl Pattern {
    pub(super) fn new(alternatives: &str, is_regex: bool) -> Result<Self, String> {
        if alternatives.len() > LONGEST_BYTES {
            return Err(format!(
                "a pattern of {} bytes is too long for a command line: at most {LONGEST_BYTES} may be given",
                alternatives.len()
            ));
        }
        let pattern = Self::known(alternatives, is_regex);
        for (nth, text) in pattern.texts.iter().enumerate() {
            let which = match pattern.texts.len() {
                1 => String::new(),
                all => format!(" {} of {all}", nth + 1),
            };
            if text.is_empty() {
                return Err(format!(
                    "pattern{which} is empty: every line would have it; write for example needle"
                ));
            }
            if let Some(at) = text.chars().position(|c| c == '\0') {
                return Err(format!(
                    "pattern{which} has a zero byte at character {}: no command line can hold one",
                    at + 1
                ));
            }
            if is_regex {
                parsed(text).map_err(|problem| format!("pattern{which} '{text}': {problem}"))?;
            }
        }
        if is_regex {
            let together = compile(&pattern.joined());
            together.map_err(|error| format!("the patterns cannot be used together: {error}"))?;
        }
        Ok(pattern)
    }

    /// Returns the pattern of a workload. It was checked when it was chosen: a worker does not pay for that again.
    pub(super) fn of(workload: &Workload) -> io::Result<Self> {
        let text = workload.word(PATTERN).ok_or_else(|| {
            invalid(format!("the workload '{}' of the search family has no pattern", workload.name))
        })?;
        Ok(Self::known(text, is_yes(workload.word(REGEX))))
    }

    pub(super) fn known(alternatives: &str, is_regex: bool) -> Self {
        Self { texts: alternatives.split('\n').map(str::to_owned).collect(), is_regex }
    }

    pub(super) fn alternatives(&self) -> String {
        self.texts.join("\n")
    }

    /// Returns the only literal; the error names the technique.
    pub(super) fn one_literal(&self, technique: &str) -> io::Result<&[u8]> {
        match (&self.texts[..], self.is_regex) {
            ([text], false) => Ok(text.as_bytes()),
            (texts, false) => Err(unsupported(format!(
                "{technique} looks for one literal, and there are {}: aho_corasick looks for several",
                texts.len()
            ))),
            (_, true) => Err(unsupported(format!(
                "{technique} looks for a literal, and this is a regular expression: the technique regex takes those"
            ))),
        }
    }

    pub(super) fn literals(&self, technique: &str) -> io::Result<Vec<&[u8]>> {
        if self.is_regex {
            return self.one_literal(technique).map(|literal| vec![literal]);
        }
        Ok(self.texts.iter().map(String::as_bytes).collect())
    }

    pub(super) fn compiled(&self) -> io::Result<Regex> {
        compile(&self.joined()).map_err(invalid)
    }

    /// Compiles for a text of many lines: without what could match a newline, so that no match runs over the end of a line.
    pub(super) fn compiled_for_text(&self) -> io::Result<Regex> {
        // Without these characters an expression has nothing but letters, and dots, which match no newline.
        if !self.is_regex || self.texts.iter().all(|text| !text.contains(['\\', '[', '('])) {
            return self.compiled();
        }
        let trees = self.trees().map_err(invalid)?;
        let texts = trees.into_iter().map(|tree| format!("(?:{})", without_newlines(tree)));
        compile(&texts.collect::<Vec<_>>().join("|")).map_err(invalid)
    }

    /// Returns whether each line must be searched alone: at the edge of a word the engine looks at both sides, and next to
    /// bytes that are no UTF-8 it says something else of a line than of the text around it.
    pub(super) fn looks_at_words(&self) -> bool {
        self.is_regex
            && self.texts.iter().any(|text| text.contains(['b', 'B']) && text.contains('\\'))
            && self
                .trees()
                .is_ok_and(|trees| trees.iter().any(|tree| tree.properties().look_set().contains_word()))
    }

    pub(super) fn trees(&self) -> Result<Vec<Hir>, String> {
        self.texts.iter().map(|text| parsed(text)).collect()
    }

    fn joined(&self) -> String {
        let escaped = |text: &String| if self.is_regex { text.clone() } else { regex::escape(text) };
        match &self.texts[..] {
            [text] => escaped(text),
            texts => texts.iter().map(|text| format!("(?:{})", escaped(text))).collect::<Vec<_>>().join("|"),
        }
    }
}

fn compile(joined: &str) -> Result<Regex, String> {
    RegexBuilder::new(joined).multi_line(true).build().map_err(|error| error.to_string())
}

fn parsed(text: &str) -> Result<Hir, String> {
    let tree = ParserBuilder::new().multi_line(true).utf8(false).build().parse(text).map_err(|error| {
        let (problem, column) = match &error {
            regex_syntax::Error::Parse(error) => (error.kind().to_string(), error.span().start.column),
            regex_syntax::Error::Translate(error) => (error.kind().to_string(), error.span().start.column),
            _ => (error.to_string(), 1),
        };
        format!("{problem}, at character {column}")
    })?;
    let looks = tree.properties().look_set();
    if [Look::Start, Look::End, Look::StartCRLF, Look::EndCRLF].into_iter().any(|look| looks.contains(look)) {
        return Err("it asks for the ends of a text (\\A, \\z, (?-m) or (?R)), and lines are searched: \
                    write ^ and $, which stand for the ends of a line"
            .to_owned());
    }
    Ok(tree)
}

/// Takes all that matches a newline out of an expression, as ripgrep does.
fn without_newlines(tree: Hir) -> Hir {
    match tree.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => Hir::fail(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(Class::Unicode(mut class)) => {
            class.difference(&ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Class(Class::Bytes(mut class)) => {
            class.difference(&ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]));
            Hir::class(Class::Bytes(class))
        }
        HirKind::Repetition(repetition) => {
            let sub = Box::new(without_newlines(*repetition.sub));
            Hir::repetition(Repetition { sub, ..repetition })
        }
        HirKind::Capture(capture) => without_newlines(*capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(without_newlines).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.into_iter().map(without_newlines).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(alternatives: &str, is_regex: bool) -> String {
        Pattern::new(alternatives, is_regex).expect_err(alternatives)
    }

    #[test]
    fn an_expression_that_does_not_compile_is_refused_with_place() {
        for (text, place) in [
            ("needle(", "at character 7"),
            ("[a", "at character 1"),
            ("ab**{", "at character 5"),
            ("é[z-a]", "at character 3"),
            ("good\nba)d", "pattern 2 of 2 'ba)d'"),
            (r"\pX", "at character 1"),
        ] {
            let sentence = sentence(text, true);
            assert!(sentence.contains(place), "{text}: {sentence}");
            assert!(Pattern::new(text, false).is_ok(), "{text} is a fine literal");
        }
    }

    #[test]
    fn the_ends_of_a_text_are_refused_since_lines_are_searched() {
        for text in [r"\Aneedle", r"needle\z", "(?-m)^needle", "(?R)needle$"] {
            assert!(sentence(text, true).contains("write ^ and $"), "{text}");
        }
        assert!(Pattern::new(r"^\bneedle\b$", true).is_ok());
    }

    #[test]
    fn a_pattern_that_is_empty_or_unfit_for_commands_is_refused() {
        assert!(sentence("", false).starts_with("pattern is empty"));
        assert!(sentence("a\n", true).starts_with("pattern 2 of 2 is empty"));
        assert!(sentence("a\0b", false).contains("zero byte at character 2"));
        assert!(sentence(&"x".repeat(5_000), false).contains("5000 bytes is too long"));
        assert!(sentence(r"(a{500}){500}{500}", true).contains("size limit"));
    }

    #[test]
    fn techniques_say_what_they_cannot_look_for() {
        let several = Pattern::new("a\nb", false).expect("two literals");
        let refused = several.one_literal("naive_loop").expect_err("two");
        assert_eq!(refused.kind(), io::ErrorKind::Unsupported);
        assert!(refused.to_string().contains("aho_corasick"), "{refused}");
        assert_eq!(several.literals("aho_corasick").expect("literals"), [b"a", b"b"]);
        let regex = Pattern::new("a+", true).expect("an expression");
        assert!(regex.literals("aho_corasick").expect_err("none").to_string().contains("regex"));
    }

    #[test]
    fn several_alternatives_are_one_expression() {
        let regex = Pattern::new("a.c\n^x|y$", true).expect("fine").compiled().expect("compiled");
        assert!(regex.is_match(b"--abc") && regex.is_match(b"x--") && regex.is_match(b"--y"));
        assert!(!regex.is_match(b"-x-"));
        let literals = Pattern::new("a.c\nb|d", false).expect("fine").compiled().expect("compiled");
        assert!(literals.is_match(b"a.c") && literals.is_match(b"b|d") && !literals.is_match(b"abc d"));
    }
}
