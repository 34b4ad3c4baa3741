//! Pages as GitHub-flavoured Markdown.

use crate::markup::{self, Markup};
use crate::page::blocks::Align;
use crate::text::layout::plain;

/// GitHub-flavoured Markdown.
pub(crate) struct Markdown;

impl Markup for Markdown {
    const ITEM: &'static str = "-";
    const HEADING: &'static str = "###";
    const STRONG: &'static str = "**";
    /// The code of a technique holds no fence.
    const CODE: [&'static str; 2] = ["```rust", "```"];

    fn prose(text: &str) -> String {
        let mut out = String::new();
        for c in plain(text).chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '&' => out.push_str("&amp;"),
                '\\' | '`' | '*' | '[' | ']' | '|' | '#' | '~' => {
                    out.push('\\');
                    out.push(c);
                }
                // Inside a word an underscore is itself (CommonMark 6.2), and names are full of them.
                '_' if out.ends_with(|before: char| before.is_alphanumeric()) => out.push('_'),
                '_' => out.push_str("\\_"),
                c => out.push(c),
            }
        }
        out
    }

    fn code_cell(text: &str) -> String {
        let text = plain(text);
        let code = if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") };
        // A pipe cuts the cell even inside code (GFM 4.10).
        code.replace('|', "\\|")
    }

    fn grid(heads: &[(String, Align)], rows: &[Vec<String>]) -> String {
        let (titles, rows) = markup::lines(heads, rows, " |");
        let aligned: String = markup::aligned(heads, ":--|", "--:|").collect();
        format!("{titles}|{aligned}\n{rows}")
    }
}

#[cfg(test)]
mod tests;
