//! What only Linux can be made to do: a file that must not grow, and file systems that refuse a call.

use std::io;
use std::path::Path;
use std::process::Command;

use model::{Availability, Setting};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::contract::Technique;
use crate::copy::TECHNIQUES;
use crate::copy::job::CopyJob;
use crate::copy::tests::job;

fn setting(directory: &Path) -> Setting {
    Setting {
        cache: model::Cache::Warm,
        durability: model::Durability::Returned,
        directory: directory.to_owned(),
        file_system: None,
        processors: vec![],
        memory_limit_bytes: None,
    }
}

fn ready(technique: &Technique<CopyJob>, directory: &Path) -> bool {
    (technique.probe)(&model::Host::default(), &setting(directory)).is_ready()
}

#[test]
fn a_destination_that_cannot_grow_is_an_error_that_names_step_and_file() {
    // The limit holds for a whole process and for ever: the copies run in one of their own.
    let this = std::env::current_exe().expect("this program");
    let name = "copy::linux::tests::copies_under_a_file_size_limit";
    let output = Command::new(this).args([name, "--exact", "--ignored"]).output().expect("started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "limits its whole process: started by the test above"]
fn copies_under_a_file_size_limit() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 3 << 20]).expect("written");
    // SAFETY: no handler is installed; without this the first write too far would end the process.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let limit = Rlimit { current: Some(1 << 20), maximum: Some(1 << 20) };
    setrlimit(Resource::Fsize, limit).expect("lowering a limit is allowed");
    let bytes_are_moved = |technique: &&Technique<CopyJob>| {
        !technique.ceiling && technique.class == model::Class::MovesBytes && ready(technique, scratch.path())
    };
    for technique in TECHNIQUES.iter().filter(bytes_are_moved) {
        let destination = scratch.path().join(technique.name);
        let job = job(source.clone(), destination.clone(), technique);
        let error = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{}: {error}", technique.name);
        let path = destination.display().to_string();
        assert!(error.to_string().contains(&path), "{}: {error}", technique.name);
    }
}

#[test]
fn a_source_without_a_length_is_read_to_its_end() {
    let scratch = tempfile::tempdir().expect("scratch");
    let read_until_the_end =
        ["c_stdio", "small_buffer", "hinted_8k", "one_call", "posix_layer", "read_write"];
    for technique in TECHNIQUES.iter().filter(|technique| read_until_the_end.contains(&technique.name)) {
        let destination = scratch.path().join(technique.name);
        let job = job("/proc/version".into(), destination.clone(), technique);
        (technique.prepare)(&job).expect("prepared").repeat(1).expect(technique.name);
        let expected = std::fs::read("/proc/version").expect("readable");
        assert_eq!(std::fs::read(&destination).expect("readable"), expected, "{}", technique.name);
    }
}

#[test]
fn a_copy_across_file_systems_falls_back_or_goes_through_but_never_fails() {
    let scratch = tempfile::tempdir().expect("scratch");
    let other = tempfile::tempdir_in("/dev/shm").expect("a second file system");
    let source = other.path().join("source");
    std::fs::write(&source, vec![b'x'; 300_000]).expect("written");
    for technique in
        TECHNIQUES.iter().filter(|technique| ["one_call", "parallel_ranges"].contains(&technique.name))
    {
        let destination = scratch.path().join(technique.name);
        let job = job(source.clone(), destination.clone(), technique);
        (technique.prepare)(&job).expect("prepared").repeat(1).expect(technique.name);
        assert_eq!(std::fs::read(&destination).expect("readable").len(), 300_000, "{}", technique.name);
    }
}

#[test]
fn a_directory_that_is_not_there_makes_a_technique_missing_with_a_sentence() {
    for technique in
        TECHNIQUES.iter().filter(|technique| ["direct", "uncached", "reflink"].contains(&technique.name))
    {
        assert!(!ready(technique, Path::new("/nowhere")), "{}", technique.name);
    }
}

#[test]
fn a_refusal_names_no_private_file() {
    let shared_memory = tempfile::tempdir_in("/dev/shm").expect("a file system without extents");
    let setting = setting(shared_memory.path());
    let probe = |name| {
        let technique = TECHNIQUES.iter().find(|technique| technique.name == name).expect("listed");
        (technique.probe)(&model::Host::default(), &setting)
    };
    let Availability::Missing(sentence) = probe("reflink") else { panic!("/dev/shm shares extents") };
    assert!(sentence.ends_with("ioctl FICLONE: Operation not supported (os error 95)"), "{sentence}");
}

#[test]
fn probes_leave_nothing_behind() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in TECHNIQUES {
        ready(technique, scratch.path());
    }
    assert_eq!(std::fs::read_dir(scratch.path()).expect("readable").count(), 0);
}
