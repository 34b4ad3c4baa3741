//! Carries the source of every technique in the library, so that `bakeoff show` prints it as it was compiled.
//!
//! Cargo runs this again whenever a file of the package has changed.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let root = variable("CARGO_MANIFEST_DIR")?.join("src");
    let system = variable("CARGO_CFG_TARGET_OS")?;
    let mut files = Vec::new();
    for family in folders_in(&root)? {
        // What is for another system is not compiled here.
        for folder in [family.join("techniques"), family.join("techniques").join(&system)] {
            files.extend(sources_in(&folder)?);
        }
    }
    let mut table = "&[\n".to_owned();
    for file in files {
        let inside = file.strip_prefix(&root).map_err(io::Error::other)?;
        let shown = inside.to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({shown:?}, include_str!({file:?})),").map_err(io::Error::other)?;
    }
    fs::write(variable("OUT_DIR")?.join("sources.rs"), table + "]\n")
}

fn folders_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

/// The techniques in a folder, without its front page; none where there is no such folder.
fn sources_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "rs") && !path.ends_with("mod.rs"));
    files.sort();
    Ok(files)
}
