//! The program for a user without special rights.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use crate::sandbox::{Program, Sandbox, Words, assert_shows, stderr, stdout};

/// User and group without rights, on every Linux.
const UNPRIVILEGED_ID: u32 = 65534;

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("/proc").uid() == 0
}

/// The program as an ordinary user starts it: this one, or one without rights when this one is root.
pub(crate) fn ordinary(sandbox: &Sandbox, arguments: &(impl Words + ?Sized)) -> Program {
    ordinary_under(sandbox, &[], arguments)
}

/// The same, started by another program that is given it behind these words: `prlimit --memlock=0`.
pub(crate) fn ordinary_under(
    sandbox: &Sandbox, launcher: &[&str], arguments: &(impl Words + ?Sized),
) -> Program {
    // The build may stand in a directory that only its owner may enter.
    let program = sandbox.path("bakeoff");
    // Copied by another process: a child that another test starts meanwhile would hold our file open for writing, and a
    // program that is open for writing cannot be executed.
    let copied = std::process::Command::new("cp").arg(crate::program()).arg(&program).status();
    assert!(copied.expect("cp").success(), "a copy of the program");
    let without_rights =
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--"];
    let before = if is_root() { &without_rights[..] } else { &[] };
    let mut words: VecDeque<OsString> = launcher.iter().chain(before).map(OsString::from).collect();
    words.push_back(program.into());
    let mut command = Program::new(words.pop_front().expect("the program at least"));
    command.args(words);
    command.envs(sandbox.variables()).env_remove("NO_COLOR").current_dir(sandbox.path(""));
    command.arg("--store").arg(sandbox.path("home/store.sqlite")).args(arguments.words());
    command
}

/// The same, behind `prlimit` with this limit. None of them holds for root, so it stands behind the words that change the user.
pub(crate) fn ordinary_limited(sandbox: &Sandbox, limit: &str, arguments: &(impl Words + ?Sized)) -> Program {
    let mut command = ordinary(sandbox, arguments);
    let mut words = command.words();
    let place = words.iter().position(|word| word == "--").map_or(0, |place| place + 1);
    words.splice(place..place, ["prlimit".into(), limit.into()]);
    command = Program::new(&words[0]);
    command.args(&words[1..]).envs(sandbox.variables()).current_dir(sandbox.path(""));
    command
}

/// `bakeoff run` in the directory of the sandbox, started by a shell that does something else first.
pub(crate) fn after_in_a_shell(
    sandbox: &Sandbox, script: &str, arguments: &(impl Words + ?Sized),
) -> Program {
    let mut shell = Program::new("sh");
    shell.envs(sandbox.variables()).args(["-c", &format!("{script} && exec \"$@\""), "sh"]);
    shell.arg(crate::program()).arg("--store").arg(sandbox.store());
    shell.args(["run", "--dir"]).arg(sandbox.dir()).args(arguments.words());
    shell
}

/// Gives everything on the sandbox to the user who is about to play.
pub(crate) fn hand_over(sandbox: &Sandbox) {
    fs::set_permissions(sandbox.path(""), Permissions::from_mode(0o755)).expect("an own directory");
    if is_root() {
        for entry in fs::read_dir(sandbox.path("")).expect("a readable sandbox").flatten() {
            chown(entry.path(), Some(UNPRIVILEGED_ID), Some(UNPRIVILEGED_ID))
                .expect("root may give everything away");
        }
    }
}

#[test]
fn closing_the_scratch_folder_is_a_failure() {
    let sandbox = Sandbox::new();
    let [kept, closed] = [("kept", "500"), ("closed", "0")].map(|(name, mode)| {
        let words = "cp \"$1\" \"$2\"; chmod";
        format!("{name}=sh -c '{words} {mode} \"$(dirname \"$2\")\"' x {{input}} {{output}}")
    });
    let mut command = ordinary(&sandbox, "run copy/std_copy copy/posix_layer --size 64K");
    command.args(["--rounds", "6", "--command", &kept, "--command", &closed, "--dir"]).arg(sandbox.dir());
    hand_over(&sandbox);
    let shown = stdout(&command.assert().success());
    assert_shows(&shown, "left what could not be removed");
    assert_shows(&shown, "changed or removed its input");
    sandbox.assert_clean();
}

