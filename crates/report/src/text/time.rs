//! The times of a command: the figures of the published *timep*.

use super::{Paint, Style};
use crate::layout::{Align, Table, paragraph, plain};
use crate::pages::TimePage;
use crate::units::{Scale, bytes};

const UNKNOWN: &str = "not known on this system";

/// Real, user and system time and memory.
pub fn time(page: &TimePage, style: &Style) -> String {
    let mut out = style.painted(Paint::Title, &paragraph("", &page.command, style));
    out.push_str(&match page.real_ns {
        None => "  it did not run to its end\n".to_owned(),
        Some(_) => figures(page, style),
    });
    for failure in &page.failures {
        out.push_str(&style.painted(Paint::Bad, &paragraph("  failed: ", failure, style)));
    }
    out
}

/// One unit for all times: that of the real time. System time is often a small part of it.
fn figures(page: &TimePage, style: &Style) -> String {
    let scale = Scale::of_ns(page.real_ns.unwrap_or(0) as f64).finer(3);
    let time = |ns: Option<u64>| ns.map_or(UNKNOWN.to_owned(), |ns| scale.value(ns as f64));
    let memory = page.peak_memory_bytes.map_or(UNKNOWN.to_owned(), |peak| bytes(peak as f64));
    let mut table = Table::new([("", Align::Left), ("", Align::Right)]);
    let rows = [
        ("real", time(page.real_ns)),
        ("user", time(page.user_ns)),
        ("system", time(page.system_ns)),
        ("memory", memory),
    ];
    for (name, value) in rows {
        table.row(vec![name.to_owned(), value], Paint::Plain, Vec::new());
    }
    let counted_by = match &page.counted_by {
        Some(means) => format!("user, system and memory of all its processes counted by {}", plain(means)),
        None => "how its descendants were counted is not known".to_owned(),
    };
    table.render(style) + &style.painted(Paint::Faint, &paragraph("  ", &counted_by, style))
}
