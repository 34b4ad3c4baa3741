//! Is advice right where nothing was measured? `cargo xtask held-out` measures curves with the release binary, makes the advice
//! from every other level, and looks at the levels that were held out.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use clap::Parser;
use judge::{decide, read_run};

use cases::{Case, cases};

mod cases;

/// At least this many of a hundred held-out levels must be advised well.
const LEAST_PERCENT: usize = 90;

struct Measured {
    family: &'static str,
    /// What takes part in the short form.
    few: &'static [&'static str],
    levels: &'static [&'static str],
    /// Fewer levels for the short form.
    few_levels: &'static [&'static str],
}

const CURVES: &[Measured] = &[
    Measured {
        family: "copy",
        few: &["copy/read_write", "copy/std_copy", "copy/small_buffer"],
        levels: &["--sizes", "4K..256MiB"],
        few_levels: &["--sizes", "4K..1MiBx4"],
    },
    Measured {
        family: "convert",
        few: &["convert/read_write"],
        levels: &["--sizes", "4K..64MiB"],
        few_levels: &["--sizes", "4K..1MiBx4"],
    },
    Measured {
        family: "search",
        few: &["search/sequential", "search/thread_per_file"],
        levels: &["--set", "file_bytes=1K..4MiB"],
        few_levels: &["--set", "file_bytes=1K..64Kx4"],
    },
    Measured {
        family: "sort",
        few: &["sort/sort_unstable", "sort/sortFLSR"],
        levels: &["--sizes", "64K..64MiB"],
        few_levels: &["--sizes", "64K..1MiBx2"],
    },
    Measured {
        family: "blocks",
        few: &["blocks/plain", "blocks/std_slice"],
        levels: &["--set", "piece_bytes=1K..8M"],
        few_levels: &["--set", "piece_bytes=4K..1Mx4"],
    },
];

/// Measure curves, advise from every other level, and look at the levels that were held out
#[derive(Debug, Parser)]
#[command(
    after_help = "Exit code: 0 at least 90 % of the held-out levels are advised well; 1 fewer; 2 could not be carried out."
)]
pub(crate) struct Options {
    /// A few techniques at a few levels, in short runs
    #[arg(long)]
    short: bool,
    /// Only these families, e.g. copy,blocks
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// Directory to measure in [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// With a cold cache, too, where a family works on files
    #[arg(long)]
    cold: bool,
    /// Time for each run instead of the usual one, e.g. 10min
    #[arg(long, value_name = "DURATION")]
    budget: Option<String>,
    #[command(flatten)]
    driven: crate::Driven,
}

/// Measures, advises and counts; returns whether enough is advised well.
pub(crate) fn carry_out(options: &Options) -> Result<bool> {
    let chosen = chosen(options)?;
    let (binary, seed) = options.driven.named()?;
    let mut all: Vec<Case> = Vec::new();
    for curve in chosen {
        let caches: &[&str] =
            if options.cold && curve.family != "blocks" { &["warm", "cold"] } else { &["warm"] };
        for cache in caches {
            let found = measured(&binary, curve, cache, options, seed)?;
            found.iter().for_each(|case| println!("{} {cache} {case}", curve.family));
            all.extend(found);
        }
    }
    let well = all.iter().filter(|case| case.is_good()).count();
    let percent = if all.is_empty() { 0.0 } else { 100.0 * well as f64 / all.len() as f64 };
    println!(
        "{well} of {} held-out levels advised well: {percent:.1} % (limit {LEAST_PERCENT} %)",
        all.len()
    );
    Ok(!all.is_empty() && well * 100 >= all.len() * LEAST_PERCENT)
}

fn chosen(options: &Options) -> Result<Vec<&'static Measured>> {
    let is_known = |name: &str| CURVES.iter().any(|curve| curve.family == name);
    if let Some(unknown) = options.only.iter().find(|name| !is_known(name)) {
        let known: Vec<&str> = CURVES.iter().map(|curve| curve.family).collect();
        bail!("--only {unknown}: no curve of it is measured; there are {}", known.join(", "));
    }
    let is_meant =
        |curve: &&Measured| options.only.is_empty() || options.only.iter().any(|name| name == curve.family);
    Ok(CURVES.iter().filter(is_meant).collect())
}

fn measured(binary: &Path, curve: &Measured, cache: &str, options: &Options, seed: u64) -> Result<Vec<Case>> {
    let folder = tempfile::Builder::new().prefix("bakeoff-held-out-").tempdir()?;
    let dir = options.dir.as_deref().unwrap_or(folder.path());
    let mut command = Command::new(binary);
    command.arg("run").args(if options.short { curve.few } else { std::slice::from_ref(&curve.family) });
    command.args(if options.short { curve.few_levels } else { curve.levels });
    command.args(["--format", "json", "--quiet", "--no-report", "--seed", &seed.to_string()]);
    if curve.family != "blocks" {
        command.args(["--cache", cache]);
    }
    if options.short {
        command.arg("--fast");
    }
    command.args(options.budget.iter().flat_map(|budget| ["--budget", budget.as_str()]));
    command.arg("--store").arg(folder.path().join("store.sqlite")).arg("--dir").arg(dir);
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output()?;
    if !output.status.success() {
        bail!("the run of {} failed: {}", curve.family, String::from_utf8_lossy(&output.stderr).trim());
    }
    let record = read_run(&String::from_utf8(output.stdout)?, None)?;
    Ok(cases(&decide(&record), &record.id))
}

#[test]
fn families_are_chosen_by_name_and_an_unknown_one_is_refused() {
    let families = |words: &[&str]| -> Result<Vec<&'static str>> {
        let options = Options::try_parse_from(["held-out"].iter().chain(words))?;
        Ok(chosen(&options)?.into_iter().map(|curve| curve.family).collect())
    };
    assert_eq!(families(&[]).expect("all").len(), CURVES.len());
    assert_eq!(families(&["--only", "copy,blocks"]).expect("known"), ["copy", "blocks"]);
    let refused = families(&["--only", "cpoy"]).expect_err("unknown").to_string();
    assert!(refused.contains("cpoy") && refused.contains("copy"), "{refused}");
}
