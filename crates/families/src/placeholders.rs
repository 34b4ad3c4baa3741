//! Names in braces in the words of a command, and what stands for them when it is started.

use std::ffi::{OsStr, OsString};

use crate::contract::Placeholder;

/// Returns the names between braces in a word: a lower-case letter, then lower-case letters, digits and underscores. `${name}` is a
/// shell's own, and `{{name}}` stands for `{name}` itself. What no one declares is no placeholder: `awk '{print}'`.
pub fn names_in(word: &str) -> impl Iterator<Item = &str> {
    let braces = word.match_indices('{').filter_map(|(at, _)| {
        let (name, tail) = word[at + 1..].split_once('}')?;
        let is_doubled = word[..at].ends_with('{') && tail.starts_with('}');
        (!word[..at].ends_with('$') && !is_doubled).then_some(name)
    });
    braces.filter(|name| is_name(name))
}

/// Returns whether a placeholder may have this name.
pub fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Replaces every placeholder by its values. A word that is a placeholder and nothing else becomes as many words as values.
pub fn filled(words: &[String], places: &[Placeholder]) -> Vec<OsString> {
    let mut filled = Vec::new();
    for word in words {
        let name = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        match places.iter().find(|place| name.is_some_and(|name| place.name == name)) {
            Some(place) => filled.extend_from_slice(&place.values),
            None => filled.push(filled_word(word, places, OsStr::to_owned)),
        }
    }
    filled
}

/// Replaces every placeholder in one text by its values, after `quoted`. The braces of others stay.
pub fn filled_word(word: &str, places: &[Placeholder], quoted: fn(&OsStr) -> OsString) -> OsString {
    let mut filled = OsString::new();
    let mut rest = word;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        filled.push(before);
        let found = places.iter().find_map(|place| {
            let in_braces = format!("{{{}}}", place.name);
            if let Some(tail) = from.strip_prefix(&format!("{{{in_braces}}}")) {
                return Some((in_braces.into(), tail));
            }
            let tail = from.strip_prefix(&in_braces).filter(|_| !before.ends_with('$'))?;
            let values: Vec<OsString> = place.values.iter().map(|value| quoted(value)).collect();
            Some((values.join(OsStr::new(" ")), tail))
        });
        match found {
            Some((value, tail)) => {
                filled.push(value);
                rest = tail;
            }
            None => {
                filled.push("{");
                rest = &from[1..];
            }
        }
    }
    filled.push(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_in_braces_are_placeholders() {
        assert_eq!(names_in("{input}:{level_2}").collect::<Vec<_>>(), ["input", "level_2"]);
        assert_eq!(names_in("{print $1} {} {2} ${home} {\"a\":1} {A} {{input}}").next(), None);
    }

    #[test]
    fn what_a_shell_fills_is_left_to_it() {
        let places = [Placeholder::optional("home", vec!["/a b".into()])];
        let line = "${home} {home} {other} {{home}} {{other}} {\"a\":{\"b\":1}}";
        let filled = "${home} /a b {other} {home} {{other}} {\"a\":{\"b\":1}}";
        assert_eq!(filled_word(line, &places, OsStr::to_owned), filled);
    }

    #[test]
    fn values_reach_a_shell_as_one_word_each() {
        let places = [Placeholder::optional("files", vec!["/a b".into(), "/c".into()])];
        let line = filled_word("cat {files}", &places, sys::command_line::quoted);
        let words = sys::command_line::split(&line.to_string_lossy()).expect("closed");
        assert_eq!(words, ["cat", "/a b", "/c"]);
    }
}
