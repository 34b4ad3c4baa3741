//! Nothing is left for later inside the tree.

use super::{Place, Rule, Tree};

/// Put together here, so that this file does not find itself.
const MARKS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("to", "do!"),
    concat!("unimplem", "ented!"),
    concat!("d", "bg!"),
];

pub(super) const RULE: Rule = Rule { name: "unfinished", remedy: "Finish it or take it out.", check };

fn check(tree: &Tree) -> Vec<Place> {
    let marked = tree.files().iter().filter(|file| file.path != "Cargo.lock").flat_map(|file| {
        file.text.lines().enumerate().flat_map(move |(index, line)| {
            let marks = MARKS.iter().filter(move |mark| stands_alone(line, mark));
            marks.map(move |mark| Place::new(&file.path, index + 1, format!("{mark} stands here")))
        })
    });
    marked.collect()
}

/// Whether the line holds the mark as a word of its own.
fn stands_alone(line: &str, mark: &str) -> bool {
    line.match_indices(mark).any(|(at, _)| {
        let is_part = |letter: Option<char>| letter.is_some_and(|l| l.is_alphanumeric() || l == '_');
        let before = line[..at].chars().next_back();
        let after = line[at + mark.len()..].chars().next();
        !is_part(before) && (mark.ends_with('!') || !is_part(after))
    })
}

#[cfg(test)]
mod tests {
    use super::{MARKS, RULE};
    use crate::tidy::lines;

    #[test]
    fn every_mark_is_told_in_every_kind_of_file() {
        for mark in MARKS {
            assert_eq!(lines(&RULE, "README.md", &format!("one\n({mark} two)\n")), [2], "{mark}");
        }
    }

    #[test]
    fn longer_words_pass() {
        let text = format!("{}S and my{} are names\n", MARKS[0], MARKS[4]);
        assert!(lines(&RULE, "README.md", &text).is_empty());
    }
}
