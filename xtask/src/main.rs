#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command of the developers that talks to them"
)]
//! Checks that no compiler makes: of the tree (`cargo xtask tidy`), of the finished program on this host
//! (`cargo xtask acceptance`, `cargo xtask kills`, `cargo xtask held-out`), of what it reads from outside (`cargo xtask
//! fuzz`), of its pages (`cargo xtask gallery`), and of how it reads a large store (`cargo xtask large-store` makes one).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod acceptance;
mod command;
mod fuzz;
mod gallery;
mod held_out;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(not(target_os = "linux"))]
mod kills {
    //! Signals, `/proc` and control groups are Linux's own.

    pub(crate) fn main(_: &[String]) -> std::process::ExitCode {
        eprintln!("kills: this command works on Linux only");
        std::process::ExitCode::from(2)
    }
}
mod large_store;
mod tidy;

const USAGE: &str = "\
usage: cargo xtask tidy          check the rules that no compiler checks
       cargo xtask acceptance    check what the release binary says of work whose truth is known; --help tells more
       cargo xtask fuzz          look for inputs that break a promise; --help tells more
       cargo xtask gallery       make a folder of HTML reports and look at them in a browser; --help tells more
       cargo xtask held-out      is advice right at sizes that were not measured? --help tells more
       cargo xtask kills         kill the release binary at random moments and look what is lost or left; --help tells more
       cargo xtask large-store   make up a store of many runs; --help tells more";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => check(),
        ["acceptance", ..] => acceptance::main(&arguments),
        ["fuzz", ..] => fuzz::main(&arguments, &root()),
        ["gallery", ..] => gallery::main(&arguments, &root()),
        ["held-out", ..] => held_out::main(&arguments),
        ["kills", ..] => kills::main(&arguments),
        ["large-store", ..] => large_store::main(&arguments),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn check() -> ExitCode {
    let root = root();
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
