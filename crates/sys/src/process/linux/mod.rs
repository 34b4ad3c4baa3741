//! `posix_spawn`, `poll`, and `wait4` until no process is left. A guard above kills what a launcher that was killed has left.

use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use model::Usage;

use super::{Ended, Launch};
use crate::host::system::groups::Groups;
use crate::host::system::{number_after, text};
use crate::memory_group::linux as groups;
use crate::memory_group::linux::{dissolve, make_own, move_into, remove_dead};
use crate::usage;

pub(crate) mod guard;
pub(crate) mod start;
pub(crate) mod watch;

/// Asks for a stop as soon as there is something to read, be it the end, or the guard is gone.
#[derive(Debug)]
pub(super) struct Cancel {
    pub(super) input: OwnedFd,
    pub(super) guard: OwnedFd,
    pub(super) already: bool,
}

/// Makes this process the one to which orphaned descendants return, so that none escapes the counting.
pub(super) fn become_reaper() -> io::Result<()> {
    // Some programs are started with this signal ignored; then the kernel would not keep a child's end for us.
    // SAFETY: the default action is no function of ours.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    // The argument is any process id: Linux takes it as a yes.
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// Starts a command, such as by [`std::process::Command::spawn`]. The system gives up on no start for being slow.
pub fn start_patiently<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    start()
}

pub(super) use watch::run;

/// Runs a command as [`run`] does, inside a control group of its own where this user may make one: see
/// [`super::supervisor::Supervisor::run_in_group`].
pub(super) fn run_in_group(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    let group = Group::enter();
    let mut ended = run(launch, cancel)?;
    match group {
        Ok(group) => group.count_into(&mut ended),
        Err(reason) => ended.counted_by += &format!("; without a control group, since {reason}"),
    }
    Ok(ended)
}

/// The names of groups go on with the number of the process that made them.
const PREFIX: &str = "bakeoff-";

/// A group of our own below the one in which we live. We stay in it until the launch is over: moving out while the command runs would
/// halt its forks for milliseconds. Our own usage is taken off in the end.
struct Group {
    folder: PathBuf,
    home: PathBuf,
    ours_before: Usage,
}

impl Group {
    /// Makes the group and moves this process into it; or says why that cannot be.
    fn enter() -> Result<Self, String> {
        let home = Groups::read().second_version_folder().ok_or("no cgroup v2 is mounted here")?;
        remove_dead(&home, PREFIX);
        let folder = make_own(&home, PREFIX)?;
        let group = Self { folder, home, ours_before: usage::of_this_process() };
        match move_into(&group.folder) {
            Ok(()) if group.processor_us().is_some() => Ok(group),
            Ok(()) => Err("the kernel does not count processor time in groups".to_owned()),
            Err(error) => Err(format!("{} cannot be entered: {error}", group.folder.display())),
        }
    }

    /// Replaces the processor time that was waited for by that of the group.
    fn count_into(self, ended: &mut Ended) {
        let ours = usage::difference(&self.ours_before, &usage::of_this_process());
        let _ = move_into(&self.home);
        let (Some((user_us, system_us)), Some(our_user_ns), Some(our_system_ns)) =
            (self.processor_us(), ours.user_ns, ours.system_ns)
        else {
            return;
        };
        // The kernel counts a sum exactly and estimates how it is split: ours is taken off the sum first.
        let sum_ns = ((user_us + system_us) * 1000).saturating_sub(our_user_ns + our_system_ns);
        let user_ns = (user_us * 1000).saturating_sub(our_user_ns).min(sum_ns);
        ended.usage.user_ns = Some(user_ns);
        ended.usage.system_ns = Some(sum_ns - user_ns);
        ended.counted_by =
            format!("a control group (user and system, living descendants too) and {}", ended.counted_by);
    }

    fn processor_us(&self) -> Option<(u64, u64)> {
        let text = text(self.folder.join("cpu.stat"))?;
        Some((number_after(&text, "user_usec")?, number_after(&text, "system_usec")?))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = move_into(&self.home);
        dissolve(&self.folder, &self.home);
    }
}

pub(in crate::process) fn remove_groups_of_the_dead() {
    groups::remove_groups_of_the_dead();
    if let Some(home) = Groups::read().second_version_folder() {
        remove_dead(&home, PREFIX);
    }
}
