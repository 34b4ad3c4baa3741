//! What only Linux can be made to do: a file that must not grow, and a source without a length.

use std::io;
use std::process::Command;

use model::{Availability, Durability};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::contract::Technique;
use crate::convert::TECHNIQUES;
use crate::convert::job::ConvertJob;
use crate::convert::tests::{job, setting};

#[test]
fn an_output_that_cannot_grow_is_an_error_that_names_it_and_leaves_nothing_behind() {
    // The limit holds for a whole process and for ever: the conversions run in one of their own.
    let this = std::env::current_exe().expect("this program");
    let name = "convert::linux::tests::converts_under_a_file_size_limit";
    let output = Command::new(this).args([name, "--exact", "--ignored"]).output().expect("started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "limits its whole process: started by the test above"]
fn converts_under_a_file_size_limit() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 3 << 20]).expect("written");
    // SAFETY: no handler is installed; without this the first write too far would end the process.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let limit = Rlimit { current: Some(4 << 20), maximum: Some(4 << 20) };
    setrlimit(Resource::Fsize, limit).expect("lowering a limit is allowed");
    let setting = setting(scratch.path(), Durability::Returned);
    let is_ready = |technique: &&Technique<ConvertJob>| {
        !technique.ceiling && (technique.probe)(&model::Host::default(), &setting).is_ready()
    };
    for technique in TECHNIQUES.iter().filter(is_ready) {
        let destination = scratch.path().join(technique.name);
        let job = job(source.clone(), destination.clone(), technique);
        let error = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{}: {error}", technique.name);
        let path = destination.display().to_string();
        assert!(error.to_string().contains(&path), "{}: {error}", technique.name);
        assert!(!destination.exists(), "{} left something behind", technique.name);
    }
}

/// Pages that this thread was given so far, whether it touched them or asked for them.
fn pages_of_this_thread() -> i64 {
    // SAFETY: all of its fields are numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the place is valid for the answer.
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) }, 0);
    usage.ru_minflt
}

#[test]
fn a_small_source_costs_few_pages_whatever_the_size_of_a_buffer() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 10_000]).expect("written");
    let setting = setting(scratch.path(), Durability::Returned);
    for technique in TECHNIQUES {
        if technique.ceiling || !(technique.probe)(&model::Host::default(), &setting).is_ready() {
            continue;
        }
        let largest = technique.points().pop().expect("a point");
        let destination = scratch.path().join(technique.name);
        let job =
            ConvertJob { parameters: largest, bytes: 10_000, ..job(source.clone(), destination, technique) };
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        // The first run touches code and stack that the second finds.
        prepared.repeat(1).expect(technique.name);
        prepared.refresh().expect("removed");
        let before = pages_of_this_thread();
        prepared.repeat(1).expect(technique.name);
        let pages = pages_of_this_thread() - before;
        // The input is 3 pages and the output 5, each perhaps in a buffer and in a mapping.
        assert!(pages <= 40, "{}: {pages} pages", technique.name);
    }
}

#[test]
fn a_source_without_a_length_is_read_to_its_end() {
    let scratch = tempfile::tempdir().expect("scratch");
    let read_until_the_end = [
        "small_buffer",
        "hinted_small",
        "large_buffer_8k",
        "presized_hinted_8k",
        "read_write",
        "presized",
        "presized_hinted",
    ];
    for technique in TECHNIQUES.iter().filter(|technique| read_until_the_end.contains(&technique.name)) {
        let destination = scratch.path().join(technique.name);
        let job = job("/proc/version".into(), destination.clone(), technique);
        (technique.prepare)(&job).expect("prepared").repeat(1).expect(technique.name);
        let text = std::fs::read("/proc/version").expect("readable");
        let expected: Vec<u8> = text.into_iter().flat_map(|byte| [byte, 0]).collect();
        assert_eq!(std::fs::read(&destination).expect("readable"), expected, "{}", technique.name);
    }
}

#[test]
fn probes_leave_nothing_behind() {
    let scratch = tempfile::tempdir().expect("scratch");
    let setting = setting(scratch.path(), Durability::Returned);
    for technique in TECHNIQUES {
        let probed = (technique.probe)(&model::Host::default(), &setting);
        if let Availability::Missing(sentence) = probed {
            assert!(!sentence.is_empty(), "{}", technique.name);
        }
    }
    assert_eq!(std::fs::read_dir(scratch.path()).expect("readable").count(), 0);
}
