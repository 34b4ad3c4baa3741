//! Bad input that needs rights, or names that only this system has.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::run::in_a_terminal;
use super::unprivileged::{hand_over, ordinary};
use crate::sandbox::{SMALL, Sandbox, assert_refused, names, stderr};

/// A pipe, which is waited for by who opens it.
fn pipe(path: PathBuf) -> PathBuf {
    assert!(Command::new("mkfifo").arg(&path).status().is_ok_and(|made| made.success()), "{path:?}");
    path
}

const SLEEPERS: &str = "run control/sleep_5ms control/sleep_7ms --rounds 3";

#[test]
fn a_directory_or_store_that_may_not_be_written_is_refused() {
    for (shut, store, words) in [
        ("dir", "home", "--dir | cannot be written | permission denied | another directory"),
        ("locked", "locked", "store.sqlite | Allow writing"),
    ] {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.path("locked")).expect("a directory");
        let mut command = ordinary(&sandbox, "run --dir");
        command.arg(sandbox.dir()).args(SMALL).arg("--store").arg(sandbox.path(store).join("store.sqlite"));
        hand_over(&sandbox);
        fs::set_permissions(sandbox.path(shut), Permissions::from_mode(0o555)).expect("an own directory");
        assert_refused(&mut command, words);
        assert_eq!(names(&sandbox.path(store)), Vec::<String>::new(), "a store was begun");
        sandbox.assert_clean();
    }
}

#[test]
fn an_input_that_never_ends_or_is_waited_for_is_refused() {
    let sandbox = Sandbox::new();
    let pipe = pipe(sandbox.path("pipe"));
    for input in [&*pipe, Path::new("/dev/zero")] {
        for (family, what) in [
            ("copy", "no regular file"),
            ("convert", "no regular file"),
            ("sort", "no regular file"),
            ("search", "neither a file nor a folder"),
        ] {
            assert_refused(
                sandbox.run(&[family]).arg("--input").arg(input),
                &["--input", what, &input.to_string_lossy()],
            );
        }
    }
    sandbox.assert_untouched();
}

#[test]
fn a_whole_store_that_may_not_be_written_is_read() {
    for (mode_of_folder, mode_of_file) in [(0o555, 0o644), (0o555, 0o444), (0o755, 0o444)] {
        let sandbox = Sandbox::new();
        let home = sandbox.path("home");
        let mut command = ordinary(&sandbox, "run control/sleep_5ms control/sleep_7ms --rounds 6");
        hand_over(&sandbox);
        command.arg("--dir").arg(sandbox.dir()).assert().success();
        let store = home.join("store.sqlite");
        let bytes = fs::read(&store).expect("a store");
        fs::set_permissions(&store, Permissions::from_mode(mode_of_file)).expect("an own file");
        fs::set_permissions(&home, Permissions::from_mode(mode_of_folder)).expect("an own directory");
        let mut command = ordinary(&sandbox, "run control/sleep_5ms --dir");
        command.arg(sandbox.dir()).env("XDG_STATE_HOME", sandbox.path("tmp"));
        assert_refused(&mut command, "store.sqlite | cannot be written | Allow writing");
        ordinary(&sandbox, "report").assert().success();
        assert_eq!(fs::read(&store).expect("a store"), bytes);
        sandbox.assert_clean();
        fs::set_permissions(&home, Permissions::from_mode(0o755)).expect("an own directory");
    }
}

#[test]
fn what_is_no_regular_file_is_no_store_and_is_not_waited_for() {
    let sandbox = Sandbox::new();
    let (pipe, looped) = (pipe(sandbox.path("pipe")), sandbox.path("loop"));
    symlink(&looped, &looped).expect("a link");
    for (path, words) in [
        (pipe.as_path(), ["pipe", "not a regular file"]),
        (Path::new("/dev/zero"), ["/dev/zero", "not a regular file"]),
        (looped.as_path(), ["loop", "symbolic links"]),
    ] {
        for command in ["report", SLEEPERS] {
            let mut command = sandbox.bakeoff(command);
            assert_refused(command.arg("--store").arg(path).current_dir(sandbox.dir()), &words);
        }
    }
    sandbox.assert_clean();
}

