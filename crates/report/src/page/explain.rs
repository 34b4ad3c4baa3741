//! What techniques did: their system calls side by side, faults, switches, and bytes at the device.

use judge::SCHEMA;
use model::Account;
use serde_json::{Value, json};

use super::Page;
use super::blocks::{Align, Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use crate::json;
use crate::pages::ExplainPage;
use crate::words::explain::{self, MOST_BESIDE, Seen, all_calls, figure, of, sentence, why};
use crate::words::phrase;
use crate::words::units::{bytes, grouped};

impl Page for [ExplainPage] {
    fn title(&self) -> String {
        "What techniques do".to_owned()
    }

    fn blocks(&self, extent: Extent) -> Sections {
        self.iter().map(|page| one(page, extent)).collect()
    }

    fn json(&self) -> Value {
        let mut families = json::value_of(&self);
        for (nth, page) in self.iter().enumerate() {
            for (key, text) in [("why", all_why(page)), ("leader_of", page.of.as_ref().map(of))] {
                if let Some(text) = text {
                    families[nth][key] = json!(text);
                }
            }
        }
        json!({ "schema": SCHEMA, "families": families })
    }
}

fn all_why(page: &ExplainPage) -> Option<String> {
    phrase::joined(page.why.iter().map(why), " ")
}

fn one(page: &ExplainPage, extent: Extent) -> Section {
    let text = match phrase::workload_in(&page.workload, &page.setting) {
        workload if workload.is_empty() => format!("{}: {}", page.family, page.question),
        workload => format!("{}, {workload}: {}", page.family, page.question),
    };
    let conditions = Some(phrase::setting(&page.setting, true)).filter(|text| !text.is_empty());
    let mut section = vec![Block::Heading { text, conditions }];
    section.extend(what_they_did(page, extent));
    section
}

pub(crate) fn what_they_did(page: &ExplainPage, extent: Extent) -> Section {
    let seen: Vec<Seen<'_>> = page.techniques.iter().filter_map(Seen::of).collect();
    let mut section = Section::new();
    let answer = all_why(page).or_else(|| sentence(&seen));
    section.extend(answer.map(|text| Block::Answer(text, Tone::Plain)));
    let is_beside = seen.len() <= MOST_BESIDE;
    section.push(Block::Table(sums(page, !is_beside, extent)));
    if is_beside {
        section.push(Block::Table(side_by_side(&seen)));
    }
    section.push(Block::Remarks(remarks(page, &seen)));
    section
}

fn sums(page: &ExplainPage, with_calls: bool, extent: Extent) -> Table {
    let mut table = Table::of(
        "< technique | > system calls | > failed | > reads | > writes | > processes | > threads \
         | > page faults | > switches | > from device | > to device",
    );
    table.spare = vec![2, 5, 6];
    for technique in &page.techniques {
        let mut notes = Vec::new();
        let (figures, tone) = match &technique.account {
            Some(account) => {
                if with_calls {
                    notes.extend(account.calls.as_deref().filter(|calls| !calls.is_empty()).map(all_calls));
                }
                notes.extend(account.notes.iter().cloned());
                (figures(account), Tone::Plain)
            }
            None => {
                let word = if technique.is_missing { "not here" } else { "failed" };
                let failure = technique.failure.as_deref().unwrap_or("it is not known why");
                notes.push(format!("{word}: {failure}"));
                (Default::default(), if technique.is_missing { Tone::Faint } else { Tone::Bad })
            }
        };
        if extent.verbose {
            notes.push(technique.idea.clone());
        }
        let name = Cell::Names(vec![technique.name.clone()]);
        let cells = std::iter::once(name).chain(figures.map(Cell::from)).collect();
        table.rows.push(Row { cells, tone, notes, bar: None });
    }
    table
}

fn figures(account: &Account) -> [String; 10] {
    let size = |value: Option<u64>| value.map_or(String::new(), |value| bytes(value as f64));
    let (usage, counters) = (&account.usage, &account.counters);
    let errors = account.calls.as_ref().map(|calls| calls.iter().map(|call| call.errors).sum());
    // The trace reports more than the counters.
    let is_traced = account.calls.is_some();
    // Where nothing is started, nothing needs to be said.
    let above_zero = |value: Option<u64>| number(value.filter(|&value| value > 0));
    [
        number(account.calls_made()),
        above_zero(errors),
        number(counters.read_calls.filter(|_| !is_traced)),
        number(counters.write_calls.filter(|_| !is_traced)),
        above_zero(account.processes),
        above_zero(account.threads),
        number(usage.minor_faults.zip(usage.major_faults).map(|(minor, major)| minor + major)),
        number(usage.voluntary_switches.zip(usage.involuntary_switches).map(|(own, other)| own + other)),
        size(usage.read_bytes),
        size(usage.written_bytes),
    ]
}

fn number(value: Option<u64>) -> String {
    value.map_or(String::new(), grouped)
}

fn side_by_side(seen: &[Seen<'_>]) -> Table {
    let name = |one: &Seen<'_>| one.technique.name.clone() + if one.is_cut { " (a part)" } else { "" };
    let names = seen.iter().map(|one| (name(one), Align::Right));
    let mut table = Table::new(std::iter::once(("system call".to_owned(), Align::Left)).chain(names));
    let mut calls: Vec<(&str, u64)> = Vec::new();
    for call in seen.iter().flat_map(|one| one.calls) {
        match calls.iter_mut().find(|(name, _)| *name == call.name) {
            Some((_, most)) => *most = (*most).max(call.calls),
            None => calls.push((&call.name, call.calls)),
        }
    }
    calls.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    for (name, _) in calls {
        let figures = seen.iter().map(|one| {
            let call = one.calls.iter().find(|call| call.name == name);
            call.map_or(String::new(), figure)
        });
        table.row(std::iter::once(name.to_owned()).chain(figures), Tone::Plain);
    }
    table
}

fn remarks(page: &ExplainPage, seen: &[Seen<'_>]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for technique in page.techniques.iter().filter(|technique| !technique.broken.is_empty()) {
        let text = format!(
            "{} does not do what its idea names ({}): {}",
            technique.name,
            technique.idea,
            technique
                .broken
                .iter()
                .map(|call| explain::expected_and_broken(call).1)
                .collect::<Vec<_>>()
                .join(", ")
        );
        remarks.push(Remark::new("broken", text, Tone::Bad));
    }
    let unseen =
        page.techniques.iter().filter_map(|one| Some((one.account.as_ref()?.unseen.as_ref()?, &*one.name)));
    for (reason, names) in phrase::by_key(unseen) {
        let of = if names.len() == page.techniques.len() { "".to_owned() } else { names.join(", ") + ": " };
        let text = format!(
            "{of}the system calls were not seen: {reason}; reads and writes are the system's own counts"
        );
        remarks.push(Remark::new("not seen", text, Tone::Doubt));
    }
    if seen.iter().flat_map(|one| one.calls).any(|call| call.requests.is_some_and(|number| number > 0)) {
        let text = "the kernel carries out what was handed over as requests without further calls: their bytes are \
                    not counted";
        remarks.push(Remark::new("not seen", text, Tone::Plain));
    }
    remarks.extend(Remark::each("a part", explain::part(page), Tone::Doubt));
    remarks.extend(Remark::each("kept run", page.of.as_ref().map(of), Tone::Plain));
    if page.ends_before_the_flush {
        let text = "the clock of this setting stops when all is on the device; the flush behind the work, the same for all, is \
                    not done here and not counted";
        remarks.push(Remark::new("not counted", text, Tone::Plain));
    }
    if !seen.is_empty() {
        let text = "system calls of one untimed repetition, from its begin to its end; faults, switches and bytes at \
                    the device of another one that was not traced";
        remarks.push(Remark::new("counted", text, Tone::Faint));
    }
    remarks
}

#[cfg(test)]
mod tests;
