//! `bakeoff export`: a kept run for other programs.

use anyhow::{Context, Result, bail};
use store::Store;

use crate::arguments::{Common, ExportArguments};
use crate::commands::report::decided_by;
use crate::exit::Done;
use crate::export_format::{ExportFormat, export_text};
use crate::paths::read_store;
use crate::terminal::print;
use crate::whole_file::write_whole;

pub(crate) fn export(arguments: &ExportArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let mut record = store.load(&store.resolve(&arguments.run)?)?;
    if arguments.format == ExportFormat::Hyperfine && arguments.metric.is_some() {
        bail!("--metric: hyperfine's format holds times only; export csv or json");
    }
    let decided = decided_by(&mut record, arguments.metric.as_deref())?;
    let text = export_text(&record, &decided, arguments.format, common)?;
    let Some(path) = &arguments.output else {
        print(&text)?;
        return Ok(Done::Well);
    };
    write_whole(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Done::Well)
}
