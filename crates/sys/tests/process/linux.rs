//! Tests that hold on Linux only, and looks at processes there.

use std::fs;
use std::io::{Error, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal};
use sys::process::supervisor::Supervisor;
use sys::process::{Ended, Input, Launch, Output, Status, Survivors};

use crate::parts::{launch_in_the_background, mark, sleep};
use crate::{
    GO, Mark, PATIENCE_NS, Sentence, assert_nothing_outlives, busy_ns, killed_at_its_limit, launcher, part,
    refusal, run, run_by, sentences, this_program, token, wait_until,
};

pub(crate) const SENTENCES: &[Sentence] = sentences![
    a_signal_is_reported_by_number_and_name,
    a_shell_pipeline_is_counted_with_all_its_parts,
    what_cannot_be_started_is_named_with_its_reason,
    a_program_keeps_its_name_and_a_broken_one_is_passed_over,
    orphans_and_session_leaders_are_waited_for_and_counted,
    a_process_reads_the_peak_memory_of_its_children_too,
    the_streams_of_the_launcher_itself_are_not_inherited,
    names_that_are_no_text_reach_the_command,
    signals_and_descriptors_are_as_the_launcher_found_them,
    a_signal_from_the_terminal_does_not_end_the_launcher,
    a_signal_before_the_launcher_can_heed_it_does_not_end_it,
    a_launcher_that_ignores_its_children_learns_of_their_ends,
    a_survivor_that_prints_for_ever_holds_nothing_up,
    a_group_counts_living_descendants_or_says_why_there_is_none,
    a_group_counts_those_for_whom_no_process_waited,
    a_group_is_gone_after_every_kind_of_end,
    a_memory_group_limits_memory_and_is_gone_after_every_end,
    a_memory_group_has_the_cache_let_go_of_a_larger_file,
    nothing_outlives_a_launcher_or_a_guard_that_is_killed,
    nothing_outlives_a_program_killed_with_launcher_or_group,
    commands_are_watched_and_killed_without_descriptors,
    an_output_that_is_a_link_or_an_unread_fifo_is_refused,
    a_memory_limit_that_was_reached_for_a_moment_is_named,
];

/// A process that does nothing has less at its peak.
pub(crate) const IDLE_PEAK_BYTES: u64 = 16 << 20;

/// Puts the command into a session of its own, out of reach of the process group.
pub(crate) fn escape(command: &mut Command) {
    // SAFETY: setsid is safe to call between fork and exec.
    unsafe { command.pre_exec(|| rustix::process::setsid().map(drop).map_err(Into::into)) };
}

/// Returns how many processes have `token` among their arguments, those that merely wait to be waited for not included.
pub(crate) fn running(token: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("proc").flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let lines = ids
        .filter(|id| *id != std::process::id())
        .filter_map(|id| fs::read(format!("/proc/{id}/cmdline")).ok());
    lines.filter(|line| line.windows(token.len()).any(|window| window == token.as_bytes())).count()
}

pub(crate) fn counts_nothing(_: &Ended) -> bool {
    false
}

pub(crate) fn limits_no_memory(_: &Error) -> bool {
    false
}

fn shell(script: &str) -> Launch {
    Launch { arguments: vec!["-c".into(), script.into()], ..Launch::new("sh") }
}

/// Returns a file that may be executed, and that the system cannot.
fn without_interpreter(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, "#!/no/such/interpreter\n").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our file");
    path
}

