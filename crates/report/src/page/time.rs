//! The times of a command: the figures of the published *timep*.
use serde_json::Value;

use super::Page;
use super::blocks::{Align, Block, Extent, Remark, Sections, Table, Tone};
use crate::json;
use crate::pages::TimePage;
use crate::words::units::{Scale, bytes};

const UNKNOWN: &str = "not known on this system";
/// No command takes none: what is told as 0 was not seen by the counter.
const BELOW_TICK: &str = "less than a tick";

/// Real, user and system time and memory.
impl Page for TimePage {
    fn title(&self) -> String {
        "Times of a command".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        let figures = match self.real_ns {
            None => Block::Sentence("it did not run to its end".to_owned(), Tone::Plain),
            Some(_) => Block::Table(figures(self)),
        };
        let failures = self.failures.iter().map(|failure| Remark::new("failed", failure.as_str(), Tone::Bad));
        vec![vec![Block::heading(self.command.as_str()), figures, Block::Remarks(failures.collect())]]
    }

    fn json(&self) -> Value {
        json::document(self)
    }
}

/// One unit for all times: that of the real time. System time is often a small part of it.
fn figures(page: &TimePage) -> Table {
    let scale = Scale::of_ns(page.real_ns.unwrap_or(0) as f64).finer(3);
    let time = |ns: Option<u64>| match ns {
        None => UNKNOWN.to_owned(),
        Some(0) => BELOW_TICK.to_owned(),
        Some(ns) => scale.value(ns as f64),
    };
    let memory = page.peak_memory_bytes.map_or(UNKNOWN.to_owned(), |peak| bytes(peak as f64));
    let mut table = Table::new([("", Align::Left), ("", Align::Right)]);
    let rows = [
        ("real", time(page.real_ns)),
        ("user", time(page.user_ns)),
        ("system", time(page.system_ns)),
        ("memory", memory),
    ];
    for (name, value) in rows {
        table.row([name.to_owned(), value], Tone::Plain);
    }
    table.below = Some(match &page.counted_by {
        Some(means) => format!("user, system and memory of all its processes counted by {means}"),
        None => "how its descendants were counted is not known".to_owned(),
    });
    table
}
