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

    fn orphans(&self) -> Orphans {
        let (register, (sender, said)) = (self.register.clone(), channel());
        thread::spawn(move || sender.send(register.remove_orphans()).ok());
        said.recv_timeout(PATIENCE).expect("a start hangs in its register").expect("readable")
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn the_folder_in_which_something_is_tried_out_is_its_owners() {
    let home = Home::new();
    let folders = ProbeFolders::new(Some(&home.register), &[home.data()]);
    let place = folders.setting(&Setting::warm(home.data(), Durability::Returned)).place.directory;
    assert_eq!(mode(&place.expect("a folder")), 0o700);
}

/// The variable that makes a test a program with another umask; its value is the place of the register.
const PLACE: &str = "BAKEOFF_TEST_REGISTER";

#[test]
fn the_register_is_its_owners_whatever_the_umask() {
    if let Some(folder) = std::env::var_os(PLACE) {
        ScratchRegister::open(Path::new(&folder)).expect("a register");
        return;
    }
    // The umask is one of a whole process: other tests of this one must not see it.
    let this = std::env::current_exe().expect("this program");
    for umask in ["0", "022", "0277", "0777"] {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("state/scratch");
        let script = format!("umask {umask} && exec \"$0\" --exact \"$1\"");
        let name = "linux::the_register_is_its_owners_whatever_the_umask";
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(&this).arg(name).env(PLACE, &folder);
        let ended = shell.output().expect("a shell");
        assert!(ended.status.success(), "{ended:?}");
        for made in [folder.as_path(), &home.path().join("state")] {
            assert_eq!(mode(made), 0o700, "umask {umask}: {}", made.display());
        }
    }
}

#[test]
fn a_register_open_to_others_is_closed_to_them() {
    for (before, after) in [(0o777, 0o700), (0o1777, 0o700), (0o775, 0o700), (0o755, 0o755), (0o500, 0o500)] {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("scratch");
        fs::create_dir(&folder).expect("a folder");
        fs::set_permissions(&folder, fs::Permissions::from_mode(before)).expect("an own folder");
        ScratchRegister::open(&folder).expect("a register");
        assert_eq!(mode(&folder), after, "{before:o}");
    }
}

#[test]
fn pipes_devices_and_links_named_as_entries_are_left_alone() {
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
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("of the core utilities").success());
    symlink("/dev/zero", endless).expect("a link");
    symlink(&round, &round).expect("a link");
    fs::create_dir(folder).expect("a folder");
    assert_eq!(home.orphans(), Orphans::default());
    assert!(kept.exists(), "a linked entry was followed");
    let left = fs::read_dir(home.in_register("")).expect("readable").count();
    assert_eq!(left, 5, "all that is foreign stays");
}
