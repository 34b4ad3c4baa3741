//! The findings that are built into the program.

use std::sync::LazyLock;

use crate::finding::{Finding, FindingError};

/// Path and text of each, in no order.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/findings.rs"));

/// The families in the order in which their findings are listed.
const FAMILIES: [&str; 9] =
    ["copy", "convert", "search", "sort", "pipeline", "threads", "blocks", "disk", "clock"];

static ALL: LazyLock<Vec<Finding>> = LazyLock::new(|| {
    let read = TEXTS.iter().map(|(path, text)| Finding::read(path, text));
    // A test reads them all: none is refused in a build that passed it.
    let mut all: Vec<Finding> =
        read.collect::<Result<_, FindingError>>().unwrap_or_else(|refused| panic!("{refused}"));
    all.sort_by_key(|finding| {
        let number = finding.claim.id.rsplit('-').next().and_then(|number| number.parse::<u32>().ok());
        (FAMILIES.iter().position(|family| *family == finding.family), number)
    });
    all
});

/// Returns all findings.
pub fn all() -> &'static [Finding] {
    &ALL
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::published::machines;

    #[test]
    fn all_are_well_formed_with_distinct_names() {
        let all = all();
        let ids: BTreeSet<&str> = all.iter().map(|finding| finding.claim.id.as_str()).collect();
        assert_eq!((all.len(), ids.len()), (79, 79));
        for finding in all {
            assert!(FAMILIES.contains(&finding.family.as_str()), "{}: add it", finding.family);
            assert!(finding.claim.id.starts_with(&finding.family), "{}", finding.claim.id);
            assert!(finding.claim.claim.ends_with('.'), "{}", finding.claim.claim);
        }
    }

    #[test]
    fn every_table_and_machine_that_is_named_was_published() {
        let machines = machines();
        for finding in all() {
            let table = finding.claim.table.as_deref();
            let known =
                |name: &str| machines.iter().any(|one| one.figures.iter().any(|figure| figure.table == name));
            assert!(table.is_none_or(known), "{}: {table:?}", finding.claim.id);
            let pair = finding.claim.published.iter().flat_map(|pair| pair.of.0.iter().chain(&pair.over.0));
            for name in finding.claim.machines.iter().chain(pair) {
                assert!(machines.iter().any(|machine| machine.name == *name), "{}: {name}", finding.claim.id);
            }
        }
    }
}
