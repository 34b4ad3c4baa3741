//! What is compared in each family of a run.

use std::collections::BTreeMap;

use families::AnyFamily;
use model::{Quantity, Source};

use crate::plan::{PlanError, Request};

/// What a design says of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Compared {
    /// In families that declare nothing.
    pub(crate) quantity: Quantity,
    /// In those that do: the first is compared.
    pub(crate) quantities: BTreeMap<String, Vec<Quantity>>,
}

pub(crate) fn of_families(request: &Request) -> Result<Compared, PlanError> {
    let mut all = Compared::default();
    for selection in &request.selections {
        let family = selection.family;
        let compared = of_family(request, family)?;
        if family.quantities().is_empty() {
            all.quantity = compared;
            continue;
        }
        let others = family.quantities().iter().filter(|other| other.key != compared.key).cloned();
        let declared = std::iter::once(compared.clone()).chain(others).collect();
        all.quantities.insert(family.name().to_owned(), declared);
    }
    Ok(all)
}

fn of_family(request: &Request, family: &dyn AnyFamily) -> Result<Quantity, PlanError> {
    let declared = family.quantities();
    let commands = request.has_commands();
    let Some(name) = &request.metric else {
        return Ok(match declared.first() {
            _ if commands => Quantity::PROCESS,
            Some(first) => first.clone(),
            None => Quantity::WORK,
        });
    };
    let found = declared.iter().find(|one| one.is_called(name)).cloned().or_else(|| Quantity::built_in(name));
    match found {
        Some(inside) if commands && matches!(inside.source, Source::Work | Source::Value) => {
            Err(PlanError::InsideACommand(inside.name().to_owned()))
        }
        Some(quantity) => Ok(quantity),
        None => Err(PlanError::Metric {
            name: name.clone(),
            family: family.name().to_owned(),
            known: names(declared.iter().chain(&Quantity::BUILT_IN)),
        }),
    }
}

/// `work, process or cpu`, each once.
fn names<'a>(quantities: impl Iterator<Item = &'a Quantity>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for quantity in quantities {
        if !names.contains(&quantity.name()) {
            names.push(quantity.name());
        }
    }
    match names.as_slice() {
        [some @ .., last] if !some.is_empty() => format!("{} or {last}", some.join(", ")),
        _ => names.concat(),
    }
}
