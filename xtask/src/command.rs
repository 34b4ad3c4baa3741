//! What all commands have in common: reading their words, and the code that they exit with.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

/// Carries out a command; `words` begin with its name. `work` tells whether all that was asked for held: exit code 0, or 1. It is 2
/// where the words are refused or the work could not be carried out.
pub(crate) fn carry_out<Options: Parser>(
    words: &[String],
    work: impl FnOnce(&Options) -> Result<bool>,
) -> ExitCode {
    let options = match Options::try_parse_from(words) {
        Ok(options) => options,
        Err(refused) => {
            // Nothing can be done about a closed standard error.
            let _ = refused.print();
            return ExitCode::from(if refused.use_stderr() { 2 } else { 0 });
        }
    };
    match work(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let name = words.first().map_or("xtask", String::as_str);
            eprintln!("{name}: {error:#}");
            ExitCode::from(2)
        }
    }
}