fn a_signal_is_reported_by_number_and_name() {
    let mut launcher = launcher();
    for (number, name) in [(9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM"), (2, "SIGINT")] {
        // Whatever starts these tests may have set its programs to ignore Ctrl-C.
        let script = format!("exec env --default-signal=INT,TERM sh -c 'kill -{number} $$'");
        let ended = run_by(&mut launcher, &shell(&script));
        assert_eq!(ended.status, Status::Signal { number, name: name.to_owned() }, "{ended:?}");
    }
    // What dies of a signal that its launcher got too was interrupted and did not fail.
    let statuses = ["kill -TERM $PPID; kill -TERM $$", "kill -TERM $PPID; kill -KILL $$"]
        .map(|script| run_by(&mut launcher, &shell(script)).status);
    assert_eq!(statuses, [Status::Cancelled, Status::Signal { number: 9, name: "SIGKILL".to_owned() }]);
}

fn a_shell_pipeline_is_counted_with_all_its_parts() {
    let spin = format!("'{}' part spin 100", this_program().display());
    let ended = run(&shell(&format!("{spin} | {spin} | cat; {spin} & wait")));
    assert_eq!(ended.status, Status::Exit(0), "{ended:?}");
    assert!(busy_ns(&ended) >= Some(270_000_000), "{ended:?}");
}

fn what_cannot_be_started_is_named_with_its_reason() {
    use std::io::ErrorKind;
    let (folder, file) =
        (tempfile::tempdir().expect("a folder"), tempfile::NamedTempFile::new().expect("a file"));
    let script = without_interpreter(folder.path(), "script");
    let too_long = Launch { arguments: vec!["x".repeat(100_000).into(); 100], ..Launch::new("true") };
    let path = file.path().display().to_string();
    for (launch, kind, said) in [
        (Launch::new(script), ErrorKind::NotFound, "interpreter is missing"),
        (too_long, ErrorKind::ArgumentListTooLong, "true"),
        (Launch::new(file.path()), ErrorKind::PermissionDenied, &path),
        (Launch::new("no-such-program"), ErrorKind::NotFound, "no-such-program: "),
    ] {
        let error = refusal(&launch);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
}

fn a_program_keeps_its_name_and_a_broken_one_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    without_interpreter(folder.path(), "sh");
    let own = std::env::var("PATH").expect("a search path");
    let path = format!("{}:{own}", folder.path().display());
    for environment in [Vec::new(), vec![("PATH".into(), path.into())]] {
        assert_eq!(run(&Launch { environment, ..shell("echo $0") }).stdout, b"sh\n");
    }
}

fn orphans_and_session_leaders_are_waited_for_and_counted() {
    let script = format!("(setsid '{}' part spin 200 &) ; exit 4", this_program().display());
    let ended = run(&Launch { linger_ns: PATIENCE_NS, ..shell(&script) });
    assert_eq!((&ended.status, ended.survivors), (&Status::Exit(4), 0), "{ended:?}");
    assert!(busy_ns(&ended) >= Some(150_000_000), "{ended:?}");
    assert!(ended.counted_by.contains("orphaned"), "{ended:?}");
    // Many are all waited for.
    let script = "for i in 1 2 3 4 5 6 7 8 9 10; do (sleep 0.3 &); done";
    let ended = run(&Launch { linger_ns: PATIENCE_NS, ..shell(script) });
    assert_eq!(ended.survivors, 0, "{ended:?}");
    assert!(ended.counted_by.contains("10 that it orphaned"), "{ended:?}");
}

fn a_process_reads_the_peak_memory_of_its_children_too() {
    let ended = run(&part(&["meter", "fill", "100000000"]));
    let text = String::from_utf8(ended.stdout.clone()).expect("a text");
    let peak_bytes: u64 = text.split_once(' ').expect("two numbers").1.parse().expect("a number");
    assert!((100_000_000..130_000_000).contains(&peak_bytes), "{ended:?}");
}

fn the_streams_of_the_launcher_itself_are_not_inherited() {
    // A command that reads what it inherits must not eat the next request, and one that writes not break the answer.
    let mut launcher = launcher();
    let launch =
        Launch { input: Input::Inherit, output: Output::Inherit, ..shell("readlink /proc/self/fd/0 >&2") };
    for _ in 0..2 {
        assert_eq!(run_by(&mut launcher, &launch).status, Status::Exit(0));
    }
    let own = fs::read_link("/proc/self/fd/0").expect("standard input");
    let ended = run_by(&mut launcher, &Launch { input: Input::Inherit, ..shell("readlink /proc/$$/fd/0") });
    assert_eq!(String::from_utf8_lossy(&ended.stdout).trim(), own.to_string_lossy());
}

fn directly(launch: &Launch) -> String {
    let output = Command::new(&launch.program).args(&launch.arguments).output();
    String::from_utf8_lossy(&output.expect("a program that exists").stdout).into_owned()
}

fn signals_and_descriptors_are_as_the_launcher_found_them() {
    for script in ["exec grep -E '^Sig(Blk|Ign)' /proc/self/status", "exec ls /proc/self/fd"] {
        assert_eq!(String::from_utf8_lossy(&run(&shell(script)).stdout), directly(&shell(script)));
    }
}

fn names_that_are_no_text_reach_the_command() {
    let word = std::ffi::OsStr::from_bytes(b"\xff\xfe word");
    let arguments = vec!["-c".into(), r#"printf %s%s "$1" "$WORD""#.into(), "sh".into(), word.into()];
    let launch = Launch { arguments, environment: vec![("WORD".into(), word.into())], ..Launch::new("sh") };
    assert_eq!(run(&launch).stdout, b"\xff\xfe word\xff\xfe word");
}

fn a_signal_from_the_terminal_does_not_end_the_launcher() {
    let mut launcher = launcher();
    for signal in ["INT", "QUIT", "HUP", "TERM"] {
        let ended = launcher.run(&shell(&format!("kill -{signal} $PPID")), &GO);
        assert_eq!(ended.expect("the launcher lives").status, Status::Exit(0), "{signal}");
    }
}

fn a_signal_before_the_launcher_can_heed_it_does_not_end_it() {
    for signal in ["INT", "QUIT", "HUP", "TERM"] {
        let early = format!("kill -{signal} $$; exec \"$0\" part launcher");
        let arguments = ["-c".into(), early.into(), this_program()];
        let mut launcher = Supervisor::start("sh".as_ref(), &arguments).expect("a launcher");
        let ended = run_by(&mut launcher, &part(&["exit", "7"]));
        assert_eq!(ended.status, Status::Exit(7), "{signal}: {ended:?}");
        let ended = run_by(&mut launcher, &shell("kill -INT $$"));
        assert!(matches!(ended.status, Status::Signal { .. }), "commands get their signals: {ended:?}");
    }
}

/// Returns the arguments of `env` that start a part with the ends of its children ignored, which no shell does.
fn ignoring_children(words: &[&str]) -> Vec<std::ffi::OsString> {
    let mut arguments = vec!["--ignore-signal=CHLD".into(), this_program(), "part".into()];
    arguments.extend(words.iter().map(std::ffi::OsString::from));
    arguments
}

fn a_launcher_that_ignores_its_children_learns_of_their_ends() {
    let mut launcher = Supervisor::start("env".as_ref(), &ignoring_children(&["launcher"])).expect("env");
    let ended = run_by(&mut launcher, &part(&["exit", "7"]));
    assert_eq!(ended.status, Status::Exit(7), "{ended:?}");
}

fn a_survivor_that_prints_for_ever_holds_nothing_up() {
    let output = Output::Capture { limit_bytes: 10 };
    for survivors in [Survivors::Leave, Survivors::Kill] {
        let (output, mark) = (output.clone(), Mark::new());
        let words = ["orphan-then-await", &mark.path(), "print-for-ever", &mark.path()];
        let ended = run(&Launch { survivors, output, ..part(&words) });
        assert_eq!((ended.survivors, &ended.stdout[..]), (1, &b"y\ny\ny\ny\ny\n"[..]), "{ended:?}");
    }
}

fn run_in_group(launch: &Launch) -> Ended {
    launcher().run_in_group(launch, &GO).expect("a program that exists")
}

fn used_ns(ended: &Ended) -> u64 {
    busy_ns(ended).expect("both times")
}

/// Returns whether the launch had a group of its own; asserts that the answer says so if not.
fn had_a_group(ended: &Ended) -> bool {
    let had = ended.counted_by.starts_with("a control group (user and system");
    assert!(had || ended.counted_by.contains("; without a control group, since "), "{ended:?}");
    needs::are_met(had.then_some(()).ok_or_else(|| ended.counted_by.clone()))
}

fn a_group_counts_living_descendants_or_says_why_there_is_none() {
    let (token, spun, stop) = (token(), Mark::new(), Mark::new());
    let words =
        ["orphan-then-await", &spun.path(), "spin-mark-await", "200", &spun.path(), &stop.path(), &token];
    let ended = run_in_group(&Launch { survivors: Survivors::Leave, ..part(&words) });
    assert_eq!((&ended.status, ended.survivors), (&Status::Exit(0), 1), "{ended:?}");
    wait_until("its name", || running(&token) == 1);
    assert_eq!(used_ns(&ended) >= 150_000_000, had_a_group(&ended), "{ended:?}");
    mark(&stop.path());
}

fn a_group_counts_those_for_whom_no_process_waited() {
    // Who ignores the ends of its children does not hear what they used, and no other process is.
    let arguments = ignoring_children(&["start-then-outlive", "spin", "200"]);
    let ended = run_in_group(&Launch { arguments, ..Launch::new("env") });
    assert_eq!((&ended.status, ended.survivors), (&Status::Exit(0), 0), "{ended:?}");
    assert_eq!(used_ns(&ended) >= 150_000_000, had_a_group(&ended), "{ended:?}");
    assert!(used_ns(&ended) < 600_000_000, "{ended:?}");
}

fn a_group_is_gone_after_every_kind_of_end() {
    let mut launcher = launcher();
    for _ in 0..2 {
        let ended = killed_at_its_limit(&mut |launch| launcher.run_in_group(launch, &GO).expect("an answer"));
        assert_eq!(ended.survivors, 2, "{ended:?}");
        launcher.run_in_group(&Launch::new("/no/such/program"), &GO).expect_err("no such program");
    }
    let ended = launcher.run_in_group(&shell("cat /proc/$$/cgroup"), &GO).expect("an answer");
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let named: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once("/bakeoff-")?.1)).collect();
    assert_eq!(named.len(), usize::from(had_a_group(&ended)), "{text}");
    let own = fs::read_to_string("/proc/self/cgroup").expect("proc");
    assert!(!own.contains("/bakeoff-"), "{own}");
    assert_no_group_of(&named);
}

