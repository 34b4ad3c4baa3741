//! One host over time.

use judge::{Course, History, HistoryLine};
use serde_json::Value;

use super::Page;
use super::blocks::{Block, Cell, Extent, Row, Sections, Table, Tone};
use crate::json;
use crate::words::compare::times;
use crate::words::history::{answer, fact};
use crate::words::phrase;
use crate::words::units::amount;

/// This many of the latest changes of the host and the program are shown by default.
const MOST_CHANGES: usize = 10;

impl Page for History {
    fn title(&self) -> String {
        "This host over time".to_owned()
    }

    fn blocks(&self, extent: Extent) -> Sections {
        let history = self;
        let Some(((latest, _), (first, _))) = history.runs.last().zip(history.runs.first()) else {
            let text = "No run of this host is stored yet: bakeoff run makes the first.";
            return vec![vec![Block::Sentence(text.to_owned(), Tone::Plain)]];
        };
        let count = |course: Course| history.lines.iter().filter(|line| line.course == course).count() as u64;
        let (slower, faster) = (count(Course::Slower), count(Course::Faster));
        let runs = phrase::counted(history.runs.len() as u64, "run");
        let (text, settled) = answer(history, &runs, (slower, faster));
        let mut page = vec![vec![Block::Answer(text, settled.tone())]];
        let mut tasks: Vec<String> = history.lines.iter().map(task).collect();
        tasks.dedup();
        for one in tasks {
            let own = history.lines.iter().filter(|line| task(line) == one);
            let is_shown = |line: &&HistoryLine| {
                extent.all
                    || history.technique.is_some()
                    || line.course != Course::TooFew
                    || slower + faster == 0
            };
            let mut table =
                Table::of("< technique | > runs | > mean before | > latest | < latest / mean before | <");
            own.filter(is_shown).for_each(|line| table.rows.push(row(line)));
            let mut section = vec![Block::heading(one.as_str()), Block::Table(table)];
            if history.technique.is_some() {
                let own = history.lines.iter().filter(|line| task(line) == one);
                section.extend(own.map(|line| Block::Table(over_time(history, line))));
            }
            page.push(section);
        }
        if !history.changed.is_empty() {
            page.push(vec![
                Block::heading("What changed from run to run"),
                Block::Table(changes(history, extent)),
            ]);
        }
        let told = format!(
            "From {first} to {latest}. Each run counts as one value: its median; the mean before is the geometric mean of those \
             before the latest. ~ is no claim, since there are fewer than five runs before the latest."
        );
        page.push(vec![Block::Sentence(told, Tone::Faint)]);
        page
    }

    fn json(&self) -> Value {
        json::document(self)
    }
}

fn changes(history: &History, extent: Extent) -> Table {
    let mut table = Table::of("< since | < what | ~ before | ~ now");
    let earlier = history.changed.len().saturating_sub(MOST_CHANGES);
    let skipped = if extent.all { 0 } else { earlier };
    for change in &history.changed[skipped..] {
        let cells = vec![
            Cell::Names(vec![change.run.to_string()]),
            fact(change).into(),
            change.before.as_str().into(),
            change.now.as_str().into(),
        ];
        table.rows.push(Row { cells, ..Row::default() });
    }
    table.below = (skipped > 0)
        .then(|| format!("{} before them (-v shows all).", phrase::counted(skipped as u64, "change")));
    table
}

/// What a technique showed in each run that has it, next to the first of them.
fn over_time(history: &History, line: &HistoryLine) -> Table {
    let mut table = Table::of("< began | < run | > | > times the first run | ~");
    table.columns[2].0 = format!("{}, median", line.followed.technique);
    let changed = history.changed_over(line);
    for (nth, (run, median, over_first)) in line.over_time().enumerate() {
        let began = history.runs.iter().find(|(id, _)| id == run).map_or("", |(_, began)| began.as_str());
        let new: Vec<String> = changed.get(nth).into_iter().flatten().map(fact).collect();
        let said = match (nth, new.is_empty()) {
            (0, _) => "the others are compared with this run".to_owned(),
            (_, true) => String::new(),
            (_, false) => format!("another {}", phrase::enumerated(&new)),
        };
        let cells = vec![
            began.into(),
            Cell::Names(vec![run.to_string()]),
            shown(line, median).into(),
            times(over_first).into(),
            said.into(),
        ];
        table.rows.push(Row { cells, ..Row::default() });
    }
    table
}

fn shown(line: &HistoryLine, value: f64) -> String {
    amount(line.compared.unit(), value)
}

fn task(line: &HistoryLine) -> String {
    let followed = &line.followed;
    let parts = [
        followed.family.clone(),
        phrase::workload(&followed.workload),
        phrase::setting(&followed.setting),
        format!("by {}", line.compared.what),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn row(line: &HistoryLine) -> Row {
    let value = |cost: f64| shown(line, line.as_measured(cost));
    let latest = line.medians.last().copied().unwrap_or(line.before);
    let (word, tone) = match line.course {
        Course::AsBefore => ("as before", Tone::Plain),
        Course::Slower => ("slower", Tone::Bad),
        Course::Faster => ("faster", Tone::Good),
        Course::TooFew => ("~", Tone::Faint),
    };
    let expected = line
        .expected_as_measured()
        .map_or(String::new(), |(low, high)| format!("(expected {} to {})", times(low), times(high)));
    let cells = vec![
        Cell::Names(vec![line.followed.technique.clone()]),
        line.medians.len().to_string().into(),
        value(line.before).into(),
        value(latest).into(),
        Cell::Estimate(times(line.as_measured(line.change)), expected),
        word.into(),
    ];
    Row { cells, tone, ..Row::default() }
}
