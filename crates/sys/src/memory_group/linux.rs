//! A control group of version 1 or 2, or a scope of the user's service manager.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use crate::command_line::is_there;
use crate::host::system::groups::Groups;
use crate::host::system::number_after;
use crate::process::system::guard::has_ended;

/// The names of groups go on with the number of the process that made them.
const PREFIX: &str = "bakeoff-memory-";
/// A limit that is tried out: small, and yet larger than what this process fills in that moment.
const TRIED_BYTES: u64 = 64 << 20;
const CONTROLLER: &str = "memory";
const MEMBERS: &str = "cgroup.procs";
/// A killed process leaves its group a moment after its end was reported.
const TRIES: u32 = 50;
const AGAIN: Duration = Duration::from_millis(2);

/// Finds out, by doing it, how this host limits the memory of a launch, in words behind `by`; or why it cannot, in a clause.
pub fn available() -> Result<String, String> {
    let refused = match MemoryGroup::new(TRIED_BYTES) {
        Ok(group) => match group.enter() {
            Ok(_inside) => return Ok(format!("a control group (version {})", group.version)),
            Err(error) => format!("{} cannot be entered: {error}", group.folder.display()),
        },
        Err(reason) => reason,
    };
    scopes_work().map_err(|reason| format!("{refused}, and {reason}"))?;
    Ok("a scope of the user's systemd (control group version 2)".to_owned())
}

/// Returns the limit under which this process is; `None` where there is none.
pub fn limit_bytes() -> Option<u64> {
    Groups::read().smallest(CONTROLLER, &[LIMITS[0].0, LIMITS[1].0])
}

/// Returns whether a group slows down who writes faster than the device: those of version 1 do not.
pub fn slows_writers() -> bool {
    Groups::read().folders(CONTROLLER).first().is_none_or(|folder| !folder.join(LIMITS[0].0).exists())
}

/// Returns the pages that the group of this process fetched again after the file cache let go of them; `None` where nothing counts them.
pub fn refaults() -> Option<u64> {
    let folder = Groups::read().folders(CONTROLLER).into_iter().next()?;
    refaults_in(&fs::read_to_string(folder.join("memory.stat")).ok()?)
}

/// Before Linux 5.9 the pages of files were counted under the shorter name.
fn refaults_in(stat: &str) -> Option<u64> {
    number_after(stat, "workingset_refault_file ").or_else(|| number_after(stat, "workingset_refault "))
}

/// Returns the killed processes, unless the group's own limit was never reached, which only version 2 counts.
fn kills_in(events: &str) -> Option<u64> {
    number_after(events, "oom_kill ").filter(|_| number_after(events, "oom ") != Some(0))
}

pub(crate) enum Limiter {
    /// A group that the launch is born in.
    Group(MemoryGroup),
    Scope(Vec<OsString>),
}

impl Limiter {
    pub(crate) fn new(bytes: u64) -> io::Result<Self> {
        let reason = match MemoryGroup::new(bytes) {
            Ok(group) => return Ok(Self::Group(group)),
            Err(reason) => reason,
        };
        scopes_work().map(|()| Self::Scope(scope(bytes))).map_err(|none| {
            let text = format!("the memory cannot be limited: {reason}, and {none}");
            io::Error::new(io::ErrorKind::Unsupported, text)
        })
    }
}

/// The files that hold a limit, and those that keep the group from swapping, by version.
const LIMITS: [(&str, &str); 2] =
    [("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), ("memory.max", "memory.swap.max")];

/// A group of our own, which is removed when this is dropped.
pub(crate) struct MemoryGroup {
    folder: PathBuf,
    home: PathBuf,
    version: u32,
}

impl MemoryGroup {
    /// Makes a group below that of this process, or below the nearest one above it whose groups may have limits.
    fn new(bytes: u64) -> Result<Self, String> {
        let folders = Groups::read().folders(CONTROLLER);
        let Some(home) = folders.first() else {
            return Err("no control groups that limit memory are mounted".to_owned());
        };
        let mut refused = None;
        for parent in &folders {
            remove_dead(parent, PREFIX);
            match Self::below(parent, home, bytes) {
                Ok(group) => return Ok(group),
                Err(reason) => refused = refused.or(Some(reason)),
            }
        }
        Err(refused.unwrap_or_default())
    }

    fn below(parent: &Path, home: &Path, bytes: u64) -> Result<Self, String> {
        let folder = make_own(parent, PREFIX)?;
        let version = if folder.join(LIMITS[0].0).exists() { 1 } else { 2 };
        let group = Self { folder, home: home.to_owned(), version };
        let (limit, swap) = LIMITS[version as usize - 1];
        let file = group.folder.join(limit);
        set(&file, &bytes.to_string()).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("groups in {} have no limit of memory", parent.display()),
            _ => format!("{} cannot be written: {error}", file.display()),
        })?;
        // A host without swap may have no such file, and nothing to keep from.
        let swap_bytes = if version == 1 { bytes } else { 0 };
        let _ = set(&group.folder.join(swap), &swap_bytes.to_string());
        Ok(group)
    }

    /// Returns how many of its processes the kernel has killed because their memory was spent; `None` where it does not count them. In
    /// version 1 another limit, or the end of all memory, may have caused it.
    pub(crate) fn kills(&self) -> Option<u64> {
        let file = ["memory.oom_control", "memory.events"][self.version as usize - 1];
        kills_in(&fs::read_to_string(self.folder.join(file)).ok()?)
    }

    /// Moves this process into the group until the answer is dropped; what it starts meanwhile is born there.
    pub(crate) fn enter(&self) -> io::Result<Inside<'_>> {
        move_into(&self.folder).map_err(|error| crate::failure::in_context(self.folder.display(), error))?;
        Ok(Inside { group: self })
    }
}

