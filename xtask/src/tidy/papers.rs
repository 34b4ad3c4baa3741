//! The papers that every user looks for are there.

use super::{Place, Rule, Tree};

const PAPERS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(super) const RULE: Rule = Rule { name: "papers", remedy: "Write it.", check };

fn check(tree: &Tree) -> Vec<Place> {
    let missing = PAPERS.iter().filter_map(|path| match tree.file(path) {
        None => Some(Place::new(path, 1, "the file is missing")),
        Some(file) if file.text.trim().is_empty() => Some(Place::new(path, 1, "the file is empty")),
        Some(_) => None,
    });
    missing.collect()
}

#[cfg(test)]
mod tests {
    use super::{PAPERS, RULE};
    use crate::tidy::Tree;

    #[test]
    fn a_missing_and_an_empty_paper_are_told() {
        let tree = Tree::of(&[("README.md", " \n"), ("CHANGELOG.md", "text"), ("LICENSE-MIT", "text")]);
        let told: Vec<String> = (RULE.check)(&tree).into_iter().map(|place| place.path).collect();
        assert_eq!(told, ["README.md", "LICENSE-APACHE"]);
    }

    #[test]
    fn a_full_set_passes() {
        let papers: Vec<(&str, &str)> = PAPERS.iter().map(|path| (*path, "text")).collect();
        assert!((RULE.check)(&Tree::of(&papers)).is_empty());
    }
}
