//! Which families can do what a request asks.

use families::{AnyFamily, Isolation};
use model::{Cache, Durability, Metric};

use crate::request::{Refusal, Request};

/// Looks at a request for a family of sessions: a command is no part of their process, techniques that share it have no
/// process time and no peak of memory of their own, and only the first inner round could find a cold cache.
///
/// # Errors
/// The request asks for one of these.
pub(crate) fn check(family: &dyn AnyFamily, request: &Request) -> Result<(), Refusal> {
    if family.isolation() == Isolation::Sample {
        return Ok(());
    }
    let entering = request.commands.iter().find(|command| command.enters(family.name()));
    let of_a_process =
        |name: &&String| [Metric::PROCESS, Metric::MEMORY].iter().any(|one| one.is_called(name));
    let (reason, option) = match (entering, request.metric.as_ref().filter(of_a_process)) {
        (Some(command), _) => ("in which no command can take part", command.subject()),
        (None, Some(metric)) => {
            ("which has one process time and one peak of memory for all", format!("--metric {metric}"))
        }
        (None, _) if request.caches.contains(&Cache::Cold) => {
            ("where only the first could find a cold cache", "--cache cold".to_owned())
        }
        _ => return Ok(()),
    };
    Err(Refusal(format!(
        "the family {} measures all its techniques in one process, {reason}; leave {option} out, or name other families",
        family.name()
    )))
}

/// Whether a family can do what is asked, as far as its isolation, sizes and files go. A run that names no family leaves out
/// those that cannot.
pub fn serves(family: &dyn AnyFamily, request: &Request) -> bool {
    let has_sizes = request.sizes_bytes.iter().all(|&bytes| family.workload_of_bytes(bytes).is_some());
    let takes_files = request.files.is_empty() || family.isolation() == Isolation::Sample;
    has_sizes
        && takes_files
        && check(family, request).is_ok()
        && refuse_what_files_need(family, request).is_ok()
}

/// Refuses what only means something for files, where a family has none: a figure must not claim to be cold or durable.
///
/// # Errors
/// The request asks for it.
pub(crate) fn refuse_what_files_need(family: &dyn AnyFamily, request: &Request) -> Result<(), Refusal> {
    let option = match family.works_on_files() {
        true => None,
        false if request.caches.contains(&Cache::Cold) => Some("--cache cold"),
        false if request.durabilities.contains(&Durability::Durable) => Some("--durable"),
        false => None,
    };
    match option {
        None => Ok(()),
        Some(option) => Err(Refusal(format!(
            "the family {} works on no files: leave {option} out, or name other families",
            family.name()
        ))),
    }
}
