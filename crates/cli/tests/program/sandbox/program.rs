//! The program under test, started as often as a busy machine makes necessary.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use assert_cmd::assert::{Assert, OutputAssertExt};

use super::{PATIENCE, with_time};

/// [`assert_cmd::Command`] takes a start that the system gave up on for an error of the test, and does not say that it killed a
/// program which did not end in time.
#[derive(Debug)]
pub(crate) struct Program {
    command: assert_cmd::Command,
    patience: Duration,
}

impl Program {
    pub(crate) fn new(path: impl AsRef<OsStr>) -> Self {
        Self { command: assert_cmd::Command::new(path), patience: PATIENCE }
    }

    pub(crate) fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments, and to a number of rounds the time for them.
    pub(crate) fn args(&mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Self {
        self.command.args(with_time(arguments));
        self
    }

    pub(crate) fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn envs(
        &mut self, variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> &mut Self {
        self.command.envs(variables);
        self
    }

    pub(crate) fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn current_dir(&mut self, directory: impl AsRef<Path>) -> &mut Self {
        self.command.current_dir(directory);
        self
    }

    pub(crate) fn write_stdin(&mut self, input: impl Into<Vec<u8>>) -> &mut Self {
        self.command.write_stdin(input);
        self
    }

    /// The program and its arguments.
    pub(crate) fn words(&self) -> Vec<OsString> {
        [self.command.get_program()].into_iter().chain(self.command.get_args()).map(OsStr::to_owned).collect()
    }

    /// Returns what it printed and how it ended. Where it hangs it is killed, and the error holds what it had said until then.
    pub(crate) fn output(&mut self) -> io::Result<Output> {
        self.command.timeout(self.patience);
        let (output, elapsed) = sys::process::start_patiently(|| {
            let began = Instant::now();
            self.command.output().map(|output| (output, began.elapsed()))
        })?;
        if output.status.success() || elapsed < self.patience {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let killed = format!("it did not end within {:?} and was killed; it had said: {said}", self.patience);
        Err(io::Error::new(io::ErrorKind::TimedOut, killed))
    }

    #[track_caller]
    pub(crate) fn assert(&mut self) -> Assert {
        match self.output() {
            Ok(output) => output.assert().append_context("command", format!("{:?}", self.words())),
            Err(error) => panic!("{:?}: {error}", self.words()),
        }
    }
}

#[test]
fn a_program_that_does_not_end_is_killed_and_says_so() {
    let sandbox = super::Sandbox::new();
    let mut endless = sandbox.run(&["control/sleep_5ms", "--rounds", "200", "--min-rounds", "200"]);
    endless.patience = Duration::from_millis(100);
    let error = endless.output().expect_err("killed");
    assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{error}");
    assert!(error.to_string().contains("did not end within 100ms and was killed"), "{error}");
}
