//! Processes of a sandbox: started, waited for, signalled and counted.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::sandbox::{Sandbox, with_time};

/// A bakeoff that runs next to its test, at the head of a process group of its own as a shell would start it.
pub(crate) struct Beside {
    child: Child,
}

impl Beside {
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::of(Command::new(crate::program()), sandbox, arguments)
    }

    /// `bakeoff run` in the directory of the sandbox.
    pub(crate) fn run(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let dir = sandbox.dir().to_string_lossy().into_owned();
        Self::start(sandbox, &[&["run", "--dir", &dir], arguments].concat())
    }

    /// The program, started by another one that becomes it, such as `nohup`.
    pub(crate) fn start_by(starter: &[&str], sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(crate::program());
        Self::of(command, sandbox, arguments)
    }

    fn of(mut command: Command, sandbox: &Sandbox, arguments: &[&str]) -> Self {
        command
            .envs(sandbox.variables())
            .arg("--store")
            .arg(sandbox.store())
            .args(with_time(arguments))
            .process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { child: command.spawn().expect("the program starts") }
    }

    /// Sends a signal to the program alone.
    pub(crate) fn signal(&self, name: &str) {
        kill(name, &self.child.id().to_string());
    }

    /// Sends a signal to the whole group, as a terminal does when Ctrl-C is pressed.
    pub(crate) fn signal_group(&self, name: &str) {
        kill(name, &format!("-{}", self.child.id()));
    }

    /// Kills the process that starts all others for the program.
    pub(crate) fn kill_launcher(&self) {
        kill("KILL", &child_of(&self.guard()));
    }

    /// Kills the process that waits for the end of the launcher.
    pub(crate) fn kill_guard(&self) {
        kill("KILL", &self.guard());
    }

    fn guard(&self) -> String {
        child_of(&self.child.id().to_string())
    }

    /// Whether it has a file of this folder open, with a name or without.
    pub(crate) fn has_open(&self, folder: &Path) -> bool {
        let opened = fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        let files = opened.into_iter().flatten().flatten().filter_map(|one| fs::read_link(one.path()).ok());
        files.filter(|file| file.parent() == Some(folder)).count() > 0
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Waits for its end.
    pub(crate) fn end(self) -> Output {
        self.child.wait_with_output().expect("the program ends")
    }
}

fn child_of(parent: &str) -> String {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let children = children.expect("the program runs");
    children.split_whitespace().next().expect("it has started what it needs").to_owned()
}

fn kill(name: &str, whom: &str) {
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" -- \"$1\"", name, whom]).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill -s {name} -- {whom}");
}

/// The processes that have a path of the sandbox among their variables or words, each with its words.
pub(crate) fn of_stage(sandbox: &Sandbox) -> Vec<String> {
    folders_of_stage(sandbox).into_iter().map(|(_, words)| words).collect()
}

/// How many threads the largest of these processes has.
pub(crate) fn most_threads(sandbox: &Sandbox) -> usize {
    let threads = |folder: &Path| fs::read_dir(folder.join("task")).map_or(0, Iterator::count);
    folders_of_stage(sandbox).iter().map(|(folder, _)| threads(folder)).max().unwrap_or(0)
}

fn folders_of_stage(sandbox: &Sandbox) -> Vec<(PathBuf, String)> {
    let mark = sandbox.path("").to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    processes
        .filter_map(|process| {
            let folder = process.path();
            // Who has ended and was not waited for yet has neither words nor variables.
            let words = text(&folder.join("cmdline"))?;
            let seen = words.contains(&mark) || text(&folder.join("environ"))?.contains(&mark);
            seen.then(|| (folder, words.replace('\0', " ")))
        })
        .collect()
}

fn text(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
