//! `bakeoff compare`: runs side by side, of this host, of others, and of published machines.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use judge::{Decided, Side, compare_sides};
use model::Record;
use report::Style;

use crate::arguments::{Common, Format};
use crate::exit::Done;
use crate::hints;
use crate::paths::{read_store, typed};
use crate::terminal::print_page;
use crate::whole_file::write_whole;

/// Kept runs next to each other
///
/// Of this host, of others and of published machines.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Runs: an identity, the beginning of one, 'last', or a published machine (published:xeon-4way)
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    runs: Vec<String>,
    /// Later runs to compare with; changes are claimed from three runs a side on, of one host, 10 minutes apart
    #[arg(long, value_name = "RUN", num_args = 1..)]
    against: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write it to this file as an HTML page, instead of printing it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "verbose"])]
    html: Option<PathBuf>,
    /// User and system time of more than two runs, and the names of contests that only one has
    #[arg(long, short)]
    verbose: bool,
}

/// In front of the name of a published machine.
const PUBLISHED: &str = "published:";

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let mut runs: Vec<(String, Record, Decided)> = Vec::new();
    if arguments.runs.len() + arguments.against.len() < 2 {
        let one = &arguments.runs[0];
        let pair = if one.starts_with(PUBLISHED) {
            format!("last {one}")
        } else {
            format!("{one} published:xeon-4way")
        };
        bail!(
            "one run does not compare; 2 or more are needed: name another one ('{}' shows them), or a published machine, for \
             example: {}",
            typed("report --list", common),
            typed(&format!("compare {pair}"), common)
        );
    }
    let names: Vec<&String> = arguments.runs.iter().chain(&arguments.against).collect();
    for record in records(&names, common)? {
        let shown = record.id.to_string();
        if runs.iter().any(|(known, _, _)| *known == shown) {
            bail!("{shown} is named twice: a run does not differ from itself");
        }
        let decided = judge::decide(&record);
        runs.push((shown, record, decided));
    }
    let sides: Vec<Side<'_>> =
        runs.iter().map(|(name, record, decided)| Side { name: name.clone(), record, decided }).collect();
    let first = (!arguments.against.is_empty()).then_some(arguments.runs.len());
    let compared = compare_sides(&sides, first);
    if let Some(file) = &arguments.html {
        write_whole(file, &report::render(&compared, report::Format::Html, &Style::default()))
            .with_context(|| format!("--html {} cannot be written", file.display()))?;
        return Ok(Done::Well);
    }
    print_page(&compared, arguments.format, arguments.verbose, common)?;
    Ok(Done::Well)
}

/// Kept runs and published machines. Figures of one call stand next to the runs times their number of calls.
fn records(names: &[&String], common: &Common) -> Result<Vec<Record>> {
    let stored: Vec<&&String> = names.iter().filter(|name| !name.starts_with(PUBLISHED)).collect();
    if let Some((name, hint)) = stored.iter().find_map(|name| Some((name, hints::of_name(name)?))) {
        bail!("no stored run is called '{name}'; {hint}");
    }
    let mut kept: Vec<Record> = Vec::new();
    if !stored.is_empty() {
        let store = read_store(common)?;
        for name in stored {
            kept.push(store.load(&store.resolve(name)?)?);
        }
    }
    let (runs, mut rest) = (kept.iter().collect::<Vec<_>>(), kept.iter().cloned());
    let mut all = Vec::new();
    for name in names {
        all.extend(match name.strip_prefix(PUBLISHED) {
            Some(machine) => {
                let machine =
                    findings::published::machine(machine).map_err(|reason| anyhow!("{name}: {reason}"))?;
                Some(findings::published::record(machine, &runs))
            }
            None => rest.next(),
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use findings::published::{machines, record};
    use model::Preset;

    use crate::selection;

    #[test]
    fn published_figures_stand_at_published_workloads() {
        for machine in machines() {
            for trial in record(machine, &[]).trials {
                // The time of one call, or of one kilobyte, is placed next to a run.
                if matches!(trial.family.as_str(), "clock" | "disk") {
                    continue;
                }
                let family = selection::family(&trial.family).expect("a family");
                let all = family.workloads(Preset::Published);
                let is_one = all.iter().any(|work| work.point == trial.workload.point);
                assert!(
                    is_one,
                    "{} {}: {:?} is none of {all:?}",
                    machine.name, trial.technique, trial.workload
                );
            }
        }
    }
}
