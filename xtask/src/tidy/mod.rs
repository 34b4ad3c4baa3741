//! The rules of the tree, one file a rule, each tested on snippets that break it and that keep it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use walkdir::WalkDir;

mod floors;
mod optimised;
mod platforms;

/// In the order in which breaches are printed.
const RULES: &[Rule] = &[floors::RULE, optimised::RULE, platforms::RULE];

struct Rule {
    name: &'static str,
    /// The advice for a breach, as a sentence.
    remedy: &'static str,
    /// Finds every place where the rule does not hold.
    check: fn(&Tree) -> Vec<Place>,
}

/// The texts of all Rust files and manifests, by their path from the root with forward slashes.
type Tree = BTreeMap<String, String>;

/// A place where a rule does not hold.
struct Place {
    path: String,
    line: usize,
    what: String,
}

impl Place {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

/// Prints everything in the tree that breaks a rule, and returns whether there is nothing.
pub(crate) fn carry_out(root: &Path) -> Result<bool> {
    let tree = read(root)?;
    let breaches = breaches(&tree);
    breaches.iter().for_each(|breach| println!("{breach}"));
    match breaches.len() {
        0 => println!("tidy: {} files keep all {} rules", tree.len(), RULES.len()),
        some => eprintln!("tidy: {some} to mend"),
    }
    Ok(breaches.is_empty())
}

fn read(root: &Path) -> Result<Tree> {
    let mut tree = Tree::new();
    for top in ["Cargo.toml", "Cargo.lock", "crates", "fuzz", "xtask"] {
        for entry in WalkDir::new(root.join(top)).sort_by_file_name() {
            let entry = entry.with_context(|| format!("cannot read {top}"))?;
            let path = entry.path();
            if path.extension().is_some_and(|end| end == "rs" || end == "toml" || end == "lock") {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                let parts = path.strip_prefix(root)?.iter().map(|part| part.to_string_lossy());
                tree.insert(parts.collect::<Vec<_>>().join("/"), text);
            }
        }
    }
    Ok(tree)
}

/// Returns everything in the tree that breaks a rule, in a line each.
fn breaches(tree: &Tree) -> Vec<String> {
    let mut breaches = Vec::new();
    for Rule { name, remedy, check } in RULES {
        for Place { path, line, what } in check(tree) {
            breaches.push(format!("{path}:{line}: {what}. {remedy} [{name}]"));
        }
    }
    breaches
}

/// Returns the lines at which a rule fires on a tree of these files.
#[cfg(test)]
fn lines(rule: &Rule, files: &[(&str, &str)]) -> Vec<usize> {
    let tree = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    (rule.check)(&tree).into_iter().map(|place| place.line).collect()
}

#[test]
fn a_breach_is_printed_with_place_remedy_and_rule() {
    let tree = Tree::from([("crates/attic/Cargo.toml".to_owned(), "[dependencies]\n".to_owned())]);
    let printed = breaches(&tree);
    assert_eq!(printed.len(), 1, "{printed:?}");
    assert!(printed[0].starts_with("crates/attic/Cargo.toml:1: crate attic stands on no floor. "));
    assert!(printed[0].ends_with(" [floors]"), "{printed:?}");
}
