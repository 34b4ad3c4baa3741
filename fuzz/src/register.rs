//! An entry of the register of scratch folders, written by any program that may write there.

use std::fs;
use std::path::Path;

use measure::ScratchRegister;
use tempfile::TempDir;

/// The name of the entry, and of the only folder that it may stand for.
const NAME: &str = ".bakeoff-7-000000000000000a";
const MARKER: &str = "this-is-scratch-of-bakeoff";

pub(crate) fn check(input: &[u8]) {
    let sandbox = TempDir::new().expect("a temporary folder");
    let root = sandbox.path();
    for folder in ["own", "foreign", "precious", "linked"] {
        fs::create_dir(root.join(folder)).expect("a folder");
    }
    // A scratch folder of ours; one of that name without our marker; one with our marker and another name, and a link to it.
    scratch(&root.join("own").join(NAME), true);
    scratch(&root.join("foreign").join(NAME), false);
    scratch(&root.join("precious/kept"), true);
    link(&root.join("precious/kept"), &root.join("linked").join(NAME));
    let register = ScratchRegister::open(&root.join("register")).expect("a register");
    let entry = with_paths(input, root);
    fs::write(root.join("register").join(NAME), entry).expect("an entry");

    let orphans = register.remove_orphans().expect("the register can be read");

    for kept in ["foreign", "linked"].map(|folder| root.join(folder).join(NAME)) {
        assert!(kept.join("data").exists(), "what is not ours was removed: {}", kept.display());
    }
    assert!(root.join("precious/kept").join(MARKER).exists(), "another folder's marker was removed");
    assert!(orphans.removed.iter().all(|path| !path.exists()), "said to be removed, and there: {orphans:?}");
    for (path, reason) in &orphans.kept {
        assert!(path.symlink_metadata().is_ok() && !reason.is_empty(), "said to be kept: {orphans:?}");
    }
    let own_stays = root.join("own").join(NAME).exists();
    assert_eq!(own_stays, orphans.removed.is_empty(), "only one folder may go: {orphans:?}");
}

/// Puts a path instead of every `@`, so that the input can name folders that are there.
fn with_paths(input: &[u8], root: &Path) -> Vec<u8> {
    input.split(|byte| *byte == b'@').collect::<Vec<_>>().join(root.as_os_str().as_encoded_bytes())
}

fn scratch(folder: &Path, marked: bool) {
    fs::create_dir(folder).expect("a folder");
    fs::write(folder.join("data"), "data").expect("a file");
    if marked {
        fs::write(folder.join(MARKER), "").expect("a marker");
    }
}

/// Makes a link, or a folder without a marker where no link can be made.
#[allow(deprecated, reason = "the one call of the standard library that makes a link on every system")]
fn link(to: &Path, at: &Path) {
    if fs::soft_link(to, at).is_err() || !at.join("data").exists() {
        fs::remove_file(at).ok();
        scratch(at, false);
    }
}