fn assert_no_group_of(ids: &[&str]) {
    for mount in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(Path::new) {
        assert!(!ids.iter().any(|id| mount.join(format!("bakeoff-{id}")).exists()), "{ids:?}");
    }
}

pub(crate) fn play(part: &str, words: &[String]) -> u8 {
    match part {
        "print-for-ever" => print_for_ever(&words[1]),
        "start-then-outlive" => start_then_outlive(&words[1..]),
        "die-with-the-launcher" => die_with_the_launcher(&words[1], &words[2]),
        "die-with-the-group" => die_with_the_group(&words[1], &words[2]),
        "use-up-address-space" => use_up(),
        "launcher-without-descriptors" => launcher_without_descriptors(),
        other => panic!("no part is called {other}"),
    }
}

fn print_for_ever(path: &str) -> u8 {
    // The one that starts it gives it nothing to print to.
    let parent = std::os::unix::process::parent_id();
    let mut output = fs::OpenOptions::new().write(true).open(format!("/proc/{parent}/fd/1")).expect("a pipe");
    output.write_all(b"y\ny\ny\ny\ny\n").expect("a reader");
    mark(path);
    while output.write_all(b"y\n").is_ok() {}
    0
}

/// Starts another part and goes on until it is gone, without waiting for it.
fn start_then_outlive(words: &[String]) -> u8 {
    let id = crate::parts::myself(words).spawn().expect("this program").id();
    wait_until("its end", || !Path::new(&format!("/proc/{id}")).exists());
    0
}

