#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command of the developers")]
//! Checks that no compiler makes: of the tree, of the finished program, of what it reads, of its pages and of large stores.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Parser, Subcommand};
use model::{Design, Record};

mod acceptance;
mod fuzz;
mod gallery;
mod held_out;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(not(target_os = "linux"))]
mod kills {
    //! Signals, `/proc` and control groups are Linux's own.

    /// Kill the release binary at random moments (works on Linux only)
    #[derive(Debug, clap::Args)]
    pub(crate) struct Options {}

    pub(crate) fn carry_out(_: &Options) -> anyhow::Result<bool> {
        anyhow::bail!("this command works on Linux only")
    }
}
mod large_store;
mod tidy;

/// Check what no compiler checks
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Check the rules of the tree
    Tidy,
    Acceptance(acceptance::Options),
    Fuzz(fuzz::Options),
    Gallery(gallery::Options),
    HeldOut(held_out::Options),
    Kills(kills::Options),
    LargeStore(large_store::Options),
}

/// Exits with 0 when all holds, with 1 when something does not, and with 2 for refused arguments or an error.
fn main() -> ExitCode {
    let root = root();
    let outcome = match &Arguments::parse().task {
        Task::Tidy => tidy::carry_out(&root),
        Task::Acceptance(options) => acceptance::carry_out(options),
        Task::Fuzz(options) => fuzz::carry_out(options, &root),
        Task::Gallery(options) => gallery::carry_out(options, &root),
        Task::HeldOut(options) => held_out::carry_out(options),
        Task::Kills(options) => kills::carry_out(options),
        Task::LargeStore(options) => large_store::carry_out(options),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The program that is driven from outside, and what is drawn there.
#[derive(Debug, clap::Args)]
struct Driven {
    /// The program [default: the release build]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Seed of all that is drawn [default: from the operating system]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Driven {
    /// Returns the program and the seed, and prints both.
    fn named(&self) -> Result<(PathBuf, u64)> {
        let (binary, seed) = (binary(self.binary.as_deref())?, self.seed.unwrap_or_else(rand::random));
        println!("{}, seed {seed}", binary.display());
        Ok((binary, seed))
    }
}

/// Says how far long work is, at most twice a minute.
struct Progress {
    start: Instant,
    said: Instant,
}

impl Progress {
    fn new() -> Self {
        Self { start: Instant::now(), said: Instant::now() }
    }

    fn say(&mut self, how_far: impl Display) {
        if self.said.elapsed() >= Duration::from_secs(30) {
            self.said = Instant::now();
            eprintln!("     {how_far} after {} s", self.start.elapsed().as_secs());
        }
    }
}

/// Returns those of the known things that are named, each once; all where none is named.
fn chosen<'k, T>(known: &'k [T], name_of: fn(&T) -> &str, named: &[String]) -> Result<Vec<&'k T>> {
    if named.is_empty() {
        return Ok(known.iter().collect());
    }
    let names: Vec<&str> = known.iter().map(name_of).collect();
    let mut places = Vec::new();
    for name in named {
        let place = names.iter().position(|known| known.eq_ignore_ascii_case(name));
        let place = place.with_context(|| format!("'{name}' is unknown; there are {}", names.join(", ")))?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Ok(places.into_iter().map(|place| &known[place]).collect())
}

/// Returns what [`chosen`] does, for the names behind `--only`.
fn only<'k, T>(known: &'k [T], name_of: fn(&T) -> &str, named: &[String]) -> Result<Vec<&'k T>> {
    chosen(known, name_of, named).map_err(|error| anyhow!("--only: {error}"))
}

/// Returns the program that is named, or the release build next to this one, in `target/<triple>/release`.
fn binary(named: Option<&Path>) -> Result<PathBuf> {
    let own = std::env::current_exe().unwrap_or_default();
    let target = own.parent().and_then(Path::parent).unwrap_or(Path::new("target"));
    let built = target.join("release").join(format!("bakeoff{}", std::env::consts::EXE_SUFFIX));
    let binary = named.unwrap_or(&built);
    binary.canonicalize().with_context(|| {
        let shown = binary.display();
        format!("{shown} is not there; build it with `cargo build --release`, or name it with --binary")
    })
}

/// Returns what a command prints that ends well.
fn printed(command: &mut Command) -> Result<String> {
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let line = format!("{} {}", command.get_program().display(), words.join(" "));
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("{line}: cannot be started"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{line}: {}: {}", output.status, said.trim());
    String::from_utf8(output.stdout).with_context(|| format!("{line}: it printed bytes that are not text"))
}

/// Returns a whole run without contests, of a Linux machine with two processors.
fn made_up_run(id: &str, started: String, looks: Vec<u32>) -> Record {
    let mut run = Record { started, design: Design::usual(looks), ..testkit::record(id) };
    run.host.os.family = "linux".into();
    run.host.processor.architecture = "x86_64".into();
    run.host.processor.logical = Some(2);
    run
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn known_names_are_chosen_and_an_unknown_one_is_refused() {
        let known = ["csv".to_owned(), "json".to_owned()];
        let [all, one, unknown] = ["", "json JSON", "csv xml"].map(|named| {
            let named: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
            let found = chosen(&known, String::as_str, &named)?;
            anyhow::Ok(found.into_iter().cloned().collect::<Vec<_>>())
        });
        assert_eq!(all.expect("all"), known);
        assert_eq!(one.expect("one"), ["json"]);
        let refused = unknown.expect_err("unknown").to_string();
        assert_eq!(refused, "'xml' is unknown; there are csv, json");
    }
}
