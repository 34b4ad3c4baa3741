//! Files and folders of the user: looked at, copied into the private folder, and left alone.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use memchr::memchr_iter;
use model::Workload;
use walkdir::WalkDir;

use super::inputs::{Place, private_names};
use super::workload::of_input;
use crate::files::at;

/// All names together must fit into the command line of a worker, which is short on some systems.
const NAMES_BYTES_MOST: usize = 16 << 10;

/// The workload over files and folders of the user.
///
/// # Errors
/// One sentence that names the first that is missing, unreadable, a link, or neither file nor folder.
pub(super) fn workload_of(paths: &[PathBuf]) -> Result<Workload, String> {
    let names_bytes: usize = paths.iter().map(|path| path.as_os_str().len() + 1).sum();
    if names_bytes > NAMES_BYTES_MOST {
        return Err(format!(
            "the names of {} files are too long for a command line; give the folder that holds them",
            paths.len()
        ));
    }
    let mut seen = Seen::default();
    let kept = paths.iter().map(|path| seen.look_at(path)).collect::<Result<Vec<_>, _>>()?;
    refuse_nested(paths)?;
    seen.refuse_alike()?;
    let Some(first) = paths.first().filter(|_| seen.bytes > 0) else {
        return Err("there is no byte to search in these files; name others".to_owned());
    };
    let name = first.file_name().unwrap_or(first.as_os_str()).to_string_lossy();
    let name = match paths.len() {
        1 => name.into_owned(),
        many => format!("{name}+{}", many - 1),
    };
    Ok(of_input(&name, kept, seen.files.len() as u64, seen.bytes))
}

/// Makes the private copies: ordinary files of this user's, whatever the rights of the originals. Links are left out.
///
/// # Errors
/// An original cannot be read any more, or a copy cannot be written.
pub(super) fn copy_in(workload: &Workload, place: &Place) -> io::Result<()> {
    for (original, root) in workload.files.iter().zip(&place.roots) {
        if !root.is_folder {
            copy_file(original, &root.path)?;
            continue;
        }
        fs::create_dir_all(&root.path).map_err(at("create", &root.path))?;
        for entry in below(original) {
            let entry = entry.map_err(at("list", original))?;
            if entry.file_type().is_file() {
                let name = entry.path().strip_prefix(original).unwrap_or(entry.path());
                copy_file(entry.path(), &root.path.join(name))?;
            }
        }
    }
    Ok(())
}

fn copy_file(original: &Path, copy: &Path) -> io::Result<()> {
    let mut from = File::open(original).map_err(at("open", original))?;
    if let Some(folder) = copy.parent() {
        fs::create_dir_all(folder).map_err(at("create", folder))?;
    }
    let mut to = File::create_new(copy).map_err(at("create", copy))?;
    io::copy(&mut from, &mut to).map_err(at("copy", original))?;
    Ok(())
}

fn below(folder: &Path) -> WalkDir {
    WalkDir::new(folder).follow_links(false).follow_root_links(false)
}

/// All files that were found so far.
#[derive(Default)]
struct Seen {
    /// Their paths, byte by byte.
    files: HashSet<Vec<u8>>,
    bytes: u64,
}

impl Seen {
    /// Looks at what the user named; gives the path as it is kept, with a separator behind a folder.
    fn look_at(&mut self, path: &Path) -> Result<PathBuf, String> {
        let shown = path.display();
        let found = fs::symlink_metadata(path).map_err(|error| format!("{shown}: {error}"))?;
        if found.is_symlink() {
            return Err(format!("{shown} is a link, and links are not followed; give what it points to"));
        }
        if found.is_file() {
            self.add(path, found.len())?;
            return Ok(path.to_owned());
        }
        if !found.is_dir() {
            return Err(format!("{shown} is neither a file nor a folder"));
        }
        for entry in below(path) {
            let entry = entry.map_err(|error| format!("{shown} cannot be listed: {error}"))?;
            if entry.file_type().is_file() {
                let length =
                    entry.metadata().map_err(|error| format!("{}: {error}", entry.path().display()))?.len();
                self.add(entry.path(), length)?;
            }
        }
        let mut kept = path.as_os_str().to_owned();
        if !super::inputs::is_folder(path) {
            kept.push(std::path::MAIN_SEPARATOR_STR);
        }
        Ok(kept.into())
    }

    fn add(&mut self, path: &Path, bytes: u64) -> Result<(), String> {
        File::open(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        self.bytes += bytes;
        self.files.insert(path.as_os_str().as_encoded_bytes().to_vec());
        Ok(())
    }

    /// In an answer, a name ends with a colon: `a:b` may be the line `b` of the file `a`, or belong to the file `a:b`.
    fn refuse_alike(&self) -> Result<(), String> {
        let shorter = |file: &Vec<u8>| {
            let mut colons = memchr_iter(b':', file);
            colons.find(|&colon| self.files.contains(&file[..colon]))
        };
        let alike = self.files.iter().find_map(|file| Some((file, &file[..shorter(file)?])));
        alike.map_or(Ok(()), |(file, shorter)| {
            let (shorter, file) = (String::from_utf8_lossy(shorter), String::from_utf8_lossy(file));
            Err(format!(
                "{shorter} and {file} cannot be told apart in front of a line; leave one of them out"
            ))
        })
    }
}

/// A file that is named twice would be searched twice, but has only one place in the private folder.
fn refuse_nested(paths: &[PathBuf]) -> Result<(), String> {
    let names = private_names(paths);
    for (nth, name) in names.iter().enumerate() {
        if let Some(other) =
            names[..nth].iter().position(|other| other.starts_with(name) || name.starts_with(other))
        {
            let (one, two) = (paths[other].display(), paths[nth].display());
            return Err(format!("{one} and {two} hold the same files; name them once"));
        }
    }
    Ok(())
}
