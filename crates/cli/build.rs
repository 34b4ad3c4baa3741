//! Reports the program which commit it is built from, so that a run says which version of a technique it measured.

use std::path::{Path, PathBuf};
use std::process::Command;

/// As long as no other commit of a project of this size begins alike.
const DIGITS: &str = "--abbrev=12";

fn main() {
    println!("cargo::rerun-if-env-changed=BAKEOFF_COMMIT");
    // Packagers build without a repository and may name the commit themselves.
    let named = std::env::var("BAKEOFF_COMMIT").ok().filter(|commit| !commit.is_empty());
    let version = env!("CARGO_PKG_VERSION");
    match named.or_else(of_repository) {
        None => println!("cargo::rustc-env=BAKEOFF_VERSION={version}"),
        Some(commit) => {
            println!("cargo::rustc-env=BAKEOFF_VERSION={version} ({commit})");
            println!("cargo::rustc-env=BAKEOFF_COMMIT={commit}");
        }
    }
}

/// The commit that is checked out, with `+` where tracked files differ from it; `None` outside of the project's own repository.
fn of_repository() -> Option<String> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let top = git(project, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != project.canonicalize().ok()? {
        return None;
    }
    // A commit, a checkout or a change of any source makes the name another one.
    let head = git(project, &["rev-parse", "--git-path", "logs/HEAD"])?;
    let mut sources = vec![project.join(head), project.join("Cargo.lock")];
    add_files(&project.join("crates"), &mut sources);
    for source in sources.iter().filter(|source| source.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    git(project, &["describe", "--always", "--dirty=+", "--exclude=*", DIGITS])
}

/// The files below a folder. The folders themselves are none: each scratch folder that a program makes in one changes it.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_files(&entry.path(), files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

/// Returns what git prints; `None` where there is no git or it refuses.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
