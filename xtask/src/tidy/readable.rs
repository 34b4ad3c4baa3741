//! A file that cannot be parsed is judged by no other rule, so it must not pass in silence.

use super::syntax::line_of;
use super::{Place, Rule, Tree};

pub(super) const RULE: Rule =
    Rule { name: "readable", remedy: "Mend the syntax; the other rules cannot read the file.", check };

fn check(tree: &Tree) -> Vec<Place> {
    let refused = tree.files().iter().filter_map(|file| match &file.syntax {
        Some(Err(refused)) => {
            Some(Place::new(&file.path, line_of(refused.span()), format!("not Rust: {refused}")))
        }
        _ => None,
    });
    refused.collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::tidy::lines;

    #[test]
    fn broken_syntax_is_told() {
        assert_eq!(lines(&RULE, "crates/a/src/lib.rs", "fn a() {}\nfn fn\n"), [2]);
    }

    #[test]
    fn sound_syntax_and_other_files_pass() {
        assert!(lines(&RULE, "crates/a/src/lib.rs", "fn a() {}\n").is_empty());
        assert!(lines(&RULE, "README.md", "fn fn\n").is_empty());
    }
}
