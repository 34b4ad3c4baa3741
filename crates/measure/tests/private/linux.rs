//! Modes, pipes, devices and links.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use measure::{Orphans, ProbeFolders, ScratchRegister};
use model::{Durability, Setting};

/// For what is bound to come, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(600);

/// A state folder with a register, and a folder for data.
struct Home {
    folder: tempfile::TempDir,
    register: ScratchRegister,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("data")).expect("a folder");
        let register = ScratchRegister::open(&folder.path().join("state")).expect("a register");
        Self { folder, register }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn in_register(&self, name: &str) -> PathBuf {
        self.folder.path().join("state").join(name)
    }

    /// What a start removes; one that hangs fails the test.
    fn orphans(&self) -> Orphans {
        let (register, (tell, told)) = (self.register.clone(), channel());
        thread::spawn(move || tell.send(register.remove_orphans()).ok());
        told.recv_timeout(PATIENCE).expect("a start hangs in its register").expect("readable")
    }
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("of the core utilities").success());
}

#[test]
fn the_folder_in_which_something_is_tried_out_is_its_owners() {
    let home = Home::new();
    let folders = ProbeFolders::new(Some(&home.register), &[home.data()]);
    let place = folders.setting(&Setting::warm(home.data(), Durability::Returned)).place.directory;
    let mode = fs::metadata(place.expect("a folder")).expect("made").permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
}

#[test]
fn a_pipe_a_device_and_a_link_named_as_entries_are_neither_waited_for_nor_followed() {
    let home = Home::new();
    // What a followed entry would name: a folder that has all marks of a scratch folder.
    let scratch = home.register.create(&home.data()).expect("a scratch folder");
    let name = scratch.path().file_name().expect("a name").to_owned();
    let copied = home.folder.path().join("copied");
    fs::copy(home.in_register(&name.to_string_lossy()), &copied).expect("an entry");
    let kept = scratch.path().to_owned();
    std::mem::forget(scratch);
    fs::rename(home.in_register(&name.to_string_lossy()), home.folder.path().join("real")).expect("renamed");
    symlink(&copied, home.in_register(&name.to_string_lossy())).expect("a link");

    let [pipe, endless, round, folder] =
        [1, 2, 3, 4].map(|process| home.in_register(&format!(".bakeoff-{process}-0123456789abcdef")));
    make_pipe(&pipe);
    symlink("/dev/zero", endless).expect("a link");
    symlink(&round, &round).expect("a link");
    fs::create_dir(folder).expect("a folder");
    assert_eq!(home.orphans(), Orphans::default());
    assert!(kept.exists(), "a linked entry was followed");
    let left = fs::read_dir(home.in_register("")).expect("readable").count();
    assert_eq!(left, 5, "all that is foreign stays");
}
