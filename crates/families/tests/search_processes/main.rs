//! The techniques of the search family that start processes: they start their own program, which here is this test.

mod awkward;
#[path = "../harness/mod.rs"]
mod harness;
#[cfg(target_os = "linux")]
mod linux;
/// Windows has no limit that a process may set for itself here.
#[cfg(windows)]
mod linux {
    pub(crate) const CHECKS: &[crate::harness::Check] = &[];

    pub(crate) fn part(_word: &std::ffi::OsStr) -> Option<std::process::ExitCode> {
        None
    }
}

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use families::{SEARCH, SEARCH_PART, search_part};
use model::{Durability, Host, Setting, Trial, Workload};

const TECHNIQUES: [&str; 3] = ["process_per_file", "process_in_turn", "process_per_processor"];

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let first = words.next().unwrap_or_default();
    if first == SEARCH_PART {
        return if search_part(words).is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    if let Some(code) = linux::part(&first) {
        return code;
    }
    let checks: [harness::Check; 4] = [
        ("processes_find_the_lines_of_every_awkward_file", processes_find_the_lines_of_every_awkward_file),
        ("processes_search_a_tree_in_order", processes_search_a_tree_in_order),
        ("a_process_that_fails_says_why", a_process_that_fails_says_why),
        ("a_part_without_its_words_is_refused", a_part_without_its_words_is_refused),
    ];
    harness::run(&[&checks, linux::CHECKS].concat(), &[])
}

fn trial(technique: &str, workload: &Workload, scratch: &Path) -> Trial {
    harness::trial("search", technique, workload, Setting::warm(scratch, Durability::Returned), scratch)
}

fn proves_itself(technique: &str, workload: &Workload, scratch: &Path) {
    let trial = trial(technique, workload, scratch);
    assert!(SEARCH.probe(technique, &Host::default(), &trial.setting).is_ready(), "{technique}");
    let expected = SEARCH.expected(workload, scratch).expect("readable");
    let mut twice = |repeat: &mut dyn families::Repeat| {
        for _ in 0..2 {
            repeat.refresh()?;
            repeat.repeat(1)?;
        }
        assert_eq!(repeat.proof()?, expected, "{technique}, {:?}", workload.point);
        Ok(())
    };
    let done = match SEARCH.perform(&trial, &mut twice) {
        // What Wine says when the start of a process takes it too long, as on a busy machine.
        Err(error) if error.to_string().contains("(os error 1359)") => SEARCH.perform(&trial, &mut twice),
        done => done,
    };
    done.unwrap_or_else(|error| panic!("{technique}: {error}"));
    assert_eq!(SEARCH.inspect(workload, scratch).expect("an answer"), expected, "{technique}");
    let left: Vec<PathBuf> =
        fs::read_dir(scratch).expect("a folder").flatten().map(|entry| entry.path()).collect();
    assert_eq!(left.len(), 3, "inputs, patterns and the answer are left: {left:?}");
}

fn refused(technique: &str, workload: &Workload, scratch: &Path) -> String {
    let done = SEARCH.perform(&trial(technique, workload, scratch), &mut |repeat| {
        repeat.refresh()?;
        repeat.repeat(1)
    });
    done.expect_err(technique).to_string()
}

fn processes_find_the_lines_of_every_awkward_file() {
    let (originals, scratch) = (tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch"));
    let files = awkward::write_files(originals.path());
    for (pattern, is_regex) in awkward::PATTERNS {
        let mut workload = SEARCH.workload_of_input(&files).expect("files");
        SEARCH.set(&mut workload, "regex", if is_regex { "yes" } else { "no" }).expect("a choice");
        SEARCH.set(&mut workload, "pattern", pattern).expect("a pattern");
        SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
        for technique in TECHNIQUES {
            proves_itself(technique, &workload, scratch.path());
        }
    }
}

fn processes_search_a_tree_in_order() {
    let scratch = tempfile::tempdir().expect("scratch");
    let mut workload = SEARCH.workload_of_bytes(700_000).expect("sizes");
    SEARCH.set(&mut workload, "kind", "tree").expect("a kind");
    SEARCH.set(&mut workload, "frequency", "common").expect("a frequency");
    SEARCH.generate(&workload, scratch.path(), 1).expect("made");
    for technique in TECHNIQUES {
        proves_itself(technique, &workload, scratch.path());
    }
}

fn a_process_that_fails_says_why() {
    let scratch = tempfile::tempdir().expect("scratch");
    let workload = SEARCH.workload_of_bytes(20_000).expect("sizes");
    SEARCH.generate(&workload, scratch.path(), 1).expect("made");
    let absent = SEARCH.inputs(&workload, scratch.path()).swap_remove(7);
    fs::remove_file(&absent).expect("removed");
    for technique in TECHNIQUES {
        let sentence = refused(technique, &workload, scratch.path());
        let shown = absent.display().to_string();
        assert!(sentence.starts_with(&format!("the process that searched {shown} ended with")), "{sentence}");
        assert!(sentence.contains(&format!("open {shown}: ")), "{sentence}");
    }
}

fn a_part_without_its_words_is_refused() {
    let refused = search_part(["literal".into()]).expect_err("two words are missing");
    assert!(refused.to_string().contains("takes three words"), "{refused}");
}
