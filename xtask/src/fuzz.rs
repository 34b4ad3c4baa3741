//! Inputs that break a promise: `cargo xtask fuzz` builds the targets of the package `fuzz` with the stable compiler's counters of
//! coverage, and libFuzzer feeds them inputs grown from `fuzz/corpus`. A find is made smaller and kept there; test runs try it.

use std::fs;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;

/// The compiler's part of libFuzzer: a counter an edge, and the operands of comparisons.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// No target runs a technique: with counters, they and what only they use take longer to optimise than all else together.
const UNUSED: [&str; 4] = ["families", "voracious_radix_sort", "rdst", "encoding_rs"];

/// The variable that names the target for the built program.
const TARGET: &str = "BAKEOFF_FUZZ_TARGET";

/// Look for inputs from outside that break a promise
#[derive(Debug, Parser)]
#[command(
    after_help = "Exit code: 0 nothing found; 1 an input breaks a promise; 2 could not be carried out."
)]
pub(crate) struct Options {
    /// The targets, each a folder of fuzz/corpus [default: all]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Seed of the changes; the same seed and the same corpus try the same inputs first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    seed: u32,
    /// An input may take so long
    #[arg(long, value_name = "N", default_value_t = 10)]
    input_seconds: u32,
    /// An input may take this much memory, everything before it included
    #[arg(long, value_name = "N", default_value_t = 1024)]
    input_mib: u32,
    /// This many targets are tried at a time [default: one a processor]
    #[arg(long, value_name = "N")]
    at_once: Option<NonZeroUsize>,
    /// Add the smallest inputs that reach new code to fuzz/corpus
    #[arg(long)]
    keep: bool,
    /// Go on from the inputs that earlier calls have grown, also those that were interrupted
    #[arg(long)]
    resume: bool,
    /// Build the targets without optimisation: they begin sooner, and try fewer inputs a second
    #[arg(long)]
    unoptimised: bool,
}

/// Tries the targets, some at a time; prints the inputs that break a promise, and returns whether there are none.
pub(crate) fn carry_out(options: &Options, root: &Path) -> Result<bool> {
    let known = known(&root.join("fuzz/corpus"))?;
    let names = crate::chosen(&known, String::as_str, &options.targets)?;
    let program = build(root, options.unoptimised)?;
    let at_once = options.at_once.or_else(|| thread::available_parallelism().ok());
    let waiting = Mutex::new(names.into_iter());
    let try_targets = || {
        let mut is_sound = true;
        loop {
            let Some(name) = waiting.lock().unwrap_or_else(PoisonError::into_inner).next() else {
                return Ok(is_sound);
            };
            let folder = root.join("fuzz/corpus").join(name);
            let found = Target { name, folder, program: &program, root, options }.run()?;
            // At once and in full: another target may fail, and the file may be gone when somebody looks.
            for input in &found {
                let bytes = fs::read(input)?;
                println!("fuzz: {} breaks a promise: b\"{}\"", input.display(), bytes.escape_ascii());
            }
            is_sound &= found.is_empty();
        }
    };
    thread::scope(|scope| {
        let threads = 0..at_once.map_or(1, NonZeroUsize::get);
        let tried: Vec<_> = threads.map(|_| scope.spawn(try_targets)).collect();
        tried.into_iter().try_fold(true, |is_sound, thread| {
            let ended: Result<bool> = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok(is_sound & ended?)
        })
    })
}

fn known(corpus: &Path) -> Result<Vec<String>> {
    let folders = fs::read_dir(corpus).with_context(|| format!("{} cannot be read", corpus.display()))?;
    let names = folders.flatten().map(|folder| folder.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// Builds with flags of its own next to what is built already, and returns the program.
fn build(root: &Path, is_unoptimised: bool) -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["build", "--locked", "--package", "fuzz", "--bin", "fuzz"]);
    cargo.args(["--features", "libfuzzer", "--message-format", "json-render-diagnostics"]);
    if is_unoptimised {
        cargo.args(["--config", "profile.dev.opt-level=0"]);
    }
    for package in UNUSED {
        cargo.arg("--config").arg(format!("profile.dev.package.{package}.opt-level=0"));
    }
    // Instead of the flags in .cargo/config.toml: libFuzzer links the C++ library, which is there for dynamic linking.
    cargo.env("RUSTFLAGS", COVERAGE);
    cargo.stderr(std::process::Stdio::inherit());
    let built = cargo.output().context("cargo cannot be started")?;
    if !built.status.success() {
        bail!("the targets cannot be built; a C++ compiler is needed, for example: scripts/apt-install g++");
    }
    let lines = String::from_utf8_lossy(&built.stdout);
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut programs = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    programs.next().context("cargo built no program")
}

