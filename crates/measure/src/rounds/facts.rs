//! What the families of a run find out that is no contest. A process looks for it, since it may crash or hang.

use families::AnyFamily;
use model::{Fact, Note};
use sys::process::Status;

use crate::error::MeasureError;
use crate::plan::planned::PlannedTask;
use crate::rounds::notes;
use crate::sample::launch;
use crate::sample::outcome::of_facts;
use crate::sample::runner::{NO_ASSIGNMENT, Runner, Step, spawn_failure};
use crate::worker::protocol::Assignment;

/// What was found, and what could not be.
pub(crate) type Found = (Vec<Fact>, Vec<Note>);

/// The facts of every family of the plan that has any.
pub(crate) fn find(runner: &mut Runner<'_>, tasks: &[PlannedTask]) -> Result<Step<Found>, MeasureError> {
    let mut families: Vec<&dyn AnyFamily> = Vec::new();
    for task in tasks.iter().filter(|task| task.family.facts().is_some()) {
        if !families.iter().any(|known| known.name() == task.family.name()) {
            families.push(task.family);
        }
    }
    let (mut facts, mut notes) = (Vec::new(), Vec::new());
    for family in families {
        match of_family(runner, family)? {
            Step::Done(found) => facts.extend(found),
            Step::Failed((_, reason)) => notes.push(notes::no_facts(family.name(), &reason)),
            Step::Cancelled => return Ok(Step::Cancelled),
        }
    }
    Ok(Step::Done((facts, notes)))
}

fn of_family(runner: &mut Runner<'_>, family: &dyn AnyFamily) -> Result<Step<Vec<Fact>>, MeasureError> {
    let assignment = Assignment::Facts { family: family.name().to_owned() };
    let launch = launch::file_work(&runner.worker, &assignment, runner.time_limit_ns)
        .map_err(MeasureError::io(NO_ASSIGNMENT))?;
    let ended = match runner.launch(&launch) {
        Ok(ended) if ended.status == Status::Cancelled => return Ok(Step::Cancelled),
        Ok(ended) => ended,
        Err(refused) => return Ok(Step::Failed(spawn_failure(refused)?)),
    };
    Ok(match of_facts(&ended) {
        Ok(facts) => Step::Done(facts),
        Err(reason) => Step::Failed((model::FailureKind::Crash, reason)),
    })
}
