//! A page in a format: the only place that knows all writers.

use crate::markup::{self, asciidoc::AsciiDoc, markdown::Markdown, orgmode::Org};
use crate::page::{Page, blocks::Extent};
use crate::{html, text};

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
    match format {
        Format::Text => text::write(&page.blocks(style.extent()), style),
        Format::Markdown => markup::write::<Markdown>(&page.blocks(Extent::MARKUP)),
        Format::Asciidoc => markup::write::<AsciiDoc>(&page.blocks(Extent::MARKUP)),
        Format::Orgmode => markup::write::<Org>(&page.blocks(Extent::MARKUP)),
        Format::Json => format!("{:#}", page.json()),
        Format::Html => {
            page.drawn().unwrap_or_else(|| html::of_blocks(&page.title(), &page.blocks(Extent::HTML)))
        }
    }
}
