//! From a file on the command line to a job of the user's own.

use std::path::Path;

use anyhow::{Context, Result, bail};
use families::Commands;
use measure::{ReadJob, Selection};

use crate::arguments::Common;
use crate::bounded_text::own_text;
use crate::paths::folder_of;
use crate::terminal::remark;

/// The file of a job, where one was named. Nothing else goes with it: what it compares stands in it.
pub(crate) fn named(names: &[String], has_commands: bool) -> Result<Option<&Path>> {
    let Some(job) = names.iter().find(|name| is_job(name)) else { return Ok(None) };
    if let Some(other) = names.iter().find(|name| *name != job) {
        bail!("{job} is a job, which is measured alone; leave '{other}' out");
    }
    if names.len() > 1 {
        bail!("{job} is named twice");
    }
    if has_commands {
        bail!(
            "{job} is a job, which names all its commands; write a [[technique]] there instead of --command"
        );
    }
    Ok(Some(Path::new(job)))
}

/// Returns whether a name is that of a file: it ends in `.toml`, or a file of that name stands here and it does not begin with a
/// family.
fn is_job(name: &str) -> bool {
    name.ends_with(".toml")
        || (families::find(name.split('/').next().unwrap_or(name)).is_none() && Path::new(name).is_file())
}

/// The family of a job, as it is measured.
pub(crate) fn selection(path: &Path, common: &Common) -> Result<Selection> {
    let shown = path.display().to_string();
    let text = own_text(path, "file of a job")?;
    let folder = dunce::canonicalize(folder_of(path)).with_context(|| shown.clone())?;
    if folder.to_str().is_none() {
        bail!(
            "{shown}: the name of its folder is not UTF-8, and reports could not hold it; move it elsewhere"
        );
    }
    Ok(selected(measure::read_job(&text, &shown, &folder)?, common))
}

/// A job as it is measured; its warnings are said.
pub(crate) fn selected(read: ReadJob, common: &Common) -> Selection {
    for warning in &read.warnings {
        remark(common, &format!("bakeoff: warning: {warning}"));
    }
    Selection { family: Commands::leaked(read.job), entries: None }
}
