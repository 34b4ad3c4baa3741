//! A world of its own for one kill: folders, environment, mark and control group; and what is left in it.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::draw::Signal;
use super::group::Group;
use super::processes;
use super::rounds::SIDE_FILES;

/// The folders that stand in it from the start, and what the program may leave there for good.
const FOLDERS: [&str; 12] = [
    "home",
    "config",
    "cache",
    "work",
    "tmp",
    "data",
    "data/bakeoff",
    "data/bakeoff/reports",
    "state",
    "state/bakeoff",
    "state/bakeoff/scratch",
    "here",
];
const STORE: &str = "data/bakeoff/bakeoff.sqlite";
/// A page has the name of its run; one that was cut off is made again from the store.
const PAGES: &str = "data/bakeoff/reports/";

pub(super) struct Place {
    folder: TempDir,
    mark: String,
    group: Option<Group>,
}

impl Place {
    /// # Errors
    /// A folder cannot be made.
    pub(super) fn new(mark: &str, with_group: bool) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bakeoff-kills-").tempdir()?;
        for inner in ["home", "config", "cache", "work", "tmp", "data", "state", "here"] {
            fs::create_dir(folder.path().join(inner))?;
        }
        let group = if with_group { Group::make(mark).ok() } else { None };
        Ok(Self { folder, mark: mark.to_owned(), group })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn store(&self) -> PathBuf {
        self.path(STORE)
    }

    /// Where `generate` writes.
    pub(super) fn file(&self) -> PathBuf {
        self.path("here/records")
    }

    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Puts a store that another place has made into this one.
    ///
    /// # Errors
    /// It cannot be copied.
    pub(super) fn take_store(&self, from: &Path) -> Result<()> {
        fs::create_dir_all(self.path("data/bakeoff"))?;
        fs::copy(from, self.store())?;
        Ok(())
    }

    /// The program with this place as its world, in the control group and a process group of its own.
    pub(super) fn command(&self, binary: &Path, words: &[String]) -> Command {
        let mut command = Command::new("env");
        // In the background of a script all of this would begin with SIGINT ignored, and so would the program.
        command.arg("--default-signal=INT,TERM");
        if let Some(group) = &self.group {
            command.args(["sh", "-c", "echo $$ >\"$0\" && exec \"$@\""]).arg(group.entrance());
        }
        command.arg(binary).args(words).stdin(Stdio::null()).current_dir(self.path("here")).process_group(0);
        for (variable, folder) in [
            ("HOME", "home"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_CONFIG_HOME", "config"),
            ("TMPDIR", "tmp"),
        ] {
            command.env(variable, self.path(folder));
        }
        command.env(processes::MARK, &self.mark);
        command
    }

    /// The processes that were started here and still live.
    pub(super) fn processes(&self) -> BTreeSet<i32> {
        let mut found = processes::marked(&self.mark);
        found.extend(self.group.iter().flat_map(Group::processes));
        found
    }

    /// Ends what is left, so that a kill that failed does not disturb the next one.
    pub(super) fn end_processes(&self) {
        self.group.iter().for_each(Group::end_processes);
        for id in self.processes() {
            processes::signal(id, &self.mark, Signal::Kill);
        }
    }

    /// Control groups that are left.
    pub(super) fn groups(&self) -> Vec<PathBuf> {
        self.group.as_ref().map(Group::inner).unwrap_or_default()
    }

    /// Files and folders that are left, with `file_bytes` as the length of the file that `generate` was asked for.
    pub(super) fn files(&self, file_bytes: Option<u64>) -> Vec<String> {
        let root = self.folder.path();
        let entries = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter().flatten();
        let left = entries.filter_map(|entry| {
            let name = entry.path().strip_prefix(root).ok()?.to_string_lossy().into_owned();
            if FOLDERS.contains(&name.as_str()) && entry.file_type().is_dir() {
                return None;
            }
            if name.strip_prefix(STORE).is_some_and(|end| end.is_empty() || SIDE_FILES.contains(&end)) {
                return None;
            }
            if name.strip_prefix(PAGES).is_some_and(|page| page.ends_with(".html")) {
                return None;
            }
            let bytes = entry.metadata().ok()?.len();
            if entry.path() == self.file() && Some(bytes) == file_bytes {
                return None;
            }
            Some(format!("{name} ({bytes} bytes)"))
        });
        left.collect()
    }

    /// Keeps the folders for a person to look into.
    pub(super) fn keep(self) -> PathBuf {
        self.folder.keep()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place::new("test", false).expect("a place")
    }

    #[test]
    fn a_store_and_the_folders_of_the_program_are_not_left_over() {
        let place = place();
        fs::create_dir_all(place.path("state/bakeoff/scratch")).expect("a folder");
        fs::create_dir_all(place.path("data/bakeoff")).expect("a folder");
        for end in ["", "-wal", "-shm"] {
            fs::write(place.path(&format!("{STORE}{end}")), "x").expect("a file");
        }
        fs::create_dir_all(place.path(PAGES)).expect("a folder");
        fs::write(place.path(&format!("{PAGES}20261121T100000-aa.html")), "x").expect("a file");
        assert!(place.files(None).is_empty());
    }

    #[test]
    fn a_scratch_folder_a_register_entry_and_a_temporary_file_are_left_over() {
        let place = place();
        fs::create_dir_all(place.path("state/bakeoff/scratch")).expect("a folder");
        fs::create_dir(place.path("work/.bakeoff-1-0")).expect("a folder");
        fs::write(place.path("state/bakeoff/scratch/.bakeoff-1-0"), "x").expect("a file");
        fs::write(place.path("tmp/probe"), "x").expect("a file");
        let left = place.files(None).join("\n");
        for name in
            ["work/.bakeoff-1-0 (", "state/bakeoff/scratch/.bakeoff-1-0 (1 bytes)", "tmp/probe (1 bytes)"]
        {
            assert!(left.contains(name), "{left}");
        }
    }

    #[test]
    fn half_a_file_of_records_is_left_over_and_a_whole_one_is_not() {
        let place = place();
        fs::write(place.file(), "12345").expect("a file");
        assert!(place.files(Some(5)).is_empty());
        assert_eq!(place.files(Some(6)), ["here/records (5 bytes)"]);
        assert_eq!(place.files(None), ["here/records (5 bytes)"]);
    }
}