pub(crate) struct Inside<'group> {
    group: &'group MemoryGroup,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let _ = move_into(&self.group.home);
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        dissolve(&self.folder, &self.home);
    }
}

pub(crate) fn make_own(parent: &Path, prefix: &str) -> Result<PathBuf, String> {
    let folder = parent.join(format!("{prefix}{}", std::process::id()));
    // A process of our number that was killed may have left an empty one.
    let _ = fs::remove_dir(&folder);
    fs::create_dir(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    Ok(folder)
}

/// Removes a group. Survivors that were left go on where they would be without us. They may have children meanwhile.
pub(crate) fn dissolve(folder: &Path, home: &Path) {
    remove(folder, || {
        let members = fs::read_to_string(folder.join(MEMBERS)).unwrap_or_default();
        members.lines().for_each(|member| drop(set(&home.join(MEMBERS), member)));
    });
}

pub(crate) fn remove_groups_of_the_dead() {
    Groups::read().folders(CONTROLLER).iter().for_each(|parent| remove_dead(parent, PREFIX));
}

pub(crate) fn remove_dead(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(prefix)?.parse().ok());
        if maker.is_some_and(has_ended) {
            remove(&entry.path(), || ());
        }
    }
}

/// Removes a group. The kernel keeps one in which a process lives, and who was killed leaves it in a moment.
fn remove(folder: &Path, empty: impl Fn()) {
    for _ in 0..TRIES {
        empty();
        match fs::remove_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => thread::sleep(AGAIN),
            _ => return,
        }
    }
}

fn set(file: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes())
}

pub(crate) fn move_into(folder: &Path) -> io::Result<()> {
    set(&folder.join(MEMBERS), "0")
}

const SCOPE_PROGRAM: &str = "systemd-run";

fn scope(bytes: u64) -> Vec<OsString> {
    let limit = format!("MemoryMax={bytes}");
    [SCOPE_PROGRAM, "--user", "--scope", "--quiet", "--collect", "-p", &limit, "-p", "MemorySwapMax=0", "--"]
        .map(OsString::from)
        .into()
}

/// Finds out whether the user's service manager gives scopes with a limit. Asked once in a process: that takes a moment.
fn scopes_work() -> Result<(), String> {
    static ANSWER: OnceLock<Result<(), String>> = OnceLock::new();
    ANSWER.get_or_init(try_scope).clone()
}

/// Asks for a scope and looks whether its limit is in force: a manager may have been given no controller of memory.
fn try_scope() -> Result<(), String> {
    const SHOW: &str = "cat \"/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/memory.max\"";
    if !is_there(Path::new(SCOPE_PROGRAM)) {
        return Err("there is no systemd-run".to_owned());
    }
    let words = scope(TRIED_BYTES);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(["sh", "-c", SHOW]).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("systemd-run cannot be started: {error}"))?;
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if said.trim() == TRIED_BYTES.to_string() {
        return Ok(());
    }
    let line = failed.lines().next().unwrap_or("the limit is not in force");
    Err(format!("systemd-run gives no scope with a limit: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refaults_are_read_from_the_numbers_of_every_kernel() {
        assert_eq!(refaults_in("cache 5\nworkingset_refault_file 7\nworkingset_refault_anon 1"), Some(7));
        assert_eq!(refaults_in("workingset_refault 9\n"), Some(9));
        assert_eq!(refaults_in("total_workingset_refault_file 9\n"), None, "that of other groups as well");
    }

    #[test]
    fn kills_by_another_limit_than_its_own_are_not_counted() {
        assert_eq!(kills_in("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"), Some(2), "version 1");
        assert_eq!(kills_in("max 7\noom 1\noom_kill 2\noom_group_kill 0\n"), Some(2));
        assert_eq!(kills_in("max 7\noom 0\noom_kill 2\noom_group_kill 0\n"), None);
        assert_eq!(kills_in("low 0\n"), None);
    }

    #[test]
    fn only_groups_of_processes_that_are_gone_are_removed() {
        let parent = tempfile::tempdir().expect("a folder");
        let ours = format!("{PREFIX}{}", std::process::id());
        let folders = ["bakeoff-memory-4194999", &*ours, "bakeoff-memory-x", "bakeoff-4194999"]
            .map(|name| parent.path().join(name));
        folders.iter().for_each(|folder| fs::create_dir(folder).expect("made"));
        remove_dead(parent.path(), PREFIX);
        assert_eq!(folders.map(|folder| folder.exists()), [false, true, true, true]);
    }

    #[test]
    fn a_folder_whose_groups_have_no_limit_is_refused() {
        let parent = tempfile::tempdir().expect("a folder");
        let refused = MemoryGroup::below(parent.path(), parent.path(), 1 << 20).err().expect("no group");
        // A plain folder takes any file: what is written there limits nothing, and is not removed as a group is.
        assert!(refused.contains("have no limit of memory"), "{refused}");
        assert_eq!(fs::read_dir(parent.path()).expect("readable").count(), 0);
    }
}
