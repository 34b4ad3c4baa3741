//! A control group (version 2) around all that a kill starts. It holds also those who have cleared their environment,
//! and whatever groups the program makes are inside it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
}

impl Group {
    /// Makes one below the group of this process; or says why that cannot be.
    pub(super) fn make(name: &str) -> Result<Self, String> {
        let own = home().ok_or("no cgroup v2 is mounted here")?;
        let folder = own.join(format!("bakeoff-kills-{name}"));
        fs::create_dir(&folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let group = Self { folder };
        match fs::OpenOptions::new().write(true).open(group.entrance()) {
            Ok(_) => Ok(group),
            Err(error) => Err(format!("{} cannot be entered: {error}", group.folder.display())),
        }
    }

    /// Who writes its number into this file is in the group.
    pub(super) fn entrance(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    pub(super) fn processes(&self) -> BTreeSet<i32> {
        let folders = self.inner().into_iter().chain([self.folder.clone()]);
        let lists = folders.filter_map(|folder| fs::read_to_string(folder.join("cgroup.procs")).ok());
        lists.flat_map(|list| list.lines().filter_map(|id| id.parse().ok()).collect::<Vec<i32>>()).collect()
    }

    pub(super) fn end_processes(&self) {
        // Since Linux 5.14; before, what has the mark is ended one by one.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// The groups inside it, the innermost first.
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
