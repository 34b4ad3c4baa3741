//! What only Linux can be made to do: names that are no text, links, and limits.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use model::Durability;
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::files::alone;
use crate::search::tests::{every_technique_proves_itself, job, sentences, sentences_of};
use crate::search::{SEARCH, TECHNIQUES};
use crate::testing::named;

#[test]
fn names_that_are_no_text_are_kept_byte_by_byte() {
    let scratch = tempfile::tempdir().expect("scratch");
    let original = scratch.path().join("original");
    for name in [&b"caf\xe9"[..], b"\xff\xfe/\xc3", b"new\nline", b"a b:c", b"\xf0\x9f\x98\x80"] {
        let path = original.join(OsString::from_vec(name.to_vec()));
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(&path, "needle: \n\nneedle").expect("written");
    }
    let workload = SEARCH.workload_of_input(&[original]).expect("a folder");
    SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
    every_technique_proves_itself(&workload, scratch.path(), Durability::Returned);
    let answer = fs::read(scratch.path().join("search.output")).expect("an answer");
    for part in
        [&b"/original/caf\xe9:needle: \n"[..], b"/original/\xff\xfe/\xc3:needle\n", b"/new\nline:needle\n"]
    {
        assert!(memchr::memmem::find(&answer, part).is_some(), "{}", part.escape_ascii());
    }
}

#[test]
fn links_are_never_followed_neither_by_a_copy_nor_by_a_search() {
    let scratch = tempfile::tempdir().expect("scratch");
    let (original, outside) = (scratch.path().join("original"), scratch.path().join("outside"));
    fs::create_dir_all(original.join("inner")).expect("created");
    fs::write(original.join("inner/file"), "needle\n").expect("written");
    fs::write(&outside, "needle outside\n").expect("written");
    let links = |folder: &Path| {
        symlink("..", folder.join("inner/loop")).expect("linked");
        symlink("inner", folder.join("again")).expect("linked");
        symlink(&outside, folder.join("to-a-file")).expect("linked");
        symlink("nowhere", folder.join("dangling")).expect("linked");
        let made = Command::new("mkfifo").arg(folder.join("pipe")).status().expect("mkfifo runs");
        assert!(made.success());
    };
    links(&original);
    let workload = SEARCH.workload_of_input(std::slice::from_ref(&original)).expect("a folder");
    assert_eq!((workload.number("file_count"), workload.bytes()), (Some(1), Some(7)));
    SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
    let copy = scratch.path().join("files/original");
    let entries = [&copy, &copy.join("inner")].map(|folder| fs::read_dir(folder).expect("a folder").count());
    assert_eq!(entries, [1, 1], "no link was copied");
    links(&copy);
    every_technique_proves_itself(&workload, scratch.path(), Durability::Returned);
    let answer = fs::read_to_string(scratch.path().join("search.output")).expect("an answer");
    assert_eq!(answer, format!("{}:needle\n", copy.join("inner/file").display()));
    let link = original.join("to-a-file");
    let sentence = SEARCH.workload_of_input(std::slice::from_ref(&link)).expect_err("a link");
    assert!(sentence.contains("to-a-file is a link, and links are not followed"), "{sentence}");
    let pipe = SEARCH.workload_of_input(&[original.join("pipe")]).expect_err("a pipe");
    assert!(pipe.contains("neither a file nor a folder"), "{pipe}");
}

#[test]
fn names_that_could_be_mistaken_in_an_answer_are_refused() {
    let (scratch, _) = crate::testing::scratch_with("a", "text");
    fs::write(scratch.path().join("a:b"), "text").expect("written");
    let sentence = SEARCH.workload_of_input(&[scratch.path().to_owned()]).expect_err("alike");
    assert!(sentence.contains("/a and ") && sentence.contains("/a:b cannot be distinguished"), "{sentence}");
}

/// Runs `body` without the super-user's rights, which are those of a thread.
fn without_privileges<Made: Send>(body: impl FnOnce() -> Made + Send) -> Made {
    let unprivileged_id = 65_534;
    thread::scope(|scope| {
        let unprivileged = scope.spawn(|| {
            // SAFETY: the call changes by which user's rights this thread opens files, and nothing in memory.
            unsafe { libc::setfsuid(unprivileged_id) };
            body()
        });
        unprivileged.join().expect("the thread")
    })
}

#[test]
fn an_unreadable_file_or_folder_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let outputs = scratch.path().join("outputs");
    let shut = scratch.path().join("shut");
    fs::create_dir(&outputs).expect("created");
    for path in [scratch.path(), &outputs] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("allowed");
    }
    for is_folder in [false, true] {
        if is_folder {
            fs::remove_file(&shut).and_then(|()| fs::create_dir(&shut)).expect("replaced");
        } else {
            fs::write(&shut, "needle").expect("written");
        }
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).expect("allowed");
        without_privileges(|| {
            for (name, error) in sentences(&[(shut.clone(), is_folder)], &outputs) {
                assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{name}: {error}");
                assert!(error.to_string().contains(&shut.display().to_string()), "{name}: {error}");
            }
            let refused = SEARCH.workload_of_input(std::slice::from_ref(&shut)).expect_err("unreadable");
            assert!(refused.contains("cannot be") && refused.contains("shut"), "{refused}");
        });
        fs::remove_dir_all(&outputs).and_then(|()| fs::create_dir(&outputs)).expect("emptied");
        fs::set_permissions(&outputs, fs::Permissions::from_mode(0o777)).expect("allowed");
    }
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    // Any user may open it, nothing is mapped where it begins, and it can neither be mapped nor has it a length.
    let roots = [(PathBuf::from("/proc/self/mem"), false)];
    let reading =
        sentences_of(|name| !name.contains("process") && !name.contains("mmap"), &roots, scratch.path());
    for (name, error) in reading {
        assert!(error.to_string().starts_with("read /proc/self/mem: "), "{name}: {error}");
    }
}

#[test]
fn a_sentence_names_a_thread_that_cannot_be_started() {
    alone("search::linux::tests::a_sentence_names_a_thread_that_cannot_be_started", |scratch| {
        let file = scratch.join("file");
        fs::write(&file, "needle\n").expect("written");
        fs::set_permissions(scratch, fs::Permissions::from_mode(0o777)).expect("allowed");
        let roots = vec![(file, false); 1_000];
        let technique = named(TECHNIQUES, "thread_per_file");
        let job = job(&roots, scratch.join("answer"), technique);
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        let none = Rlimit { current: Some(1), maximum: Some(1) };
        setrlimit(Resource::Nproc, none).expect("lowering is allowed");
        // SAFETY: the call changes whose process this is, and nothing in memory. The limit does not hold for the super-user.
        unsafe { libc::setuid(65_534) };
        let error = prepared.repeat(1).expect_err("no thread may be started").to_string();
        assert!(error.starts_with("thread ") && error.contains(" of 1000 could not be started: "), "{error}");
    });
}
