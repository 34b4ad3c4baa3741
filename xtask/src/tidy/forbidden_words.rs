//! Nothing in the tree belongs to one machine or names what stands behind a package client.

use super::{Place, Rule, Tree};

/// Put together here, so that this file does not find itself.
const FORBIDDEN: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!(r"C:\Us", r"ers\"),
    concat!("crates", ".io"),
    concat!("deb.deb", "ian.org"),
    concat!("registry.npm", "js.org"),
    concat!("pypi", ".org"),
    concat!("pythonhos", "ted.org"),
    concat!("proxy.go", "lang.org"),
    concat!("steer", "ing"),
    concat!("issue", " #"),
];

/// Cargo writes where a crate came from into its lock file.
const EXEMPT: &[&str] = &["Cargo.lock"];

pub(super) const RULE: Rule = Rule {
    name: "forbidden-words",
    remedy: "Use a path relative to the project, or name the program that fetches; leave out the rest.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let files = tree.files().iter().filter(|file| !EXEMPT.contains(&file.path.as_str()));
    let found = files.flat_map(|file| {
        file.text.lines().enumerate().flat_map(move |(index, line)| {
            let lower = line.to_lowercase();
            let words = FORBIDDEN.iter().filter(move |word| lower.contains(&word.to_lowercase()));
            words.map(move |word| Place::new(&file.path, index + 1, format!("\"{word}\" stands here")))
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{FORBIDDEN, RULE};
    use crate::tidy::lines;

    #[test]
    fn every_forbidden_word_is_told_in_any_case() {
        for word in FORBIDDEN {
            assert_eq!(lines(&RULE, "README.md", &format!("one\nsee {word}x\n")), [2], "{word}");
            assert_eq!(lines(&RULE, "README.md", &format!("see {}\n", word.to_uppercase())), [1], "{word}");
        }
    }

    #[test]
    fn paths_of_the_project_and_the_lock_file_pass() {
        assert!(lines(&RULE, "README.md", "see crates/model/src and ~/.cache\n").is_empty());
        assert!(lines(&RULE, "Cargo.lock", &format!("source = \"{}\"\n", FORBIDDEN[5])).is_empty());
    }
}
