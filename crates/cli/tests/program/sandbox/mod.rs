//! A private sandbox for every test: tests run side by side and touch nothing of the user's.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use serde_json::Value;
use tempfile::TempDir;

mod program;

pub(crate) use program::Program;

/// Whatever takes longer than this hangs, on a slow machine that is busy with something else too.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1200);

/// The smallest run with a verdict: two techniques that every system has, on 64 KiB, for six rounds.
pub(crate) const SMALL: &[&str] = &["copy/std_copy", "copy/posix_layer", "--size", "64K", "--rounds", "6"];

/// Returns these arguments, and where they ask for a number of rounds as much time as those may take: how fast this host is, and
/// what else it does, decides nothing.
pub(crate) fn with_time(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Vec<OsString> {
    let mut all: Vec<OsString> = arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
    let rounds = all.iter().position(|argument| argument == "--rounds");
    // Before it: behind the last of them a value may be about to follow.
    if let Some(place) = rounds.filter(|_| !all.iter().any(|argument| argument == "--budget")) {
        all.splice(place..place, ["--budget", "1h"].map(OsString::from));
    }
    all
}

/// Words in a list, or in a text.
pub(crate) trait Words {
    /// Returns the words of a command line; a text is split as a shell of Unix does.
    fn words(&self) -> Vec<String>;

    /// Returns what is looked for in what was said; a text has a bar between blanks where its parts meet.
    fn parts(&self) -> Vec<String> {
        self.words()
    }
}

impl Words for str {
    fn words(&self) -> Vec<String> {
        shlex::split(self).expect("whole words")
    }

    fn parts(&self) -> Vec<String> {
        self.split(" | ").map(str::to_owned).collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }

    fn parts(&self) -> Vec<String> {
        self[..].parts()
    }
}

impl<T: AsRef<str>> Words for [T] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<T: AsRef<str>, const N: usize> Words for [T; N] {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

/// Directories of its own for everything that the program knows of, and a directory to measure in.
pub(crate) struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let root = tempfile::Builder::new().prefix("sandbox").tempdir().expect("a temporary directory");
        let sandbox = Self { root };
        for name in ["home", "dir", "tmp"] {
            fs::create_dir(sandbox.path(name)).expect("a directory of the sandbox");
        }
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Returns the file of the store, which does not exist at first.
    pub(crate) fn store(&self) -> PathBuf {
        self.path("store.sqlite")
    }

    /// Returns the directory to measure in.
    pub(crate) fn dir(&self) -> PathBuf {
        self.path("dir")
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file of the sandbox");
        path
    }

    /// Returns the variables that keep the program on its sandbox.
    pub(crate) fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        let home = self.path("home");
        vec![
            ("XDG_DATA_HOME", home.join("data")),
            ("XDG_STATE_HOME", home.join("state")),
            ("XDG_CONFIG_HOME", home.join("config")),
            ("XDG_CACHE_HOME", home.join("cache")),
            ("TMPDIR", self.path("tmp")),
            ("HOME", home),
        ]
    }

    /// Returns the program with these arguments, its home and its store on the sandbox.
    pub(crate) fn bakeoff(&self, arguments: &(impl Words + ?Sized)) -> Program {
        let mut command = Program::new(crate::program());
        command.envs(self.variables()).env_remove("NO_COLOR").env_remove("COLUMNS");
        command.arg("--store").arg(self.store()).args(arguments.words());
        command
    }

    /// `bakeoff run` in the directory of the sandbox.
    pub(crate) fn run(&self, arguments: &(impl Words + ?Sized)) -> Program {
        self.in_dir("run", arguments)
    }

    /// Returns a command of the program with these arguments, in the directory of the sandbox.
    pub(crate) fn in_dir(&self, command: &str, arguments: &(impl Words + ?Sized)) -> Program {
        let mut program = self.bakeoff(&[command, "--dir"]);
        program.arg(self.dir()).args(arguments.words());
        program
    }

    /// Returns what `bakeoff run` prints that goes well and leaves nothing in the directory.
    #[track_caller]
    pub(crate) fn measured(&self, arguments: &(impl Words + ?Sized)) -> String {
        let shown = stdout(&self.run(arguments).assert().success());
        self.assert_clean();
        shown
    }

    /// Returns what a small run prints that goes well.
    pub(crate) fn ran(&self, arguments: &(impl Words + ?Sized)) -> String {
        stdout(&self.run(SMALL).args(arguments.words()).assert().success())
    }

    /// Returns what a command prints that goes well.
    #[track_caller]
    pub(crate) fn shown(&self, arguments: &(impl Words + ?Sized)) -> String {
        stdout(&self.bakeoff(arguments).assert().success())
    }

    /// Returns the same as JSON.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &(impl Words + ?Sized)) -> Value {
        from_json(&stdout(&self.bakeoff(arguments).args(["--format", "json"]).assert().success()))
    }

    /// Returns what a command says of the directory to measure in, as JSON.
    #[track_caller]
    pub(crate) fn json_in_dir(&self, command: &str, arguments: &(impl Words + ?Sized)) -> Value {
        let mut program = self.in_dir(command, arguments);
        from_json(&stdout(&program.args(["--format", "json"]).assert().success()))
    }

    /// Returns the last run as `bakeoff export --format json` reports it.
    #[track_caller]
    pub(crate) fn exported(&self) -> Value {
        self.json(&["export", "last"])
    }

    pub(crate) fn last_id(&self) -> String {
        text(&self.exported()["run"]["id"]).to_owned()
    }

    pub(crate) fn import(&self, run: &Value) {
        self.bakeoff(&["import"]).arg(self.file("imported.json", &run.to_string())).assert().success();
    }

    /// Imports the last run once more, changed, as the latest one.
    pub(crate) fn import_as_latest(&self, change: impl FnOnce(&mut Value)) {
        let mut run = self.exported();
        run["run"]["id"] = "20991201T000001.000Z-00000000".into();
        run["run"]["started"] = "2099-12-01T00:00:01Z".into();
        change(&mut run);
        self.import(&run);
    }

    /// Returns a path on the sandbox as a word of a command line.
    pub(crate) fn word(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    /// Asserts that nothing was measured: no store was begun, and nothing lies in the directory.
    pub(crate) fn assert_untouched(&self) {
        assert!(!self.store().exists(), "a store was begun");
        self.assert_clean();
    }

    /// Asserts that the directory to measure in is as empty as it was, hidden names included.
    pub(crate) fn assert_clean(&self) {
        assert_eq!(names(&self.dir()), Vec::<String>::new(), "something was left behind");
    }
}

pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "not seen in {PATIENCE:?}: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Returns the names in a directory, hidden ones too.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a readable directory").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Returns a page without the warning that a busy host has before it.
pub(crate) fn unwarned(page: &str) -> &str {
    let mut rest = page;
    while ["Other work ran", "Not quiet", "Affected"].iter().any(|begin| rest.starts_with(begin)) {
        rest = rest.split_once(".\n").map_or("", |(_, rest)| rest.trim_start_matches('\n'));
    }
    rest
}

/// Returns a page without its line breaks, which depend on the length of names and numbers.
pub(crate) fn unfolded(shown: &str) -> String {
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("standard output is UTF-8")
}

pub(crate) fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("standard error is UTF-8")
}

/// Asserts exit code 2, nothing on standard output, and one line on standard error that holds all of these words.
#[track_caller]
pub(crate) fn assert_refused(command: &mut Program, words: &(impl Words + ?Sized)) {
    let assert = command.assert().code(2).stdout("");
    let said = stderr(&assert);
    assert_eq!(said.lines().count(), 1, "one line is enough:\n{said}");
    assert_shows(&said, words);
}

/// Asserts that `bakeoff run` with these arguments is refused with these words, and nothing is begun.
#[track_caller]
pub(crate) fn refuse(arguments: &(impl Words + ?Sized), words: &(impl Words + ?Sized)) {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.run(arguments), words);
    sandbox.assert_untouched();
}

/// Returns the export of `bakeoff run` with these arguments, which goes well and leaves nothing behind.
#[track_caller]
pub(crate) fn measured(arguments: &(impl Words + ?Sized)) -> Value {
    let sandbox = Sandbox::new();
    sandbox.measured(arguments);
    sandbox.exported()
}

/// Asserts that all of these words stand in what was shown.
#[track_caller]
pub(crate) fn assert_shows(shown: &str, words: &(impl Words + ?Sized)) {
    for word in words.parts() {
        assert!(shown.contains(&word), "'{word}' is missing:\n{shown}");
    }
}

#[track_caller]
pub(crate) fn from_json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[track_caller]
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Returns the techniques of a list of entries, trials or lines.
pub(crate) fn techniques(all: &Value) -> Vec<&str> {
    list(all).iter().map(|one| text(&one["technique"])).collect()
}

/// Returns the trial of a technique in an export, its last attempt.
#[track_caller]
pub(crate) fn trial<'a>(run: &'a Value, technique: &str) -> &'a Value {
    let mut trials = list(&run["trials"]).iter().rev();
    trials.find(|trial| trial["technique"] == technique).unwrap_or_else(|| panic!("no trial of {technique}"))
}

pub(crate) fn samples(run: &Value, technique: &str) -> usize {
    trial(run, technique)["samples"].as_array().map_or(0, Vec::len)
}

/// Its first failure: the kind and the sentence.
#[track_caller]
pub(crate) fn failure(run: &Value, technique: &str) -> (String, String) {
    let failure = &trial(run, technique)["failures"][0];
    (text(&failure["kind"]).to_owned(), text(&failure["reason"]).to_owned())
}

/// Its first failure is of this kind, and its sentence has these words.
#[track_caller]
pub(crate) fn assert_failed(run: &Value, technique: &str, kind: &str, words: &str) {
    let (of_kind, reason) = failure(run, technique);
    assert!(
        of_kind == kind && words.parts().iter().all(|word| reason.contains(&**word)),
        "{technique}, {of_kind}: {reason}"
    );
}

/// Asserts that each of these has at least this many samples. One that takes more than twice as long as the fastest leaves after
/// the third round that is counted.
#[track_caller]
pub(crate) fn assert_measured(run: &Value, least: usize, techniques: &[&str]) {
    for technique in techniques {
        assert!(samples(run, technique) >= least, "{technique}: {}", trial(run, technique)["failures"]);
    }
}

/// Returns whether nothing of it has failed.
pub(crate) fn is_well(trial: &Value) -> bool {
    trial["failures"].as_array().is_none_or(Vec::is_empty)
}

/// Returns the place of a technique in the first ranking of an export.
pub(crate) fn place<'a>(run: &'a Value, technique: &str) -> &'a Value {
    let mut places = list(&run["contests"][0]["entries"]).iter();
    places.find(|place| place["technique"] == technique).unwrap_or_else(|| panic!("no place of {technique}"))
}