#[test]
fn a_state_folder_that_cannot_be_written_is_blamed() {
    let sandbox = Sandbox::new();
    let register = sandbox.path("home/state/bakeoff/scratch");
    fs::create_dir_all(&register).expect("a folder");
    fs::set_permissions(&register, Permissions::from_mode(0o555)).expect("an own folder");
    let mut run = ordinary(&sandbox, "run copy/std_copy copy/posix_layer --size 64K --dir");
    run.arg(sandbox.dir());
    let mut list = ordinary(&sandbox, "list copy --dir");
    list.arg(sandbox.dir());
    let mut generate = ordinary(&sandbox, "generate 10");
    generate.arg(sandbox.dir().join("records"));
    hand_over(&sandbox);
    let said = stderr(&run.assert().code(2));
    let last = said.lines().last().expect("a sentence");
    assert!(last.contains("state/bakeoff/scratch, which cannot be written"), "{said}");
    assert!(!last.contains("--dir"), "{said}");
    // Nothing is begun that a kill would leave for ever; what is not tried out for that reason is said.
    let said = stderr(&list.assert().success());
    assert_shows(&said, "not tried out | state/bakeoff/scratch, which cannot");
    let said = stderr(&generate.assert().code(2));
    assert_shows(&said, "records cannot be created | which cannot be written");
    sandbox.assert_clean();
}

/// Notes, as a command, the modes of the scratch folder that it works in and of its input, and whether a user without
/// rights can read that; then it does its work.
const LOOK: &str = r#"notes=$1 dir=$2 input=$3 output=$4 readable=$5
stat -c %a "$dir"/.bakeoff-* >>"$notes"
stat -c 'input %a' "$input" >>"$notes"
if [ "$(id -u)" = 0 ]; then
    as="setpriv --reuid=65534 --regid=65534 --clear-groups --"
    $as cat "$readable" >/dev/null && $as cat "$input" >/dev/null 2>&1 && echo "read by another" >>"$notes"
fi
cp "$input" "$output"
"#;

#[test]
fn a_scratch_folder_is_its_owners_whatever_the_umask() {
    // Without its write bit only root can write to a new store.
    for umask in ["0", if is_root() { "0277" } else { "077" }] {
        let sandbox = Sandbox::new();
        for open in [sandbox.path(""), sandbox.dir()] {
            fs::set_permissions(open, Permissions::from_mode(0o755)).expect("an own directory");
        }
        let (look, notes) = (sandbox.file("look.sh", LOOK), sandbox.file("notes", ""));
        let (input, readable) = (sandbox.file("secret", "a secret\n"), sandbox.file("readable", "known"));
        fs::set_permissions(&input, Permissions::from_mode(0o600)).expect("an own file");
        fs::set_permissions(&readable, Permissions::from_mode(0o644)).expect("an own file");
        let [look, dir, known] = [&look, &sandbox.dir(), &readable].map(|path| path.display().to_string());
        let external = format!("look=sh {look} {} {dir} {{input}} {{output}} {known}", notes.display());
        let words = ["copy/std_copy", "--rounds", "3", "--command", &external, "--input"];
        let mut command = after_in_a_shell(&sandbox, &format!("umask {umask}"), &words);
        command.arg(&input).assert().success();
        let noted = fs::read_to_string(&notes).expect("notes");
        // What a umask takes away is missing from the copy, too.
        let copied = if umask == "0277" { "input 400" } else { "input 600" };
        let (of_inputs, of_folders): (Vec<&str>, Vec<&str>) =
            noted.lines().partition(|line| line.starts_with("input "));
        assert!(of_folders.len() >= 3 && of_folders.len() == of_inputs.len(), "{umask}: {noted}");
        assert!(of_folders.iter().all(|line| *line == "700"), "{umask}: {noted}");
        assert!(of_inputs.iter().all(|line| *line == copied), "{umask}: {noted}");
        sandbox.assert_clean();
    }
}
