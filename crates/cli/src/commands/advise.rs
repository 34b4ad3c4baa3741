//! `bakeoff advise`: what to use for a task on this host, from kept runs.

mod evidence;
mod measuring;
mod profile;
mod task;

use anyhow::{Result, bail};
use families::{AnyFamily, technique_in};
use judge::{KeptAnswers, Question};
use model::{Point, Quantity};
use report::AdvicePage;

use crate::arguments::{AdviseArguments, Common, Format};
use crate::exit::Done;
use crate::selection;
use crate::terminal::{print, style};
use evidence::Evidence;
use task::Task;

pub(crate) fn advise(arguments: &AdviseArguments, common: &Common) -> Result<Done> {
    if let Some(path) = &arguments.profile {
        profile::check(path)?;
    }
    let family = selection::family(&arguments.family)?;
    let task = Task::of(family, arguments)?;
    let among = among(family, &arguments.among)?;
    let evidence = Evidence::from_store(family, arguments.metric.as_deref(), common)?;
    let kept: Vec<KeptAnswers<'_>> = evidence
        .runs
        .iter()
        .map(|run| KeptAnswers { id: &run.id, started: &run.started, decided: &run.decided })
        .collect();
    let work = Quantity::WORK;
    let usual = family.quantities().first().unwrap_or(&work);
    let values = |entry: &str| family.entry(entry).map_or_else(|_| Point::default(), |known| known.point);
    let question = Question {
        family: family.name(),
        conditions: &task.conditions,
        quantity: evidence.quantity.as_deref().unwrap_or(&usual.key),
        among: &among,
        values: &values,
    };
    let advice = ::judge::advise(&question, &task.asked, &kept);
    if let (Some(path), Some(advice)) = (&arguments.profile, &advice) {
        profile::merge(path, advice, &among)?;
    }
    let page = AdvicePage {
        family: family.name().to_owned(),
        question: family.question().to_owned(),
        workload: task.workload.clone(),
        conditions: task.conditions.clone(),
        set_aside: evidence.set_aside,
        measure_with: measuring::command(family, &task, advice.as_ref(), arguments, common),
        profile: arguments
            .profile
            .as_ref()
            .filter(|_| advice.is_some())
            .map(|path| path.display().to_string()),
        advice,
    };
    print(&match arguments.format {
        Format::Text => report::text::advise(&page, &style(common, arguments.verbose)),
        Format::Markdown => report::markdown::advise(&page),
        Format::Html => report::html::advise(&page),
        Format::Json => serde_json::to_string_pretty(&report::json::advise(&page))?,
    })?;
    Ok(if page.advice.is_some() { Done::Well } else { Done::NotHeld })
}

/// The techniques that can be chosen from, by the names of this version, in their order.
fn among(family: &dyn AnyFamily, named: &[String]) -> Result<Vec<String>> {
    let entries = family.entries();
    let mut all: Vec<String> = Vec::new();
    for name in named {
        let technique = technique_in(name);
        let is_it = |entry: &&families::Entry| {
            entry.technique() == technique || entry.aliases.iter().any(|alias| alias == name)
        };
        let Some(known) = entries.iter().find(is_it) else {
            bail!("--among {name}: {0} has no such technique; 'bakeoff list {0}' names them", family.name());
        };
        let meant = if name.contains('@') { name.clone() } else { known.technique().to_owned() };
        if !all.contains(&meant) {
            all.push(meant);
        }
    }
    all.sort();
    Ok(all)
}
