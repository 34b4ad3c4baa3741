#![allow(unsafe_code, reason = "what a launch must not inherit is asked of the operating system")]
//! Launches through a real launcher. This program plays every part: started without a part it is the harness.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sys::process::supervisor::Supervisor;
use sys::process::{Ended, Growth, Input, Launch, Output, Status, Survivors};

mod parts;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

type Sentence = (&'static str, fn());

macro_rules! sentences {
    ($($name:ident),* $(,)?) => { &[$((stringify!($name), $name as fn())),*] };
}
pub(crate) use sentences;

const SENTENCES: &[Sentence] = sentences![
    an_exit_code_comes_back,
    output_is_kept_up_to_the_limit_and_read_beyond_it,
    output_goes_to_a_file_whole_and_errors_are_kept,
    a_command_whose_file_or_folder_grows_too_long_is_killed,
    a_command_reads_the_file_or_bytes_that_it_was_given,
    a_command_sees_the_added_variables_and_its_directory,
    a_command_runs_on_the_processors_it_was_given,
    what_is_missing_is_named,
    a_time_limit_kills_the_command_and_all_that_it_started,
    an_interruption_kills_the_command_and_all_that_it_started,
    a_launcher_serves_again_after_every_kind_of_end,
    the_processor_time_of_a_command_is_counted,
    a_process_reads_the_processor_time_of_its_children_too,
    the_processor_time_of_awaited_orphans_is_counted,
    survivors_are_killed_and_counted,
    survivors_are_left_when_asked_and_not_counted_again,
    survivors_that_were_left_outlive_the_launcher,
    the_peak_memory_is_that_of_the_command_alone,
    a_memory_limit_is_felt,
    the_end_of_the_supervisor_is_the_end_of_what_runs,
    elapsed_time_is_that_of_the_command_alone,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "part" => parts::play(rest),
        _ => harness(&arguments),
    }
}

