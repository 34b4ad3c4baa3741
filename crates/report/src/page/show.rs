//! One technique: its idea, what it does, where it stood, its code, and that of the files of which it takes what it does.
use serde_json::Value;

use super::Page;
use super::blocks::{Block, Cell, Extent, Row, Section, Sections, Table, Tone};
use super::explain::what_they_did;
use crate::json;
use crate::pages::{Code, ShowPage, Stood};
use crate::words::explain::expected_and_broken;
use crate::words::phrase;

impl Page for ShowPage {
    fn title(&self) -> String {
        format!("{}/{}", self.family, self.technique)
    }

    fn blocks(&self, extent: Extent) -> Sections {
        let mut sections = vec![about(self)];
        let heading = "what it does here";
        sections.push(if let Some(explained) = &self.explained {
            let conditions = Some(phrase::of_task(&explained.workload, &explained.setting));
            let mut done = vec![Block::Heading { text: heading.to_owned(), conditions }];
            done.extend(what_they_did(explained, extent));
            done
        } else {
            let reason = self.not_explained.as_deref().unwrap_or("it was not tried");
            let text = format!("What it does is not known here: {reason}");
            vec![Block::heading(heading), Block::Sentence(text, Tone::Doubt)]
        });
        sections.push(stood(self));
        sections.push(vec![Block::heading(format!("its code: crates/families/src/{}", self.file))]);
        let further = self.further.iter().map(|one| further(one, extent.all || !extent.hints));
        let code = Block::Code { summary: None, code: self.code.clone() };
        sections.extend(std::iter::once(code).chain(further).map(|code| vec![code]));
        sections
    }

    fn json(&self) -> Value {
        json::show(self)
    }
}

fn about(page: &ShowPage) -> Section {
    let mut table = Table::of("< | ~");
    let calls: Vec<String> = page.expected.iter().map(|call| expected_and_broken(call).0).collect();
    for (name, value) in [
        ("idea", page.idea.clone()),
        ("published as", page.aliases.join(", ")),
        ("from", page.source.clone()),
        ("variant of", page.variant_of.clone().unwrap_or_default()),
        ("only for", page.only_for.join("; ")),
        ("parameters", page.parameters.join(", ")),
        ("by default", if page.parameters.is_empty() { String::new() } else { page.entries.join(", ") }),
        ("system calls", calls.join(", ")),
        ("needs", page.needs.clone()),
        ("here", page.missing.as_ref().map_or("ready".to_owned(), |reason| format!("no: {reason}"))),
    ] {
        if !value.is_empty() {
            table.row([name.to_owned(), value], Tone::Plain);
        }
    }
    let role = match (page.is_baseline, page.is_ceiling) {
        (true, _) => " (the baseline)",
        (_, true) => " (a ceiling: it does not compete)",
        _ => "",
    };
    let heading = format!("{}/{}{role}", page.family, page.technique);
    vec![Block::Heading { text: heading, conditions: Some(page.question.clone()) }, Block::Table(table)]
}

fn stood(page: &ShowPage) -> Section {
    let mut table = Table::of("< run | ~ contest | < as | < slower by | < | < leader");
    table.rows = page.contests.iter().map(|stood| contest(stood, &page.technique)).collect();
    table.below = (page.further_contests > 0)
        .then(|| format!("and {} in earlier runs", phrase::counted(page.further_contests, "contest")));
    let rows = if page.contests.is_empty() {
        Block::Sentence("No kept run has compared it.".to_owned(), Tone::Plain)
    } else {
        Block::Table(table)
    };
    vec![Block::heading("where it stood in the kept runs"), rows]
}

fn contest(stood: &Stood, technique: &str) -> Row {
    let Stood { run, ranking, entry, .. } = stood;
    let found = ranking.entry(entry);
    let (factor, interval) = found.map(|found| phrase::factor(found, ranking)).unwrap_or_default();
    let standing = found.map(|found| phrase::standing(found, ranking)).unwrap_or_default();
    let leads = ranking.leader.as_ref() == Some(entry);
    let leader = ranking.leader.as_deref().filter(|_| !leads).unwrap_or_default();
    let task =
        [phrase::workload_in(&ranking.workload, &ranking.setting), phrase::setting(&ranking.setting, false)];
    let cells = vec![
        // The beginning of a run's name names it as long as it is the only one of its second.
        Cell::Names(vec![run.split('.').next().unwrap_or(run).to_owned()]),
        phrase::filled(task, ", ").into(),
        Cell::Names(if entry == technique { Vec::new() } else { vec![entry.clone()] }),
        Cell::Estimate(factor, interval),
        standing.into(),
        leader.into(),
    ];
    Row { cells, tone: if leads { Tone::Good } else { Tone::Plain }, ..Row::default() }
}

/// Of each further file this many lines are printed where the reader has not asked for all.
const FOLD_LINES: usize = 40;

fn further(one: &Code, all: bool) -> Block {
    let count = one.code.lines().count();
    let heading = format!("further code: {}", one.file);
    if all || count <= FOLD_LINES {
        return Block::Code { summary: Some(heading), code: one.code.clone() };
    }
    let code = one.code.lines().take(FOLD_LINES).flat_map(|line| [line, "\n"]).collect();
    let summary = format!("{heading}, {FOLD_LINES} of {count} lines (--all shows them)");
    Block::Code { summary: Some(summary), code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_further_file_is_cut_unless_all_is_asked_for() {
        for (count, all, heading, lines) in [
            (FOLD_LINES + 1, false, "further code: a.rs, 40 of 41 lines (--all shows them)", FOLD_LINES),
            (FOLD_LINES + 1, true, "further code: a.rs", FOLD_LINES + 1),
            (FOLD_LINES, false, "further code: a.rs", FOLD_LINES),
        ] {
            let file = Code { file: "a.rs".to_owned(), code: "//\n".repeat(count) };
            let Block::Code { summary, code } = further(&file, all) else { unreachable!() };
            assert_eq!((summary.as_deref(), code.lines().count()), (Some(heading), lines));
        }
    }
}
