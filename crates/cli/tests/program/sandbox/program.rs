//! The program under test, started as often as a busy machine makes necessary.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use assert_cmd::assert::{Assert, OutputAssertExt};

/// [`assert_cmd::Command`], which takes a start that the system has given up on for an error of the test.
#[derive(Debug)]
pub(crate) struct Program(assert_cmd::Command);

impl Program {
    pub(crate) fn new(path: impl AsRef<OsStr>) -> Self {
        Self(assert_cmd::Command::new(path))
    }

    pub(crate) fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Self {
        self.0.arg(argument);
        self
    }

    pub(crate) fn args(&mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Self {
        self.0.args(arguments);
        self
    }

    pub(crate) fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Self {
        self.0.env(name, value);
        self
    }

    pub(crate) fn envs(
        &mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> &mut Self {
        self.0.envs(variables);
        self
    }

    pub(crate) fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Self {
        self.0.env_remove(name);
        self
    }

    pub(crate) fn current_dir(&mut self, directory: impl AsRef<Path>) -> &mut Self {
        self.0.current_dir(directory);
        self
    }

    pub(crate) fn timeout(&mut self, patience: Duration) -> &mut Self {
        self.0.timeout(patience);
        self
    }

    pub(crate) fn write_stdin(&mut self, input: impl Into<Vec<u8>>) -> &mut Self {
        self.0.write_stdin(input);
        self
    }

    /// The program and its arguments.
    pub(crate) fn words(&self) -> Vec<OsString> {
        [self.0.get_program()].into_iter().chain(self.0.get_args()).map(OsStr::to_owned).collect()
    }

    pub(crate) fn output(&mut self) -> io::Result<Output> {
        sys::process::start_patiently(|| self.0.output())
    }

    #[track_caller]
    pub(crate) fn assert(&mut self) -> Assert {
        match self.output() {
            Ok(output) => output.assert().append_context("command", format!("{:?}", self.words())),
            Err(error) => panic!("{:?} cannot be started: {error}", self.words()),
        }
    }
}
