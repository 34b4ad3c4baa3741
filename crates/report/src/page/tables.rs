//! Pages that are a table or two: a machine, a listing, noise, the kept runs, a command.

use super::Page;
use super::blocks::{Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use crate::json;
use crate::pages::{HostPage, Listing, NoisePage, NoiseRow, TimePage};
use crate::words::units::{BELOW_TICK, Scale, bytes, percent};
use crate::words::{advice, facts, phrase};
use model::{Summary, format_ns};
use serde_json::{Value, json};

impl Page for HostPage<'_> {
    fn title(&self) -> String {
        "This machine".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        let Self { host, volumes } = *self;
        let sections = facts::of(host, volumes).into_iter().map(|(title, lines)| {
            let mut table = Table::of("< | ~");
            lines.into_iter().for_each(|(name, value)| table.row([name.to_owned(), value], Tone::Plain));
            vec![Block::heading(title), Block::Table(table)]
        });
        let found = advice::of(host, volumes).into_iter().map(|one| one.text);
        let found: Vec<Remark> = Remark::each("", found, Tone::Plain).collect();
        let nothing = "Nothing that is known of it disturbs a measurement.".to_owned();
        let is_quiet = found.is_empty();
        let found = if is_quiet { Block::Sentence(nothing, Tone::Plain) } else { Block::Remarks(found) };
        let heading = Block::heading("what this machine will do to the numbers");
        sections.chain([vec![heading, found]]).collect()
    }

    fn json(&self) -> Value {
        json::host(self.host, self.volumes)
    }
}

impl Page for [Listing] {
    fn title(&self) -> String {
        "Techniques".to_owned()
    }

    fn blocks(&self, extent: Extent) -> Sections {
        match self {
            [_, _, ..] if extent.hints => vec![overview(self)],
            _ => self.iter().map(one).collect(),
        }
    }

    fn json(&self) -> Value {
        json::list(self)
    }
}

fn overview(listings: &[Listing]) -> Section {
    let mut table = Table::of("< family | ~ question | > techniques | > available here");
    for Listing { family, question, rows, .. } in listings {
        let available = rows.iter().filter(|row| row.available.is_ok()).count();
        let cells = [family.clone(), question.clone(), rows.len().to_string(), available.to_string()];
        table.row(cells, Tone::Plain);
    }
    let next = [
        ("techniques of a family", "bakeoff list copy"),
        ("how one works", "bakeoff show copy/read_write"),
        ("measure a family", "bakeoff run copy"),
    ];
    let next = next.map(|(head, command)| Remark::new(head, command, Tone::Plain)).into();
    vec![Block::Table(table), Block::Remarks(next)]
}

fn one(listing: &Listing) -> Section {
    let mut section = vec![Block::heading(format!("{}: {}", listing.family, listing.question))];
    let mut table = Table::of("< technique | < published as | < here | ~ idea");
    for row in &listing.rows {
        let mut notes: Vec<String> = row.variant_of.iter().map(|base| format!("variant of {base}")).collect();
        if let Err(reason) = &row.available {
            notes.push(format!("not here: {reason}"));
        }
        notes.push(format!("from: {}", row.source));
        let (word, tone) = if row.available.is_ok() { ("ready", Tone::Plain) } else { ("no", Tone::Faint) };
        let cells = vec![
            Cell::Names(vec![row.name.clone()]),
            Cell::Names(row.aliases.clone()),
            word.into(),
            row.idea.clone().into(),
        ];
        table.rows.push(Row { cells, tone, notes, bar: None });
    }
    let none = Block::Sentence("no technique".to_owned(), Tone::Plain);
    section.push(if listing.rows.is_empty() { none } else { Block::Table(table) });
    let size = listing.size.iter().map(|size| {
        let text = format!("size of what it works on (by default {size})");
        Remark::new(format!("--size {size}"), text, Tone::Plain)
    });
    let axes = listing.axes.iter().map(|axis| {
        let shown = axis.default.as_ref().unwrap_or(&axis.example);
        let default = axis.default.as_ref();
        let default = default.map_or("not set by default".to_owned(), |value| format!("by default {value}"));
        let mut said = vec![default];
        said.extend(axis.range.as_ref().map(|(least, most)| format!("from {least} to {most}")));
        let text = format!("{} ({})", axis.meaning, said.join("; "));
        Remark::new(format!("--set {}={shown}", axis.name), text, Tone::Plain)
    });
    let metrics = listing.metrics.iter();
    let metrics =
        metrics.map(|(name, what)| Remark::new(format!("--metric {name}"), what.as_str(), Tone::Plain));
    section.push(Block::Remarks(size.chain(axes).chain(metrics).collect()));
    section
}

