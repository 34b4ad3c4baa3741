//! `bakeoff judge`: the answer to samples of any program, the same to the byte each time.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail};
use judge::{Entry, Options, Ranking};
use model::{Better, LOOKS_RULE, are_looks};

use crate::arguments::{Common, Format, JudgeArguments};
use crate::bounded_text::rest;
use crate::catalogue::catalogue;
use crate::exit::Done;
use crate::terminal::{print, style};

pub(crate) fn judge(arguments: &JudgeArguments, common: &Common) -> Result<Done> {
    let shown = arguments.file.display();
    if !are_looks(&arguments.looks) {
        bail!("--looks {LOOKS_RULE}; for example 8,10,13");
    }
    let text = read(&arguments.file).with_context(|| format!("{shown} cannot be read"))?;
    let observations = ::judge::read_samples(&text, Some(&arguments.file), arguments.metric.as_deref())?;
    let options = Options {
        alpha: arguments.rules.alpha,
        alpha_report: arguments.rules.alpha_report,
        delta: arguments.rules.delta,
        // Without any, those that the file names or the usual ones: samples that end early may have ended because of
        // what they showed.
        looks: arguments.looks.clone(),
        reference: arguments.reference.clone(),
        better: if arguments.more_is_better { Better::More } else { Better::Less },
    };
    let decided = ::judge::decide_observations(&observations, &options, &catalogue());
    refuse_unknown(arguments.reference.as_deref(), &decided.rankings)?;
    print(&match arguments.format {
        Format::Text => report::text::judged(&decided, &style(common, false)),
        Format::Markdown => report::markdown::judged(&decided),
        Format::Html => report::html::judged(&decided),
        Format::Json => serde_json::to_string_pretty(&report::json::judged(&decided))?,
    })?;
    Ok(Done::Well)
}

/// A technique that is named to be compared with must take part somewhere.
pub(crate) fn refuse_unknown(reference: Option<&str>, rankings: &[Ranking]) -> Result<()> {
    let Some(name) = reference else { return Ok(()) };
    let is_it = |entry: &Entry| {
        let technique = entry.technique.split('@').next();
        entry.technique == name || technique == Some(name) || entry.aliases.iter().any(|alias| alias == name)
    };
    let entries = || rankings.iter().flat_map(|ranking| &ranking.entries);
    if entries().any(is_it) {
        return Ok(());
    }
    let example =
        entries().next().map_or(String::new(), |entry| format!("; for example {}", entry.technique));
    bail!("--reference {name}: no technique of that name took part{example}")
}

/// The text of a file, or of standard input where it is called `-`.
fn read(path: &Path) -> Result<String> {
    match path == Path::new("-") {
        true => rest(std::io::stdin().lock(), Vec::new()),
        false => rest(File::open(path)?, Vec::new()),
    }
}