fn die_with_the_launcher(token: &str, path: &str) -> u8 {
    launch_in_the_background(token, path);
    let [_, launcher] = guard_and_launcher();
    kill(launcher);
    kill(std::process::id() as i32);
    sleep()
}

fn die_with_the_group(token: &str, path: &str) -> u8 {
    rustix::process::setpgid(None, None).expect("a group of its own");
    launch_in_the_background(token, path);
    rustix::process::kill_current_process_group(Signal::KILL).expect("its own group");
    sleep()
}

fn kill(id: i32) {
    rustix::process::kill_process(Pid::from_raw(id).expect("a number"), Signal::KILL).expect("it runs");
}

fn guard_and_launcher() -> [i32; 2] {
    let child = |parent: i32| {
        let entries = fs::read_dir("/proc").expect("proc").flatten();
        let mut ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let found = ids.find(|id| {
            let [stat, line] = ["stat", "cmdline"]
                .map(|file| fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default());
            let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
            fields.next() != Some("Z")
                && fields.next() == Some(&parent.to_string())
                && line.contains("\0launcher")
        });
        found.expect("a launcher")
    };
    let guard = child(std::process::id() as i32);
    [guard, child(guard)]
}

/// Runs a family in a group, kills while all of it runs, and looks for what is left as soon as there is an answer.
fn assert_nothing_is_left_after(kill_some: fn([i32; 2])) {
    let (token, mark) = (token(), Mark::new());
    let launch = part(&["family", &token, &mark.path()]);
    let mut launcher = launcher();
    let killed = guard_and_launcher();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            mark.wait();
            kill_some(killed);
        });
        launcher.run_in_group(&launch, &GO).expect_err("the launcher is gone")
    });
    assert!(error.to_string().contains("SIGKILL"), "{error}");
    assert_eq!(running(&token), 0);
    assert_no_group_of(&[&killed[1].to_string()]);
}

