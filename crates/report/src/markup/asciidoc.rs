//! The page of a run as AsciiDoc.

use crate::markup::{self, Markup};
use crate::page::blocks::Align;
use crate::text::layout::plain;

/// Whatever might be markup is written as the number of its character: a backslash stays visible where there was nothing to
/// escape, and in a table a pipe cuts the cell before anything else is looked at.
pub(crate) struct AsciiDoc;

impl Markup for AsciiDoc {
    const ITEM: &'static str = "*";
    const HEADING: &'static str = "==";
    const STRONG: &'static str = "**";
    const CODE: [&'static str; 2] = ["[source,rust]\n----", "----"];

    fn prose(text: &str) -> String {
        let mut out = String::new();
        let mut before = ' ';
        for c in plain(text).chars() {
            let is_markup = match c {
                '<' | '>' | '&' | '|' | '*' | '`' | '#' | '^' | '~' | '+' | '{' | '}' | '[' | ']' | '\\'
                | '"' | '\'' => true,
                // Inside a word an underscore is itself, and names are full of them.
                '_' => !before.is_alphanumeric(),
                // Dashes and points that would be drawn as others; what begins a block.
                '-' | '.' | '=' | '/' => before == c || out.is_empty(),
                // (C), (R) and (TM) would become signs.
                ')' => ["(C", "(R", "(TM"].iter().any(|sign| out.ends_with(sign)),
                _ => false,
            };
            if is_markup {
                out.push_str(&format!("&#{};", u32::from(c)))
            } else {
                out.push(c)
            }
            before = c;
        }
        out
    }

    fn code_cell(text: &str) -> String {
        format!("`{}`", Self::prose(text))
    }

    fn grid(heads: &[(String, Align)], rows: &[Vec<String>]) -> String {
        let aligned: Vec<&str> = markup::aligned(heads, "<", ">").collect();
        // The blank in front of each further bar keeps a unit from being taken for the style of the next cell.
        let (titles, rows) = markup::lines(heads, rows, "");
        format!("[%header,cols=\"{}\"]\n|===\n{titles}{rows}|===\n", aligned.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_text_is_taken_for_markup() {
        assert_eq!(AsciiDoc::prose("read_write@256K of _x_"), "read_write@256K of &#95;x_");
        assert_eq!(AsciiDoc::prose("a|b *c* {d}"), "a&#124;b &#42;c&#42; &#123;d&#125;");
        assert_eq!(AsciiDoc::prose("cp -- a... (C)"), "cp -&#45; a.&#46;&#46; (C&#41;");
        assert_eq!(AsciiDoc::prose("./a"), "&#46;/a", "a point at the start of a line begins a title");
    }
}
