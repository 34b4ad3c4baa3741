//! One host over time.

use judge::{Changed, Course, History, HistoryLine};
use serde_json::Value;

use super::Page;
use super::blocks::{Block, Cell, Extent, Row, Sections, Table, Tone};
use crate::json;
use crate::words::compare::times;
use crate::words::phrase::{self, once};
use crate::words::units::amount;

/// This many of the latest changes of the host and the program are shown by default.
const MOST_CHANGES: usize = 10;

impl Page for History {
    fn title(&self) -> String {
        "This host over time".to_owned()
    }

    fn blocks(&self, extent: Extent) -> Sections {
        let Some(((latest, _), (first, _))) = self.runs.last().zip(self.runs.first()) else {
            let text = "No run of this host is stored yet: bakeoff run makes the first.";
            return vec![vec![Block::Sentence(text.to_owned(), Tone::Plain)]];
        };
        let [slower, faster] = [Course::Slower, Course::Faster]
            .map(|course| self.lines.iter().filter(|line| line.course == course).count() as u64);
        let runs = phrase::counted(self.runs.len() as u64, "run");
        let (text, tone) = answer(self, &runs, (slower, faster));
        let mut page = vec![vec![Block::Answer(text, tone)]];
        let shows_too_few = extent.all || self.technique.is_some() || slower + faster == 0;
        let mut tasks: Vec<String> = self.lines.iter().map(task).collect();
        tasks.dedup();
        for one in tasks {
            let own = self.lines.iter().filter(|line| task(line) == one);
            let mut table =
                Table::of("< technique | > runs | > mean before | > latest | < latest / mean before | <");
            let shown = own.clone().filter(|line| shows_too_few || line.course != Course::TooFew);
            table.rows.extend(shown.map(row));
            let mut section = vec![Block::heading(one.as_str()), Block::Table(table)];
            if self.technique.is_some() {
                section.extend(own.map(|line| Block::Table(over_time(self, line))));
            }
            page.push(section);
        }
        if !self.changed.is_empty() {
            let heading = Block::heading("What changed from run to run");
            page.push(vec![heading, Block::Table(changes(self, extent))]);
        }
        let few = self.lines.iter().any(|line| line.course == Course::TooFew && shows_too_few);
        let few = if few { " ~ is no claim: fewer than five runs before the latest." } else { "" };
        let said = format!(
            "From {first} to {latest}. Each run counts as one value: its median; the mean before is the geometric mean of those \
             before the latest. Expected is where the latest of all lie if nothing changed, with 95 % confidence.{few}"
        );
        page.push(vec![Block::Sentence(said, Tone::Faint)]);
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
        let cells = [
            Cell::Names(vec![change.run.to_string()]),
            fact(change).into(),
            change.before.as_str().into(),
            change.now.as_str().into(),
        ];
        table.cells(cells, Tone::Plain);
    }
    table.below = (skipped > 0)
        .then(|| format!("{} before them (-v shows all).", phrase::counted(skipped as u64, "change")));
    table
}

/// Returns what a technique showed in each run that has it, next to the first of them.
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
        let cells = [
            began.into(),
            Cell::Names(vec![run.to_string()]),
            shown(line, median).into(),
            times(over_first).into(),
            said.into(),
        ];
        table.cells(cells, Tone::Plain);
    }
    table
}

fn shown(line: &HistoryLine, value: f64) -> String {
    amount(line.compared.unit(), value)
}

fn task(line: &HistoryLine) -> String {
    let followed = &line.followed;
    let setting = Some(&followed.setting).filter(|_| !followed.workload.is_as_given());
    phrase::filled(
        [
            followed.family.clone(),
            phrase::workload(&followed.workload),
            setting.map_or(String::new(), |setting| phrase::setting(setting, true)),
            format!("by {}", line.compared.what),
        ],
        ", ",
    )
}

fn row(line: &HistoryLine) -> Row {
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
        shown(line, line.as_measured(line.before)).into(),
        shown(line, line.as_measured(latest)).into(),
        Cell::Estimate(times(line.as_measured(line.change)), expected),
        word.into(),
    ];
    Row { cells, tone, ..Row::default() }
}

/// `build of bakeoff`, `kernel`, `device of /srv`.
fn fact(change: &Changed) -> String {
    match &change.directory {
        Some(directory) => format!("{} of {}", change.fact, directory.display()),
        None => named(&change.fact).to_owned(),
    }
}

fn named(fact: &str) -> &str {
    if fact == "bakeoff" { "build of bakeoff" } else { fact }
}

/// Returns what changed together with what became slower or faster, and among the runs that it is compared with.
fn coincident(history: &History) -> String {
    let (now, before) = history.coincident();
    let mut said = String::new();
    if !now.is_empty() {
        let all = now.iter().map(|one| format!("the {} ({}, before {})", fact(one), one.now, one.before));
        said += &format!(
            " The latest run differs from the one before it in {}, which may be why.",
            phrase::enumerated(&all.collect::<Vec<_>>())
        );
    }
    if !before.is_empty() {
        let all: Vec<String> = before.iter().map(|fact| format!("the {}", named(fact))).collect();
        said +=
            &format!(" The runs before the latest differ in {} among themselves.", phrase::enumerated(&all));
    }
    said
}

const NONE: &str = "No earlier run measured what the latest did; 'bakeoff history FAMILY/NAME' follows what others measured.";

fn answer(history: &History, runs: &str, (slower, faster): (u64, u64)) -> (String, Tone) {
    let all = history.lines.len() as u64;
    let too_few = history.lines.iter().all(|line| line.course == Course::TooFew);
    match (&history.technique, slower, faster) {
        (None, ..) if all == 0 => (NONE.to_owned(), Tone::Doubt),
        (Some(technique), ..) if all == 0 => {
            (format!("{technique} was measured in no run before the latest."), Tone::Doubt)
        }
        (_, 0, 0) if too_few => {
            ("Too few runs to show a change: it takes five before the latest.".to_owned(), Tone::Doubt)
        }
        (None, 0, 0) => (format!("No technique changed over {runs}."), Tone::Good),
        (Some(technique), 0, 0) => (format!("{technique} did not change over {runs}."), Tone::Good),
        (technique, ..) => {
            let both = [(slower, Course::Slower, "slower"), (faster, Course::Faster, "faster")];
            let parts = both.into_iter().filter(|(number, ..)| *number > 0).map(|(number, course, word)| {
                let of_course = history.lines.iter().filter(|line| line.course == course);
                let mut names = once(of_course.map(|line| line.followed.technique.clone()));
                let is = if names.len() == 1 { "is" } else { "are" };
                if names.len() > 3 {
                    names = vec![phrase::counted(number, "technique")];
                }
                match (technique, all) {
                    (None, _) => format!("{} {is} {word}", phrase::enumerated(&names)),
                    (Some(_), 1) => word.to_owned(),
                    (Some(_), all) => format!("{word} in {number} of {all} contests"),
                }
            });
            let parts = parts.collect::<Vec<_>>().join(" and ");
            let subject = technique.as_ref().map_or(String::new(), |technique| format!("{technique} is "));
            let predicted = format!("{subject}{parts} than the earlier runs predict.");
            (predicted + &coincident(history), Tone::Bad)
        }
    }
}
