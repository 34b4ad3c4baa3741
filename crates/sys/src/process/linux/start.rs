//! Starting a command without forking: `std` uses `posix_spawn` as long as nothing has to run in the child.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{Access, MemfdFlags, OFlags, access, fcntl_getfl, fcntl_setfl, memfd_create};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use crate::affinity;
use crate::failure::named;
use crate::host::system::{number_after, text};
use crate::memory_group::linux::{Limiter, MemoryGroup};
use crate::process::{Input, Launch, Output, Status, equipped, limit_too_small};

/// Bytes that the starting process may still need for the start itself when its address space is limited.
const START_BYTES: u64 = 16 << 20;

pub(super) struct Start<'launch> {
    launch: &'launch Launch,
    command: Command,
    pub(super) own_group: bool,
    /// The control group that the command is born in. It is removed with this.
    memory_group: Option<MemoryGroup>,
    is_found: bool,
}

impl<'launch> Start<'launch> {
    pub(super) fn new(launch: &'launch Launch) -> io::Result<Self> {
        Self::looked_for(true, launch)
    }

    /// Looks for a program without a path now, before the clock starts, or leaves that to the system as a part of the start.
    fn looked_for(now: bool, launch: &'launch Launch) -> io::Result<Self> {
        let (command, is_found, memory_group) = limited(launch, now)?;
        let mut command = equipped(command, launch);
        command.stdin(input_of(launch)?);
        let (stdout, stderr) = match &launch.output {
            Output::Capture { .. } => (Stdio::piped(), Stdio::piped()),
            Output::File { path, .. } => {
                (Stdio::from(output_file(path).map_err(|error| named(path, error))?), Stdio::piped())
            }
            Output::Inherit => (Stdio::inherit(), Stdio::inherit()),
        };
        command.stdout(stdout).stderr(stderr);
        // A group of its own would stop a command that reads from the terminal: only the group in front may.
        let own_group = !(launch.input == Input::Inherit && io::stdin().is_terminal());
        if own_group {
            command.process_group(0);
        }
        Ok(Self { launch, command, own_group, memory_group, is_found })
    }

    pub(super) fn kept_bytes(&self) -> u64 {
        match self.launch.output {
            Output::Capture { limit_bytes } | Output::File { limit_bytes, .. } => limit_bytes,
            Output::Inherit => 0,
        }
    }

    /// Sets what the command shall inherit, starts it, and takes it all back. Gives the moment right before.
    pub(super) fn spawn(&mut self, now_ns: fn() -> u64) -> io::Result<(Child, u64)> {
        match self.spawn_once(now_ns) {
            // As execvp(3) does, the next folder is tried; the system has its own words for what is nowhere.
            Err(error)
                if self.is_found
                    && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) =>
            {
                // The next one has the same name, and would be removed with this one.
                self.memory_group = None;
                *self = Self::looked_for(false, self.launch)?;
                self.spawn_once(now_ns)
            }
            outcome => outcome,
        }
        .map_err(|error| self.explain(&error))
    }

    fn spawn_once(&mut self, now_ns: fn() -> u64) -> io::Result<(Child, u64)> {
        let processors = &self.launch.processors;
        let _memory = self.launch.memory_limit_bytes.map(limit_address_space).transpose()?;
        let _processors = (!processors.is_empty()).then(|| restrict(processors)).transpose()?;
        let _inside = self.memory_group.as_ref().map(MemoryGroup::enter).transpose()?;
        let began_ns = now_ns();
        Ok((self.command.spawn()?, began_ns))
    }

    pub(super) fn memory_spent(&self) -> Option<Status> {
        let kills = self.memory_group.as_ref()?.kills().filter(|kills| *kills > 0)?;
        Some(Status::MemorySpent { limit_bytes: self.launch.group_memory_bytes?, kills })
    }

    fn explain(&self, error: &io::Error) -> io::Error {
        let program = self.launch.program.display();
        let path = Path::new(&self.launch.program);
        let directory = self.launch.directory.as_deref().filter(|directory| !directory.is_dir());
        let text = match (error.kind(), directory) {
            (_, Some(directory)) => {
                format!("{program}: its directory {} does not exist", directory.display())
            }
            (io::ErrorKind::NotFound, _) if path.components().count() > 1 && path.exists() => {
                format!("{program}: its interpreter is missing ({error})")
            }
            _ => format!("{program}: {error}"),
        };
        crate::failure::reworded(text, error)
    }
}

/// Returns the command without its arguments, whether its file was found, and the group that limits its memory where that is asked for.
fn limited(launch: &Launch, now: bool) -> io::Result<(Command, bool, Option<MemoryGroup>)> {
    let (group, scope) = match launch.group_memory_bytes.map(Limiter::new).transpose()? {
        None => (None, Vec::new()),
        Some(Limiter::Group(group)) => (Some(group), Vec::new()),
        Some(Limiter::Scope(words)) => (None, words),
    };
    let mut words = scope.into_iter().chain([launch.program.clone()]);
    let program = words.next().unwrap_or_default();
    let file = now.then(|| file_of(&program, launch)).flatten();
    let mut command = Command::new(file.as_deref().map_or(&*program, Path::as_os_str));
    if file.is_some() {
        // It sees its name as it was given.
        command.arg0(&program);
    }
    command.args(words);
    Ok((command, file.is_some(), group))
}