fn harness(arguments: &[String]) -> ExitCode {
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let skipped: Vec<&str> =
        arguments.iter().filter_map(|argument| argument.strip_prefix("--skip=")).collect();
    let mut failed = 0;
    for (name, sentence) in SENTENCES.iter().chain(system::SENTENCES) {
        let is_skipped = skipped.iter().any(|part| name.contains(part));
        if is_skipped || filter.is_some_and(|filter| !name.contains(filter.as_str())) {
            continue;
        }
        let held = std::panic::catch_unwind(sentence).is_ok();
        failed += u32::from(!held);
        let verdict = if held { "ok" } else { "FAILED" };
        writeln!(io::stdout(), "test {name} ... {verdict}").expect("standard output");
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

pub(crate) fn this_program() -> OsString {
    std::env::current_exe().expect("this program").into_os_string()
}

pub(crate) fn launcher() -> Supervisor {
    Supervisor::start(&this_program(), &["part".into(), "launcher".into()]).expect("a launcher")
}

pub(crate) fn part(words: &[&str]) -> Launch {
    let arguments = std::iter::once("part").chain(words.iter().copied()).map(OsString::from).collect();
    Launch { arguments, ..Launch::new(this_program()) }
}

pub(crate) static GO: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(launch: &Launch) -> Ended {
    run_by(&mut launcher(), launch)
}

pub(crate) fn run_by(launcher: &mut Supervisor, launch: &Launch) -> Ended {
    launcher.run(launch, &GO).expect("a program that exists")
}

pub(crate) fn refusal(launch: &Launch) -> io::Error {
    launcher().run(launch, &GO).expect_err("it cannot be started")
}

/// For what is bound to come, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);
const PATIENCE_NS: u64 = PATIENCE.as_nanos() as u64;

pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "not seen in {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A file that a part makes when it has come so far, and that does not exist yet.
pub(crate) struct Mark {
    folder: tempfile::TempDir,
}

impl Mark {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self) -> String {
        self.folder.path().join("mark").to_str().expect("a temporary folder has a plain name").to_owned()
    }

    pub(crate) fn exists(&self) -> bool {
        std::path::Path::new(&self.path()).exists()
    }

    pub(crate) fn wait(&self) {
        wait_until("the mark", || self.exists());
    }
}

/// Runs a family of three that is killed at a time limit, once all three ran by then: a busy machine needs a longer limit.
pub(crate) fn killed_at_its_limit(run: &mut dyn FnMut(&Launch) -> Ended) -> Ended {
    let mut limit_ns = 300_000_000;
    loop {
        let (token, mark) = (token(), Mark::new());
        let launch = Launch { time_limit_ns: Some(limit_ns), ..part(&["family", &token, &mark.path()]) };
        let ended = run(&launch);
        assert_eq!(ended.status, Status::TimedOut, "{ended:?}");
        assert!(ended.elapsed_ns >= limit_ns, "{ended:?}");
        assert_eq!(system::running(&token), 0);
        if mark.exists() {
            return ended;
        }
        limit_ns *= 2;
    }
}

/// Returns a word that stands in the arguments of one launch only, by which its processes are found.
pub(crate) fn token() -> String {
    use std::sync::atomic::AtomicU32;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("token-{}-{}-", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the processor time; `None` only where the system is known not to report, and the answer says so.
pub(crate) fn busy_ns(ended: &Ended) -> Option<u64> {
    let busy = ended.usage.cpu_ns();
    assert!(busy.is_some() || system::counts_nothing(ended), "{ended:?}");
    busy
}

fn an_exit_code_comes_back() {
    for code in [0, 7, 255] {
        let ended = run(&part(&["exit", &code.to_string()]));
        assert_eq!(ended.status, Status::Exit(code), "{ended:?}");
        assert!(ended.elapsed_ns > 0 && ended.survivors == 0, "{ended:?}");
        assert_eq!((ended.outlived_by, ended.longer_ns), (0, 0), "{ended:?}");
    }
}

fn output_is_kept_up_to_the_limit_and_read_beyond_it() {
    // A command that prints more than is kept ends well.
    for (output, printed, kept) in [
        (Output::Capture { limit_bytes: 70_000 }, "1000", 1000),
        (Output::Capture { limit_bytes: 70_000 }, "3000000", 70_000),
        (Output::Capture { limit_bytes: 0 }, "3000000", 0),
    ] {
        let ended = run(&Launch { output, ..part(&["print", printed]) });
        assert_eq!(ended.status, Status::Exit(0));
        assert!(ended.stdout == vec![b'o'; kept] && ended.stderr == vec![b'e'; kept], "{printed}");
    }
}

fn output_goes_to_a_file_whole_and_errors_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("output");
    std::fs::write(&path, "what an earlier command left").expect("written");
    let output = Output::File { path: path.clone(), limit_bytes: 1000 };
    let ended = run(&Launch { output, ..part(&["print", "3000000"]) });
    assert_eq!((ended.status, ended.stdout.len()), (Status::Exit(0), 0));
    assert_eq!(ended.stderr, [b'e'; 1000]);
    assert!(std::fs::read(&path).expect("readable") == vec![b'o'; 3_000_000], "the file holds all");
}

fn a_command_whose_file_or_folder_grows_too_long_is_killed() {
    let home = tempfile::tempdir().expect("a folder");
    let (file, folder) = (home.path().join("output"), home.path().join("folder"));
    std::fs::create_dir_all(folder.join("inner")).expect("folders");
    for path in [&file, &folder.join("inner/file")] {
        std::fs::write(path, [0; 20_000]).expect("written");
    }
    // A folder takes some room itself.
    for (path, bytes) in [(file, 20_000), (folder, 24_096)] {
        let [few, all] = [bytes - 1, bytes].map(|most_bytes| Some(Growth { path: path.clone(), most_bytes }));
        let ended = run(&Launch { growth: few, ..part(&["sleep", "86400000"]) });
        assert_eq!(ended.status, Status::FileTooLong, "{ended:?}");
        assert_eq!(run(&Launch { growth: all, ..part(&["exit", "7"]) }).status, Status::Exit(7));
    }
}

fn a_command_reads_the_file_or_bytes_that_it_was_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("input");
    let given = |input| run(&Launch { input, ..part(&["repeat-input"]) }).stdout;
    // Bytes that are no text come back unharmed; the last are more than a command line or a pipe holds.
    for bytes in [Vec::new(), (0..=255).collect(), b"one line\n\xff".to_vec(), vec![0xff; 3_000_000]] {
        std::fs::write(&path, &bytes).expect("written");
        let kept = &bytes[..bytes.len().min(1 << 20)];
        assert!(given(Input::File(path.clone())) == kept, "{} bytes", bytes.len());
        assert!(given(Input::Bytes(bytes.clone())) == kept, "{} bytes", bytes.len());
    }
    assert_eq!(given(Input::Null), b"", "without a file there is nothing to read");
}

fn a_command_sees_the_added_variables_and_its_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = folder.path().canonicalize().expect("it exists");
    let environment = vec![("SYS_WORD".into(), "a word".into())];
    let ended = run(&Launch { environment, directory: Some(directory.clone()), ..part(&["surroundings"]) });
    let text = String::from_utf8(ended.stdout).expect("a text");
    let [word, path] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert_eq!(word, "a word");
    // The same directory may have several names.
    assert_eq!(std::path::Path::new(path).canonicalize().expect("it exists"), directory);
}

