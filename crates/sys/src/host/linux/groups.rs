//! The control groups of this process, and their limits.

use std::path::{Path, PathBuf};

use super::{number_after, text};

/// The mount of one hierarchy, and the place of this process in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hierarchy {
    /// Empty for version 2.
    controllers: Vec<String>,
    mount: PathBuf,
    /// The part of the hierarchy that is mounted there; not `/` in most containers.
    root: PathBuf,
    group: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Groups(Vec<Hierarchy>);

impl Groups {
    pub(crate) fn read() -> Self {
        let mounts = text("/proc/self/mountinfo").unwrap_or_default();
        Self::from_texts(&text("/proc/self/cgroup").unwrap_or_default(), &mounts)
    }

    /// Reads `/proc/self/cgroup` (cgroups(7)) and `/proc/self/mountinfo` (proc(5)).
    fn from_texts(groups: &str, mounts: &str) -> Self {
        let mounts: Vec<(&str, &str, &str, Vec<&str>)> = mounts.lines().filter_map(mount).collect();
        let mut hierarchies = Vec::new();
        for line in groups.lines() {
            let [_, controllers, group] = line.splitn(3, ':').collect::<Vec<_>>()[..] else { continue };
            let controllers: Vec<String> =
                controllers.split(',').filter(|c| !c.is_empty()).map(str::to_owned).collect();
            let mounted = mounts.iter().find(|(_, _, kind, options)| match controllers.first() {
                None => *kind == "cgroup2",
                Some(first) => *kind == "cgroup" && options.contains(&first.as_str()),
            });
            if let Some((root, point, ..)) = mounted {
                let [mount, root, group] = [*point, *root, group].map(PathBuf::from);
                hierarchies.push(Hierarchy { controllers, mount, root, group });
            }
        }
        Self(hierarchies)
    }

    pub(super) fn version(&self) -> Option<String> {
        let (seconds, firsts): (Vec<_>, Vec<_>) = self.0.iter().partition(|one| one.controllers.is_empty());
        match (firsts.is_empty(), seconds.is_empty()) {
            (true, true) => None,
            (false, true) => Some("v1".to_owned()),
            (true, false) => Some("v2".to_owned()),
            (false, false) => Some("hybrid".to_owned()),
        }
    }

    /// Returns the folders that govern `controller` for this process: its own group first, then those above.
    pub(crate) fn folders(&self, controller: &str) -> Vec<PathBuf> {
        let first =
            self.0.iter().find(|hierarchy| hierarchy.controllers.iter().any(|name| name == controller));
        first.or_else(|| self.second_version()).map(Hierarchy::folders).unwrap_or_default()
    }

    fn second_version(&self) -> Option<&Hierarchy> {
        self.0.iter().find(|hierarchy| hierarchy.controllers.is_empty())
    }

    /// Returns the folder of this process's group in version 2, where that is mounted.
    pub(crate) fn second_version_folder(&self) -> Option<PathBuf> {
        self.second_version()?.folders().into_iter().next()
    }

    /// Returns the smallest limit in any of the files `names`, over this group and those above it.
    pub(crate) fn smallest(&self, controller: &str, names: &[&str]) -> Option<u64> {
        let folders = self.folders(controller);
        let files = folders.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        // Version 1 writes "no limit" as the largest multiple of a page, version 2 as "max".
        let limits = files.filter_map(|file| text(file)?.parse::<u64>().ok());
        limits.filter(|&limit| limit < i64::MAX as u64 / 2).min()
    }

    /// Returns how many tasks this group, and each one above it, may have, and has: `pids.max` and `pids.current` with their folder.
    pub(crate) fn tasks(&self) -> Vec<(PathBuf, u64, u64)> {
        let limits = self.folders("pids").into_iter().filter_map(|folder| {
            // "max" is no number.
            let [most, used] = ["pids.max", "pids.current"].map(|name| super::number(folder.join(name)));
            Some((folder, most?, used?))
        });
        limits.collect()
    }

    /// Returns the smallest rest of memory that this group, or one above it, may still use, in bytes.
    pub(crate) fn free_memory_bytes(&self) -> Option<u64> {
        let files = [["memory.max", "memory.limit_in_bytes"], ["memory.current", "memory.usage_in_bytes"]];
        let rests = self.folders("memory").into_iter().filter_map(|folder| {
            let [most, used] =
                files.map(|names| names.iter().find_map(|name| super::number(folder.join(name))));
            Some(most?.saturating_sub(used?))
        });
        rests.min()
    }

    /// Returns the thousandths of a processor that this group, and each one above it, may use.
    pub(super) fn processor_quota_millis(&self) -> Option<u64> {
        self.folders("cpu").iter().filter_map(|folder| quota_millis(folder)).min()
    }