fn nothing_outlives_a_launcher_or_a_guard_that_is_killed() {
    assert_nothing_is_left_after(|[_, launcher]| kill(launcher));
    assert_nothing_is_left_after(|[guard, _]| kill(guard));
    assert_nothing_is_left_after(|[guard, launcher]| {
        // Neither gets to do anything about the end of the other.
        let id = Pid::from_raw(guard).expect("a number");
        rustix::process::kill_process(id, Signal::STOP).expect("it runs");
        kill(launcher);
        kill(guard);
    });
}

fn nothing_outlives_a_program_killed_with_launcher_or_group() {
    assert_nothing_outlives("die-with-the-launcher");
    assert_nothing_outlives("die-with-the-group");
}

/// Plays a launcher under a filter of system calls that knows no descriptors of processes, as some containers have it.
fn launcher_without_descriptors() -> u8 {
    // Loads the number of the call, compares it twice, and gives one of two answers.
    let mut filter = [
        (0x20, 0, 0),
        (0x15, 2, libc::SYS_pidfd_open as u32),
        (0x15, 1, libc::SYS_pidfd_send_signal as u32),
        (0x06, 0, libc::SECCOMP_RET_ALLOW),
        (0x06, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
    ]
    .map(|(code, jt, k)| libc::sock_filter { code, jt, jf: 0, k });
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the calls read the filter, which lives on, and change what this process may call.
    let set = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
    };
    assert!(set, "{}", Error::last_os_error());
    sys::process::supervisor::serve().expect("a well-behaved harness");
    0
}

fn commands_are_watched_and_killed_without_descriptors() {
    let arguments = ["part", "launcher-without-descriptors"].map(std::ffi::OsString::from);
    let mut launcher = Supervisor::start(&this_program(), &arguments).expect("a launcher");
    for code in [0, 7] {
        let ended = run_by(&mut launcher, &part(&["exit", &code.to_string()]));
        assert_eq!((&ended.status, ended.survivors), (&Status::Exit(code), 0), "{ended:?}");
    }
    let ended = killed_at_its_limit(&mut |launch| run_by(&mut launcher, launch));
    assert_eq!(ended.survivors, 2, "{ended:?}");
    assert_eq!(run_by(&mut launcher, &part(&["exit", "3"])).status, Status::Exit(3));
}

fn an_output_that_is_a_link_or_an_unread_fifo_is_refused() {
    let folder = tempfile::tempdir().expect("scratch");
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "kept").expect("a file");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    let fifo = folder.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a FIFO");
    for path in [link, fifo] {
        let output = Output::File { path: path.clone(), limit_bytes: 1 };
        let refused = launcher().run(&Launch { output, ..part(&["exit", "0"]) }, &GO);
        let refused = refused.expect_err("no file of its own").to_string();
        assert!(refused.contains(&*path.to_string_lossy()), "{refused}");
    }
    assert_eq!(fs::read_to_string(&target).expect("a text"), "kept");
}

/// Sizes of what is asked for, until nothing more is given. Each is large enough to be mapped by itself, and given back whole.
const SIZES: [usize; 3] = [16 << 20, 2 << 20, 256 << 10];

/// Takes all address space, gives it back, and says which limit a thread would have met.
fn use_up() -> u8 {
    let mut held: Vec<Vec<u8>> = Vec::with_capacity(1000);
    for bytes in SIZES {
        let mut next = Vec::new();
        while next.try_reserve_exact(bytes).is_ok() {
            held.push(std::mem::take(&mut next));
        }
    }
    drop(held);
    crate::parts::say(&sys::thread_limits::limit_reached(None))
}

fn a_memory_limit_that_was_reached_for_a_moment_is_named() {
    const MOST: u64 = 200 << 20;
    let ended = run(&Launch { memory_limit_bytes: Some(MOST), ..part(&["use-up-address-space"]) });
    assert_eq!(ended.status, Status::Exit(0), "{ended:?}");
    let said = String::from_utf8_lossy(&ended.stdout);
    let limit = format!("is address space at its peak, RLIMIT_AS in bytes ({MOST}, ");
    assert!(said.contains(&format!("the limit that was reached {limit}")), "{said}");
}