fn a_command_runs_on_the_processors_it_was_given() {
    let all = sys::affinity::allowed();
    let mut launcher = launcher();
    let last = vec![all[all.len() - 1]];
    // In the end the launcher itself is free again.
    for (processors, seen) in [(last.clone(), last), (Vec::new(), all)] {
        let ended = run_by(&mut launcher, &Launch { processors, ..part(&["processors"]) });
        assert_eq!(ended.stdout, format!("{seen:?}").as_bytes());
    }
}

fn what_is_missing_is_named() {
    let exit = &["exit", "0"];
    let output = Output::File { path: "/no/such/folder/output".into(), limit_bytes: 0 };
    for (launch, name, is_reported) in [
        (Launch::new("/no/such/program"), "/no/such/program", true),
        (Launch { directory: Some("/no/such/folder".into()), ..part(exit) }, "/no/such/folder", false),
        (Launch { input: Input::File("/no/such/input".into()), ..part(exit) }, "/no/such/input", false),
        (Launch { output, ..part(exit) }, "/no/such/folder/output", false),
    ] {
        let error = refusal(&launch);
        assert!(!is_reported || error.kind() == io::ErrorKind::NotFound, "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}

fn a_time_limit_kills_the_command_and_all_that_it_started() {
    let ended = killed_at_its_limit(&mut run);
    assert_eq!(ended.survivors, 2, "a child and a grandchild: {ended:?}");
}

fn an_interruption_kills_the_command_and_all_that_it_started() {
    let (token, mark, interrupted) = (token(), Mark::new(), AtomicBool::new(false));
    let launch = part(&["family", &token, &mark.path()]);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            mark.wait();
            interrupted.store(true, Ordering::Relaxed);
        });
        launcher().run(&launch, &interrupted).expect("a program that exists")
    });
    assert_eq!((&ended.status, ended.survivors), (&Status::Cancelled, 2), "{ended:?}");
    assert_eq!(system::running(&token), 0);
    // One before the start counts too.
    let ended = launcher().run(&launch, &interrupted).expect("an answer");
    assert_eq!(ended.status, Status::Cancelled, "{ended:?}");
    assert_eq!(system::running(&token), 0);
}

fn a_launcher_serves_again_after_every_kind_of_end() {
    let mut launcher = launcher();
    for _ in 0..3 {
        launcher.run(&Launch::new("/no/such/program"), &GO).expect_err("no such program");
        let late = Launch { time_limit_ns: Some(50_000_000), ..part(&["sleep"]) };
        assert_eq!(run_by(&mut launcher, &late).status, Status::TimedOut);
        let stopped = launcher.run(&part(&["sleep"]), &AtomicBool::new(true)).expect("an answer");
        assert_eq!(stopped.status, Status::Cancelled);
        assert_eq!(run_by(&mut launcher, &part(&["exit", "3"])).status, Status::Exit(3));
    }
}

fn the_processor_time_of_a_command_is_counted() {
    let ended = run(&part(&["spin", "200"]));
    assert!(busy_ns(&ended).is_none_or(|busy| (150_000_000..1_000_000_000).contains(&busy)), "{ended:?}");
}

fn a_process_reads_the_processor_time_of_its_children_too() {
    let ended = run(&part(&["meter", "spin", "200"]));
    let text = String::from_utf8_lossy(&ended.stdout);
    let busy_ns: u64 = text.split(' ').next().and_then(|busy| busy.parse().ok()).expect("a number");
    assert!(busy_ns >= 190_000_000 || system::counts_nothing(&ended), "{ended:?}");
}

fn the_processor_time_of_awaited_orphans_is_counted() {
    let ended = run(&Launch { linger_ns: PATIENCE_NS, ..part(&["orphan", "spin", "200"]) });
    assert_eq!(ended.status, Status::Exit(0));
    assert!(busy_ns(&ended).is_none_or(|busy| busy >= 150_000_000), "{ended:?}");
    assert_eq!((ended.outlived_by, ended.survivors), (1, 0), "{ended:?}");
    assert!(ended.longer_ns >= 100_000_000, "{ended:?}");
}

fn survivors_are_killed_and_counted() {
    let token = token();
    let ended = run(&part(&["orphan", "sleep", &token]));
    assert_eq!((&ended.status, ended.outlived_by, ended.survivors), (&Status::Exit(0), 1, 1), "{ended:?}");
    assert_eq!(system::running(&token), 0);
}

