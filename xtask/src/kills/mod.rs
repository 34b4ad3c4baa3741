//! What is lost or left when the program dies: `cargo xtask kills` kills the release binary at random moments, starts it again, and
//! looks into its store, its folders, the process table and the control groups. See `docs/kills.md`.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use clap::Parser;

use case::Means;
use draw::Kill;
use place::Place;
use processes::Group;

use crate::{Driven, Progress};

mod case;
mod draw;
mod place;
mod processes;
mod rounds;

/// Kill the release binary at random moments: no round is lost, and the next start leaves nothing behind
#[derive(Debug, Parser)]
#[command(after_help = "Exit code: 0 nothing was lost or left; 1 something was; 2 could not be carried out.")]
pub(crate) struct Options {
    /// This many kills, numbered from 0
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Only the kills of these numbers, e.g. 17,204
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "count")]
    only: Vec<u32>,
    #[command(flatten)]
    driven: Driven,
    /// Keep the folders of kills that fail, and print where they are
    #[arg(long)]
    keep: bool,
}

/// Looks for killed processes: they have about ten seconds to vanish.
const LOOKS: u32 = 1000;

/// Carries out the kills and returns whether none failed.
pub(crate) fn carry_out(options: &Options) -> Result<bool> {
    let (binary, seed) = options.driven.named()?;
    let groups = Group::make(&format!("{}-trial", std::process::id()));
    if let Err(reason) = &groups {
        println!("control groups are not looked at: {reason}");
    }
    // Holds the store while kills copy it.
    let template = store_with_a_run(&binary)?;
    let (store, with_groups) = (template.store(), groups.is_ok());
    let means = Means { binary, store, with_groups, keep: options.keep, looks: LOOKS };
    drop(groups);
    let numbers = if options.only.is_empty() { (0..options.count).collect() } else { options.only.clone() };
    let (mut failed, mut too_late, mut rounds) = (0, 0, 0);
    let mut progress = Progress::new();
    for (done, &number) in numbers.iter().enumerate() {
        progress.say(format_args!("{done} of {}", numbers.len()));
        let kill = Kill::draw(seed, number);
        let outcome = case::carry_out(&kill, seed, &means)?;
        rounds += outcome.rounds;
        too_late += usize::from(!outcome.is_hit);
        if !outcome.problems.is_empty() {
            failed += 1;
            let kept = outcome.kept.map_or(String::new(), |folder| format!("; kept in {}", folder.display()));
            let problems = outcome.problems.join("; ");
            let again = format!("cargo xtask kills --seed {seed} --only {number}");
            println!("FAIL  {kill}: {problems}{kept}; again: {again}");
        }
    }
    let passed = numbers.len() - failed;
    println!(
        "{passed} passed, {failed} failed; {too_late} came too late to hit anything; {rounds} committed rounds were seen \
         before the kills"
    );
    Ok(failed == 0)
}

fn store_with_a_run(binary: &Path) -> Result<Place> {
    let place = Place::new(&format!("{}-template", std::process::id()), false)?;
    crate::printed(&mut place.command(binary, &place.small_run()))?;
    // A store that cannot be read would pass as one from which nothing is lost.
    let found = rounds::of_a_copy(&place.store()).context("the store of a whole run")?;
    let watched = rounds::watch(&place.store(), &AtomicBool::new(true));
    if found.count() == 0 || watched != found {
        bail!(
            "the store of a whole run cannot be read; has its schema changed? See xtask/src/kills/rounds.rs"
        );
    }
    Ok(place)
}
