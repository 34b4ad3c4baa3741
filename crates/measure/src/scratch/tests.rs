use super::*;

const OWN_NAME: &str = ".bakeoff-1-00000000000000af";

/// Returns a folder for all, a register in it, and a folder for data.
pub(crate) fn register() -> (tempfile::TempDir, ScratchRegister, PathBuf) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let register = ScratchRegister::open(&home.path().join("state")).expect("a register");
    let data = home.path().join("data");
    fs::create_dir(&data).expect("a data folder");
    (home, register, data)
}

#[test]
fn a_scratch_folder_goes_with_its_value_or_when_it_is_removed() {
    let (_home, register, data) = register();
    for goes in [drop as fn(Scratch), |scratch| scratch.remove(&|| Ok(())).expect("ours")] {
        let scratch = register.create(&data).expect("scratch");
        assert!(scratch.registered.has_owner, "it has to stay this user's");
        fs::write(scratch.path().join("output"), "x").expect("a file");
        let path = scratch.path().to_owned();
        goes(scratch);
        assert!(!path.exists() && register.in_use().is_empty());
        assert_eq!(entries(&register), 0);
    }
}

#[test]
fn a_folder_in_use_is_no_orphan_and_stays_when_another_goes() {
    let (_home, register, data) = register();
    let [one, other] = [(); 2].map(|()| register.create(&data).expect("scratch"));
    assert_ne!(one.path(), other.path());
    assert_eq!(register.remove_orphans().expect("readable"), Orphans::default());
    assert!(one.path().exists());
    drop(one);
    assert!(other.path().exists());
}

#[test]
fn an_entry_is_left_to_its_maker_while_it_lives() {
    let (_home, register, _data) = register();
    let entry = register.folder.join(OWN_NAME);
    let is_left = || {
        register.remove_orphans().expect("readable");
        entry.exists()
    };
    let turn = register.turn(Duration::ZERO).expect("a turn");
    fs::write(&entry, "").expect("an entry");
    assert!(is_left(), "it is being made");
    drop(turn);
    // Its maker was killed before it wrote where its folder would be, however short a time ago.
    assert!(!is_left());
    let file = register.write_entry(&entry, b"").expect("an entry");
    assert!(is_left(), "its maker has locked it");
    drop(file);
    assert!(!is_left());
    assert_eq!(entries(&register), 0);
}

#[test]
fn the_lock_of_a_process_that_was_killed_during_its_turn_goes() {
    let (_home, register, _data) = register();
    fs::write(register.folder.join(".register.lock"), "").expect("a file");
    register.remove_orphans().expect("readable");
    assert_eq!(entries(&register), 0);
}

#[test]
fn a_folder_that_cannot_be_there_is_not_said_to_be_kept() {
    let (_home, register, data) = register();
    fs::write(data.join("file"), "x").expect("a file");
    for parent in [data.join("file"), data.join("x".repeat(300))] {
        let entry = register.folder.join(OWN_NAME);
        let text = private_folder::path_to_bytes(&parent.join(OWN_NAME)).expect("Unicode");
        fs::write(&entry, text).expect("an entry");
        assert_eq!(register.remove_orphans().expect("readable"), Orphans::default(), "{}", parent.display());
    }
}

#[test]
fn a_folder_of_the_user_is_never_removed_even_if_registered() {
    let (_home, register, data) = register();
    for name in ["precious", ".bakeoff-precious", OWN_NAME] {
        let precious = data.join(name);
        fs::create_dir(&precious).expect("a folder");
        fs::write(precious.join("thesis"), "years").expect("a file");
        fs::write(register.folder.join(name), precious.to_string_lossy().as_bytes()).expect("an entry");
        register.remove_orphans().expect("readable");
        assert!(precious.join("thesis").exists(), "{name}");
    }
}

/// Returns a scratch folder whose process is gone: the lock goes with it, the entry and the folder stay.
fn orphan(register: &ScratchRegister, data: &Path) -> PathBuf {
    let mut scratch = register.create(data).expect("scratch");
    let path = scratch.path().to_owned();
    drop(scratch.entry.take());
    std::mem::forget(scratch);
    path
}

fn entries(register: &ScratchRegister) -> usize {
    fs::read_dir(&register.folder).expect("readable").count()
}

#[test]
fn a_removal_that_was_interrupted_goes_on_at_the_next_start() {
    let (_home, register, data) = register();
    let (half, bare) = (orphan(&register, &data), orphan(&register, &data));
    // Interrupted while it was emptied, and between the marker and the folder.
    fs::create_dir(half.join("copy-0")).expect("a folder");
    fs::write(half.join("copy-0/input"), "x").expect("a file");
    fs::remove_file(bare.join(MARKER)).expect("the marker");
    let mut removed = register.remove_orphans().expect("readable").removed;
    removed.sort();
    let mut expected = vec![half, bare];
    expected.sort();
    assert_eq!(removed, expected);
    assert!(expected.iter().all(|path| !path.exists()));
    assert_eq!(entries(&register), 0);
}

