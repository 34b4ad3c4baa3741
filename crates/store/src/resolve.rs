//! Names of runs as users type them.

use model::RunId;

use crate::{Result, StoreError};

/// Number of identities in a refusal.
const NEAREST: usize = 3;

/// Finds the run that `text` means among `ids`, which are ordered with the one that began last first.
pub(crate) fn resolve(text: &str, ids: &[RunId]) -> Result<RunId> {
    if let Some(exact) = ids.iter().find(|id| id.0 == text) {
        return Ok(exact.clone());
    }
    if let Some(last) = ids.first().filter(|_| RunId::LAST.contains(&text)) {
        return Ok(last.clone());
    }
    let candidates = ids.iter().filter(|id| !text.is_empty() && id.0.starts_with(text));
    let candidates: Vec<RunId> = candidates.cloned().collect();
    match candidates.as_slice() {
        [] => Err(unknown(text, ids)),
        [one] => Ok(one.clone()),
        _ => Err(StoreError::AmbiguousRun(text.to_owned(), candidates)),
    }
}

/// Makes the refusal of a name that no run has.
pub(crate) fn unknown(text: &str, ids: &[RunId]) -> StoreError {
    let mut nearest: Vec<&RunId> = ids.iter().collect();
    nearest.sort_by_cached_key(|id| distance(text, &id.0));
    nearest.truncate(NEAREST);
    StoreError::UnknownRun(text.to_owned(), nearest.into_iter().cloned().collect())
}

/// Returns the distance of `text` from the beginning of `id`: people type beginnings, so what follows does not count.
fn distance(text: &str, id: &str) -> usize {
    let beginning: String = id.chars().take(text.chars().count()).collect();
    strsim::osa_distance(text, &beginning).min(strsim::osa_distance(text, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last two as bakeoff names its runs now, the others as earlier versions did.
    fn ids() -> Vec<RunId> {
        let ids = ["20261121T110000-b7c1", "20261120T101500-a901", "20261120T101500-a1ff"];
        let now = ["20261119T090000.123Z-7f3kq2m9", "20261119T090000.120Z-7f3kq2m9"];
        [&ids[..], &now].concat().into_iter().map(|id| RunId(id.to_owned())).collect()
    }

    #[test]
    fn last_a_full_identity_and_a_unique_beginning_are_understood() {
        for (text, expected) in [
            ("last", 0),
            ("latest", 0),
            ("20261120T101500-a901", 1),
            ("20261121", 0),
            ("20261120T101500-a1", 2),
            ("20261119T090000.123", 3),
            ("20261119T090000.120", 4),
        ] {
            assert_eq!(resolve(text, &ids()).expect(text), ids()[expected], "{text}");
        }
    }

    #[test]
    fn an_ambiguous_beginning_names_what_fits_and_counts_the_rest() {
        let many: Vec<RunId> = (0..281).map(|run| RunId(format!("20261120T101500-{run:04x}"))).collect();
        let three = "20261120T101500-0000, 20261120T101500-0001, 20261120T101500-0002 and 278 more";
        for (text, ids, named) in [
            ("20261120", ids(), "2 runs: 20261120T101500-a901, 20261120T101500-a1ff"),
            ("2", many, &format!("281 runs: {three}")),
        ] {
            let refused = resolve(text, &ids).expect_err("several fit").to_string();
            assert_eq!(refused, format!("'{text}' is the beginning of {named}; type more of it"));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_ones() {
        let Err(StoreError::UnknownRun(_, nearest)) = resolve("20261121T110000-b7d1", &ids()) else {
            panic!("nothing is called so")
        };
        assert_eq!(nearest[0], ids()[0]);
        assert!(resolve("", &ids()).is_err(), "an empty name is the beginning of all and means none");
        let nothing = resolve("last", &[]).expect_err("no runs").to_string();
        assert!(nothing.contains("no run is stored there yet"), "{nothing}");
    }
}
