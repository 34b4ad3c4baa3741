//! What a run is going to do.

use model::{format_bytes, format_long_ns};

use super::Style;
use crate::page::blocks::Tone;
use crate::pages::{PlanSummary, Scratch};
use crate::text::layout::paragraph;
use crate::words::phrase::{by_key, counted, once};

/// The plan of a run in a line, printed before its first sample. What does not take part stands at the end of the run.
pub fn short_plan(plan: &PlanSummary, style: &Style) -> String {
    let scratch = plan.scratch.iter().map(|Scratch { directory, needed_bytes, .. }| {
        format!("; {} of scratch in {}", format_bytes(*needed_bytes), directory.display())
    });
    let many = plan.families.len();
    let families = if many > 3 { format!("{many} jobs") } else { plan.families.join(", ") };
    let text = format!("{families}: {}{}", short_time(plan), scratch.collect::<String>());
    style.painted(Tone::Title, &paragraph("", &text, style))
}

/// The whole plan of a run.
pub fn plan(plan: &PlanSummary, style: &Style) -> String {
    let title = format!("plan: {}", plan.families.join(", "));
    let mut out = style.painted(Tone::Title, &paragraph("", &title, style));
    let mut say = |paint: Tone, head: &str, text: &str| {
        out.push_str(&style.painted(paint, &paragraph(&format!("  {head:<9} "), text, style)));
    };
    say(Tone::Plain, "work", &work(plan));
    say(Tone::Plain, "time", &time(plan));
    for Scratch { directory, needed_bytes, free_bytes } in &plan.scratch {
        let free = free_bytes
            .map_or("free space not known".to_owned(), |free| format!("{} free", format_bytes(free)));
        let text = format!(
            "{} in {}, removed at the end ({free})",
            format_bytes(*needed_bytes),
            directory.display()
        );
        say(Tone::Plain, "scratch", &text);
    }
    say(Tone::Plain, "seed", &plan.seed.to_string());
    // A missing system call takes many techniques with it, each of them in several contests.
    for (reason, names) in by_key(plan.refused.iter().map(|(name, reason)| (reason, name.as_str()))) {
        say(Tone::Doubt, "skipped", &format!("{}: {reason}", once(names).join(", ")));
    }
    out
}

fn work(plan: &PlanSummary) -> String {
    let mut parts = vec![format!("{} in {}", counted(plan.trials, "trial"), counted(plan.tasks, "contest"))];
    parts.extend(plan.rounds.map(|rounds| counted(rounds.into(), "round")));
    parts.join(", ")
}

fn short_time(plan: &PlanSummary) -> String {
    let estimated = plan.estimated_ns.unwrap_or(plan.budget_ns);
    let about = format!("about {}", format_long_ns(estimated));
    let most = format!("at most {}", format_long_ns(plan.budget_ns));
    if !plan.budget_is_kept {
        return about;
    }
    // Where the budget is needed whole, the two are one.
    if estimated as f64 >= 0.9 * plan.budget_ns as f64 { most } else { format!("{about}, {most}") }
}

fn time(plan: &PlanSummary) -> String {
    let estimated = match plan.estimated_ns {
        Some(estimated) => format!("about {}", format_long_ns(estimated)),
        None => "not known before every technique was tried once".to_owned(),
    };
    match (plan.budget_is_kept, plan.estimated_ns) {
        (true, _) => format!("{estimated}; no round begins after {}", format_long_ns(plan.budget_ns)),
        (false, None) => {
            let usual = format_long_ns(plan.budget_ns);
            format!("{estimated}; about {usual} unless some are slow; --budget limits it")
        }
        (false, _) => format!("{estimated}, longer if techniques turn out slow; --budget limits it"),
    }
}