/// Returns whether this host limits the memory of groups; asserts that a launch which asks for it is refused if not.
fn has_memory_groups() -> bool {
    let Err(reason) = sys::memory_group::available() else { return true };
    let launch = Launch { group_memory_bytes: Some(64 << 20), ..part(&["exit", "0"]) };
    let refused = refusal(&launch).to_string();
    assert!(!reason.is_empty() && refused.contains("the memory cannot be limited"), "{refused}");
    needs::are_met(Err(format!("the memory of groups cannot be limited here: {reason}")))
}

fn memory_groups() -> Vec<PathBuf> {
    let mounts = ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"].map(Path::new);
    let own = fs::read_to_string("/proc/self/cgroup").expect("proc");
    let paths = own.lines().filter_map(|line| line.splitn(3, ':').nth(2)).chain([""]);
    let own = paths.flat_map(|path| mounts.map(|mount| mount.join(path.trim_start_matches('/'))));
    let own: Vec<PathBuf> = own.collect();
    let folders =
        own.iter().flat_map(|own| own.ancestors()).filter(|folder| folder.starts_with("/sys/fs/cgroup"));
    let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let groups = entries.filter(|entry| entry.file_name().as_bytes().starts_with(b"bakeoff-memory-"));
    groups.map(|entry| entry.path()).collect()
}

fn a_memory_group_limits_memory_and_is_gone_after_every_end() {
    if !has_memory_groups() {
        return;
    }
    let mut launcher = launcher();
    let limited = |bytes, words: &[&str]| Launch { group_memory_bytes: Some(bytes), ..part(words) };
    let killed = run_by(&mut launcher, &limited(100_000_000, &["fill", "300000000"]));
    assert_eq!(killed.status, Status::MemorySpent { limit_bytes: 100_000_000, kills: 1 }, "{killed:?}");
    let enough = run_by(&mut launcher, &limited(400_000_000, &["fill", "300000000"]));
    assert_eq!(enough.status, Status::Exit(0), "{enough:?}");
    let timed_out = Launch { time_limit_ns: Some(1), ..limited(64 << 20, &["sleep", "86400000"]) };
    assert_eq!(run_by(&mut launcher, &timed_out).status, Status::TimedOut);
    let absent = Launch { group_memory_bytes: Some(64 << 20), ..Launch::new("/no/such/program") };
    launcher.run(&absent, &GO).expect_err("no such program");
    let folder = tempfile::tempdir().expect("a folder");
    without_interpreter(folder.path(), "sh");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").expect("a search path"));
    let environment = vec![("PATH".into(), path.into())];
    let second = Launch { group_memory_bytes: Some(64 << 20), environment, ..shell("exit 7") };
    assert_eq!(run_by(&mut launcher, &second).status, Status::Exit(7), "the first of its name is broken");
    let free = run_by(&mut launcher, &part(&["fill", "300000000"]));
    assert_eq!(free.status, Status::Exit(0), "the launcher itself is free again: {free:?}");
    drop(launcher);
    await_end_of_memory_groups();
}

/// Waits until no group is left whose maker has ended. Other tests may make groups meanwhile.
pub(crate) fn await_end_of_memory_groups() {
    wait_until("the end of the groups of the dead", || {
        memory_groups().iter().all(|path| {
            let maker = path.to_str().and_then(|path| path.rsplit('-').next()).unwrap_or_default();
            maker != std::process::id().to_string() && Path::new("/proc").join(maker).exists()
        })
    });
}

fn a_memory_group_has_the_cache_let_go_of_a_larger_file() {
    if !has_memory_groups() {
        return;
    }
    let scratch = tempfile::tempdir().expect("scratch");
    let file = scratch.path().join("file");
    fs::write(&file, vec![7; 48 << 20]).expect("written");
    let script = format!("cat {0} > /dev/null; cat {0} > /dev/null", file.display());
    // The group that caches a page first is charged for it.
    sys::page_cache::evict(std::slice::from_ref(&file)).expect("evicted");
    let ended = run(&Launch { group_memory_bytes: Some(16 << 20), ..shell(&script) });
    assert_eq!(ended.status, Status::Exit(0), "{ended:?}");
    let seen = sys::page_cache::residency(&file).expect("readable");
    let known = seen.map(drop).ok_or("the system does not say how much of a file is in its cache");
    if needs::are_met(known.map_err(str::to_owned)) {
        assert!(seen.is_some_and(|seen| seen.resident_pages < seen.total_pages / 2), "{seen:?}");
    }
}
