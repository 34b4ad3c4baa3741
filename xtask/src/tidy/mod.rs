//! The rules of the tree, one file a rule.
//!
//! Each rule says what is wrong, where, and what to do about it. It is tested on a snippet that breaks it and on
//! one that keeps it.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};

mod tree;

mod file_length;
mod floors;
mod optimised;
mod platforms;

use tree::Tree;

/// Every rule, in the order in which their breaches are printed.
const RULES: &[Rule] = &[file_length::RULE, floors::RULE, optimised::RULE, platforms::RULE];

/// Something that holds of the whole tree.
struct Rule {
    /// Its name, as printed behind a breach.
    pub name: &'static str,
    /// What to do about a breach, as a sentence.
    pub remedy: &'static str,
    /// Every place where it does not hold.
    check: fn(&Tree) -> Vec<Place>,
}

/// Where a rule does not hold, and what stands there.
#[derive(Debug, PartialEq, Eq)]
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

/// A place together with the rule that does not hold there.
struct Breach {
    rule: &'static Rule,
    place: Place,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { path, line, what } = &self.place;
        write!(f, "{path}:{line}: {what}. {} [{}]", self.rule.remedy, self.rule.name)
    }
}

/// Prints everything in the tree that breaks a rule, and returns whether there is nothing.
pub(crate) fn carry_out(root: &Path) -> Result<bool> {
    let tree = Tree::read(root).with_context(|| format!("cannot read {}", root.display()))?;
    let breaches = breaches(&tree);
    for breach in &breaches {
        println!("{breach}");
    }
    if breaches.is_empty() {
        println!("tidy: {} files keep all {} rules", tree.files().len(), RULES.len());
    } else {
        eprintln!("tidy: {} to mend", breaches.len());
    }
    Ok(breaches.is_empty())
}

/// Everything in the tree that breaks a rule.
fn breaches(tree: &Tree) -> Vec<Breach> {
    let of_rule =
        |rule: &'static Rule| (rule.check)(tree).into_iter().map(move |place| Breach { rule, place });
    RULES.iter().flat_map(of_rule).collect()
}

/// The lines at which a rule fires on a tree of one file.
#[cfg(test)]
fn lines(rule: &Rule, path: &str, text: &str) -> Vec<usize> {
    (rule.check)(&Tree::of(&[(path, text)])).into_iter().map(|place| place.line).collect()
}

#[cfg(test)]
mod tests {
    use super::{RULES, Tree, breaches};

    #[test]
    fn a_breach_is_printed_with_place_remedy_and_rule() {
        let tree = Tree::of(&[("crates/attic/Cargo.toml", "[dependencies]\n")]);
        let printed: Vec<String> = breaches(&tree).iter().map(ToString::to_string).collect();
        let line = printed.iter().find(|line| line.contains("attic")).expect("the breach is reported");
        assert!(line.starts_with("crates/attic/Cargo.toml:1: crate attic stands on no floor. "), "{line}");
        assert!(line.ends_with(" [floors]"), "{line}");
    }

    #[test]
    fn rules_have_names_of_their_own() {
        let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
    }
}
