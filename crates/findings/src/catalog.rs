//! The findings that are built into the program.

use std::sync::LazyLock;

use crate::finding::{Finding, FindingError};

macro_rules! findings {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../findings/", $path)))),*]
    };
}

/// Path and text of each, in the order in which they are listed.
const TEXTS: &[(&str, &str)] = findings![
    "copy/journaled-file-system.toml"
    "copy/c-library.toml"
    "copy/processor-time.toml"
    "copy/large-buffers.toml"
    "copy/user-time.toml"
    "copy/identical-runs.toml"
    "copy/posix-layer.toml"
    "copy/server-and-laptop.toml"
    "convert/large-buffers.toml"
    "convert/presized-output.toml"
    "convert/processor-time.toml"
    "convert/overlapped.toml"
    "convert/extended-and-threads.toml"
    "convert/mapping.toml"
    "convert/extended-processor-time.toml"
    "search/one-processor.toml"
    "search/threads-over-processes.toml"
    "search/several-processors.toml"
    "search/user-time.toml"
    "search/simplest-way.toml"
    "sort/binary-search-tree.toml"
    "sort/mapping-or-heap.toml"
    "sort/processor-time.toml"
    "sort/several-processors.toml"
    "sort/more-threads-than-processors.toml"
    "sort/serialized-heap.toml"
    "pipeline/signal-scales.toml"
    "pipeline/broadcast-does-not-scale.toml"
    "pipeline/broadcast-at-64.toml"
    "pipeline/broadcast-system-time.toml"
    "pipeline/lock.toml"
    "pipeline/few-threads.toml"
    "threads/one-a-processor.toml"
    "threads/forced-switching.toml"
    "threads/jump-on-one-processor.toml"
    "threads/second-processor.toml"
    "threads/without-yields.toml"
    "threads/kernel-families.toml"
    "threads/stack-size.toml"
    "blocks/best-piece.toml"
    "blocks/beyond-the-cache.toml"
    "blocks/small-pieces.toml"
    "blocks/total-size.toml"
    "disk/stream-buffering.toml"
    "disk/stream-buffering-windows.toml"
    "disk/larger-chunks.toml"
    "disk/synchronous-writes.toml"
    "disk/second-read-after-writes.toml"
    "disk/second-read-after-synchronous-writes.toml"
    "disk/mapping-peaks-in-cache.toml"
    "disk/mapping-costs-less.toml"
    "clock/cost-of-a-call.toml"
    "clock/performance-counter.toml"
    "clock/multiprocessor-kernel.toml"
    "clock/tick-counter.toml"
];

static ALL: LazyLock<Vec<Finding>> = LazyLock::new(|| {
    let read = TEXTS.iter().map(|(path, text)| Finding::read(path, text));
    // A test reads them all: none is refused in a build that passed it.
    read.collect::<Result<_, FindingError>>().unwrap_or_else(|refused| panic!("{refused}"))
});

/// Returns all findings.
pub fn all() -> &'static [Finding] {
    &ALL
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::published::machines;

    #[test]
    fn every_file_of_the_folder_is_listed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../findings");
        let mut missing = Vec::new();
        for family in std::fs::read_dir(&folder).expect("the folder") {
            let family = family.expect("an entry");
            for file in std::fs::read_dir(family.path()).expect("a folder") {
                let file = file.expect("an entry").file_name().into_string().expect("UTF-8");
                let path = format!("{}/{file}", family.file_name().to_str().expect("UTF-8"));
                if !TEXTS.iter().any(|(known, _)| *known == path) {
                    missing.push(path);
                }
            }
        }
        assert!(missing.is_empty(), "add to crates/findings/src/catalog.rs: {missing:?}");
    }

    #[test]
    fn all_are_well_formed_with_distinct_names() {
        let all = all();
        let ids: BTreeSet<&str> = all.iter().map(|finding| finding.claim.id.as_str()).collect();
        assert_eq!((all.len(), ids.len()), (55, 55));
        for finding in all {
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
