//! The times of commands: the figures of the published *timep*, and how they spread when a command ran several times.

use super::{Paint, Style, ranking};
use crate::layout::{Align, Table, paragraph, plain};
use crate::pages::{Context, Spread, TimePage, TimedCommand};
use crate::phrase::counted;
use crate::units::{Scale, bytes, smallest};

const UNKNOWN: &str = "not known on this system";

/// One run: real, user, system and memory. Several runs: how they spread. Several commands: the comparison too.
pub fn time(page: &TimePage, style: &Style) -> String {
    let mut out = String::new();
    for (number, command) in page.commands.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        out.push_str(&style.painted(Paint::Title, &paragraph("", &command.command, style)));
        out.push_str(&match command.runs {
            0 => "  no run came to its end\n".to_owned(),
            1 => once(command, style),
            _ => often(command, style),
        });
        for failure in &command.failures {
            out.push_str(&style.painted(Paint::Bad, &paragraph("  failed: ", failure, style)));
        }
    }
    if let Some(compared) = &page.ranking {
        out.push('\n');
        out.push_str(&ranking(compared, &Context::default(), style));
    }
    out
}

fn once(command: &TimedCommand, style: &Style) -> String {
    let mut table = Table::new([("", Align::Left), ("", Align::Right)]);
    let scale = scale_of(command);
    let value =
        |spread: Option<Spread>| spread.map_or(UNKNOWN.to_owned(), |spread| scale.value(spread.median_ns));
    for (name, value) in [
        ("real", value(command.real)),
        ("user", value(command.user)),
        ("system", value(command.system)),
        ("memory", memory(command)),
    ] {
        table.row(vec![name.to_owned(), value], Paint::Plain, Vec::new());
    }
    table.render(style) + &counted_by(command, style)
}

fn often(command: &TimedCommand, style: &Style) -> String {
    let scale = scale_of(command);
    let mut table = Table::new([
        (scale.name.to_owned(), Align::Left),
        ("median".to_owned(), Align::Right),
        ("mean".to_owned(), Align::Right),
        ("min".to_owned(), Align::Right),
        ("".to_owned(), Align::Left),
        ("max".to_owned(), Align::Right),
    ]);
    for (name, spread) in [("real", command.real), ("user", command.user), ("system", command.system)] {
        let cells = match spread {
            None => vec![
                name.to_owned(),
                "?".to_owned(),
                "?".to_owned(),
                "?".to_owned(),
                "..".to_owned(),
                "?".to_owned(),
            ],
            Some(spread) => vec![
                name.to_owned(),
                scale.number(spread.median_ns),
                scale.number(spread.mean_ns),
                scale.number(spread.min_ns),
                "..".to_owned(),
                scale.number(spread.max_ns),
            ],
        };
        table.row(cells, Paint::Plain, Vec::new());
    }
    let rest = format!("{}, largest memory {}", counted(command.runs.into(), "run"), memory(command));
    table.render(style) + &paragraph("  ", &rest, style) + &counted_by(command, style)
}

/// One unit for all times of a command: that of the smallest real time. System time is often a small part of it.
fn scale_of(command: &TimedCommand) -> Scale {
    Scale::of_ns(smallest(command.real.map(|real| real.min_ns)).unwrap_or(0.0)).finer(3)
}

fn memory(command: &TimedCommand) -> String {
    command.peak_memory_bytes.map_or(UNKNOWN.to_owned(), |peak| bytes(peak as f64))
}

fn counted_by(command: &TimedCommand, style: &Style) -> String {
    let text = match &command.counted_by {
        Some(means) => format!("user, system and memory of all its processes counted by {}", plain(means)),
        None => "how its descendants were counted is not known".to_owned(),
    };
    style.painted(Paint::Faint, &paragraph("  ", &text, style))
}
