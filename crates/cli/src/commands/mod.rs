//! The commands. One is a file with its arguments, whose documentation is its help, and `run`; and it is a line in the list below, in
//! the order of the help.

use anyhow::Result;
use clap::Subcommand;

use crate::arguments::Common;
use crate::exit::Done;

mod advise;
mod compare;
mod completions;
mod explain;
mod export;
mod findings;
mod generate;
mod history;
mod host;
mod import;
mod judge;
mod list;
mod man_pages;
mod noise;
mod report;
mod run;
mod schema;
mod show;
mod time;

macro_rules! commands {
    ($($name:ident($module:ident),)*) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name(Box<$module::Arguments>),)*
        }

        impl Command {
            /// Does what was asked for.
            pub(crate) fn run(&self, common: &Common) -> Result<Done> {
                match self {
                    $(Self::$name(arguments) => $module::run(arguments, common),)*
                }
            }
        }
    };
}

/// The commands as the help lists them.
pub(crate) const GROUPS: [(&str, &[&str]); 4] = [
    ("Measure", &["run", "time"]),
    ("Ask", &["advise", "show", "explain", "list", "host"]),
    ("Kept runs", &["report", "compare", "history", "findings", "export", "import"]),
    ("Other", &["judge", "noise", "generate", "schema", "completions"]),
];

commands! {
    Run(run),
    List(list),
    Explain(explain),
    Show(show),
    Host(host),
    Time(time),
    Generate(generate),
    Report(report),
    Compare(compare),
    Findings(findings),
    Advise(advise),
    History(history),
    Import(import),
    Export(export),
    Noise(noise),
    Judge(judge),
    Schema(schema),
    Completions(completions),
    ManPages(man_pages),
}
