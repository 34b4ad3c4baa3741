//! Processes of a sandbox: started, waited for, signalled and counted.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::sandbox::{Sandbox, Words, with_time};

/// Its end, and what it wrote on standard output and standard error.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) shown: String,
    pub(crate) said: String,
}

/// A bakeoff that runs next to its test, at the head of a process group of its own as a shell would start it.
pub(crate) struct Beside {
    child: Child,
}

impl Beside {
    pub(crate) fn start(sandbox: &Sandbox, arguments: &(impl Words + ?Sized)) -> Self {
        Self::spawn("env", sandbox, arguments.words())
    }

    /// `bakeoff run` in the directory of the sandbox.
    pub(crate) fn run(sandbox: &Sandbox, arguments: &(impl Words + ?Sized)) -> Self {
        Self::run_by("env", sandbox, arguments)
    }

    /// The same, started by another program that becomes it, such as `nohup`.
    pub(crate) fn run_by(starter: &str, sandbox: &Sandbox, arguments: &(impl Words + ?Sized)) -> Self {
        let run = ["run".to_owned(), "--dir".to_owned(), sandbox.word("dir")].into_iter();
        Self::spawn(starter, sandbox, run.chain(arguments.words()).collect())
    }

    fn spawn(starter: &str, sandbox: &Sandbox, arguments: Vec<String>) -> Self {
        let mut words = starter.split(' ');
        let mut command = Command::new(words.next().expect("a program"));
        command.args(words).arg(crate::program()).envs(sandbox.variables());
        command.arg("--store").arg(sandbox.store()).args(with_time(arguments)).process_group(0);
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

    /// Returns the process that waits for the end of the launcher.
    pub(crate) fn guard(&self) -> String {
        child_of(&self.child.id().to_string())
    }

    /// Returns whether it has a file of this folder open, with a name or without.
    pub(crate) fn has_open(&self, folder: &Path) -> bool {
        let opened = fs::read_dir(format!("/proc/{}/fd", self.child.id()));
        let files = opened.into_iter().flatten().flatten().filter_map(|one| fs::read_link(one.path()).ok());
        files.filter(|file| file.parent() == Some(folder)).count() > 0
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    pub(crate) fn end(self) -> Ended {
        let output = self.child.wait_with_output().expect("the program ends");
        let [shown, said] = [output.stdout, output.stderr].map(|out| String::from_utf8(out).expect("UTF-8"));
        Ended { code: output.status.code(), shown, said }
    }
}

fn child_of(parent: &str) -> String {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let children = children.expect("the program runs");
    children.split_whitespace().next().expect("it has started what it needs").to_owned()
}

pub(crate) fn kill(name: &str, whom: &str) {
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" -- \"$1\"", name, whom]).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill -s {name} -- {whom}");
}

/// The processes that have a path of the sandbox among their variables or words, each with its words.
pub(crate) fn of_stage(sandbox: &Sandbox) -> Vec<String> {
    let mark = sandbox.path("").to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let words = processes.filter_map(|process| {
        // Who has ended and was not waited for yet has neither words nor variables.
        let words = text(&process.path().join("cmdline"))?;
        let seen = words.contains(&mark) || text(&process.path().join("environ"))?.contains(&mark);
        seen.then(|| words.replace('\0', " "))
    });
    words.collect()
}

fn text(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
