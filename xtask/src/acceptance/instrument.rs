//! The program under examination, driven from outside: its command line in, its JSON out.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use super::output::{Ranking, Run, Verdict};
use crate::printed;

/// The release binary, with a private folder for its store, its scratch files and its state.
pub(super) struct Instrument {
    binary: PathBuf,
    folder: TempDir,
    /// Words for every run of controls.
    standing: &'static str,
}

impl Instrument {
    pub(super) fn new(binary: PathBuf, standing: &'static str) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bakeoff-acceptance-").tempdir()?;
        Ok(Self { binary, folder, standing })
    }

    pub(super) fn binary(&self) -> &Path {
        &self.binary
    }

    /// Returns the path of a file or folder inside the private folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn store(&self) -> PathBuf {
        self.path("runs.sqlite")
    }

    /// Returns what a user types behind `run` to measure controls.
    pub(super) fn controls(&self, controls: &[&str], seed: u64, further: &str) -> String {
        let names: Vec<String> = controls.iter().map(|control| format!("control/{control}")).collect();
        format!("{} --seed {seed} {} {further}", names.join(" "), self.standing)
    }

    /// Returns a command that measures what a user types behind `run`, in a process group of its own where it is to be interrupted.
    pub(super) fn measuring(&self, line: &str, is_apart: bool) -> Command {
        let mut command = self.command(if is_apart { Path::new("setsid") } else { &self.binary });
        command.args(is_apart.then_some(&self.binary)).args(["run", "--format", "json", "--quiet"]);
        command.arg("--store").arg(self.store()).arg("--dir").arg(self.folder.path()).args(words(line));
        command
    }

    /// Measures what a user types behind `run` to the end, and returns also the time that it took.
    pub(super) fn measure(&self, line: &str) -> Result<(Run, Duration)> {
        self.forget()?;
        let start = Instant::now();
        Ok((parsed(&mut self.measuring(line, false))?, start.elapsed()))
    }

    pub(super) fn reported(&self, metric: &str) -> Result<Run> {
        let mut command = self.command(&self.binary);
        command.args(["report", "last", "--metric", metric, "--format", "json", "--quiet", "--store"]);
        parsed(command.arg(self.store()))
    }

    pub(super) fn advise(&self, line: &str) -> Result<()> {
        let mut command = self.command(&self.binary);
        command.args(["advise", "--quiet", "--store"]).arg(self.store());
        printed(command.arg("--dir").arg(self.folder.path()).args(words(line)))?;
        Ok(())
    }

    /// Returns the verdicts on samples written as comma-separated values.
    pub(super) fn judge(&self, samples: &str, further: &str) -> Result<Vec<Ranking>> {
        let file = self.path("samples.csv");
        std::fs::write(&file, samples)?;
        let mut command = self.command(&self.binary);
        command.arg("judge").arg(file).args(["--format", "json", "--quiet"]).args(words(further));
        Ok(parsed::<Verdict>(&mut command)?.rankings)
    }

    /// Forgets all runs: a store that grows would make later runs slower than earlier ones.
    pub(super) fn forget(&self) -> Result<()> {
        for end in ["", "-wal", "-shm", "-journal"] {
            match std::fs::remove_file(self.path(&format!("runs.sqlite{end}"))) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns a command with the private folder as its world.
    pub(super) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for variable in ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, self.path("home"));
        }
        command
    }
}

pub(super) fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_default()
}

fn parsed<T: DeserializeOwned>(command: &mut Command) -> Result<T> {
    serde_json::from_str(&printed(command)?).context("the JSON of bakeoff cannot be read")
}
