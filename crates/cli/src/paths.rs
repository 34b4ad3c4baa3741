//! Where things are kept: the XDG directories, or the local application data on Windows.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context, Result, bail};
use measure::ScratchRegister;
use model::RunId;
use store::Sqlite;
use sys::command_line::quoted;
use sys::user_folders::{self, UserFolders};

use crate::arguments::Common;

/// Name of the store's file.
const STORE_FILE: &str = "bakeoff.sqlite";

fn folders() -> Result<UserFolders> {
    user_folders::of_program("bakeoff")
        .context("no home directory is known, so nothing can be kept: set HOME, or name a file with --store")
}

pub(crate) fn store_file(common: &Common) -> Result<PathBuf> {
    match &common.store {
        Some(path) => Ok(path.clone()),
        None => Ok(folders()?.data.join(STORE_FILE)),
    }
}

/// Returns the file of a run's page, in a folder next to the store.
pub(crate) fn page_file(id: &RunId, common: &Common) -> Result<PathBuf> {
    let store = store_file(common)?;
    Ok(store.parent().unwrap_or(Path::new("")).join("reports").join(format!("{id}.html")))
}

/// Opens the store, and makes it if it does not exist; its folder only where none was named, lest a typing error makes one.
pub(crate) fn open_store(common: &Common) -> Result<Sqlite> {
    let file = store_file(common)?;
    let folder = folder_of(&file);
    if common.store.is_some() && !folder.exists() {
        bail!(
            "--store {}: there is no folder {}; make it, or name another file",
            file.display(),
            folder.display()
        );
    }
    Ok(Sqlite::open(&file)?)
}

/// Opens the store as it is; never changes it.
pub(crate) fn read_store(common: &Common) -> Result<Sqlite> {
    Ok(Sqlite::open_read_only(&store_file(common)?)?)
}

/// Opens the store as it is; `None` where nothing was ever kept.
pub(crate) fn read_store_if_any(common: &Common) -> Result<Option<Sqlite>> {
    if store_file(common)?.exists() { read_store(common).map(Some) } else { Ok(None) }
}

/// Returns the file that a link points to; any other one, and one that is not there yet, is itself.
pub(crate) fn target(file: &Path) -> PathBuf {
    dunce::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// Returns the folder of a file; `.` for a name alone.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the command that shows a run again.
pub(crate) fn report_command(id: &RunId, common: &Common) -> String {
    typed(&format!("report {id}"), common)
}

/// Returns a command of bakeoff as it is typed here: with the store that was named.
pub(crate) fn typed(command: &str, common: &Common) -> String {
    format!("bakeoff {command}{}", store_option(common))
}

/// Returns the option that names the store behind a command, where one was named.
pub(crate) fn store_option(common: &Common) -> String {
    let named =
        common.store.as_ref().map(|path| format!(" --store {}", as_typed(&path.display().to_string())));
    named.unwrap_or_default()
}

/// Returns a path, or any text, as a shell takes it for one word.
pub(crate) fn as_typed(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || is_separator(c) || ".:_-+@,=%".contains(c);
    let is_plain = !text.is_empty() && text.chars().all(is_plain);
    if is_plain { text.to_owned() } else { quoted(OsStr::new(text)).to_string_lossy().into_owned() }
}

/// The register of scratch folders. Without a state directory it lies next to the store.
pub(crate) fn scratch_register(common: &Common) -> Result<ScratchRegister> {
    let folder = match folders() {
        Ok(folders) => folders.state.join("scratch"),
        Err(_) => store_file(common)?.parent().unwrap_or(Path::new(".")).join("scratch"),
    };
    ScratchRegister::open(&folder)
        .with_context(|| format!("the register of scratch folders {} cannot be opened", folder.display()))
}

#[cfg(test)]
mod tests {
    use sys::command_line::split;

    use super::as_typed;

    #[test]
    fn what_is_typed_is_read_as_one_word() {
        for text in ["/a/b.c", "pattern=a b", "$HOME", r"a\d", "it's", "a;b", ""] {
            assert_eq!(split(&as_typed(text)), Some(vec![text.to_owned()]));
        }
        assert_eq!(as_typed("threads=1,2"), "threads=1,2");
    }
}
