//! The places of the files, their order, and their names in an answer. Files of the user are looked at and copied.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use memchr::memchr_iter;
use model::Workload;
use walkdir::{DirEntry, WalkDir};

use super::workload::{KIND_INPUT, KIND_TREE, files_of, kind_of, of_input};
use crate::files::{at, changed, copy_into, create_privately};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The folder: nothing else lies in it, and its path is taken off before answers are compared.
    pub(super) folder: PathBuf,
    pub(super) roots: Vec<Root>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) path: PathBuf,
    pub(super) is_folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    pub(super) name: Vec<u8>,
}

impl Place {
    /// Returns the place of a workload. It touches no file: a worker knows it without asking.
    pub(super) fn of(workload: &Workload, scratch: &Path) -> Self {
        let folder = scratch.join("files");
        let roots = match kind_of(workload) {
            KIND_TREE => vec![Root { path: folder.clone(), is_folder: true }],
            KIND_INPUT => {
                let named = workload.files.iter().zip(private_names(&workload.files));
                named
                    .map(|(path, name)| Root { path: folder.join(name), is_folder: is_folder(path) })
                    .collect()
            }
            _ => {
                let files = files_of(workload);
                let digits = files.to_string().len().max(2);
                let paths = (1..=files).map(|nth| folder.join(format!("file-{nth:0digits$}.txt")));
                paths.map(|path| Root { path, is_folder: false }).collect()
            }
        };
        Self { folder, roots }
    }

    /// Lists all files by root, then by the names' bytes; follows no link. Written apart from the walks that it judges.
    pub(super) fn listed(&self) -> io::Result<Vec<Listed>> {
        let mut files = Vec::new();
        for root in &self.roots {
            if !root.is_folder {
                files.push(self.listed_as(root.path.clone()));
                continue;
            }
            let mut listed = Vec::new();
            for entry in below(&root.path) {
                listed.push(self.listed_as(entry.map_err(at("list", &root.path))?.into_path()));
            }
            listed.sort_by(|a, b| a.name.cmp(&b.name));
            files.append(&mut listed);
        }
        Ok(files)
    }

    fn listed_as(&self, path: PathBuf) -> Listed {
        let below = path.strip_prefix(&self.folder).unwrap_or(&path);
        let parts: Vec<&[u8]> = below.iter().map(|part| part.as_encoded_bytes()).collect();
        let name = parts.join(&b'/');
        Listed { path, name }
    }
}

/// Returns whether a path of the user's is a folder's: it was given a separator at its end.
pub(super) fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(char::from(byte)))
}

/// Names the user's files and folders below the private folder, as seen from the innermost folder that holds them all.
pub(super) fn private_names(paths: &[PathBuf]) -> Vec<PathBuf> {
    let parents: Vec<&Path> = paths.iter().map(|path| path.parent().unwrap_or(path)).collect();
    let mut common = parents.first().map(|parent| parent.to_path_buf()).unwrap_or_default();
    while !parents.iter().all(|parent| parent.starts_with(&common)) {
        if !common.pop() {
            break;
        }
    }
    let names = paths.iter().map(|path| {
        let below = path.strip_prefix(&common).unwrap_or(path);
        let parts = below.components().filter(|part| matches!(part, Component::Normal(_)));
        let name: PathBuf = parts.collect();
        // The root of a file system has no name.
        if name.as_os_str().is_empty() { PathBuf::from("root") } else { name }
    });
    names.collect()
}

/// All names together must fit into the command line of a worker, which is short on some systems.
const NAMES_BYTES_MOST: usize = 16 << 10;
const TOGETHER: &str = "what is searched";

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

/// Makes the private copies, which may be changed where the originals may. Links are left out.
pub(super) fn copy_in(workload: &Workload, place: &Place) -> io::Result<()> {
    let bytes = workload.bytes().unwrap_or(0);
    let mut copied = 0;
    for (original, root) in workload.files.iter().zip(&place.roots) {
        if !root.is_folder {
            copied += copy_file(original, &root.path, bytes, copied)?;
            continue;
        }
        fs::create_dir_all(&root.path).map_err(at("create", &root.path))?;
        for entry in below(original) {
            let entry = entry.map_err(at("list", original))?;
            let name = entry.path().strip_prefix(original).unwrap_or(entry.path());
            copied += copy_file(entry.path(), &root.path.join(name), bytes, copied)?;
        }
    }
    match workload.files.first() {
        Some(first) if copied < bytes => Err(changed(first, TOGETHER, bytes, copied)),
        _ => Ok(()),
    }
}

