//! Samples, logs and other finds of a working day are not part of the project.

use super::{Place, Rule, Tree};

/// Larger than any text that a person wrote here.
const MOST_BYTES: usize = 128 << 10;
/// What stands beside the manifest.
const ROOT: &[&str] = &[
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "FINDINGS.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "METHODOLOGY.md",
    "README.md",
    "clippy.toml",
    "deny.toml",
    "rustfmt.toml",
];

pub(super) const RULE: Rule = Rule {
    name: "at-home",
    remedy: "Take it out, or give it a folder; what belongs in the root is listed in xtask/src/tidy/at_home.rs.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let strays = tree.files().iter().filter_map(|file| {
        let stray = !file.path.contains('/') && !ROOT.contains(&file.path.as_str());
        let large = file.text.len() > MOST_BYTES && file.path != "Cargo.lock";
        let what = match (stray, large) {
            (true, _) => "this file does not belong in the root".to_owned(),
            (false, true) => format!("this file has {} bytes", file.text.len()),
            (false, false) => return None,
        };
        Some(Place::new(&file.path, 1, what))
    });
    strays.collect()
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, RULE};
    use crate::tidy::lines;

    #[test]
    fn a_stray_in_the_root_and_a_giant_anywhere_are_told() {
        assert_eq!(lines(&RULE, "samples.csv", "round,value\n"), [1]);
        assert_eq!(lines(&RULE, "docs/samples.csv", &"1\n".repeat(MOST_BYTES)), [1]);
    }

    #[test]
    fn what_belongs_here_passes() {
        assert!(lines(&RULE, "README.md", "one\n").is_empty());
        assert!(lines(&RULE, "docs/one.md", "one\n").is_empty());
        assert!(lines(&RULE, "Cargo.lock", &"1\n".repeat(MOST_BYTES)).is_empty());
    }
}
