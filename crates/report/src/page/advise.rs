//! What to use for a task.

use judge::{Advice, Advised, Basis, Origin, Range, between, cost_at_most, times};
use model::{Setting, axis_kind, axis_name, axis_value};
use serde_json::Value;

use super::Page;
use super::blocks::{Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use crate::json;
use crate::pages::AdvicePage;
use crate::words::conditions;
use crate::words::phrase;

impl Page for AdvicePage {
    fn title(&self) -> String {
        "What to use here".to_owned()
    }

    fn blocks(&self, extent: Extent) -> Sections {
        let mut section = vec![Block::heading(format!("{}: {}", self.family, asked(self)))];
        let mut remarks = Vec::new();
        if let Some(advice) = &self.advice {
            section.extend(answered(advice, extent));
            let origins = advice.origins.iter().map(|one| origin(one, advice));
            remarks.extend(Remark::each("from", origins, Tone::Faint));
        } else {
            let text = "No measurements for this on this host yet.";
            section.push(Block::Answer(text.to_owned(), Tone::Doubt));
        }
        if self.advice.is_none() || extent.all {
            remarks.extend(Remark::each("set aside", &self.set_aside, Tone::Faint));
        }
        remarks.extend(Remark::each("to measure", &self.measure_with, Tone::Plain));
        remarks.extend(Remark::each("profile", &self.profile, Tone::Plain));
        remarks.extend(Remark::each("kept", &self.profile_keeps, Tone::Doubt));
        let mut all = vec![section];
        if !remarks.is_empty() {
            all.push(vec![Block::Remarks(remarks)]);
        }
        all
    }

    fn json(&self) -> Value {
        json::document(self)
    }
}

fn asked(page: &AdvicePage) -> String {
    let along = match &page.advice {
        Some(advice) if matches!(advice.basis, Basis::AllLevels { .. }) => advice.axis.as_ref(),
        Some(_) => None,
        None => page.along.as_ref(),
    };
    let along = along.map_or(String::new(), |axis| format!("at every {}", axis_kind(axis)));
    let setting = Setting { conditions: page.conditions.clone(), ..Setting::default() };
    phrase::filled(
        [along, conditions::workload_in(&page.workload, &setting), conditions::setting(&setting, false)],
        ", ",
    )
}

fn answered(advice: &Advice, extent: Extent) -> Section {
    let is_sure = advice.is_answer() && advice.ranges.iter().all(|one| one.is_sure);
    let tone = if is_sure { Tone::Good } else { Tone::Doubt };
    let mut section = vec![Block::Answer(advice.sentence.clone(), tone)];
    let remarks = advice.remarks.join(" ");
    section
        .extend(Some(remarks).filter(|text| !text.is_empty()).map(|text| Block::Sentence(text, Tone::Plain)));
    let is_about_all = matches!(advice.basis, Basis::AllLevels { .. });
    if let (Some(axis), true) = (&advice.axis, is_about_all || extent.all) {
        section.push(Block::Table(table(axis, advice)));
    }
    section
}

fn table(axis: &str, advice: &Advice) -> Table {
    let (name, worse) = (axis_name(axis), phrase::words_of(&advice.metric).worse);
    let mut table = Table::of(&format!("< {name} | ~ use | < baseline {worse} | < at most {worse}"));
    table.about = "what to use along the axis";
    table.rows.extend(advice.ranges.iter().map(|one| row(axis, one, advice.baseline.is_some())));
    table
}

fn row(axis: &str, advised: &Advised, has_baseline: bool) -> Row {
    let Range { from, to, choice } = &advised.range;
    let (from, to) = (axis_value(axis, *from), axis_value(axis, *to));
    let is_range = from != to;
    let levels = if is_range { between(&from, &to) } else { from };
    let gain = match &choice.baseline {
        Some(ratio) => {
            let more = if is_range { " or more" } else { "" };
            let interval = phrase::interval(ratio.low, ratio.high) + more;
            Cell::Estimate(format!("{}x", times(ratio.factor)), interval)
        }
        None if choice.is_baseline => Cell::from("(baseline)"),
        None if has_baseline => Cell::from("not measured"),
        None => Cell::from(""),
    };
    let limit = choice.at_most_slower.map(cost_at_most);
    let cost = limit.unwrap_or("not known yet".to_owned());
    let cells = vec![levels.into(), Cell::Names(vec![choice.entry.clone()]), gain, cost.into()];
    let tone = if advised.is_sure { Tone::Plain } else { Tone::Faint };
    Row { cells, tone, ..Row::default() }
}

fn origin(origin: &Origin, advice: &Advice) -> String {
    let axis = advice.axis.as_deref().unwrap_or_default();
    let levels = match &origin.levels[..] {
        [] => String::new(),
        [one] => format!(", {}", axis_value(axis, *one)),
        [first, .., last] => {
            let ends = between(&axis_value(axis, *first), &axis_value(axis, *last));
            format!(", {ends} ({} levels)", origin.levels.len())
        }
    };
    let alone = if origin.compared == 1 { ", one entry" } else { "" };
    let rounds = phrase::counted(u64::from(origin.rounds), "round");
    // The beginning of an identity is the time, and names the run.
    let run = origin.run.to_string();
    let run = run.split('.').next().unwrap_or_default();
    format!("run {run}{levels}{alone}, {rounds}")
}
