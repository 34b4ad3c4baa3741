//! Threads, processes and techniques are no persons: nothing that is read about them counts them among people, or says
//! in a riddle what a standard term names.

use super::{Place, Rule, Tree};

/// Put together here, so that this file does not find itself.
const WORDS: &[&str] =
    &[concat!("no", "body"), concat!("some", "body"), concat!("any", "body"), concat!("who", "ever")];

/// The same for several words, and for a name that says nothing.
const PHRASES: &[&str] =
    &[concat!("go_", "on"), concat!("lets ", "one"), concat!("let ", "one"), concat!("born ", "with")];

/// Where there is code.
const FOLDERS: &[&str] = &["crates/", "xtask/"];

pub(super) const RULE: Rule = Rule {
    name: "persons",
    remedy: "Name what is meant: no thread, another process, any technique, the one that; advance, resume; shows, predicts; \
             inherits.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let is_read = |path: &str| path.ends_with(".md") || FOLDERS.iter().any(|folder| path.starts_with(folder));
    let found = tree.files().iter().filter(|file| is_read(&file.path)).flat_map(|file| {
        file.text.lines().enumerate().flat_map(move |(index, line)| {
            let words = line.split(|one: char| !one.is_alphanumeric()).map(str::to_lowercase);
            let forbidden = words.filter(|word| WORDS.contains(&word.as_str()));
            let line = line.to_lowercase();
            let phrases =
                PHRASES.iter().filter(move |phrase| holds(&line, phrase)).map(|&phrase| phrase.to_owned());
            let found = forbidden.chain(phrases);
            found.map(move |what| Place::new(&file.path, index + 1, format!("\"{what}\" stands here")))
        })
    });
    found.collect()
}

/// Whether the phrase stands in the line by itself: neither as a part of longer words, nor as the declaration of a variable.
fn holds(line: &str, phrase: &str) -> bool {
    let is_inside = |one: char| one.is_alphanumeric() || one == '_';
    line.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        let is_variable = after.trim_start().starts_with(['=', ':']);
        !before.ends_with(is_inside) && !after.starts_with(is_inside) && !is_variable
    })
}

#[cfg(test)]
mod tests {
    use super::{PHRASES, RULE, WORDS};
    use crate::tidy::lines;

    #[test]
    fn every_word_is_told_in_code_in_messages_and_in_documents() {
        for word in WORDS.iter().chain(PHRASES) {
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
        for code in [
            "fn others_go_on() {}",
            "let one = 1;",
            "let one: u8 = 1;",
            "let one_more = 1;",
            "lets one_by_one",
        ] {
            assert!(lines(&RULE, "xtask/src/main.rs", code).is_empty(), "{code}");
        }
    }
}
