//! What the families say of their techniques: for the advice of an answer, and for what findings compare.

use std::collections::BTreeSet;

use findings::Known;
use judge::{Catalogue, Description};

use crate::selection;

/// The idea and the parameter of every technique.
pub(crate) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::new();
    for family in families::all() {
        for entry in family.entries() {
            let technique = entry.technique().to_owned();
            let parameters = entry.parameters.iter().map(|&name| name.to_owned()).collect();
            catalogue
                .entry((family.name().to_owned(), technique))
                .or_insert(Description { idea: entry.idea, parameters });
        }
    }
    catalogue
}

/// What this version can measure on this system.
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
    use super::catalogue;

    #[test]
    fn every_family_describes_its_techniques_without_their_values() {
        let catalogue = catalogue();
        for family in families::all() {
            let known = catalogue.iter().filter(|((of, _), _)| of == family.name());
            assert!(known.clone().count() > 1, "{}", family.name());
            assert!(known.clone().all(|((_, name), said)| !name.contains('@') && !said.idea.is_empty()));
        }
    }
}