#[test]
fn a_store_behind_a_link_is_that_of_the_link() {
    let sandbox = Sandbox::new();
    let link = sandbox.path("link");
    symlink(sandbox.store(), &link).expect("a link");
    sandbox.bakeoff(SLEEPERS).arg("--store").arg(&link).current_dir(sandbox.dir()).assert().success();
    assert!(link.is_symlink() && sandbox.store().is_file());
    sandbox.bakeoff("report").assert().success();
}

#[test]
fn a_text_without_end_is_not_judged() {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.bakeoff("judge /dev/zero"), "/dev/zero cannot be read | 512 MiB");
}

#[test]
fn a_name_in_a_run_of_elsewhere_cannot_steer_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.measured("control/sleep_5ms control/sleep_7ms --rounds 3");
    let exported = sandbox.exported().to_string().replace("sleep_7ms", "sleep\\u001b[2J7ms");
    let id = sandbox.last_id();
    let file = sandbox.file("run.json", &exported.replace(&id, "elsewhere"));
    sandbox.bakeoff("import").arg(file).assert().success();
    let export = ["export", "elsewhere", "--format", "csv"];
    assert!(sandbox.shown(&export).contains("\u{1b}[2J"), "a pipe gets it as it is");
    for place in ["", "--output /dev/tty"] {
        let shown = in_a_terminal(&sandbox, &format!("{} {place}", export.join(" ")), &[]);
        assert!(shown.contains("7ms") && !shown.contains("\u{1b}[2J"), "{shown:?}");
    }
}

/// A word that is no text.
fn odd(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

#[test]
fn a_word_that_is_no_text_is_refused_by_name() {
    let sandbox = Sandbox::new();
    for (command, word, shown) in [
        ("run", &b"\xff.toml"[..], r#""\xFF.toml""#),
        ("time", b"caf\xe9", r#""caf\xE9""#),
        ("report", b"\xff", r#""\xFF""#),
    ] {
        assert_refused(sandbox.bakeoff(command).arg(odd(word)), &[shown, "is not UTF-8"]);
    }
    for command in ["list", "judge", "generate", "run --seed", ""] {
        let said = stderr(&sandbox.bakeoff(command).arg(odd(b"caf\xe9")).assert().code(2));
        assert!(!said.contains("panicked"), "{command}: {said}");
    }
    let two = [b"a\xff", b"b\xff"].map(|word| odd(word));
    assert_refused(sandbox.bakeoff("time").args(two), r#""a\xFF", "b\xFF" are not UTF-8"#);
    assert_refused(sandbox.bakeoff("time --").arg(odd(b"caf\xe9")), "No such file");
    // An argument of a command is timed once and not compared.
    sandbox.bakeoff("time -- true").arg(odd(b"\xff")).assert().success();
    assert_refused(sandbox.bakeoff("time -n 2 -- true").arg(odd(b"\xff")), "not UTF-8 | without -n");
    sandbox.assert_untouched();
}

#[test]
fn a_place_whose_name_is_no_text_is_refused() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("tmp").join(odd(b"caf\xe9"));
    fs::create_dir(&folder).expect("a directory");
    let input = sandbox.path("tmp").join(odd(b"\xe9"));
    fs::write(&input, [b'x'; 6_400]).expect("a file");
    assert_refused(sandbox.bakeoff("run --dir").arg(&folder).args(SMALL), "--dir | UTF-8 | another");
    let two = "copy/std_copy copy/posix_layer --rounds 6 --input";
    assert_refused(sandbox.run(two).arg(&input), "--input | UTF-8");
    sandbox.bakeoff("time -- true").current_dir(&folder).assert().success();
    let words = "current directory | not UTF-8 | another";
    assert_refused(sandbox.bakeoff("time -n 2 true").current_dir(&folder), words);
    assert_eq!(names(&folder), Vec::<String>::new());
    sandbox.assert_untouched();
}

#[test]
fn what_others_put_into_the_register_is_not_waited_for() {
    let sandbox = Sandbox::new();
    let register = sandbox.path("home/state/bakeoff/scratch");
    fs::create_dir_all(&register).expect("a folder");
    let [waiting, endless] = [".bakeoff-1-0123456789abcdef", ".bakeoff-2-0123456789abcdef"];
    pipe(register.join(waiting));
    symlink("/dev/zero", register.join(endless)).expect("a link");
    sandbox.bakeoff("list control").assert().success();
    let mut left = names(&register);
    left.sort();
    assert_eq!(left, [waiting, endless]);
}
