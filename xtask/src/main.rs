#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the developers that talks to them"
)]
//! Checks that no compiler makes: of the tree (`cargo xtask tidy`), of the finished program on this host
//! (`cargo xtask acceptance`, `cargo xtask kills`, `cargo xtask held-out`), of what it reads from outside (`cargo xtask
//! fuzz`), of its pages (`cargo xtask gallery`), and of how it reads a large store (`cargo xtask large-store` makes one).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

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
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check the rules of the tree
    Tidy,
    Acceptance(acceptance::Options),
    Fuzz(fuzz::Options),
    Gallery(gallery::Options),
    HeldOut(held_out::Options),
    Kills(kills::Options),
    LargeStore(large_store::Options),
}

/// Exits with 0 when all that was asked for holds, with 1 when something does not, and with 2 when the arguments are refused or the
/// work could not be carried out.
fn main() -> ExitCode {
    let root = root();
    let outcome = match &Arguments::parse().command {
        Command::Tidy => tidy::carry_out(&root),
        Command::Acceptance(options) => acceptance::carry_out(options),
        Command::Fuzz(options) => fuzz::carry_out(options, &root),
        Command::Gallery(options) => gallery::carry_out(options, &root),
        Command::HeldOut(options) => held_out::carry_out(options),
        Command::Kills(options) => kills::carry_out(options),
        Command::LargeStore(options) => large_store::carry_out(options),
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
    /// Prints and returns the program and the seed.
    fn named(&self) -> Result<(PathBuf, u64)> {
        let (binary, seed) = (binary(self.binary.as_deref())?, self.seed.unwrap_or_else(rand::random));
        println!("{}, seed {seed}", binary.display());
        Ok((binary, seed))
    }
}

/// The program that is named, or the release build next to this one, in `target/<triple>/release`.
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

/// What made-up records say of the program that made them.
fn tool() -> model::Tool {
    model::Tool { name: "bakeoff".into(), version: env!("CARGO_PKG_VERSION").into(), commit: None }
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
}
