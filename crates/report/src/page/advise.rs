//! What to use for a task.

use judge::{Advice, Basis, Certainty, Choice, Origin, Stretch, at_least, at_most};
use model::{Setting, axis_kind, axis_name};

use super::blocks::{Align, Block, Cell, Extent, Page, Remark, Row, Section, Table, Tone};
use crate::pages::AdvicePage;
use crate::words::conditions;
use crate::words::phrase;
use crate::words::units::percent;

/// The advice with what it rests on, or what would measure it.
pub(crate) fn advise(page: &AdvicePage, extent: Extent) -> Page {
    let heading =
        Block::Heading { text: format!("{}: {}", page.family, page.question), conditions: Some(asked(page)) };
    let mut section = vec![heading];
    let mut remarks = Vec::new();
    match &page.advice {
        Some(advice) => {
            section.extend(told(advice, extent));
            remarks.extend(
                advice.origins.iter().map(|one| Remark::new("from", origin(one, advice), Tone::Faint)),
            );
        }
        None => {
            let text = "Nothing that was measured on this host tells it.";
            section.push(Block::Answer(text.to_owned(), Tone::Doubt));
        }
    }
    if page.advice.is_none() || extent.all {
        remarks.extend(page.set_aside.iter().map(|one| Remark::new("set aside", one, Tone::Faint)));
    }
    if let Some(command) = &page.measure_with {
        remarks.push(Remark::new("to measure", command, Tone::Plain));
    }
    if let Some(file) = &page.profile {
        remarks.push(Remark::new("profile", file, Tone::Plain));
    }
    if let Some(reason) = &page.profile_keeps {
        remarks.push(Remark::new("kept", reason, Tone::Doubt));
    }
    let mut all = vec![section];
    if !remarks.is_empty() {
        all.push(vec![Block::Remarks(remarks)]);
    }
    all
}

fn asked(page: &AdvicePage) -> String {
    let of_all = |advice: &Advice| match advice.basis {
        Basis::AllLevels { .. } => advice.axis.clone(),
        _ => None,
    };
    let along = page.advice.as_ref().map_or_else(|| page.along.clone(), of_all);
    let along = along.map_or(String::new(), |axis| format!("at every {}", axis_kind(&axis)));
    let setting = Setting { conditions: page.conditions.clone(), ..Setting::default() };
    let parts = [along, conditions::workload_in(&page.workload, &setting), conditions::setting(&setting)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn told(advice: &Advice, extent: Extent) -> Section {
    let is_sure = |choice: &Choice| choice.certainty == Certainty::Sure;
    let rests_on_measured = matches!(advice.basis, Basis::Measured | Basis::AllLevels { .. });
    let all_sure = match &advice.choice {
        Some(choice) => is_sure(choice),
        None => advice.stretches.iter().all(|one| is_sure(&one.choice)),
    };
    let tone = if rests_on_measured && all_sure { Tone::Good } else { Tone::Doubt };
    let mut section = vec![Block::Answer(advice.sentence.clone(), tone)];
    let doubts = matches!(advice.basis, Basis::Interpolated { .. } | Basis::Nearest { .. });
    section.extend(advice.remarks.iter().enumerate().map(|(nth, text)| {
        let tone = if doubts && nth == 0 { Tone::Doubt } else { Tone::Plain };
        Block::Sentence(text.clone(), tone)
    }));
    let is_about_all = matches!(advice.basis, Basis::AllLevels { .. });
    if let (Some(axis), true) = (&advice.axis, is_about_all || extent.all) {
        section.push(Block::Table(table(axis, advice)));
    }
    section
}

fn table(axis: &str, advice: &Advice) -> Table {
    let mut table = Table::new([
        (axis_name(axis), Align::Left),
        ("use".to_owned(), Align::Left),
        ("plain way over it".to_owned(), Align::Left),
        ("costs at most".to_owned(), Align::Right),
    ]);
    table.about = "what to use along the axis";
    table.rows.extend(advice.stretches.iter().map(|one| row(advice, one)));
    table
}

fn row(advice: &Advice, stretch: &Stretch) -> Row {
    let choice = &stretch.choice;
    let (from, to) = (advice.level(stretch.from), advice.level(stretch.to));
    let levels = if from == to { from } else { format!("{from} to {to}") };
    let gain = choice.over_plain.as_ref().map(|over| {
        let interval = match (over.factor_low, over.factor_high) {
            (Some(low), Some(high)) => format!("{}-{}", at_least(low), at_most(high)),
            (Some(low), None) => format!("{} or more", at_least(low)),
            _ => String::new(),
        };
        Cell::Estimate(at_most(over.factor), interval)
    });
    let plain = || match (choice.is_plain, choice.plain_was_compared) {
        (true, true) => Cell::from("the plain way"),
        (true, false) => Cell::from("the plain way, not compared here"),
        (false, true) => Cell::from(""),
        (false, false) => Cell::from("not compared"),
    };
    let limit = |cost: f64| format!("+{}", percent(cost.max(0.01)));
    let cost = choice.at_most_slower.map_or("no limit yet".to_owned(), limit);
    let cells =
        vec![levels.into(), Cell::Names(vec![choice.entry.clone()]), gain.unwrap_or_else(plain), cost.into()];
    let tone = if choice.certainty == Certainty::Sure { Tone::Plain } else { Tone::Faint };
    Row { cells, tone, ..Row::default() }
}

fn origin(origin: &Origin, advice: &Advice) -> String {
    let axis = advice.axis.as_deref().unwrap_or_default();
    let levels = match &origin.levels[..] {
        [] => String::new(),
        [one] => format!(", {} {}", axis_name(axis), advice.level(*one)),
        [first, .., last] => format!(
            ", {} levels from {} to {}",
            origin.levels.len(),
            advice.level(*first),
            advice.level(*last)
        ),
    };
    let compared = match origin.compared {
        1 => "1 entry".to_owned(),
        more => format!("{more} entries"),
    };
    let rounds = phrase::counted(u64::from(origin.rounds), "round");
    format!("{} ({}){levels}: {compared}, {rounds}", origin.run, origin.started)
}