    /// Returns the number of processes in this very group that were killed because memory had run out; a group below counts its own.
    pub(super) fn memory_kills(&self) -> Option<u64> {
        let folder = self.folders("memory").into_iter().next()?;
        // Version 2, and version 1.
        let files = ["memory.events.local", "memory.oom_control"];
        files.iter().find_map(|file| number_after(&text(folder.join(file))?, "oom_kill "))
    }

    pub(super) fn quota_throttles(&self) -> Option<u64> {
        let folders = self.folders("cpu");
        folders.iter().find_map(|folder| number_after(&text(folder.join("cpu.stat"))?, "nr_throttled"))
    }
}

impl Hierarchy {
    fn folders(&self) -> Vec<PathBuf> {
        // Inside a container the group may be distinguished from a root that is not mounted: then only the top is seen.
        let own = self.mount.join(self.group.strip_prefix(&self.root).unwrap_or(Path::new("")));
        own.ancestors().take_while(|folder| folder.starts_with(&self.mount)).map(Path::to_path_buf).collect()
    }
}

/// Returns root inside the file system, mount point, type and options of the file system.
fn mount(line: &str) -> Option<(&str, &str, &str, Vec<&str>)> {
    let (head, tail) = line.split_once(" - ")?;
    let mut head = head.split(' ').skip(3);
    let mut tail = tail.split(' ');
    Some((head.next()?, head.next()?, tail.next()?, tail.nth(1)?.split(',').collect()))
}

fn quota_millis(folder: &Path) -> Option<u64> {
    let (quota, period) = match text(folder.join("cpu.max")) {
        Some(line) => {
            let (quota, period) = line.split_once(' ')?;
            (quota.parse::<u64>().ok()?, period.parse::<u64>().ok()?)
        }
        // Version 1 writes "no quota" as -1, which is no u64.
        None => {
            let [quota, period] = ["quota", "period"].map(|name| folder.join(format!("cpu.cfs_{name}_us")));
            (super::number(quota)?, super::number(period)?)
        }
    };
    (period > 0).then(|| quota * 1000 / period)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "4:memory:/slice/ours\n2:cpu,cpuacct:/\n0::/user";
    const MOUNTS: &str = "\
30 29 0:26 / /sys/fs/cgroup/memory rw,relatime shared:5 - cgroup cgroup rw,memory
31 29 0:27 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct
32 29 0:28 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate";

    fn mounted(group: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, Groups) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("a/b")).expect("folders");
        for (file, text) in files {
            std::fs::write(folder.path().join(file), text).expect("written");
        }
        let mounts = format!("1 1 0:1 / {} rw - cgroup2 c rw", folder.path().display());
        (folder, Groups::from_texts(&format!("0::{group}"), &mounts))
    }

    #[test]
    fn versions_follow_from_what_is_mounted() {
        for (groups, version) in
            [(HYBRID, Some("hybrid")), ("0::/user", Some("v2")), ("4:memory:/", Some("v1")), ("", None)]
        {
            assert_eq!(Groups::from_texts(groups, MOUNTS).version().as_deref(), version);
        }
    }

    #[test]
    fn a_group_is_governed_by_itself_and_by_all_above_it() {
        let groups = Groups::from_texts(HYBRID, MOUNTS);
        let expected =
            ["/sys/fs/cgroup/memory/slice/ours", "/sys/fs/cgroup/memory/slice", "/sys/fs/cgroup/memory"];
        assert_eq!(groups.folders("memory"), expected.map(PathBuf::from));
        // What version 1 does not have is looked for in version 2.
        assert_eq!(groups.folders("pids")[0], Path::new("/sys/fs/cgroup/unified/user"));
        // A container sees its own group at the mount point.
        let mounts = "32 29 0:28 /box/7 /sys/fs/cgroup rw - cgroup2 cgroup rw";
        let groups = Groups::from_texts("0::/box/7", mounts);
        assert_eq!(groups.folders("memory"), [PathBuf::from("/sys/fs/cgroup")]);
    }

    #[test]
    fn a_kill_for_memory_counts_in_its_own_group() {
        let first = ("memory.oom_control", "under_oom 0\noom_kill 2\n");
        let second = ("memory.events.local", "oom 9\noom_kill 3\n");
        for (files, kills) in [(&[][..], None), (&[first], Some(2)), (&[first, second], Some(3))] {
            let (_folder, groups) = mounted("/", files);
            assert_eq!(groups.memory_kills(), kills);
        }
    }

    #[test]
    fn the_smallest_limit_on_the_way_up_counts() {
        let memory = [("a/b/memory.max", "max\n"), ("a/memory.max", "1000000\n")];
        let processors = [("a/b/cpu.max", "max 100000\n"), ("a/cpu.max", "150000 100000\n")];
        let (_folder, groups) = mounted("/a/b", &[memory, processors].concat());
        assert_eq!(groups.smallest("memory", &["memory.max"]), Some(1_000_000));
        assert_eq!(groups.processor_quota_millis(), Some(1500));
    }
}
