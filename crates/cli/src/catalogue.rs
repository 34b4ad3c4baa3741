//! What the families say of their techniques: for pages, and for what findings compare.

use std::collections::{BTreeMap, BTreeSet};

use findings::Known;

use crate::selection;

/// The idea of every technique, by family and name.
pub(crate) fn ideas() -> BTreeMap<(String, String), String> {
    let mut ideas = BTreeMap::new();
    for family in families::all() {
        for entry in family.entries() {
            ideas.entry((family.name().to_owned(), entry.technique().to_owned())).or_insert(entry.idea);
        }
    }
    ideas
}

/// The techniques whose source is this program itself.
pub(crate) fn own() -> BTreeSet<(String, String)> {
    let mut own = BTreeSet::new();
    for family in families::all() {
        let entries = family.entries().into_iter().filter(|entry| entry.source.starts_with("bakeoff"));
        own.extend(entries.map(|entry| (family.name().to_owned(), entry.technique().to_owned())));
    }
    own
}

/// Returns what this version can measure on this system.
pub(crate) fn known() -> Known {
    let mut known = Known::new();
    for family in selection::shown() {
        let names: &mut BTreeSet<String> = known.entry(family.name().to_owned()).or_default();
        for entry in family.entries() {
            names.insert(entry.technique().to_owned());
            names.extend(entry.aliases.iter().cloned());
            names.insert(entry.name);
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::ideas;

    #[test]
    fn every_family_describes_its_techniques_without_their_values() {
        let ideas = ideas();
        for family in families::all() {
            let known = ideas.iter().filter(|((of, _), _)| of == family.name());
            assert!(known.clone().count() > 1, "{}", family.name());
            assert!(known.clone().all(|((_, name), said)| !name.contains('@') && !said.is_empty()));
        }
    }
}
