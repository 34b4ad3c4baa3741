//! Where the files lie, in which order they are searched, and what they are called in an answer.

use std::io;
use std::path::{Component, Path, PathBuf};

use model::Workload;
use walkdir::WalkDir;

use super::workload::{KIND_INPUT, KIND_TREE, files_of, kind_of};
use crate::files::at;

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
    /// The path below the private folder, its parts joined by `/` on every system.
    pub(super) name: Vec<u8>,
}

impl Place {
    /// The place of a workload. It touches no file: a worker knows it without asking.
    pub(super) fn of(workload: &Workload, scratch: &Path) -> Self {
        let folder = scratch.join("files");
        let roots = match kind_of(workload) {
            KIND_TREE => vec![Root { path: folder.clone(), is_folder: true }],
            KIND_INPUT => {
                let copies = private_names(&workload.files).into_iter().map(|name| folder.join(name));
                let root =
                    |(path, original): (PathBuf, &PathBuf)| Root { path, is_folder: is_folder(original) };
                copies.zip(&workload.files).map(root).collect()
            }
            _ => {
                let files = files_of(workload);
                let digits = files.to_string().len().max(2);
                let file = |nth: u64| folder.join(format!("file-{nth:0digits$}.txt"));
                (1..=files).map(|nth| Root { path: file(nth), is_folder: false }).collect()
            }
        };
        Self { folder, roots }
    }

    /// All files in the order in which they are searched: that of the roots, and below a folder the byte order of the
    /// names. Links are not followed. Written apart from the techniques' own walk, which it judges.
    pub(super) fn listed(&self) -> io::Result<Vec<Listed>> {
        let mut files = Vec::new();
        for root in &self.roots {
            if !root.is_folder {
                files.push(self.listed_as(root.path.clone()));
                continue;
            }
            let mut below = Vec::new();
            for entry in WalkDir::new(&root.path).follow_links(false).follow_root_links(false) {
                let entry = entry.map_err(at("list", &root.path))?;
                if entry.file_type().is_file() {
                    below.push(self.listed_as(entry.into_path()));
                }
            }
            below.sort_by(|a, b| a.name.cmp(&b.name));
            files.append(&mut below);
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

/// Whether a path of the user's is that of a folder: it was given a separator at its end when it was looked at.
pub(super) fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| std::path::is_separator(char::from(byte)))
}

/// What the user's files and folders are called below the private folder: their names as seen from the innermost folder
/// that holds them all.
pub(super) fn private_names(paths: &[PathBuf]) -> Vec<PathBuf> {
    let parent = |path: &PathBuf| path.parent().unwrap_or(path).to_owned();
    let mut common = paths.first().map(parent).unwrap_or_default();
    while !paths.iter().all(|path| parent(path).starts_with(&common)) {
        if !common.pop() {
            break;
        }
    }
    let name = |path: &PathBuf| {
        let below = path.strip_prefix(&common).unwrap_or(path);
        let parts = below.components().filter(|part| matches!(part, Component::Normal(_)));
        let name: PathBuf = parts.collect();
        // The root of a file system has no name.
        if name.as_os_str().is_empty() { PathBuf::from("root") } else { name }
    };
    paths.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_user_keep_their_names_below_the_folder_that_holds_them_all() {
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
}
