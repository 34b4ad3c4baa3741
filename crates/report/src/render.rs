//! A page in any format.

use crate::html;
use crate::markup::{self, asciidoc::AsciiDoc, markdown::Markdown, orgmode::Org};
use crate::page::Page;
use crate::text;

/// A format of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// AsciiDoc.
    Asciidoc,
    /// Emacs' Org mode.
    Orgmode,
    /// One document for other programs.
    Json,
    /// One file for a browser.
    Html,
}

/// Writes a page. `style` is that of the terminal, and of no other format.
pub fn render<P: Page + ?Sized>(page: &P, format: Format, style: &text::Style) -> String {
    let marked = || page.blocks(markup::EXTENT);
    match format {
        Format::Text => text::write(&page.blocks(style.extent()), style),
        Format::Markdown => markup::write::<Markdown>(&marked()),
        Format::Asciidoc => markup::write::<AsciiDoc>(&marked()),
        Format::Orgmode => markup::write::<Org>(&marked()),
        Format::Json => format!("{:#}", page.json()),
        Format::Html => {
            page.drawn().unwrap_or_else(|| html::of_blocks(&page.title(), &page.blocks(html::EXTENT)))
        }
    }
}
