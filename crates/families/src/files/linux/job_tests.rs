//! What only Linux can be made to do: a file that must not grow, and a source without a length.

use std::fs;
use std::io;

use model::Class;
use rustix::process::{Resource, Rlimit, setrlimit};

use super::alone;
use crate::files::job_tests::{done, is_for_one_file, job, missing, movers};
use crate::files::{FileJob, OneOfMany};
use crate::testing::named;
use crate::{convert, copy};

#[test]
fn an_output_that_cannot_grow_is_named_with_the_step() {
    alone("files::linux::job_tests::an_output_that_cannot_grow_is_named_with_the_step", |scratch| {
        let source = scratch.join("source");
        fs::write(&source, vec![b'x'; 3 << 20]).expect("written");
        // SAFETY: no handler is installed; without this the first write too far would end the process.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        let limit = Rlimit { current: Some(1 << 20), maximum: Some(1 << 20) };
        setrlimit(Resource::Fsize, limit).expect("lowering a limit is allowed");
        for (family, techniques) in [("copy", copy::TECHNIQUES), ("convert", convert::TECHNIQUES)] {
            let movers = techniques.iter().filter(|one| !one.ceiling && one.class == Class::MovesBytes);
            for technique in movers.filter(|technique| missing(technique, scratch).is_none()) {
                let mut destination = scratch.join(technique.name);
                let mut job = job(&source, &destination, technique);
                if !is_for_one_file(technique) {
                    job.source = scratch.to_owned();
                    destination.push("source");
                    let one = OneOfMany { source: source.clone(), destination: destination.clone() };
                    job.many = Some(vec![one]);
                }
                let error = done(technique, &job).expect_err(technique.name);
                assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{}: {error}", technique.name);
                let path = destination.display().to_string();
                assert!(error.to_string().contains(&path), "{}: {error}", technique.name);
                assert!(family == "copy" || !destination.exists(), "{} left something", technique.name);
                super::super::remove_if_there(&job.destination).expect("removed");
            }
        }
    });
}

#[test]
fn a_source_without_a_length_is_read_to_its_end() {
    let scratch = tempfile::tempdir().expect("scratch");
    let copying = "c_stdio small_buffer hinted_8k one_call posix_layer c_stdio_large_buffer read_write \
                   hinted_large_buffer read_ahead huge_page_buffer no_access_time";
    let converting = "small_buffer hinted_small large_buffer_8k presized_hinted_8k read_write presized \
                      presized_hinted";
    let text = fs::read("/proc/version").expect("readable");
    let wide = text.iter().flat_map(|&byte| [byte, 0]).collect();
    for (techniques, names, expected) in
        [(copy::TECHNIQUES, copying, text), (convert::TECHNIQUES, converting, wide)]
    {
        for technique in names.split_whitespace().map(|name| named(techniques, name)) {
            let destination = scratch.path().join(technique.name);
            done(technique, &job("/proc/version".as_ref(), &destination, technique)).expect(technique.name);
            assert_eq!(fs::read(&destination).expect("readable"), expected, "{}", technique.name);
            fs::remove_file(&destination).expect("removed");
        }
    }
}

/// Returns the pages that the second run of a job takes; it finds code, stack and libraries of the first.
pub(crate) fn pages_for(technique: &crate::contract::Technique<FileJob>, job: &FileJob) -> i64 {
    let mut prepared = (technique.prepare)(job).expect("prepared");
    prepared.repeat(1).expect(technique.name);
    prepared.refresh().expect("removed");
    let before = pages_touched();
    prepared.repeat(1).expect(technique.name);
    pages_touched() - before
}

fn pages_touched() -> i64 {
    // SAFETY: all fields are numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the place is valid for the answer.
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) }, 0);
    usage.ru_minflt
}

#[test]
fn a_small_source_costs_few_pages_whatever_the_buffer() {
    let (scratch, source) = crate::testing::scratch_with("source", vec![b'x'; 10_000]);
    for techniques in [copy::TECHNIQUES, convert::TECHNIQUES] {
        for technique in movers(techniques, scratch.path()) {
            let job = job(&source, &scratch.path().join("output"), technique);
            let parameters = technique.points().pop().expect("a point");
            let pages = pages_for(technique, &FileJob { parameters, bytes: 10_000, ..job.clone() });
            // Up to 30 KB in buffers and mappings, and the stack: far from the 64 pages of 256 KiB.
            assert!(pages <= 40, "{}: {pages} pages", technique.name);
            fs::remove_file(&job.destination).expect("removed");
        }
    }
}
