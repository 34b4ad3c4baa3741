#![forbid(unsafe_code)]
//! bakeoff: which way of doing a job is fastest on this host, by how much, and how sure that is.

mod arguments;
mod bounded_text;
mod catalogue;
mod commands;
mod exit;
mod export_format;
mod interruption;
mod job;
mod leaders;
mod ledger;
mod paths;
mod progress;
mod role;
mod run_id;
mod scratch;
mod selection;
mod terminal;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

/// What any command may need beside the data that it works on: the stacks of its threads, the database's pages, templates.
const MEMORY_BYTES: usize = 48 << 20;

fn main() -> ExitCode {
    sys::limits::survive_full_files();
    // A worker is timed from its start: it must not pay for anything below.
    if let Some(code) = role::play() {
        return code;
    }
    if let Err(error) = sys::limits::check_memory(MEMORY_BYTES) {
        return exit::code(Err(anyhow::Error::new(error).context("there is too little memory")));
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(refused) => return exit::usage(&refused),
    };
    let common = &arguments.common;
    let outcome = match &arguments.command {
        Command::Run(run) => commands::run::run(run, common),
        Command::List(list) => commands::list::list(list, common),
        Command::Explain(explain) => commands::explain::explain(explain, common),
        Command::Show(show) => commands::show::show(show, common),
        Command::Host(host) => commands::host::host(host, common),
        Command::Time(time) => commands::time::time(time, common),
        Command::Generate(generate) => commands::generate::generate(generate, common),
        Command::Report(report) => commands::report::report(report, common),
        Command::Compare(compare) => commands::compare_runs::compare(compare, common),
        Command::Findings(findings) => commands::findings::findings(findings, common),
        Command::Advise(advise) => commands::advise::advise(advise, common),
        Command::History(history) => commands::history::history(history, common),
        Command::Import(import) => commands::import::import(import, common),
        Command::Export(export) => commands::export::export(export, common),
        Command::Noise(noise) => commands::noise::noise(noise, common),
        Command::Judge(judge) => commands::judge::judge(judge, common),
        Command::Schema => commands::schema::schema(),
        Command::Completions(completions) => commands::completions::completions(completions),
    };
    exit::code(outcome)
}
