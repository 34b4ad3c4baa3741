//! The entry that all others are compared with in the answer.

use std::collections::BTreeMap;

use families::Entry;
use model::Kind;

use crate::plan::{PlanError, PlannedTask, Request};

/// Whether the user named this entry as the reference: it then takes part.
pub(crate) fn is_named(request: &Request, entry: &Entry) -> bool {
    request.reference.as_ref().is_some_and(|name| is_called(Kind::BuiltIn, &entry.name, &entry.aliases, name))
}

/// Whether a name means an entry: its own, its technique's without the value of a parameter, or an alias.
fn is_called(kind: Kind, entry: &str, aliases: &[String], name: &str) -> bool {
    let technique = kind.technique_and_value(entry).0;
    entry == name || technique == name || aliases.iter().any(|alias| alias == name)
}

/// The entry of each family that all are compared with: the one that the user named, else the family's plain way.
pub(crate) fn of_families(
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
