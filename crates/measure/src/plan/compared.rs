//! What is compared in each family of a run, and with which entry.

use std::collections::BTreeMap;

use families::{AnyFamily, Entry};
use model::{Kind, Quantity, Source};

use crate::plan::planned::PlannedTask;
use crate::request::Request;
use crate::request::error::PlanError;

/// What a design says of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Compared {
    /// In families that declare nothing.
    pub(crate) quantity: Quantity,
    /// In those that do: the first is compared.
    pub(crate) quantities: BTreeMap<String, Vec<Quantity>>,
}

pub(crate) fn quantities(request: &Request) -> Result<Compared, PlanError> {
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

/// Whether the user named this entry as the reference: it then takes part.
pub(crate) fn is_reference(request: &Request, entry: &Entry) -> bool {
    request.reference.as_ref().is_some_and(|name| is_called(Kind::BuiltIn, &entry.name, &entry.aliases, name))
}

/// Whether a name means an entry: its own, its technique's without the value of a parameter, or an alias.
fn is_called(kind: Kind, entry: &str, aliases: &[String], name: &str) -> bool {
    let technique = kind.technique_and_value(entry).0;
    entry == name || technique == name || aliases.iter().any(|alias| alias == name)
}

/// The entry of each family that all are compared with: the one that the user named, else the family's plain way.
pub(crate) fn references(
    request: &Request,
    tasks: &[PlannedTask],
) -> Result<BTreeMap<String, String>, PlanError> {
    let mut references = BTreeMap::new();
    let mut found = false;
    for task in tasks {
        let entries = || task.participants.iter().filter(|one| one.competes());
        let named = request
            .reference
            .as_ref()
            .and_then(|name| entries().find(|one| is_called(one.kind, &one.name, &one.aliases, name)));
        found |= named.is_some();
        let plain = || entries().find(|one| one.name == task.family.reference());
        if let Some(reference) = named.or_else(plain) {
            references.insert(task.family.name().to_owned(), reference.name.clone());
        }
    }
    match &request.reference {
        Some(name) if !found => Err(PlanError::Reference(name.clone())),
        _ => Ok(references),
    }
}
