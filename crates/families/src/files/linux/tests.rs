use std::cell::Cell;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use model::{Durability, Setting};

use crate::files::{copy_in, tried_out};

/// Runs the body of this test in a process of its own, since it limits a whole process for ever.
pub(crate) fn alone(name: &str, body: impl FnOnce(&Path)) {
    const SCRATCH: &str = "BAKEOFF_TEST_SCRATCH";
    if let Some(scratch) = std::env::var_os(SCRATCH) {
        return body(Path::new(&scratch));
    }
    let scratch = tempfile::tempdir().expect("scratch");
    let this = std::env::current_exe().expect("this program");
    let mut again = Command::new(this);
    again.args([name, "--exact"]).env(SCRATCH, scratch.path());
    let output = again.output().expect("started");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn what_is_tried_out_is_tried_in_a_folder_of_its_owners() {
    let home = tempfile::tempdir().expect("a folder");
    let mode = Cell::new(None);
    let setting = Setting::warm(home.path(), Durability::Returned);
    let availability = tried_out(&setting, 10, "refused", |file| {
        let folder = file.path().parent().expect("a folder");
        mode.set(Some(fs::metadata(folder)?.permissions().mode() & 0o7777));
        Ok(())
    });
    assert!(availability.is_ready(), "{availability:?}");
    assert_eq!(mode.get(), Some(0o700));
    assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 0);
}

#[test]
fn without_a_folder_nothing_is_tried_out() {
    let mut setting = Setting::warm("/nowhere", Durability::Returned);
    setting.place.directory = None;
    let availability = tried_out(&setting, 10, "refused", |_| panic!("tried out"));
    let model::Availability::Missing(sentence) = availability else { panic!("ready") };
    assert!(sentence.contains("no scratch folder"), "{sentence}");
}

#[test]
fn a_copy_allows_its_owner_as_the_original_and_others_nothing() {
    let (home, original) = crate::testing::scratch_with("original", "12345");
    let copy = home.path().join("copy");
    for (before, after) in [(0o666, 0o600), (0o755, 0o600), (0o600, 0o600), (0o444, 0o400), (0o400, 0o400)] {
        fs::set_permissions(&original, fs::Permissions::from_mode(before)).expect("an own file");
        copy_in(&original, &copy, 5).expect("copied");
        let mode = fs::metadata(&copy).expect("made").permissions().mode() & 0o7777;
        assert_eq!(mode, after, "{before:o}");
        assert_eq!(fs::read(&copy).expect("readable"), b"12345");
    }
}
