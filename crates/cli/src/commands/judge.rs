//! `bakeoff judge`: the verdict on anybody's samples, the same to the byte each time.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use judge::Options;

use crate::arguments::{Common, Format, JudgeArguments};
use crate::exit::Done;
use crate::terminal::{print, style};

pub(crate) fn judge(arguments: &JudgeArguments, common: &Common) -> Result<Done> {
    let shown = arguments.file.display();
    if arguments.looks.windows(2).any(|pair| pair[0] >= pair[1]) || arguments.looks.contains(&0) {
        bail!("--looks must ascend from 1, each once; for example 10,15,20");
    }
    let text = read(&arguments.file).with_context(|| format!("{shown} cannot be read"))?;
    let observations = ::judge::read_samples(&text, Some(&arguments.file))?;
    let options = Options {
        alpha: arguments.rules.alpha,
        per_cell: arguments.rules.per_cell,
        delta: arguments.rules.delta,
        // Without any, those that the file names or the usual ones: samples that end early may have ended because of
        // what they showed.
        looks: arguments.looks.clone(),
    };
    let rankings = ::judge::rank_observations(&observations, &options);
    print(&match arguments.format {
        Format::Text => report::text::judged(&rankings, &style(common, false)),
        Format::Markdown => report::markdown::judged(&rankings),
        Format::Json => serde_json::to_string_pretty(&rankings)?,
    })?;
    Ok(Done::Well)
}

fn read(path: &Path) -> std::io::Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(path)
}
