//! The entries of a task, and those that cannot take part.

use families::{AnyFamily, Entry};
use model::{Availability, Host, Kind, Setting, Workload};

use crate::plan::compared;
use crate::plan::planned::{Participant, PlannedTask, RefusedEntry};
use crate::plan::probing::ProbeFolders;
use crate::plan::workloads::Asked;
use crate::request::command::ExternalCommand;
use crate::request::{Refusal, Request};

pub(crate) fn task(
    asked: &Asked, setting: Setting, request: &Request, host: &Host, probes: &ProbeFolders,
) -> Result<PlannedTask, Refusal> {
    let Asked { selection, workload, is_extra } = asked;
    let family = selection.family;
    // Timed from outside, a ceiling would be its process's start and end rather than its work.
    let inside = !request.is_timed_from_outside();
    let named = |entry: &Entry| {
        selection.entries.as_ref().is_none_or(|names| names.contains(&entry.name))
            || compared::is_baseline(request, entry)
    };
    let mut entries = family.entries();
    for name in selection.entries.iter().flatten() {
        // A value that does not take part by default.
        if !entries.iter().any(|entry| entry.name == *name) {
            entries.push(family.entry(name).map_err(Refusal)?);
        }
    }
    entries.retain(|entry| if entry.ceiling { inside && !is_extra } else { *is_extra || named(entry) });
    let (mut participants, mut refused) = (Vec::<Participant>::new(), Vec::new());
    let mut reserve = Vec::<Participant>::new();
    let (mut unsuited, is_named) = (Vec::new(), selection.entries.is_some() && !is_extra);
    let probed = probes.setting(&setting);
    for entry in entries {
        let suits = family.suits(&entry.name, workload);
        let is_reserve = *is_extra && !named(&entry);
        match suits {
            Availability::Ready => match ready(family, &entry, workload, (host, &probed)) {
                Availability::Ready if is_reserve => reserve.push(entry.into()),
                Availability::Ready => {
                    let stays = is_published(request, family.name(), &entry);
                    let is_named = is_named || stays || compared::is_baseline(request, &entry);
                    participants.push(Participant { is_named, stays, ..entry.into() });
                }
                Availability::Missing(_) if is_reserve => {}
                Availability::Missing(reason) => refused.push(RefusedEntry { entry, reason }),
            },
            Availability::Missing(_) if is_reserve => {}
            Availability::Missing(reason) if is_named => refused.push(RefusedEntry { entry, reason }),
            // Who does not name it does not expect it at a workload that it is not for.
            Availability::Missing(reason) => unsuited.push(RefusedEntry { entry, reason }),
        }
    }
    if let Some(job) = family.job() {
        let own = job.techniques.iter().map(|technique| ExternalCommand::of_job(job, technique));
        participants.extend(own.map(|command| external(&command)));
    }
    for command in request.commands.iter().filter(|command| command.enters(family.name())) {
        command.check_at(family, workload)?;
        if family.entries().iter().any(|entry| entry.name == command.name) {
            let (command, family) = (command.subject(), family.name());
            return Err(Refusal(format!(
                "{command}: the family {family} has a technique of this name; give the command another name"
            )));
        }
        if participants.iter().any(|one| one.name == command.name) {
            return Err(command.refused_as_second());
        }
        participants.push(external(command));
    }
    if !participants.iter().any(Participant::competes) {
        refused.append(&mut unsuited);
    }
    let renews_inputs = request.is_as_published() && family.renews_inputs();
    let precision = request.precision;
    let task =
        PlannedTask { renews_inputs, precision, ..PlannedTask::new(family, workload.clone(), setting) };
    Ok(PlannedTask { participants, reserve, refused, is_extra: *is_extra, ..task })
}

/// Returns whether a run as it was published has a program of this name, or with this technique.
fn is_published(request: &Request, family: &str, entry: &Entry) -> bool {
    let mut names = entry.aliases.iter().map(String::as_str).chain([entry.technique()]);
    names.any(|name| request.published.contains(&format!("{family}/{name}")))
}

fn external(command: &ExternalCommand) -> Participant {
    Participant {
        name: command.name.clone(),
        kind: Kind::Command,
        command: Some(command.clone()),
        is_named: true,
        ..Participant::default()
    }
}

fn ready(
    family: &dyn AnyFamily, entry: &Entry, workload: &Workload, (host, setting): (&Host, &Setting),
) -> Availability {
    match family.fits(&entry.name, workload, setting) {
        Availability::Ready => family.probe(&entry.name, host, setting),
        missing @ Availability::Missing(_) => missing,
    }
}
