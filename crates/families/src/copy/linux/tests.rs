//! What only Linux can be made to do: a file that must not grow, and file systems that refuse a call.

use std::io;
use std::path::Path;
use std::process::Command;

use model::{Availability, Setting};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

use crate::contract::Technique;
use crate::copy::TECHNIQUES;
use crate::copy::job::CopyJob;
use crate::copy::job::OneOfMany;
use crate::copy::tests::{is_for_one_file, job};

fn setting(directory: &Path) -> Setting {
    Setting::warm(directory, model::Durability::Returned)
}

fn ready(technique: &Technique<CopyJob>, directory: &Path) -> bool {
    (technique.probe)(&model::Host::default(), &setting(directory)).is_ready()
}

/// A limit holds for a whole process and for ever: the test of that name runs in a process of its own.
fn passes_alone(name: &str) {
    let this = std::env::current_exe().expect("this program");
    let name = format!("copy::linux::tests::{name}");
    let output = Command::new(this).args([&name, "--exact", "--ignored"]).output().expect("started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

fn technique(name: &str) -> &'static Technique<CopyJob> {
    TECHNIQUES.iter().find(|technique| technique.name == name).expect("listed")
}

/// Copies once and gives the notes.
fn noted(name: &str, source: &Path, destination: &Path) -> Vec<String> {
    let job = job(source.to_owned(), destination.to_owned(), technique(name));
    let mut prepared = (technique(name).prepare)(&job).expect("prepared");
    prepared.repeat(1).expect(name);
    prepared.notes()
}

#[test]
fn a_destination_that_cannot_grow_is_an_error_that_names_step_and_file() {
    passes_alone("copies_under_a_file_size_limit");
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
        let mut destination = scratch.path().join(technique.name);
        let mut job = job(source.clone(), destination.clone(), technique);
        if !is_for_one_file(technique) {
            job.source = scratch.path().to_owned();
            destination.push("source");
            job.many = Some(vec![OneOfMany { source: source.clone(), destination: destination.clone() }]);
        }
        let error = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{}: {error}", technique.name);
        let path = destination.display().to_string();
        assert!(error.to_string().contains(&path), "{}: {error}", technique.name);
    }
}

#[test]
fn a_source_without_a_length_is_read_to_its_end() {
    let scratch = tempfile::tempdir().expect("scratch");
    let read_until_the_end = [
        "c_stdio",
        "small_buffer",
        "hinted_8k",
        "one_call",
        "posix_layer",
        "c_stdio_large_buffer",
        "read_write",
        "hinted_large_buffer",
        "read_ahead",
        "huge_page_buffer",
        "no_access_time",
    ];
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

/// Refuses these system calls to the calling thread for the rest of its life.
fn refuse(calls: &[libc::c_long]) {
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let mut filter = vec![statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0)];
    for (nth, &call) in calls.iter().enumerate() {
        let to_the_refusal = (calls.len() - nth) as u8;
        let compare = statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, call as u32);
        filter.push(libc::sock_filter { jt: to_the_refusal, ..compare });
    }
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW));
    filter.push(statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: no privileges are gained from here on; nothing is read or written.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }, 0);
    // SAFETY: the program says its own length and lives through the call, which copies it.
    let set = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    assert_eq!(set, 0, "{}", io::Error::last_os_error());
}

#[test]
fn a_call_that_is_refused_gives_way_to_the_next_and_the_note_names_both() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 3_000_000]).expect("written");
    let calls = [
        (libc::SYS_copy_file_range, "copy_file_range", "sendfile"),
        (libc::SYS_sendfile, "sendfile", "splice"),
        (libc::SYS_splice, "splice", "read and write"),
    ];
    for count in 1..=calls.len() {
        let refused: Vec<libc::c_long> = calls[..count].iter().map(|&(call, ..)| call).collect();
        let destination = scratch.path().join(format!("without-{count}"));
        let notes = std::thread::scope(|scope| {
            let copying = || {
                refuse(&refused);
                noted("one_call", &source, &destination)
            };
            scope.spawn(copying).join().expect("copied")
        });
        let shares = notes == ["reflinked"];
        let here =
            || "the file system of temporary files shares extents, so that nothing is copied".to_owned();
        if !needs::are_met((!shares).then_some(()).ok_or_else(here)) {
            return;
        }
        let [note] = &notes[..] else { panic!("{notes:?}") };
        let by = calls[count - 1].2;
        assert!(note.starts_with(&format!("fell back: {by} in place of copy_file_range (")), "{note}");
        assert!(calls[..count].iter().all(|(_, name, _)| note.contains(name)), "{note}");
        assert_eq!(std::fs::read(&destination).expect("readable"), vec![b'x'; 3_000_000], "{note}");
    }
}

