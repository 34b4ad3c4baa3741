//! A plain program in C next to which a test of its own harness times the techniques.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// Compiles a source file of this test into a new folder, then keeps this process on one processor; returns folder and program.
pub(crate) fn pinned_and_built(source: &str, flags: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("scratch");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plain_c").join(source);
    let program = folder.path().join("plain");
    let compiler = Command::new("cc").args(flags).arg("-o").args([&program, &source]).status();
    assert!(compiler.expect("cc is installed").success());
    let processor = sys::affinity::allowed().pop().expect("a processor");
    sys::affinity::restrict(&[processor]).expect("restricted");
    (folder, program)
}

pub(crate) struct Plain {
    process: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Plain {
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (ask, answer) = (process.stdin.take().expect("piped"), process.stdout.take().expect("piped"));
        Ok(Self { process, ask, answer: BufReader::new(answer) })
    }

    /// Asks for something; gives the numbers of its answer.
    pub(crate) fn ask(&mut self, words: &[u8]) -> io::Result<Vec<f64>> {
        self.ask.write_all(words)?;
        let mut line = String::new();
        self.answer.read_line(&mut line)?;
        let numbers = line.split_ascii_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>();
        let said = numbers.ok().filter(|numbers| !numbers.is_empty());
        said.ok_or_else(|| io::Error::other(format!("the C program said '{line}'")))
    }

    pub(crate) fn end(mut self) -> io::Result<()> {
        drop(self.ask);
        self.process.wait().map(drop)
    }
}
