//! A file is short enough to be read at a sitting.

use super::{Place, Rule, Tree};

const LINES_MAX: usize = 1_000;

pub(super) const RULE: Rule = Rule {
    name: "file-length",
    remedy: "Give one of its ideas a file of its own; tests may move to a tests.rs beside it.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let is_source =
        |path: &str| path.ends_with(".rs") || path.starts_with("scripts/") || path.starts_with(".ci/");
    let long = tree.files().iter().filter(|file| is_source(&file.path)).filter_map(|file| {
        let count = file.text.lines().count();
        let what = format!("{count} lines, {LINES_MAX} are allowed");
        (count > LINES_MAX).then(|| Place::new(&file.path, LINES_MAX + 1, what))
    });
    long.collect()
}

#[cfg(test)]
mod tests {
    use super::{LINES_MAX, RULE};
    use crate::tidy::lines;

    #[test]
    fn one_line_too_many_is_told() {
        let text = "// a line\n".repeat(LINES_MAX + 1);
        assert_eq!(lines(&RULE, "crates/a/src/lib.rs", &text), [LINES_MAX + 1]);
    }

    #[test]
    fn the_last_allowed_line_and_long_data_pass() {
        assert!(lines(&RULE, "crates/a/src/lib.rs", &"// a line\n".repeat(LINES_MAX)).is_empty());
        assert!(lines(&RULE, "published/copy.csv", &"1,2\n".repeat(LINES_MAX + 1)).is_empty());
    }
}
