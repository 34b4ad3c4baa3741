//! The rules by which a program on Windows splits its command line: Microsoft, "Parsing C command-line arguments".

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

pub(super) const SHELL: [&str; 2] = ["cmd", "/C"];

/// No name of a file holds a quotation mark.
#[must_use]
pub fn quoted(word: &OsStr) -> OsString {
    let mut quoted = OsString::from("\"");
    quoted.push(word);
    quoted.push("\"");
    quoted
}

/// The files that a path to a program may mean: the system adds `.exe` where nothing stands behind a point.
pub(super) fn file_names(path: &Path) -> Vec<PathBuf> {
    let mut named = path.as_os_str().to_owned();
    named.push(".exe");
    vec![path.to_owned(), named.into()]
}

/// Where programs are looked for next to `PATH`: here, and in the system's folders.
pub(super) fn further_folders() -> Vec<PathBuf> {
    let root = std::env::var_os("SystemRoot").map(PathBuf::from);
    let of_system = root.into_iter().flat_map(|root| [root.join("System32"), root]);
    std::env::current_dir().into_iter().chain(of_system).collect()
}

/// The words of a command line; `None` when a quotation mark is not closed.
#[must_use]
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut rest = line.chars().peekable();
    let mut words = Vec::new();
    loop {
        while rest.next_if(|&c| is_blank(c)).is_some() {}
        if rest.peek().is_none() {
            return Some(words);
        }
        // In the path of the program a backslash has no power over a quotation mark.
        let escapes = !words.is_empty();
        words.push(word(&mut rest, escapes)?);
    }
}

/// The ends of lines too: a command in a file may have several.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// The word at which the rest begins, up to the blank behind it.
fn word(rest: &mut Peekable<Chars<'_>>, escapes: bool) -> Option<String> {
    let mut word = String::new();
    let mut quoted = false;
    while let Some(c) = rest.next_if(|&c| quoted || !is_blank(c)) {
        match c {
            '\\' if escapes => backslashes(rest, &mut word),
            '"' if quoted && escapes && rest.next_if_eq(&'"').is_some() => word.push('"'),
            '"' => quoted = !quoted,
            other => word.push(other),
        }
    }
    (!quoted).then_some(word)
}

/// Backslashes, of which the first was read, stand for themselves; but in front of a quotation mark two stand for one,
/// and one that is left over makes the mark a part of the word.
fn backslashes(rest: &mut Peekable<Chars<'_>>, word: &mut String) {
    let mut count = 1;
    while rest.next_if_eq(&'\\').is_some() {
        count += 1;
    }
    let before_a_mark = rest.peek() == Some(&'"');
    word.extend(std::iter::repeat_n('\\', if before_a_mark { count / 2 } else { count }));
    if before_a_mark && count % 2 == 1 {
        rest.next();
        word.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    fn words(line: &str) -> Vec<String> {
        split(line).unwrap_or_else(|| panic!("not closed: {line}"))
    }

    #[test]
    fn backslashes_of_paths_stay() {
        let line = r#"C:\windows\system32\cmd.exe /c copy \\server\share\a "C:\my files\b""#;
        let expected = [r"C:\windows\system32\cmd.exe", "/c", "copy", r"\\server\share\a", r"C:\my files\b"];
        assert_eq!(words(line), expected);
        assert_eq!(words(r#""C:\Program Files\x.exe" a"#), [r"C:\Program Files\x.exe", "a"]);
    }

    /// The examples of Microsoft's page, behind a program.
    #[test]
    fn quotation_marks_behind_backslashes_follow_the_published_rules() {
        assert_eq!(words(r#"p "abc" d e"#), ["p", "abc", "d", "e"]);
        assert_eq!(words(r#"p a\\b d"e f"g h"#), ["p", r"a\\b", "de fg", "h"]);
        assert_eq!(words(r#"p a\\\"b c d"#), ["p", r#"a\"b"#, "c", "d"]);
        assert_eq!(words(r#"p a\\\\"b c" d e"#), ["p", r"a\\b c", "d", "e"]);
        assert_eq!(words(r#"p a"b"" c" d"#), ["p", r#"ab" c"#, "d"]);
    }

    #[test]
    fn two_quotation_marks_between_quotation_marks_are_one() {
        assert_eq!(words(r#"p "a""b""#), ["p", r#"a"b"#]);
        assert_eq!(words(r#"p "" x"#), ["p", "", "x"]);
    }

    #[test]
    fn in_the_path_of_the_program_a_backslash_has_no_power() {
        assert_eq!(words(r#""C:\my folder\"p a"#), [r"C:\my folder\p", "a"]);
    }

    #[test]
    fn single_quotes_are_letters() {
        assert_eq!(words("p 'a b'"), ["p", "'a", "b'"]);
    }
}
