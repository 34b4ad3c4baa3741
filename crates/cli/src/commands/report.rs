//! `bakeoff report`: a kept run again.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use model::{Record, Workload};
use store::Sqlite;

use crate::arguments::{Common, Format};
use crate::commands::judge::refuse_unknown;
use crate::exit::Done;
use crate::paths::{read_store, typed};
use crate::run_page::{decided_by, html_page, keep_page, show_record};
use crate::terminal::print_page;
use crate::whole_file::write_whole;

/// Show a kept run again
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A run: its identity, the beginning of it, or 'last'; or of a family, a job or 'time' the last run
    #[arg(default_value = "last")]
    run: String,
    /// Show which runs there are
    #[arg(long, conflicts_with_all = ["run", "baseline", "metric", "verbose"])]
    list: bool,
    /// The technique that the fastest is compared with [default: that of the run]
    #[arg(long, alias = "reference", value_name = "NAME")]
    baseline: Option<String>,
    /// What is compared: work, cpu, memory, or another value that was measured [default: that of the run]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write its HTML page, to this file or else to the place where 'run' writes it, and print nothing else
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["format", "verbose", "list"])]
    html: Option<Option<PathBuf>>,
    /// All rows and remarks; spread, memory, faults and switches too
    #[arg(long, short)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    if arguments.list {
        let runs = store.runs()?;
        print_page(&runs[..], arguments.format, true, common)?;
        return Ok(Done::Well);
    }
    let mut record = asked(&store, &arguments.run, common)?;
    if let Some(name) = &arguments.baseline {
        // Every family is compared with the technique of that name, where it takes part.
        for trial in record.trials.iter().filter(|one| one.kind.is_called(&one.technique, &one.aliases, name))
        {
            record.design.set_baseline(&trial.family, name);
        }
    }
    let decided = decided_by(&mut record, arguments.metric.as_deref())?;
    refuse_unknown(arguments.baseline.as_deref(), &decided.rankings)?;
    match &arguments.html {
        None => show_record(&record, &decided, arguments.format, arguments.verbose, common)?,
        Some(None)
            if arguments.metric.is_some()
                || arguments.baseline.is_some()
                || store.resolve(&arguments.run).is_err() =>
        {
            bail!("--html: this page would replace that of the whole run; name a file: --html page.html")
        }
        Some(None) => keep_page(&record, &decided, common)?,
        Some(Some(file)) => {
            let page = html_page(&record, &decided, common)?;
            write_whole(file, &page)
                .with_context(|| format!("--html {} cannot be written", file.display()))?;
        }
    }
    Ok(Done::Well)
}

/// The run of that name; or what the last run that has the family of that name found out about it.
fn asked(store: &Sqlite, name: &str, common: &Common) -> Result<Record> {
    let name = if name == "time" { Workload::TYPED_COMMANDS } else { name };
    let meant = store.resolve(name);
    let is_built_in = families::find(name).is_some();
    if let (Ok(id), false) = (&meant, is_built_in) {
        return Ok(store.load(id)?);
    }
    let runs = store.runs()?;
    let Some(run) = runs.iter().find(|run| run.families.iter().any(|family| family == name)) else {
        if name == Workload::TYPED_COMMANDS {
            bail!("no run of 'bakeoff time' is kept; {} keeps one", typed("time 'A' 'B'", common));
        }
        if is_built_in {
            bail!(
                "no kept run has the family '{name}'; {} measures it",
                typed(&format!("run {name}"), common)
            );
        }
        return Err(meant.expect_err("a run was not meant").into());
    };
    let mut record = store.load(&run.id)?;
    record.trials.retain(|trial| trial.family == name);
    record.facts.retain(|fact| fact.family == name);
    Ok(record)
}