struct Target<'a> {
    name: &'a str,
    folder: PathBuf,
    program: &'a Path,
    root: &'a Path,
    options: &'a Options,
}

impl Target<'_> {
    fn run(&self) -> Result<Vec<PathBuf>> {
        let grown = self.root.join("target/fuzz/grown").join(self.name);
        let finds = self.root.join("target/fuzz/found").join(self.name);
        // What an earlier call left would be taken for a find of this one; what it grew would make the seed's inputs others.
        fs::remove_dir_all(&finds).ok();
        if !self.options.resume {
            fs::remove_dir_all(&grown).ok();
        }
        for folder in [&grown, &finds] {
            fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        let mut fuzzer = self.fuzzer();
        let Options { seconds, seed, .. } = self.options;
        fuzzer.args([format!("-max_total_time={seconds}"), format!("-seed={seed}")]);
        fuzzer.arg(format!("-artifact_prefix={}", finds.join("").display()));
        let tried = fuzzer.arg(&grown).arg(&self.folder).output().context("the fuzzer cannot be started")?;
        // Whole, since other targets are tried at the same time.
        let said = String::from_utf8_lossy(&tried.stderr);
        println!("fuzz: {}, {seconds} s, seed {seed}\n{said}", self.name);
        let mut broken = Vec::new();
        for find in fs::read_dir(&finds)?.flatten() {
            broken.extend(self.look_at(&find.path())?);
        }
        if broken.is_empty() && !tried.status.success() && fs::read_dir(&finds)?.next().is_none() {
            bail!("the fuzzer of {} ended without a find ({})", self.name, tried.status);
        }
        if self.options.keep && broken.is_empty() {
            self.keep(&grown)?;
        }
        Ok(broken)
    }

    /// Tries a find again, since a limit of time may be that of a stopped machine; makes it smaller, and keeps it.
    fn look_at(&self, find: &Path) -> Result<Option<PathBuf>> {
        if self.fuzzer().arg(find).output()?.status.success() {
            println!("fuzz: {} breaks nothing when it is tried again", find.display());
            return Ok(None);
        }
        let name = find.file_name().context("a find has a name")?;
        let kept = self.folder.join(name);
        let mut shrinking = self.fuzzer();
        shrinking
            .args(["-minimize_crash=1", "-max_total_time=20"])
            .arg(format!("-exact_artifact_path={}", kept.display()));
        // Its own output would report of every smaller input.
        shrinking.arg(find).output()?;
        // What it could not make smaller is not there, or is a file that breaks nothing.
        if !kept.exists() || self.fuzzer().arg(&kept).output()?.status.success() {
            fs::copy(find, &kept)?;
        }
        Ok(Some(kept))
    }

    /// Adds what reaches code that no kept input reaches.
    fn keep(&self, grown: &Path) -> Result<()> {
        let merged = self.fuzzer().arg("-merge=1").arg(&self.folder).arg(grown).status()?;
        ensure!(merged.success(), "the new inputs of {} cannot be merged ({merged})", self.name);
        Ok(())
    }

    fn fuzzer(&self) -> Command {
        let mut fuzzer = Command::new(self.program);
        fuzzer.env(TARGET, self.name);
        // Targets that work on files need thousands of them: in memory, where the system has such a place.
        if Path::new("/dev/shm").is_dir() {
            fuzzer.env("TMPDIR", "/dev/shm");
        }
        let Options { input_seconds, input_mib, .. } = self.options;
        fuzzer.args([format!("-timeout={input_seconds}"), format!("-rss_limit_mb={input_mib}")]);
        fuzzer.args(["-max_len=4096", "-print_final_stats=1", "-verbosity=0", "-create_missing_dirs=1"]);
        fuzzer
    }
}