#[test]
fn buffers_are_registered_under_the_usual_limit_of_locked_memory_and_a_smaller_one_is_told() {
    if ready(technique("io_uring"), Path::new("/tmp")) {
        passes_alone("copies_under_limits_of_locked_memory");
    }
}

#[test]
#[ignore = "limits its whole process: started by the test above"]
fn copies_under_limits_of_locked_memory() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 25_600_000]).expect("written");
    // Who has this capability knows no limit.
    let mut own = capabilities(None).expect("readable");
    own.effective.remove(CapabilitySet::IPC_LOCK);
    set_capabilities(None, own).expect("giving up is allowed");
    let unregistered = |note: &String| note.starts_with("fell back: io_uring without registered buffers");
    // The smaller one first: the kernel gives back what a ring has locked some time after its end.
    for (limit, is_told) in [(64 << 10, true), (8 << 20, false)] {
        let limit = Rlimit { current: Some(limit), maximum: Some(8 << 20) };
        setrlimit(Resource::Memlock, limit).expect("lowered");
        let destination = scratch.path().join(format!("{is_told}"));
        let notes = noted("io_uring", &source, &destination);
        assert_eq!(notes.iter().any(unregistered), is_told, "{limit:?}: {notes:?}");
        assert_eq!(std::fs::metadata(&destination).expect("there").len(), 25_600_000);
    }
}

#[test]
fn a_small_copy_touches_few_pages_of_memory() {
    /// Memory of 10 KB, its stack and what the library keeps: far from the 64 pages of 256 KiB.
    const PAGES: i64 = 40;
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 10_000]).expect("written");
    for technique in TECHNIQUES.iter().filter(|technique| !technique.ceiling && is_for_one_file(technique)) {
        if !ready(technique, scratch.path()) {
            continue;
        }
        let mut job = job(source.clone(), scratch.path().join(technique.name), technique);
        job.bytes = 10_000;
        job.parameters = technique.points().pop().expect("a point");
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        // The first copy finds code and libraries that no page was made for yet.
        prepared.repeat(1).expect(technique.name);
        prepared.refresh().expect("removed");
        let before = pages_touched();
        prepared.repeat(1).expect(technique.name);
        let touched = pages_touched() - before;
        assert!(touched < PAGES, "{} touches {touched} pages for 10 KB", technique.name);
    }
}

#[test]
fn a_folder_of_small_files_touches_the_buffer_of_one() {
    /// The lists of names, and a table in the kernel's reach: far from 3 pages a file.
    const PAGES: i64 = 150;
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::create_dir(&source).expect("created");
    let names: Vec<String> = (0..200).map(|nth| nth.to_string()).collect();
    names.iter().for_each(|name| std::fs::write(source.join(name), vec![b'x'; 10_000]).expect("written"));
    let one_at_a_time = ["small_buffer", "read_write", "presized", "presized_splice", "uncached", "openat"];
    let mut seen = 0;
    for technique in TECHNIQUES.iter().filter(|technique| one_at_a_time.contains(&technique.name)) {
        if !ready(technique, scratch.path()) {
            continue;
        }
        let destination = scratch.path().join(technique.name);
        let one =
            |name: &String| OneOfMany { source: source.join(name), destination: destination.join(name) };
        let many = Some(names.iter().map(one).collect());
        let job = CopyJob { many, ..job(source.clone(), destination.clone(), technique) };
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        // The first copy finds code and libraries that no page was made for yet.
        prepared.repeat(1).expect(technique.name);
        prepared.refresh().expect("removed");
        let before = pages_touched();
        prepared.repeat(1).expect(technique.name);
        let touched = pages_touched() - before;
        assert!(touched < PAGES, "{} touches {touched} pages for 200 files", technique.name);
        seen += 1;
    }
    assert!(seen >= 4, "only {seen} could be looked at");
}

/// Pages that were made for the calling thread so far.
fn pages_touched() -> i64 {
    // SAFETY: all fields are numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the place is valid for the answer.
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) }, 0);
    usage.ru_minflt
}

#[test]
fn a_copy_may_leave_the_access_time_of_its_source_alone() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, "0123456789").expect("written");
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let file = std::fs::File::options().write(true).open(&source).expect("opened");
    file.set_times(std::fs::FileTimes::new().set_accessed(long_ago)).expect("set");
    noted("no_access_time", &source, &scratch.path().join("copy"));
    let accessed = std::fs::metadata(&source).expect("there").accessed().expect("kept");
    assert_eq!(accessed, long_ago);
    assert_eq!(std::fs::read(scratch.path().join("copy")).expect("readable"), b"0123456789");
}
