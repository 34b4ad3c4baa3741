//! A control group (version 2) around one launch: it counts the processor time of every process that was ever in it.

use std::fs;
use std::path::{Path, PathBuf};

use model::Usage;

use crate::host::system::groups::Groups;
use crate::memory_group;
use crate::process::Ended;
use crate::process_stat::has_ended;
use crate::usage;

/// The names of groups go on with the number of the process that made them.
const PREFIX: &str = "bakeoff-";

/// A group of our own below the one in which we live. We stay in it until the launch is over, because moving out
/// while the command runs would halt its forks for milliseconds; what we use ourselves is taken off in the end.
pub(super) struct Group {
    folder: PathBuf,
    home: PathBuf,
    ours_before: Usage,
}

impl Group {
    /// Makes the group and moves this process into it; or says why that cannot be.
    pub(super) fn enter() -> Result<Self, String> {
        let home = Groups::read().second_version_folder().ok_or("no cgroup v2 is mounted here")?;
        remove_dead(&home);
        let folder = home.join(format!("{PREFIX}{}", std::process::id()));
        // A process of our number that was killed may have left an empty one.
        let _ = fs::remove_dir(&folder);
        fs::create_dir(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let group = Self { folder, home, ours_before: usage::of_this_process() };
        match move_into(&group.folder) {
            Ok(()) if group.processor_us().is_some() => Ok(group),
            Ok(()) => Err("the kernel does not count processor time in groups".to_owned()),
            Err(error) => Err(format!("{} cannot be entered: {error}", group.folder.display())),
        }
    }

    /// Puts the group's processor time in the place of that which was waited for.
    pub(super) fn count_into(self, ended: &mut Ended) {
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
        ended.counted_by = format!(
            "processor time by a control group of its own, living descendants included; all else by {}",
            ended.counted_by
        );
    }

    fn processor_us(&self) -> Option<(u64, u64)> {
        let text = fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        let number = |key| text.lines().find_map(|line| line.strip_prefix(key))?.trim().parse::<u64>().ok();
        Some((number("user_usec")?, number("system_usec")?))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = move_into(&self.home);
        // Survivors that were left go on where they would be without us. They may have children meanwhile.
        for _ in 0..10 {
            let members = fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
            for member in members.lines() {
                let _ = fs::write(self.home.join("cgroup.procs"), member);
            }
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
        }
    }
}

/// Removes the groups that launchers which were killed have left beside this process.
pub(in crate::process) fn remove_groups_of_the_dead() {
    memory_group::system::remove_groups_of_the_dead();
    if let Some(home) = Groups::read().second_version_folder() {
        remove_dead(&home);
    }
}

/// The kernel keeps a group in which a process lives, whatever is asked.
fn remove_dead(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.parse().ok());
        if maker.is_some_and(has_ended) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Moves this process.
fn move_into(folder: &Path) -> std::io::Result<()> {
    fs::write(folder.join("cgroup.procs"), "0")
}
