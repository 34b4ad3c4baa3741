//! The source of every technique, as it was compiled.

type File = (&'static str, &'static str);

/// For each technique by path: its file, the text or row, and the files that it takes what it does from.
static SOURCES: &[(&str, &str, &[File])] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The code that declares a technique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The path of its file below `crates/families/src`.
    pub path: &'static str,
    /// The content of the file; of a table of techniques, the row.
    pub text: &'static str,
    /// The files, by path from the repository's root, of which it takes what it does: the lock, the loops, the queue.
    pub further: &'static [(&'static str, &'static str)],
}

/// Returns the code of a built-in technique; most files are called after theirs.
pub fn source_of(family: &str, technique: &str) -> Option<Source> {
    let of_family = SOURCES.iter().filter(|(path, ..)| path.split('/').next() == Some(family));
    let named = format!("/{technique}.rs");
    let declared = [format!("name: \"{technique}\""), format!("\"{technique}\"")];
    let by_name = of_family.clone().find(|(path, ..)| path.ends_with(&named));
    let found = by_name.or_else(|| {
        declared.iter().find_map(|words| of_family.clone().find(|(_, text, _)| text.contains(&**words)))
    });
    found.map(|&(path, text, further)| Source { path, text, further })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{SOURCES, source_of};

    #[test]
    fn every_technique_carries_the_file_that_declares_it() {
        for family in crate::all() {
            for entry in family.entries() {
                let technique = entry.technique();
                let source = source_of(family.name(), technique);
                let source = source.unwrap_or_else(|| panic!("{}/{technique} has no source", family.name()));
                assert!(source.path.starts_with(family.name()), "{}", source.path);
                assert!(source.text.contains(&format!("\"{technique}\"")), "{} of {technique}", source.path);
            }
        }
        assert_eq!(source_of("copy", "carrier_pigeon"), None);
    }

    #[test]
    fn every_file_of_techniques_declares_one_that_is_listed() {
        let mut listed = HashSet::new();
        for family in crate::all() {
            for entry in family.entries() {
                listed.insert(source_of(family.name(), entry.technique()).expect("carried").path);
            }
        }
        for (path, ..) in SOURCES {
            assert!(listed.contains(path), "no technique of {path} stands in the list on its front page");
        }
    }

    #[test]
    fn what_a_technique_takes_its_idea_from_is_carried_too() {
        fn holds(family: &str, technique: &str, words: &str) -> &'static str {
            let source = source_of(family, technique).expect(technique);
            let paths: Vec<&str> = source.further.iter().map(|(path, _)| *path).collect();
            let found = source.further.iter().find(|(_, text)| text.contains(words));
            found.unwrap_or_else(|| panic!("{family}/{technique}: '{words}' stands in none of {paths:?}")).0
        }
        let system = std::env::consts::OS;
        let lock = if system == "windows" { "objects.rs" } else { "kernel.rs" };
        let lock_path = holds("pipeline", "signal_kernel_lock", "for KernelLock");
        assert_eq!(lock_path, format!("crates/families/src/pipeline/{system}/{lock}"));
        holds("pipeline", "signal_kernel_lock", "for AutoResetEvent");
        holds("pipeline", "signal_kernel_lock", "struct Locked");
        holds("pipeline", "signal_atomic_wait", "struct AtomicWait");
        holds("pipeline", "own_queue", "pub struct Queue");
        holds("threads", "coroutines", "fn on_taken_shares");
        holds("copy", "direct", "fn in_turn");
        holds("convert", "direct", "fn in_turn");
        for (family, technique) in [("copy", "read_write"), ("convert", "direct"), ("search", "whole_file")] {
            holds(family, technique, "static PLACES");
        }
        holds("pipeline", "rtrb", "fn wait(&mut self)");
        holds("sort", "rayon_sort", "pool::run");
        holds("sort", "binary_search_tree_by_byte", "fn read_by_bytes");
        holds("search", "process_in_turn", "running.len() < at_once");
        if system == "linux" {
            holds("clock", "monotonic", "struct ClockGettime");
            holds("copy", "posix_aio_threads", "fn transfer_ended");
            holds("copy", "posix_aio_threads", "struct Pieces");
            holds("convert", "completion_callback_8k", "fn poll(");
            holds("convert", "io_uring_32k", "fn into_output(");
        }
        assert!(source_of("clock", "std_instant").is_some_and(|source| source.further.is_empty()));
        let threads = source_of("sort", "threads_4").expect("a source");
        assert!(threads.text.contains("fn merge("), "{}", threads.path);
        if cfg!(target_arch = "x86_64") {
            holds("blocks", "avx2", "vmovdqu");
            holds("blocks", "nontemporal", "movnt");
            holds("blocks", "rep_string", "rep stos");
        }
    }

    #[test]
    fn a_row_of_a_table_is_shown_alone() {
        for (technique, other) in [("std_instant", "\"std_system_time\""), ("no_clock", "\"rdtscp\"")] {
            let text = source_of("clock", technique).expect(technique).text;
            let begins = text.lines().find(|line| !line.starts_with("// ")) == Some("clock! {");
            assert!(begins && text.ends_with("\n}\n") && !text.contains(other), "{text}");
        }
    }

    #[test]
    fn a_technique_that_asks_if_it_can_run_says_what_it_needs() {
        for family in crate::all() {
            for entry in family.entries() {
                let source = source_of(family.name(), entry.technique()).expect("a source");
                // Another technique of the file may ask.
                let named = format!("name: \"{}\"", entry.technique());
                let behind = source.text.split_once(&named).map_or(source.text, |(_, behind)| behind);
                let declared = behind.split("\n};").next().unwrap_or(behind);
                let mut lines = declared.lines().map(str::trim_start);
                let probes = lines.any(|line| line.starts_with("probe:") || line.starts_with("probe,"));
                let asks = probes || declared.contains("instructions::");
                assert!(!asks || entry.needs.is_some(), "{}/{}", family.name(), entry.name);
                assert!(
                    !entry.needs.is_some_and(|needs| needs.ends_with('.') || needs.is_empty()),
                    "{}",
                    entry.name
                );
            }
        }
    }

    #[test]
    fn what_most_techniques_take_is_no_part_of_the_idea_of_one() {
        for family in crate::all() {
            for entry in family.entries() {
                let source = source_of(family.name(), entry.technique()).expect("a source");
                let paths: Vec<&str> = source.further.iter().map(|(path, _)| *path).collect();
                let own = format!("crates/families/src/{}", source.path);
                let shared = format!("crates/families/src/{}/job.rs", family.name());
                for path in &paths {
                    assert!(
                        *path != own && *path != shared && !path.ends_with("tests.rs"),
                        "{own}: {paths:?}"
                    );
                }
            }
        }
    }
}
