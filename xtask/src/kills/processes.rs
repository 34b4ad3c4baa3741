//! Processes as `/proc` shows them, and the control group around all that a kill starts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use walkdir::WalkDir;

/// The environment variable that marks all that a kill starts, descendants included: they inherit it.
pub(super) const MARK: &str = "BAKEOFF_KILLS";

/// Returns the living processes whose environment has the mark. One that has ended and was not waited for is no longer living.
pub(super) fn marked(mark: &str) -> BTreeSet<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes.filter(|id| is_marked(*id, mark)).collect()
}

fn is_marked(id: i32, mark: &str) -> bool {
    let wanted = format!("{MARK}={mark}");
    let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes())
}

pub(super) fn shown(id: i32) -> String {
    let words = words(id).join(" ");
    format!("{id} {}", if words.is_empty() { "(no command line)" } else { words.trim_end() })
}

fn words(id: i32) -> Vec<String> {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    line.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

fn children(id: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    numbers(threads.map(|thread| thread.path().join("children"))).collect()
}

/// Reads the numbers in files, those that are there.
fn numbers(files: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = i32> {
    files
        .filter_map(|file| fs::read_to_string(file).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
}

pub(super) fn supervisor(coordinator: i32) -> Option<i32> {
    guard(coordinator).and_then(guard)
}

/// Finds the guard of a coordinator: above the supervisor, with the same command line.
pub(super) fn guard(coordinator: i32) -> Option<i32> {
    children(coordinator).into_iter().find(|id| words(*id).get(1).is_some_and(|word| word == "supervise"))
}

/// Finds what the supervisor of a coordinator has started: a worker or a command.
pub(super) fn worker(coordinator: i32) -> Option<i32> {
    supervisor(coordinator).and_then(|supervisor| children(supervisor).into_iter().next())
}

/// Sends a signal to a process with the mark, and to no other that got its number meanwhile. Returns whether it was there.
pub(super) fn signal(id: i32, mark: &str, signal: Signal) -> bool {
    let Some(pid) = Pid::from_raw(id) else { return false };
    let Ok(descriptor) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    is_marked(id, mark) && pidfd_send_signal(&descriptor, signal).is_ok()
}

#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
}

impl Group {
    /// Makes one below the group of this process.
    /// Errors: a sentence that says why that cannot be.
    pub(super) fn make(name: &str) -> Result<Self, String> {
        let own = home().ok_or("no cgroup v2 is mounted here")?;
        let folder = own.join(format!("bakeoff-kills-{name}"));
        fs::create_dir(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let group = Self { folder };
        let entered = fs::OpenOptions::new().write(true).open(group.entrance());
        entered.map_err(|error| format!("{} cannot be entered: {error}", group.folder.display()))?;
        Ok(group)
    }

    /// Returns the file that takes the number of a process into the group.
    pub(super) fn entrance(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    pub(super) fn processes(&self) -> BTreeSet<i32> {
        let folders = self.inner().into_iter().chain([self.folder.clone()]);
        numbers(folders.map(|folder| folder.join("cgroup.procs"))).collect()
    }

    pub(super) fn end_processes(&self) {
        // Since Linux 5.14; before, what has the mark is ended one by one.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// Returns the groups inside it, the innermost first.
    pub(super) fn inner(&self) -> Vec<PathBuf> {
        let entries = WalkDir::new(&self.folder).min_depth(1).contents_first(true).into_iter().flatten();
        entries.filter(|entry| entry.file_type().is_dir()).map(walkdir::DirEntry::into_path).collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in self.inner() {
            let _ = fs::remove_dir(folder);
        }
        let _ = fs::remove_dir(&self.folder);
    }
}

fn home() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mount = mounts.lines().find_map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
        [_, point, "cgroup2", ..] => Some(point.to_owned()),
        _ => None,
    })?;
    let folder = Path::new(&mount).join(path);
    folder.is_dir().then_some(folder)
}

#[test]
fn only_marked_processes_are_found_and_in_any_session() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mark = format!("test-{}", std::process::id());
    // The shell's line comes once it has a child.
    let mut shell = Command::new("sh");
    shell.args(["-c", "setsid sleep 600 & echo $!; wait"]).env(MARK, &mark).stdout(Stdio::piped());
    let mut shell = shell.spawn().expect("a shell");
    let mut line = String::new();
    BufReader::new(shell.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let [parent, child] = [shell.id() as i32, line.trim().parse().expect("a number")];
    // While a process takes on another program, its environment cannot be read.
    while words(child).first().is_none_or(|word| word != "sleep") {
        std::thread::yield_now();
    }
    assert_eq!(children(parent), [child]);
    assert_eq!(marked(&mark), BTreeSet::from([parent, child]));
    assert!(!signal(child, "another", Signal::KILL));
    assert!(signal(child, &mark, Signal::KILL));
    shell.wait().expect("the shell ends with its child");
    assert!(marked(&mark).is_empty());
}
