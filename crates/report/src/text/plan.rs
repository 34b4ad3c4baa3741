//! What a run is going to do.

use model::{format_bytes, format_ns};

use super::{Paint, Style};
use crate::layout::{paragraph, plain};
use crate::pages::PlanSummary;
use crate::phrase::counted;

/// The plan of a run, printed before its first sample.
pub fn plan(plan: &PlanSummary, style: &Style) -> String {
    let rounds = if plan.rounds_min == plan.rounds_max {
        counted(plan.rounds_max.into(), "round")
    } else {
        format!("{} to {} rounds", plan.rounds_min, plan.rounds_max)
    };
    let time = match (plan.estimated_ns, plan.budget_ns) {
        (Some(estimated), Some(budget)) => {
            format!("about {}; no round begins after {}", duration(estimated), duration(budget))
        }
        (Some(estimated), None) => format!("about {}", duration(estimated)),
        (None, Some(budget)) => format!("not known yet; no round begins after {}", duration(budget)),
        (None, None) => "not known yet".to_owned(),
    };
    let mut out = style.paint(Paint::Title, &plain(&format!("plan: {}", plan.families.join(", ")))) + "\n";
    let work = format!(
        "{} in {}, {rounds}, at most {}",
        counted(plan.trials, "trial"),
        counted(plan.cells, "contest"),
        counted(plan.samples_max, "sample")
    );
    out.push_str(&paragraph("  work      ", &work, style));
    out.push_str(&paragraph("  time      ", &time, style));
    let space = format!("{} of scratch space, removed at the end", format_bytes(plan.disk_bytes));
    out.push_str(&paragraph("  space     ", &space, style));
    for (directory, free) in &plan.directories {
        let free =
            free.map_or("free space not known".to_owned(), |free| format!("{} free", format_bytes(free)));
        out.push_str(&paragraph("  in        ", &format!("{directory} ({free})"), style));
    }
    out.push_str(&paragraph("  seed      ", &plan.seed.to_string(), style));
    for (name, reason) in &plan.refused {
        out.push_str(
            &style.painted(Paint::Doubt, &paragraph("  left out  ", &format!("{name}: {reason}"), style)),
        );
    }
    for note in &plan.notes {
        out.push_str(&style.painted(Paint::Doubt, &paragraph("  note      ", note, style)));
    }
    out
}

/// A long time as people say it; below two minutes as everywhere else.
fn duration(ns: u64) -> String {
    const MINUTE: u64 = 60_000_000_000;
    if ns < 2 * MINUTE {
        return format_ns(ns as f64);
    }
    match (ns / MINUTE / 60, ns / MINUTE % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
