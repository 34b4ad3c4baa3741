//! Threads, processes and techniques are no persons: nothing that is read about them counts them among people.

use super::{Place, Rule, Tree};

/// Put together here, so that this file does not find itself.
const WORDS: &[&str] =
    &[concat!("no", "body"), concat!("some", "body"), concat!("any", "body"), concat!("who", "ever")];

/// Where there is code.
const FOLDERS: &[&str] = &["crates/", "xtask/"];

pub(super) const RULE: Rule = Rule {
    name: "persons",
    remedy: "Name what is meant: no thread, another process, any technique, the one that.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let is_read = |path: &str| path.ends_with(".md") || FOLDERS.iter().any(|folder| path.starts_with(folder));
    let found = tree.files().iter().filter(|file| is_read(&file.path)).flat_map(|file| {
        file.text.lines().enumerate().flat_map(move |(index, line)| {
            let words = line.split(|one: char| !one.is_alphanumeric()).map(str::to_lowercase);
            let forbidden = words.filter(|word| WORDS.contains(&word.as_str()));
            forbidden.map(move |word| Place::new(&file.path, index + 1, format!("\"{word}\" stands here")))
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{RULE, WORDS};
    use crate::tidy::lines;

    #[test]
    fn every_word_is_told_in_code_in_messages_and_in_documents() {
        for word in WORDS {
            let code = format!("// One.\nfn told() {{}} // {word} waits\n");
            assert_eq!(lines(&RULE, "crates/queue/src/lib.rs", &code), [2], "{word}");
            assert_eq!(
                lines(&RULE, "docs/a.md", &format!("{}'s turn\n", word.to_uppercase())),
                [1],
                "{word}"
            );
        }
    }

    #[test]
    fn longer_words_and_what_is_no_code_pass() {
        assert!(lines(&RULE, "xtask/src/main.rs", &format!("// {}x\n", WORDS[0])).is_empty());
        assert!(lines(&RULE, "scripts/run", &format!("# {}\n", WORDS[3])).is_empty());
    }
}
