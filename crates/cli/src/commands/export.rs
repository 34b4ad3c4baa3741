//! `bakeoff export`: a kept run for other programs.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use store::Store;
use tempfile::NamedTempFile;

use crate::arguments::{Common, ExportArguments};
use crate::commands::report::{decided_by, kept};
use crate::exit::Done;
use crate::export_format::{ExportFormat, export_text};
use crate::paths::read_store;
use crate::terminal::print;

pub(crate) fn export(arguments: &ExportArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let mut record = kept(&store, &store.resolve(&arguments.run)?)?;
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

/// Writes beside the file and renames: a full disk never leaves half an export in place of a whole one. What is no
/// file, a terminal or a pipe, cannot be replaced and is written to.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let path = match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            let mut place = OpenOptions::new().write(true).open(path)?;
            return Ok(writeln!(place, "{text}")?);
        }
        // The file that a link points to, and not the link.
        Ok(_) => dunce::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // With the rights of any new file: a temporary one would be its owner's alone.
    let mut file =
        tempfile::Builder::new().prefix(".bakeoff-").make_in(folder, |new| File::create_new(new))?;
    writeln!(file, "{text}")?;
    file.as_file().sync_all()?;
    put_in_place(file, &path)
}

/// Replaces what stands there. Windows refuses that while another program has the file open to read it: then it is tried again.
fn put_in_place(mut file: NamedTempFile<File>, path: &Path) -> Result<()> {
    const ATTEMPTS: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(10);
    for _ in 1..ATTEMPTS {
        match file.persist(path) {
            Ok(_) => return Ok(()),
            Err(refused) if refused.error.kind() == io::ErrorKind::PermissionDenied => file = refused.file,
            Err(refused) => return Err(refused.error.into()),
        }
        sleep(PAUSE);
    }
    Ok(file.persist(path).map(drop)?)
}
