//! What only Linux can be made to do: refuse another process.

use std::ffi::OsStr;
use std::process::{Command, ExitCode};

use families::SEARCH;
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::harness::Check;
use crate::{TECHNIQUES, refused};

mod planted;

pub(crate) const CHECKS: &[Check] = &[
    ("a_sentence_names_a_process_that_cannot_be_started", too_many_processes),
    (
        "no_technique_follows_a_link_in_the_place_of_its_output",
        planted::no_technique_follows_a_link_in_the_place_of_its_output,
    ),
];

const FEW_FILES: &str = "with-few-open-files";

/// The limit holds for a whole process and for ever: it is set in one of its own.
fn too_many_processes() {
    let this = std::env::current_exe().expect("this program");
    let status = Command::new(this).arg(FEW_FILES).status().expect("started");
    assert!(status.success(), "{status}");
}

/// Plays the part of a program that may have few open files, when it was started for that.
pub(crate) fn part(word: &OsStr) -> Option<ExitCode> {
    if word != FEW_FILES {
        return None;
    }
    let scratch = tempfile::tempdir().expect("scratch");
    let workload = SEARCH.workload_of_bytes(2_000_000).expect("sizes");
    SEARCH.generate(&workload, scratch.path(), 1).expect("made");
    let limit = Rlimit { current: Some(12), maximum: Some(12) };
    setrlimit(Resource::Nofile, limit).expect("lowering a limit is allowed");
    let sentence = refused(TECHNIQUES[0], &workload, scratch.path());
    assert!(sentence.starts_with("process "), "{sentence}");
    assert!(sentence.contains(" of 20 could not be started: "), "{sentence}");
    Some(ExitCode::SUCCESS)
}
