//! What only Linux can be made to do: a file that must not grow, and file systems that refuse a call.

use std::fs;
use std::io;
use std::path::Path;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

use crate::copy::TECHNIQUES;
use crate::copy::tests::job_of_many;
use crate::files::job_tests::{done, job, missing};
use crate::files::{alone, pages_for};
use crate::testing::named;

fn noted(name: &str, source: &Path, destination: &Path) -> Vec<String> {
    let technique = named(TECHNIQUES, name);
    done(technique, &job(source, destination, technique)).expect(name)
}

#[test]
fn a_copy_across_file_systems_falls_back_but_never_fails() {
    let scratch = tempfile::tempdir().expect("scratch");
    let other = tempfile::tempdir_in("/dev/shm").expect("a second file system");
    let source = other.path().join("source");
    fs::write(&source, vec![b'x'; 300_000]).expect("written");
    for name in ["one_call", "parallel_ranges"] {
        let destination = scratch.path().join(name);
        noted(name, &source, &destination);
        assert_eq!(fs::read(&destination).expect("readable").len(), 300_000, "{name}");
    }
}

#[test]
fn a_refusal_names_no_private_file() {
    let shared_memory = tempfile::tempdir_in("/dev/shm").expect("a file system without extents");
    let refused = missing(named(TECHNIQUES, "reflink"), shared_memory.path());
    let sentence = refused.expect("/dev/shm shares no extents");
    assert!(sentence.ends_with("ioctl FICLONE: Operation not supported (os error 95)"), "{sentence}");
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
fn a_refused_call_gives_way_to_the_next_and_a_note_names_both() {
    let (scratch, source) = crate::testing::scratch_with("source", vec![b'x'; 3_000_000]);
    let calls = [
        (libc::SYS_copy_file_range, "copy_file_range", "sendfile"),
        (libc::SYS_sendfile, "sendfile", "splice"),
        (libc::SYS_splice, "splice", "read and write"),
    ];
    for count in 1..=calls.len() {
        let refused: Vec<libc::c_long> = calls[..count].iter().map(|&(call, ..)| call).collect();
        let destination = scratch.path().join(format!("without-{count}"));
        let notes = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                refuse(&refused);
                noted("one_call", &source, &destination)
            });
            thread.join().expect("copied")
        });
        let shares = matches!(sys::extents::shared(&destination), Ok(Some(true)));
        let here = "the file system of temporary files shares extents, so that nothing is copied";
        if !needs::are_met((!shares).then_some(()).ok_or(here.to_owned())) {
            return;
        }
        let [note] = &notes[..] else { panic!("{notes:?}") };
        let by = calls[count - 1].2;
        assert!(note.starts_with(&format!("fell back: {by} instead of copy_file_range (")), "{note}");
        assert!(calls[..count].iter().all(|(_, name, _)| note.contains(name)), "{note}");
        assert_eq!(fs::read(&destination).expect("readable"), vec![b'x'; 3_000_000], "{note}");
    }
}

#[test]
fn buffers_fit_the_usual_limit_of_locked_memory() {
    if missing(named(TECHNIQUES, "io_uring"), Path::new("/tmp")).is_some() {
        return;
    }
    let name = "copy::linux::tests::buffers_fit_the_usual_limit_of_locked_memory";
    alone(name, |scratch| {
        let source = scratch.join("source");
        fs::write(&source, vec![b'x'; 25_600_000]).expect("written");
        // Who has this capability knows no limit.
        let mut own = capabilities(None).expect("readable");
        own.effective.remove(CapabilitySet::IPC_LOCK);
        set_capabilities(None, own).expect("giving up is allowed");
        let said = "fell back: io_uring without registered buffers";
        // The smaller one, which is noted, first: the kernel gives back what a ring has locked some time after its end.
        for (limit, is_noted) in [(64 << 10, true), (8 << 20, false)] {
            let limit = Rlimit { current: Some(limit), maximum: Some(8 << 20) };
            setrlimit(Resource::Memlock, limit).expect("lowered");
            let destination = scratch.join(format!("{is_noted}"));
            let notes = noted("io_uring", &source, &destination);
            assert_eq!(notes.iter().any(|note| note.starts_with(said)), is_noted, "{limit:?}: {notes:?}");
            assert_eq!(fs::metadata(&destination).expect("there").len(), 25_600_000);
        }
    });
}

#[test]
fn a_folder_of_small_files_touches_the_buffer_of_one() {
    /// The lists of names, and a table in the kernel's reach: far from 3 pages a file.
    const PAGES: i64 = 150;
    let scratch = tempfile::tempdir().expect("scratch");
    let (names, text) = ((0..200).map(|nth| nth.to_string()).collect::<Vec<_>>(), "x".repeat(10_000));
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*text)).collect();
    let one_at_a_time = ["small_buffer", "read_write", "presized", "presized_splice", "uncached", "openat"];
    let ready = one_at_a_time.map(|name| named(TECHNIQUES, name)).into_iter();
    let ready: Vec<_> = ready.filter(|technique| missing(technique, scratch.path()).is_none()).collect();
    assert!(ready.len() >= 4, "only {} can be looked at", ready.len());
    for technique in ready {
        let touched = pages_for(technique, &job_of_many(scratch.path(), &files, technique));
        assert!(touched < PAGES, "{} touches {touched} pages for 200 files", technique.name);
    }
}

#[test]
fn a_copy_may_leave_the_access_time_of_its_source_alone() {
    let (scratch, source) = crate::testing::scratch_with("source", "0123456789");
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let file = fs::File::options().write(true).open(&source).expect("opened");
    file.set_times(fs::FileTimes::new().set_accessed(long_ago)).expect("set");
    noted("no_access_time", &source, &scratch.path().join("copy"));
    let accessed = fs::metadata(&source).expect("there").accessed().expect("kept");
    assert_eq!(accessed, long_ago);
    assert_eq!(fs::read(scratch.path().join("copy")).expect("readable"), b"0123456789");
}
