//! `bakeoff advise`: what to use for a task on this host, from kept runs.

mod evidence;
mod measuring;
mod profile;
mod task;

use std::path::Path;

use anyhow::{Result, bail};
use families::{AnyFamily, technique_in};
use judge::{KeptAnswers, Question, once};
use model::{Metric, Point};
use report::AdvicePage;

use crate::arguments::Common;
use crate::exit::Done;
use crate::selection;
use crate::terminal::{print, print_page};
use evidence::Evidence;
use task::Task;

pub(crate) use task::Arguments;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    if let (true, Some(path)) = (arguments.forget, &arguments.profile) {
        return forget(path, arguments.family.as_deref());
    }
    if let Some(path) = &arguments.profile {
        profile::check(path)?;
    }
    let Some(name) = arguments.family.as_deref() else { bail!("advise: name a family") };
    let family = selection::family(name)?;
    let task = Task::of(family, arguments)?;
    let among = among(family, &arguments.among)?;
    let evidence = Evidence::from_store(family, arguments.metric.as_deref(), common)?;
    let kept: Vec<KeptAnswers<'_>> = evidence
        .runs
        .iter()
        .map(|run| KeptAnswers { id: &run.id, started: &run.started, decided: &run.decided })
        .collect();
    let work = Metric::WORK;
    let usual = family.metrics().first().unwrap_or(&work);
    let values = |entry: &str| family.entry(entry).map_or_else(|_| Point::default(), |known| known.point);
    let asked = [&task.asked[..], &task.as_measured(family, &evidence)].concat();
    let wanted = evidence.metric.as_deref().unwrap_or(&usual.key);
    // Runs with commands compare processes: what was asked for may be known by another metric only.
    let rankings = kept.iter().flat_map(|run| &run.decided.rankings);
    let others = rankings.map(|ranking| &*ranking.metric.key).filter(|_| evidence.metric.is_none());
    let advice = once([wanted].into_iter().chain(others)).into_iter().find_map(|metric| {
        let (family, conditions) = (family.name(), &task.conditions);
        let question = Question { family, conditions, metric, among: &among, values: &values };
        judge::advise(&question, &asked, &kept)
    });
    let advice = advice.map(|mut advice| {
        let other = Some(&advice.metric).filter(|metric| metric.key != wanted);
        let other =
            other.map(|metric| format!("By {}: nothing was compared by {}.", metric.what, usual.what));
        let differences = other.into_iter().chain(task.differences(family, &advice));
        advice.remarks.splice(0..0, differences.collect::<Vec<_>>());
        advice
    });
    let merged = match (&arguments.profile, &advice) {
        (Some(path), Some(advice)) if !advice.ranges.is_empty() => {
            Some(profile::merge(path, advice, &among)?)
        }
        _ => None,
    };
    let along = task.along(family);
    let page = AdvicePage {
        family: family.name().to_owned(),
        question: family.question().to_owned(),
        workload: match (&advice, along) {
            (Some(advice), _) => advice.workload.clone(),
            (None, Some(along)) => task.workload.without_axis(along),
            (None, None) => task.workload.clone(),
        },
        along: along.filter(|_| advice.is_none()).map(str::to_owned),
        conditions: advice.as_ref().map_or(&task.conditions, |advice| &advice.conditions).clone(),
        set_aside: evidence.set_aside,
        measure_with: measuring::command(family, &task, advice.as_ref(), arguments, common),
        profile: arguments
            .profile
            .as_ref()
            .filter(|_| merged.is_some())
            .map(|path| path.display().to_string()),
        profile_keeps: merged.flatten(),
        advice,
    };
    print_page(&page, arguments.format, arguments.verbose, common)?;
    Ok(if page.advice.as_ref().is_some_and(judge::Advice::is_answer) { Done::Well } else { Done::NotHeld })
}

fn forget(path: &Path, family: Option<&str>) -> Result<Done> {
    let family = family.map(selection::family).transpose()?.map(AnyFamily::name);
    let (forgotten, left) = profile::forget(path, family)?;
    let shown = path.display();
    print(&match (family, forgotten) {
        (None, _) => format!("The profile {shown} is empty now, and one of this host."),
        (Some(name), 0) => format!("The profile {shown} said nothing of {name}."),
        (Some(name), some) => {
            let [some, left] = [some, left]
                .map(|count| if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") });
            format!("Removed {some} of {name} from {shown}; {left} left.")
        }
    })?;
    Ok(if family.is_some() && forgotten == 0 { Done::NotHeld } else { Done::Well })
}

/// The techniques that can be chosen from, by the names of this version, in their order.
fn among(family: &dyn AnyFamily, named: &[String]) -> Result<Vec<String>> {
    let entries = family.entries();
    let mut all: Vec<String> = Vec::new();
    for name in named {
        let technique = technique_in(name);
        let known = entries
            .iter()
            .find(|entry| entry.technique() == technique || entry.aliases.iter().any(|alias| alias == name));
        let Some(known) = known else {
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
