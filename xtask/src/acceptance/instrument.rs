//! The program under examination, driven from outside: its command line in, its JSON out.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::seen::{Ranking, Run, Verdict};

/// The release binary, with a private folder for its store, its scratch files and its state.
pub(super) struct Instrument {
    binary: PathBuf,
    folder: TempDir,
    /// Arguments that every measuring run gets.
    standing: Vec<String>,
}

impl Instrument {
    /// # Errors
    /// No private folder can be made.
    pub(super) fn new(binary: PathBuf, standing: Vec<String>) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bakeoff-acceptance-").tempdir()?;
        Ok(Self { binary, folder, standing })
    }

    pub(super) fn binary(&self) -> &Path {
        &self.binary
    }

    /// A file or folder inside the private folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Words of a run of controls, for a process of its own: each run keeps its record in a store of its own.
    pub(super) fn run_words(&self, controls: &[&str], seed: u64, further: &[&str]) -> Vec<String> {
        let mut words: Vec<String> = vec!["run".into()];
        words.extend(controls.iter().map(|control| format!("control/{control}")));
        words.extend(["--format", "json", "--quiet"].map(String::from));
        words.extend(["--store".to_owned(), self.store().display().to_string()]);
        words.extend(["--dir".to_owned(), self.folder.path().display().to_string()]);
        words.extend(["--seed".to_owned(), seed.to_string()]);
        words.extend(self.standing.iter().cloned());
        words.extend(further.iter().map(|word| (*word).to_owned()));
        words
    }

    /// Words of a run as a user types it, with a store of its own.
    pub(super) fn measuring_words(&self, words: &[&str]) -> Vec<String> {
        let mut all: Vec<String> = ["run", "--format", "json", "--quiet"].map(String::from).into();
        all.extend(["--store".to_owned(), self.store().display().to_string()]);
        all.extend(["--dir".to_owned(), self.folder.path().display().to_string()]);
        all.extend(words.iter().map(|word| (*word).to_owned()));
        all
    }

    /// Measures families of techniques to the end, as a user does; gives also how long that took.
    ///
    /// # Errors
    /// The program could not do it, or did not print a run.
    pub(super) fn measure(&self, words: &[&str]) -> Result<(Run, Duration)> {
        self.forget()?;
        let all = self.measuring_words(words);
        let start = Instant::now();
        let output = self.command(&self.binary).args(&all).output()?;
        Ok((parsed(&all, &output)?, start.elapsed()))
    }

    /// The last run once more, compared by another metric.
    ///
    /// # Errors
    /// The program does not know the metric, or did not print a run.
    pub(super) fn reported(&self, metric: &str) -> Result<Run> {
        let store = self.store().display().to_string();
        let words = ["report", "last", "--metric", metric, "--format", "json", "--quiet", "--store", &store];
        let words = words.map(str::to_owned);
        let output = self.command(&self.binary).args(&words).output()?;
        parsed(&words, &output)
    }

    /// Lets the program advise from the last run.
    ///
    /// # Errors
    /// It has nothing to advise.
    pub(super) fn advise(&self, words: &[&str]) -> Result<()> {
        let (store, folder) = (self.store().display().to_string(), self.folder.path().display().to_string());
        let mut all = vec!["advise", "--quiet", "--store", &store, "--dir", &folder];
        all.extend(words);
        let output = self.command(&self.binary).args(&all).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("bakeoff {}: {}: {}", all.join(" "), output.status, said.trim());
        }
        Ok(())
    }

    fn store(&self) -> PathBuf {
        self.path("runs.sqlite")
    }

    /// Forgets all runs: a store that grows would make later runs slower than earlier ones.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub(super) fn forget(&self) -> Result<()> {
        for end in ["", "-wal", "-shm", "-journal"] {
            match std::fs::remove_file(self.path(&format!("runs.sqlite{end}"))) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// A command with the private folder as its world.
    pub(super) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for variable in ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, self.path("home"));
        }
        command
    }

    /// Measures controls to the end.
    ///
    /// # Errors
    /// The program could not do it, or did not print a run.
    pub(super) fn run(&self, controls: &[&str], seed: u64, further: &[&str]) -> Result<Run> {
        self.forget()?;
        let words = self.run_words(controls, seed, further);
        let output = self.command(&self.binary).args(&words).output()?;
        parsed(&words, &output)
    }

    /// The verdicts on samples written as comma-separated values.
    ///
    /// # Errors
    /// The program could not judge them.
    pub(super) fn judge(&self, samples: &str, further: &[String]) -> Result<Vec<Ranking>> {
        let file = self.path("samples.csv");
        std::fs::write(&file, samples)?;
        let mut words = vec!["judge".to_owned(), file.display().to_string()];
        words.extend(["--format", "json", "--quiet"].map(String::from));
        words.extend(further.iter().cloned());
        let output = self.command(&self.binary).args(&words).output()?;
        Ok(parsed::<Verdict>(&words, &output)?.rankings)
    }
}

fn parsed<T: serde::de::DeserializeOwned>(words: &[String], output: &Output) -> Result<T> {
    let line = words.join(" ");
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("bakeoff {line}: {}: {}", output.status, said.trim());
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("bakeoff {line}: its JSON cannot be read"))
}