fn survivors_are_left_when_asked_and_not_counted_again() {
    let (token, mark) = (token(), Mark::new());
    let mut launcher = launcher();
    let words = ["orphan", "await-then-spin", &mark.path(), "1000", &token];
    let left = run_by(&mut launcher, &Launch { survivors: Survivors::Leave, ..part(&words) });
    assert_eq!(left.survivors, 1, "{left:?}");
    assert!(left.counted_by.contains("still run"), "{left:?}");
    wait_until("its name", || system::running(&token) == 1);
    // It works and ends while the next command runs, and is none of its business.
    let (head, tail) = token.split_at(5);
    let next = run_by(&mut launcher, &part(&["mark-then-outlive", &mark.path(), head, tail]));
    assert_eq!((&next.status, next.survivors), (&Status::Exit(0), 0), "{next:?}");
    assert!(busy_ns(&next).is_none_or(|busy| busy < 900_000_000), "{next:?}");
}

fn survivors_that_were_left_outlive_the_launcher() {
    let (token, mark) = (token(), Mark::new());
    let words = ["orphan", "await-then-spin", &mark.path(), "1", &token];
    let left = run(&Launch { survivors: Survivors::Leave, ..part(&words) });
    assert_eq!(left.survivors, 1, "{left:?}");
    wait_until("its name", || system::running(&token) == 1);
    parts::mark(&mark.path());
    wait_until("its end", || system::running(&token) == 0);
}

fn the_peak_memory_is_that_of_the_command_alone() {
    let mut launcher = launcher();
    let ballast = std::hint::black_box(vec![1_u8; 200 << 20]);
    let large = run_by(&mut launcher, &part(&["fill", "100000000"]));
    let peak = large.usage.peak_memory_bytes;
    assert!(peak.is_some() || system::counts_nothing(&large), "a large peak is known: {large:?}");
    assert!(peak.is_none_or(|peak| (100_000_000..150_000_000).contains(&peak)), "{large:?}");
    // A large answer makes the launcher large for a moment: that must not show in the next peak.
    let output = Output::Capture { limit_bytes: 64 << 20 };
    run_by(&mut launcher, &Launch { output, ..part(&["print", "30000000"]) });
    let small = run_by(&mut launcher, &part(&["exit", "0"]));
    assert!(small.usage.peak_memory_bytes.is_none_or(|peak| peak < system::IDLE_PEAK_BYTES), "{small:?}");
    drop(ballast);
}

fn a_memory_limit_is_felt() {
    let limit = |bytes| Launch { memory_limit_bytes: Some(bytes), ..part(&["fill", "300000000"]) };
    let mut launcher = launcher();
    let error = launcher.run(&limit(4096), &GO).expect_err("less than every program");
    assert!(error.to_string().contains("a memory limit of 4 KiB is too small to start anything"), "{error}");
    let refused = match launcher.run(&limit(200_000_000), &GO) {
        Err(error) if system::limits_no_memory(&error) => {
            needs::are_met(Err(error.to_string()));
            return;
        }
        answer => answer.expect("an answer"),
    };
    assert_ne!(refused.status, Status::Exit(0), "{refused:?}");
    let enough = run_by(&mut launcher, &limit(1_000_000_000));
    assert_eq!(enough.status, Status::Exit(0), "{enough:?}");
    let free = run_by(&mut launcher, &part(&["fill", "1500000000"]));
    assert_eq!(free.status, Status::Exit(0), "the launcher itself is free again: {free:?}");
}

/// Lets this program play a part in which it dies in the middle of a launch, and waits for the end of what it launched.
pub(crate) fn assert_nothing_outlives(part: &str) {
    let (token, mark) = (token(), Mark::new());
    let mut command = std::process::Command::new(this_program());
    command.args(["part", part, &token, &mark.path()]).status().expect("this program");
    assert!(mark.exists(), "the launch was under way");
    wait_until("the end of all that was launched", || system::running(&token) == 0);
    system::await_end_of_memory_groups();
}

fn the_end_of_the_supervisor_is_the_end_of_what_runs() {
    assert_nothing_outlives("abandon");
}

fn elapsed_time_is_that_of_the_command_alone() {
    const LINGER_NS: u64 = 2_000_000_000;
    let mut launcher = launcher();
    let launch = Launch { linger_ns: LINGER_NS, ..part(&["orphan", "sleep", &token()]) };
    let before_ns = sys::clock::now_ns();
    let ended = run_by(&mut launcher, &launch);
    let after_ns = sys::clock::now_ns();
    assert_eq!((&ended.status, ended.survivors), (&Status::Exit(0), 1), "{ended:?}");
    // The wait for the orphan begins where the elapsed time ends, however late that is, and is as long as was asked for.
    assert!(before_ns + ended.elapsed_ns + LINGER_NS <= after_ns, "{} ns: {ended:?}", after_ns - before_ns);
}
