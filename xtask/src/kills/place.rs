//! A world of its own for one kill: folders, environment, mark and control group.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use rustix::process::Signal;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::draw::GENERATED_BYTES;
use super::processes::{self, Group};
use super::rounds::SIDE_FILES;

/// The folders in it from the start, and those inside them that the program may leave.
const FOLDERS: [&str; 8] =
    ["home", "config", "cache", "work", "tmp", "data/bakeoff/reports", "state/bakeoff/scratch", "here"];
const STORE: &str = "data/bakeoff/bakeoff.sqlite";
/// A page has the name of its run; one that was cut off is made again from the store.
const PAGES: &str = "data/bakeoff/reports/";

pub(super) struct Place {
    folder: TempDir,
    mark: String,
    group: Option<Group>,
}

impl Place {
    pub(super) fn new(mark: &str, with_group: bool) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bakeoff-kills-").tempdir()?;
        for inner in FOLDERS.iter().filter_map(|path| path.split('/').next()) {
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

    pub(super) fn file(&self) -> PathBuf {
        self.path("here/records")
    }

    pub(super) fn small_run(&self) -> Vec<String> {
        let directory = self.path("work").display().to_string();
        let words = ["run", "control/spin_a", "control/spin_b", "--rounds", "3", "--dir", &directory];
        words.map(str::to_owned).into()
    }

    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Puts a store that another place has made into this one.
    pub(super) fn take_store(&self, from: &Path) -> Result<()> {
        fs::create_dir_all(self.path("data/bakeoff"))?;
        fs::copy(from, self.store())?;
        Ok(())
    }

    /// Returns the program with this place as its world, in the control group and a process group of its own.
    pub(super) fn command(&self, binary: &Path, words: &[String]) -> Command {
        let mut command = Command::new("env");
        // In the background of a script all of this would begin with SIGINT ignored, and so would the program.
        command.arg("--default-signal=INT,TERM");
        if let Some(group) = &self.group {
            command.args(["sh", "-c", "echo $$ >\"$0\" && exec \"$@\""]).arg(group.entrance());
        }
        command.arg(binary).args(words).stdin(Stdio::null()).current_dir(self.path("here")).process_group(0);
        command.env("HOME", self.path("home")).env("TMPDIR", self.path("tmp"));
        for kind in ["data", "state", "cache", "config"] {
            command.env(format!("XDG_{}_HOME", kind.to_uppercase()), self.path(kind));
        }
        command.env(processes::MARK, &self.mark);
        command
    }

    pub(super) fn processes(&self) -> Vec<i32> {
        let mut found = processes::marked(&self.mark);
        found.extend(self.group.iter().flat_map(Group::processes));
        found.into_iter().collect()
    }

    /// Ends what is left, so that a kill that failed does not disturb the next one.
    pub(super) fn end_processes(&self) {
        self.group.iter().for_each(Group::end_processes);
        for id in self.processes() {
            processes::signal(id, &self.mark, Signal::KILL);
        }
    }

    pub(super) fn groups(&self) -> Vec<PathBuf> {
        self.group.as_ref().map(Group::inner).unwrap_or_default()
    }

    /// Returns files and folders that are left. A whole file of `generate` is not.
    pub(super) fn files(&self) -> Vec<String> {
        let root = self.folder.path();
        let mut left = Vec::new();
        for entry in WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter().flatten() {
            let Ok(path) = entry.path().strip_prefix(root) else { continue };
            let Ok(bytes) = entry.metadata().map(|file| file.len()) else { continue };
            let name = path.to_string_lossy();
            let may_stay = if entry.file_type().is_dir() {
                FOLDERS.iter().any(|kept| Path::new(kept).starts_with(path))
            } else {
                name.strip_prefix(STORE).is_some_and(|end| end.is_empty() || SIDE_FILES.contains(&end))
                    || name.starts_with(PAGES) && name.ends_with(".html")
                    || entry.path() == self.file() && bytes == GENERATED_BYTES
            };
            if !may_stay {
                left.push(format!("{name} ({bytes} bytes)"));
            }
        }
        left
    }

    /// Keeps the folders for a person to look into.
    pub(super) fn keep(self) -> PathBuf {
        self.folder.keep()
    }
}

#[test]
fn only_store_folders_and_whole_records_may_stay() {
    let place = Place::new("test", false).expect("a place");
    for folder in ["state/bakeoff/scratch", PAGES] {
        fs::create_dir_all(place.path(folder)).expect("a folder");
    }
    let page = format!("{PAGES}20261121T100000-aa.html");
    let [log, shared] = ["-wal", "-shm"].map(|end| format!("{STORE}{end}"));
    for name in [STORE, &log, &shared, &page] {
        fs::write(place.path(name), "x").expect("a file");
    }
    let records = fs::File::create(place.file()).expect("a file");
    records.set_len(GENERATED_BYTES).expect("a sparse file");
    assert!(place.files().is_empty(), "{:?}", place.files());
    records.set_len(5).expect("half a file");
    fs::create_dir(place.path("work/.bakeoff-1-0")).expect("a folder");
    let entry = "state/bakeoff/scratch/.bakeoff-1-0";
    for name in [entry, "tmp/probe"] {
        fs::write(place.path(name), "x").expect("a file");
    }
    let left = place.files();
    let entry = format!("{entry} (1 bytes)");
    let begins = ["here/records (5 bytes)", &entry, "tmp/probe (1 bytes)", "work/.bakeoff-1-0 ("];
    assert_eq!(left.len(), begins.len(), "{left:?}");
    assert!(left.iter().zip(begins).all(|(left, begin)| left.starts_with(begin)), "{left:?}");
}
