//! What the families say of their techniques, for the advice of an answer.

use judge::{Catalogue, Description};

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
