#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the developers that talks to them"
)]
//! Checks of the tree that no compiler makes: `cargo xtask tidy`.

use std::path::Path;
use std::process::ExitCode;

mod tidy;

const USAGE: &str = "usage: cargo xtask tidy    check the rules that no compiler checks";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => check(),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn check() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tree = match tidy::Tree::read(&root) {
        Ok(tree) => tree,
        Err(refused) => {
            eprintln!("tidy: cannot read {}: {refused}", root.display());
            return ExitCode::from(2);
        }
    };
    let breaches = tidy::breaches(&tree);
    for breach in &breaches {
        println!("{breach}");
    }
    if breaches.is_empty() {
        println!("tidy: {} files keep all {} rules", tree.files().len(), tidy::RULES.len());
        return ExitCode::SUCCESS;
    }
    eprintln!("tidy: {} to mend", breaches.len());
    ExitCode::FAILURE
}