pub(crate) fn input_of(launch: &Launch) -> io::Result<Stdio> {
    Ok(match &launch.input {
        // At its end at once, also where there is no `/dev`, as in some containers.
        Input::Null => Stdio::from(File::open("/dev/null").or_else(|_| file_in_memory(&[]))?),
        Input::Inherit => Stdio::inherit(),
        Input::File(path) => Stdio::from(File::open(path).map_err(|error| named(path, error))?),
        Input::Bytes(bytes) => Stdio::from(file_in_memory(bytes)?),
    })
}

/// Returns a file that holds these bytes and has no name. Unlike a pipe it takes any number of them before the command starts.
pub(crate) fn file_in_memory(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("standard input", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

struct Undo<F: FnMut() -> rustix::io::Result<()>>(F);

impl<F: FnMut() -> rustix::io::Result<()>> Drop for Undo<F> {
    fn drop(&mut self) {
        let _ = (self.0)();
    }
}

/// Lowers the soft limit of our own address space for the moment in which a command inherits it.
fn limit_address_space(bytes: u64) -> io::Result<Undo<impl FnMut() -> rustix::io::Result<()>>> {
    let before = getrlimit(Resource::As);
    let own_kib = text("/proc/self/status").and_then(|status| number_after(&status, "VmSize:"));
    let needed = own_kib.unwrap_or(0) * 1024 + START_BYTES;
    if bytes < needed {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, limit_too_small(bytes, needed)));
    }
    let current = before.maximum.map_or(bytes, |maximum| maximum.min(bytes));
    setrlimit(Resource::As, Rlimit { current: Some(current), maximum: before.maximum })?;
    // Raising a soft limit to what it was is always allowed.
    Ok(Undo(move || setrlimit(Resource::As, before)))
}

fn restrict(processors: &[u32]) -> io::Result<Undo<impl FnMut() -> rustix::io::Result<()>>> {
    let before = sched_getaffinity(None)?;
    affinity::restrict(processors)?;
    // The set was ours a moment ago.
    Ok(Undo(move || sched_setaffinity(None, &before)))
}

/// Opens the file for what a command prints: not through a link to another's, and without waiting for who reads from a FIFO.
fn output_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path)?;
    // The command gets a file as any shell opens it.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Returns the file that the system will run for this program, since its search would be timed; `None` for a path, or where none is found.
fn file_of(program: &OsStr, launch: &Launch) -> Option<PathBuf> {
    let own = launch.environment.iter().rev().find(|(name, _)| name == "PATH");
    let folders = own.map_or_else(|| std::env::var_os("PATH"), |(_, folders)| Some(folders.clone()))?;
    found(program, &folders, launch.directory.as_deref())
}

/// Looks for a name as execvp(3) does: an empty entry is the current folder, what cannot be run is passed over.
fn found(program: &OsStr, folders: &OsString, directory: Option<&Path>) -> Option<PathBuf> {
    if program.is_empty() || program.as_bytes().contains(&b'/') {
        return None;
    }
    let entries = folders.as_bytes().split(|&byte| byte == b':');
    let entries = entries.map(|entry| OsStr::from_bytes(if entry.is_empty() { b"." } else { entry }));
    entries.map(|entry| Path::new(entry).join(program)).find(|file| {
        let seen_from_here = directory.map_or_else(|| file.clone(), |directory| directory.join(file));
        seen_from_here.is_file() && access(&seen_from_here, Access::EXEC_OK).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Returns a folder with three others: in the first `tool` is a folder, in the second it may not be run, in the third it may.
    fn folders() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, mode) in [("closed", 0o644), ("open", 0o755)] {
            let folder = root.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            fs::write(folder.join("tool"), "exit 0\n").expect("a file");
            fs::set_permissions(folder.join("tool"), Permissions::from_mode(mode)).expect("its owner may");
        }
        fs::create_dir_all(root.path().join("nested/tool")).expect("a folder");
        root
    }

    #[test]
    fn the_first_file_that_can_be_run_is_taken() {
        let root = folders();
        let path = ["absent", "nested", "closed", "open", "absent"].map(|name| root.path().join(name));
        let path = std::env::join_paths(path).expect("no colon");
        assert_eq!(found("tool".as_ref(), &path, None), Some(root.path().join("open/tool")));
        assert_eq!(found("tool".as_ref(), &root.path().join("closed").into(), None), None);
        assert_eq!(found("tool".as_ref(), &"".into(), None), None, "it is not in the folder of this test");
    }

    #[test]
    fn empty_and_relative_entries_are_seen_from_the_commands_folder() {
        let root = folders();
        let open = root.path().join("open");
        for path in ["", ":/absent", "/absent:", "/absent::/other"] {
            assert_eq!(found("tool".as_ref(), &path.into(), Some(&open)), Some("./tool".into()), "{path}");
        }
        let relative = found("tool".as_ref(), &"closed:open".into(), Some(root.path()));
        assert_eq!(relative, Some("open/tool".into()));
    }

    #[test]
    fn a_path_is_left_and_the_commands_own_path_counts_first() {
        let root = folders();
        let open = root.path().join("open");
        let mut launch = Launch::new("tool");
        assert_eq!(file_of(&launch.program, &launch), None, "no folder of our own has it");
        launch.environment.push(("PATH".into(), open.clone().into()));
        assert_eq!(file_of("tool".as_ref(), &launch), Some(open.join("tool")));
        for path in ["open/tool", "/bin/sh", "./tool", ""] {
            assert_eq!(file_of(path.as_ref(), &launch), None, "{path}");
        }
        launch.environment.push(("PATH".into(), "/absent".into()));
        assert_eq!(file_of("tool".as_ref(), &launch), None, "the last one counts");
    }
}