/// Copies one of the files that have `bytes` together; returns its length.
fn copy_file(original: &Path, copy: &Path, bytes: u64, copied_before: u64) -> io::Result<u64> {
    if let Some(folder) = copy.parent() {
        fs::create_dir_all(folder).map_err(at("create", folder))?;
    }
    let to = create_privately(copy, original).map_err(at("create", copy))?;
    let left = bytes.saturating_sub(copied_before);
    let copied = copy_into(original, to, left)?;
    if copied > left { Err(changed(original, TOGETHER, bytes, copied_before + copied)) } else { Ok(copied) }
}

fn below(folder: &Path) -> impl Iterator<Item = walkdir::Result<DirEntry>> {
    let all = WalkDir::new(folder).follow_links(false).follow_root_links(false).into_iter();
    all.filter(|entry| entry.as_ref().map_or(true, |entry| entry.file_type().is_file()))
}

#[derive(Default)]
struct Seen {
    files: HashSet<Vec<u8>>,
    bytes: u64,
}

impl Seen {
    /// Checks a file or folder; returns the path with a separator behind a folder.
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
            let found = entry.metadata().map_err(|error| format!("{}: {error}", entry.path().display()))?;
            self.add(entry.path(), found.len())?;
        }
        let mut kept = path.as_os_str().to_owned();
        if !is_folder(path) {
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

    /// Refuses names that could be mistaken: `a:b` may be the line `b` of the file `a`, or belong to the file `a:b`.
    fn refuse_alike(&self) -> Result<(), String> {
        for file in &self.files {
            let mut shorter = memchr_iter(b':', file).map(|colon| &file[..colon]);
            if let Some(shorter) = shorter.find(|shorter| self.files.contains(*shorter)) {
                let (shorter, file) = (String::from_utf8_lossy(shorter), String::from_utf8_lossy(file));
                return Err(format!(
                    "{shorter} and {file} cannot be distinguished in front of a line; leave one of them out"
                ));
            }
        }
        Ok(())
    }
}

/// Refuses a file that is named twice: it has only one place in the private folder.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_user_keep_their_names_below_their_folder() {
        for (paths, names) in [
            (&["/user/a/src/"][..], &["src"][..]),
            (&["/user/a.txt", "/user/b/a.txt"], &["a.txt", "b/a.txt"]),
            (&["/x/a", "/y/a"], &["x/a", "y/a"]),
            (&["/"], &["root"]),
        ] {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            assert_eq!(private_names(&paths), names, "{paths:?}");
        }
        assert!(is_folder(Path::new("/user/a/")) && !is_folder(Path::new("/user/a")));
    }

    /// Returns the error about originals that are written after they were looked at, and the length of the copies.
    fn copied_after(text: &[u8], named: &str) -> (String, u64) {
        let folder = tempfile::tempdir().expect("scratch");
        let original = folder.path().join("original");
        fs::create_dir(&original).expect("a folder");
        fs::write(original.join("lines"), "12345").expect("written");
        let workload = workload_of(&[original.join(named)]).expect("files");
        fs::write(original.join("lines"), text).expect("written");
        let place = Place::of(&workload, folder.path());
        fs::create_dir(&place.folder).expect("a folder");
        let refused = copy_in(&workload, &place).expect_err("another length").to_string();
        let copies = below(&place.folder).map(|entry| entry.expect("listed"));
        (refused, copies.map(|entry| entry.metadata().expect("there").len()).sum())
    }

    #[test]
    fn a_file_that_changes_after_it_was_looked_at_is_named() {
        for (named, text, part, copied) in [
            // One byte more shows that there are more.
            ("lines", &[b'x'; 4_096][..], "lines: what is searched had 5 bytes before and more than 5", 6),
            ("", &[b'x'; 4_096], "lines: what is searched had 5 bytes before and more than 5", 6),
            ("lines", b"123", "had 5 bytes before and 3 when copied", 3),
        ] {
            let (refused, bytes) = copied_after(text, named);
            assert!(refused.contains(part), "{refused}");
            assert_eq!(bytes, copied, "{refused}");
        }
    }
}
