//! The files that the rules look at.

use std::io;
use std::path::Path;

use proc_macro2::TokenStream;
use walkdir::{DirEntry, WalkDir};

/// All text files of the project.
pub(crate) struct Tree {
    files: Vec<Source>,
}

/// One file, read and, when it is Rust, parsed.
pub(crate) struct Source {
    /// Path from the project's root, with forward slashes.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// Its tokens, when it is Rust.
    pub tokens: Option<TokenStream>,
    /// Its syntax, when it is Rust that can be parsed; what cannot be is refused by the compiler.
    pub syntax: Option<syn::File>,
}

impl Tree {
    /// Reads every file below `root` that is text and that the version control keeps.
    ///
    /// # Errors
    /// A folder or a file cannot be read.
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        let entries = WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_kept);
        for entry in entries {
            let entry = entry?;
            if !entry.file_type().is_file() {
                continue;
            }
            let bytes = std::fs::read(entry.path())?;
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(Source::new(&relative(root, entry.path()), text));
            }
        }
        Ok(Self { files })
    }

    /// A tree for trying a rule out.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|&(path, text)| Source::new(path, text.to_owned())).collect() }
    }

    /// All files.
    pub(crate) fn files(&self) -> &[Source] {
        &self.files
    }

    /// The file with this path from the root.
    pub(crate) fn file(&self, path: &str) -> Option<&Source> {
        self.files.iter().find(|file| file.path == path)
    }

    /// All Rust files that can be parsed, with their syntax.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&Source, &syn::File)> {
        self.files.iter().filter_map(|file| Some((file, file.syntax.as_ref()?)))
    }
}

impl Source {
    fn new(path: &str, text: String) -> Self {
        let is_rust = path.ends_with(".rs");
        Self {
            path: path.to_owned(),
            tokens: if is_rust { text.parse().ok() } else { None },
            syntax: if is_rust { syn::parse_file(&text).ok() } else { None },
            text,
        }
    }
}

/// What `.gitignore` leaves out is left out here too: build folders and profiles.
fn is_kept(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let is_build_folder = entry.depth() == 1 && (name == "target" || name.starts_with("target-"));
    !is_build_folder && name != ".git" && !name.ends_with(".profraw")
}

fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn build_folders_and_binary_files_are_skipped() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for (path, bytes) in [
            ("kept/target/a.rs", &b"fn a() {}"[..]),
            ("target/b.rs", b"fn b() {}"),
            ("target-windows/c.rs", b"fn c() {}"),
            (".git/HEAD", b"ref"),
            ("picture", b"\xff\xfe"),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, bytes).expect("a file");
        }
        let tree = Tree::read(folder.path()).expect("the folder is readable");
        let paths: Vec<&str> = tree.files().iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["kept/target/a.rs"]);
    }
}
