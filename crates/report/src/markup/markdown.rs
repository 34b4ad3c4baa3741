//! Pages as GitHub-flavoured Markdown.

use findings::Judged;
use judge::{ComparedRuns, Decided, History};
use model::{Host, Record, Summary, Volume};

use crate::markup::{self, EXTENT, Markup};
use crate::page;
use crate::page::blocks::{Align, Extent, Page};
use crate::pages::{AdvicePage, Code, Context, ExplainPage, Listing, NoisePage, ShowPage, TimePage};
use crate::text::layout::plain;

/// All contests of a run and what a reader must know of it, with the families' questions and the place where it is stored.
pub fn run(record: &Record, decided: &Decided, context: &Context) -> String {
    write(&page::run(record, decided, context, EXTENT))
}

/// Contests of samples that no run took.
pub fn judged(decided: &Decided) -> String {
    write(&page::judged(decided, EXTENT))
}

/// The techniques of each family, and why one is not available here.
pub fn list(listings: &[Listing]) -> String {
    write(&page::list(listings, Extent { verbose: true, ..EXTENT }))
}

/// What this machine is, and what it will do to the numbers.
pub fn host(host: &Host, volumes: &[Volume]) -> String {
    write(&page::host(host, volumes))
}

/// What techniques did, untimed, a section for each family.
pub fn explain(pages: &[ExplainPage]) -> String {
    write(&page::explain(pages, EXTENT))
}

/// One technique, with its code as it is.
pub fn show(page: &ShowPage) -> String {
    // The code of a technique holds no fence.
    let mut shown = format!("{}\n```rust\n{}\n```\n", write(&page::show(page, EXTENT)), page.code.trim_end());
    for Code { file, code } in &page.further {
        shown += &format!("\n## further code: {file}\n\n```rust\n{}\n```\n", code.trim_end());
    }
    shown
}

/// The times of a command.
pub fn time(page: &TimePage) -> String {
    write(&page::time(page))
}

/// The smallest difference a host can resolve, a row for each length of sample.
pub fn noise(page: &NoisePage) -> String {
    write(&page::noise(page))
}

/// One host over time.
pub fn history(history: &History) -> String {
    write(&page::history(history, EXTENT))
}

/// What to use for a task.
pub fn advise(advice: &AdvicePage) -> String {
    write(&page::advise(advice, EXTENT))
}

/// Several runs side by side.
pub fn compare(compared: &ComparedRuns) -> String {
    write(&page::compare(compared, EXTENT))
}

/// Published claims, and whether they are true here.
pub fn findings(judged: &[Judged]) -> String {
    write(&page::findings(judged, EXTENT))
}

/// The stored runs, in the order given.
pub fn runs(summaries: &[Summary]) -> String {
    write(&page::runs(summaries))
}

/// GitHub-flavoured Markdown.
struct Markdown;

impl Markup for Markdown {
    const ITEM: &'static str = "-";

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
        let code = match text.contains('`') {
            true => format!("`` {text} ``"),
            false => format!("`{text}`"),
        };
        // A pipe cuts the cell even inside code (GFM 4.10).
        code.replace('|', "\\|")
    }

    fn heading(text: &str) -> String {
        format!("### {text}")
    }

    fn strong(text: &str) -> String {
        format!("**{text}**")
    }

    fn grid(heads: &[(String, Align)], rows: &[Vec<String>]) -> String {
        let (titles, rows) = markup::lines(heads, rows, " |");
        let aligned: String = markup::aligned(heads, ":--|", "--:|").collect();
        format!("{titles}|{aligned}\n{rows}")
    }
}

fn write(page: &Page) -> String {
    markup::write::<Markdown>(page)
}

#[cfg(test)]
mod tests;