#[test]
fn a_filled_folder_without_its_marker_is_kept_and_reported() {
    let (_home, register, data) = register();
    let path = orphan(&register, &data);
    fs::remove_file(path.join(MARKER)).expect("the marker");
    fs::write(path.join("thesis"), "years").expect("a file");
    let orphans = register.remove_orphans().expect("readable");
    assert!(orphans.removed.is_empty());
    assert_eq!(orphans.kept.iter().map(|(path, _)| path).collect::<Vec<_>>(), [&path]);
    assert!(path.join("thesis").exists());
    assert_eq!(entries(&register), 1);
}

#[test]
fn an_entry_with_a_detour_or_another_name_is_not_followed() {
    let (_home, register, data) = register();
    let path = orphan(&register, &data);
    fs::write(path.join("output"), "x").expect("a file");
    let entry = register.folder.join(path.file_name().expect("a name"));
    let shown = path.to_str().expect("text");
    let detour = format!("{shown}/../{}", path.file_name().expect("a name").to_string_lossy());
    for crafted in [format!("{shown}/"), format!("{shown}/."), detour, "relative".to_owned()] {
        fs::write(&entry, crafted.as_bytes()).expect("an entry");
        assert_eq!(register.remove_orphans().expect("readable"), Orphans::default(), "{crafted}");
        assert!(path.join("output").exists(), "{crafted}");
    }
    fs::write(register.folder.join(OWN_NAME), shown).expect("an entry");
    assert_eq!(register.remove_orphans().expect("readable"), Orphans::default());
    assert!(path.join("output").exists());
}

#[test]
fn a_foreign_file_in_the_register_is_left_alone() {
    let (_home, register, _data) = register();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    let foreign = [
        "notes.txt",
        ".bakeoff-notes",
        ".bakeoff-1-2",
        ".bakeoff-1-00000000000000AF",
        ".bakeoff-1-+0000000000000af",
        ".bakeoff-01-00000000000000af",
        ".bakeoff-+1-00000000000000af",
        ".bakeoff-1-00000000000000af.txt",
        ".bakeoff-4294967296-00000000000000af",
    ];
    for (name, text) in foreign.iter().flat_map(|name| [(name, "mine"), (name, "")]) {
        let path = register.folder.join(name);
        fs::write(&path, text).expect("a file");
        let file = File::options().write(true).open(&path).expect("a file");
        file.set_modified(long_ago).expect("an own file");
        drop(file);
        register.remove_orphans().expect("readable");
        assert!(path.exists(), "{name}: '{text}'");
        fs::remove_file(&path).expect("an own file");
    }
    fs::create_dir(register.folder.join(OWN_NAME)).expect("a folder");
    register.remove_orphans().expect("readable");
    assert!(register.folder.join(OWN_NAME).exists());
}

#[test]
fn a_folder_whose_volume_is_away_stays_registered_silently() {
    let (_home, register, data) = register();
    let path = orphan(&register, &data);
    let entry = File::options().write(true).open(register.folder.join(path.file_name().expect("a name")));
    let years_ago = std::time::SystemTime::now() - Duration::from_secs(10 * 365 * 24 * 3600);
    entry.expect("an entry").set_modified(years_ago).expect("an own file");
    let away = data.with_extension("away");
    fs::rename(&data, &away).expect("moved");
    for _ in 0..2 {
        assert_eq!(register.remove_orphans().expect("readable"), Orphans::default());
        assert_eq!(entries(&register), 1);
    }
    fs::rename(&away, &data).expect("moved back");
    assert_eq!(register.remove_orphans().expect("readable").removed, std::slice::from_ref(&path));
    assert_eq!(entries(&register), 0);
}

#[test]
fn a_removal_that_is_stopped_goes_on_at_the_next_start() {
    let (_home, register, data) = register();
    let scratch = register.create(&data).expect("scratch");
    let path = scratch.path().to_owned();
    fs::write(path.join("input"), "x").expect("a file");
    assert_eq!(register.in_use(), std::slice::from_ref(&path));
    let stopped = scratch.remove(&|| Err(io::ErrorKind::TimedOut.into())).expect_err("stopped");
    assert_eq!(stopped.kind(), io::ErrorKind::TimedOut);
    assert!(path.join("input").exists() && path.join(MARKER).exists());
    assert_eq!(register.remove_orphans().expect("readable").removed, std::slice::from_ref(&path));
    assert!(!path.exists());
}

#[test]
fn an_unwritable_register_is_blamed_and_not_the_directory() {
    let (_home, register, data) = register();
    assert!(register.create(&data.join("absent")).is_err(), "a missing directory");
    fs::remove_dir(&register.folder).expect("it is empty");
    let said = register.create(&data).expect_err("no register").to_string();
    assert!(said.contains("registered") && said.contains("state"), "{said}");
    assert!(!said.contains(&data.display().to_string()), "{said}");
    assert_eq!(fs::read_dir(&data).expect("readable").count(), 0);
}