impl Page for NoisePage {
    fn title(&self) -> String {
        "The smallest difference this host can resolve".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        let title = "The smallest difference this host can resolve: identical techniques against each other";
        let mut table = Table::of(
            "> a sample takes | > rounds | > smallest difference | > twins differ by \
             | > spread | ~ the instrument",
        );
        for row in &self.rows {
            let NoiseRow { sample_ns, rounds, smallest, measured_floor, robust_spread, told_apart } = *row;
            let [smallest, floor, spread] = [smallest, measured_floor, robust_spread]
                .map(|fraction| fraction.map_or("?".to_owned(), percent));
            let sample = sample_ns.map_or("?".to_owned(), format_ns);
            let instrument = phrase::instrument(rounds, told_apart).to_owned();
            let cells = [sample, rounds.to_string(), smallest, floor, spread, instrument];
            table.row(cells, if told_apart { Tone::Bad } else { Tone::Plain });
        }
        let notes = Remark::each("note", &self.notes, Tone::Doubt);
        let controls = Remark::new("controls", phrase::noise_controls(self), Tone::Faint);
        let remarks = notes.chain([controls]).collect();
        vec![vec![Block::heading(title), Block::Table(table), Block::Remarks(remarks)]]
    }

    fn json(&self) -> Value {
        json::document(self)
    }
}

impl Page for [Summary] {
    fn title(&self) -> String {
        "Stored runs".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        if self.is_empty() {
            let text = "No run is stored yet: bakeoff run makes the first.";
            return vec![vec![Block::Sentence(text.to_owned(), Tone::Plain)]];
        }
        let mut table = Table {
            spare: vec![2, 1],
            name_columns: 20,
            ..Table::of("< run | < began | < host | ~ command | <")
        };
        for run in self {
            let (word, tone) = if run.complete { ("", Tone::Plain) } else { ("incomplete", Tone::Doubt) };
            // An imported run may lack its command.
            let words = run.command.get(1..).unwrap_or(&run.families).iter().map(String::as_str);
            let texts = [
                run.started.get(..16).unwrap_or(&run.started).replace('T', " "),
                run.host.clone().unwrap_or("?".to_owned()),
                phrase::command_line(words),
                word.to_owned(),
            ];
            let id = Cell::Names(vec![run.id.to_string()]);
            table.cells(std::iter::once(id).chain(texts.map(Cell::from)), tone);
        }
        vec![vec![Block::Table(table)]]
    }

    fn json(&self) -> Value {
        json!(self)
    }
}

const UNKNOWN: &str = "not known";

impl Page for TimePage {
    fn title(&self) -> String {
        "Times of a command".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        let figures = match self.real_ns {
            None => Block::Sentence("it did not run to its end".to_owned(), Tone::Plain),
            Some(_) => Block::Table(figures(self)),
        };
        let failures = Remark::each("failed", &self.failures, Tone::Bad).collect();
        vec![vec![Block::heading(self.command.as_str()), figures, Block::Remarks(failures)]]
    }

    fn json(&self) -> Value {
        json::document(self)
    }
}

/// Returns the figures with one unit for all times: that of the real time. System time is often a small part of it.
fn figures(page: &TimePage) -> Table {
    let scale = Scale::of_ns(page.real_ns.unwrap_or(0) as f64).finer(3);
    let mut table = Table::of("< | >");
    for (name, ns) in [("real", page.real_ns), ("user", page.user_ns), ("system", page.system_ns)] {
        let time = match ns {
            None => UNKNOWN.to_owned(),
            Some(0) => BELOW_TICK.to_owned(),
            Some(ns) => scale.value(ns as f64),
        };
        table.row([name.to_owned(), time], Tone::Plain);
    }
    let memory = page.peak_memory_bytes.map_or(UNKNOWN.to_owned(), |peak| bytes(peak as f64));
    table.row(["memory".to_owned(), memory], Tone::Plain);
    table.below = Some(match &page.counted_by {
        Some(means) => format!("counted by {means}"),
        None => "how its descendants were counted is not known".to_owned(),
    });
    table
}
