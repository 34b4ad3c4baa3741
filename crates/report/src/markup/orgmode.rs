//! The page of a run for Emacs' Org mode.

use crate::markup::{self, Markup};
use crate::page::blocks::Align;
use crate::text::layout::plain;

/// Org knows no escapes: whatever might be markup is written as the entity of its character.
pub(crate) struct Org;

impl Markup for Org {
    const ITEM: &'static str = "-";
    const HEADING: &'static str = "*";
    const STRONG: &'static str = "*";
    const CODE: [&'static str; 2] = ["#+BEGIN_SRC rust", "#+END_SRC"];
    /// Without it, what follows an underscore is set lower.
    const PREFACE: &'static str = "#+OPTIONS: ^:{}\n\n";

    fn prose(text: &str) -> String {
        let mut out = String::new();
        let mut before = ' ';
        for c in plain(text).chars() {
            // Emphasis begins behind a blank or a bracket only: inside a word its marks are themselves.
            let begins = !before.is_alphanumeric();
            match c {
                '|' => out.push_str("\\vert{}"),
                '\\' => out.push_str("\\backslash{}"),
                '[' => out.push_str("\\lbrack{}"),
                ']' => out.push_str("\\rbrack{}"),
                '{' => out.push_str("\\lbrace{}"),
                '}' => out.push_str("\\rbrace{}"),
                '<' => out.push_str("\\lt{}"),
                '>' => out.push_str("\\gt{}"),
                '#' => out.push_str("\\num{}"),
                '~' if begins => out.push_str("\\tilde{}"),
                '*' if begins => out.push_str("\\ast{}"),
                '/' if begins => out.push_str("\\slash{}"),
                '_' if begins => out.push_str("\\under{}"),
                '=' if begins => out.push_str("\\equal{}"),
                '+' if begins => out.push_str("\\plus{}"),
                c => out.push(c),
            }
            before = c;
        }
        out
    }

    fn code_cell(text: &str) -> String {
        let text = plain(text);
        // A pipe cuts the cell even inside code, where no entity is one.
        match (text.contains('|'), text.contains('=')) {
            (true, _) => Self::prose(&text),
            (false, true) => format!("~{text}~"),
            (false, false) => format!("={text}="),
        }
    }

    fn grid(heads: &[(String, Align)], rows: &[Vec<String>]) -> String {
        let (titles, rows) = markup::lines(heads, rows, " |");
        let aligned = markup::line(markup::aligned(heads, "<l>", "<r>"), " |");
        let rule = format!("|{}|\n", vec!["---"; heads.len()].join("+"));
        format!("{titles}{rule}{aligned}{rows}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_text_is_taken_for_markup() {
        assert_eq!(Org::prose("copy/read_write@256K of _x_"), "copy/read_write@256K of \\under{}x_");
        assert_eq!(Org::prose("a|b *c* [d]"), "a\\vert{}b \\ast{}c* \\lbrack{}d\\rbrack{}");
        assert_eq!(Org::code_cell("sort -k=1"), "~sort -k=1~");
        assert_eq!(Org::code_cell("a|b"), "a\\vert{}b");
    }
}
