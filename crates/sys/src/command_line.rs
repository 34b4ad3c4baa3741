//! A command on one line, split into words as a shell does, or Windows (Microsoft, "Parsing C command-line arguments").

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The system's shell and the option that stands in front of a command for it: `sh -c`, `cmd /C`.
#[cfg(target_os = "linux")]
pub const SHELL: [&str; 2] = ["sh", "-c"];
/// The system's shell and the option that stands in front of a command for it.
#[cfg(windows)]
pub const SHELL: [&str; 2] = ["cmd", "/C"];

/// Returns a word so that the system's shell takes it as it is.
#[cfg(target_os = "linux")]
pub fn quoted(word: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    // Between single quotation marks every byte is itself, but for that mark.
    let parts: Vec<&[u8]> = word.as_bytes().split(|&byte| byte == b'\'').collect();
    OsString::from_vec([&b"'"[..], &parts.join(&br"'\''"[..]), b"'"].concat())
}

/// Returns a word so that the system's shell takes it as it is: no name of a file holds a quotation mark.
#[cfg(windows)]
pub fn quoted(word: &OsStr) -> OsString {
    let mut quoted = OsString::from("\"");
    quoted.push(word);
    quoted.push("\"");
    quoted
}

/// Returns a program as a process starts it that runs in `directory`: a path below it is made whole, a name is left to be looked for.
pub fn program_in(directory: &Path, program: &OsStr) -> PathBuf {
    let path = Path::new(program);
    if is_path(path) && path.is_relative() { directory.join(path) } else { path.to_owned() }
}

/// Returns whether a program is there: a path is looked at, a name is looked for as the system does when it starts one.
pub fn is_there(program: &Path) -> bool {
    let is_file = |path: &Path| file_names(path).iter().any(|path| path.is_file());
    if is_path(program) {
        return is_file(program);
    }
    let path = std::env::var_os("PATH");
    let mut folders = path.iter().flat_map(std::env::split_paths).chain(further_folders());
    folders.any(|folder| is_file(&folder.join(program)))
}

fn is_path(program: &Path) -> bool {
    program.components().count() > 1
}

#[cfg(target_os = "linux")]
fn file_names(path: &Path) -> [&Path; 1] {
    [path]
}

/// Returns the files that a path to a program may mean: the system adds `.exe` where nothing stands behind a point.
#[cfg(windows)]
fn file_names(path: &Path) -> [PathBuf; 2] {
    let mut named = path.as_os_str().to_owned();
    named.push(".exe");
    [path.to_owned(), named.into()]
}

#[cfg(target_os = "linux")]
fn further_folders() -> [PathBuf; 0] {
    []
}

/// Returns where programs are looked for next to `PATH`: here, and in the system's folders.
#[cfg(windows)]
fn further_folders() -> Vec<PathBuf> {
    let root = std::env::var_os("SystemRoot").map(PathBuf::from);
    let of_system = root.into_iter().flat_map(|root| [root.join("System32"), root]);
    std::env::current_dir().into_iter().chain(of_system).collect()
}

/// Returns the words of a line as a shell splits it, without replacing anything; `None` when a quotation mark is not closed.
#[cfg(target_os = "linux")]
pub fn split(line: &str) -> Option<Vec<String>> {
    shlex::split(line)
}

#[cfg(windows)]
type Rest<'line> = std::iter::Peekable<std::str::Chars<'line>>;

/// Returns the words of a line, where a backslash is a part of a path; `None` when a quotation mark is not closed.
#[cfg(windows)]
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut rest = line.chars().peekable();
    let mut words = Vec::new();
    loop {
        while rest.next_if(|&c| is_blank(c)).is_some() {}
        if rest.peek().is_none() {
            return Some(words);
        }
        // In the path of the program a backslash has no power over a quotation mark.
        words.push(word(&mut rest, !words.is_empty())?);
    }
}

/// The ends of lines too: a command in a file may have several.
#[cfg(windows)]
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Returns the word at which the rest begins, up to the blank behind it.
#[cfg(windows)]
fn word(rest: &mut Rest<'_>, escapes: bool) -> Option<String> {
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
#[cfg(windows)]
fn backslashes(rest: &mut Rest<'_>, word: &mut String) {
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
    use super::*;

    #[test]
    fn blanks_separate_words_and_quotation_marks_hold_them_together() {
        assert_eq!(split(" cp  \"a b\"\t\"\" c=\"d e\" \n").expect("closed"), ["cp", "a b", "", "c=d e"]);
        assert_eq!(split("").expect("closed"), Vec::<String>::new());
        assert_eq!((split("cp \"a b"), split("\"cp a b")), (None, None));
        let line = format!("cp {} x", quoted(OsStr::new("/a b/c d")).to_string_lossy());
        assert_eq!(split(&line).expect("closed"), ["cp", "/a b/c d", "x"]);
    }

    #[test]
    fn programs_are_found_by_name_or_by_path() {
        assert!(is_there(Path::new(SHELL[0])), "the shell");
        assert!(is_there(&std::env::current_exe().expect("this test")));
        assert!(!is_there(Path::new("no-such-program")) && !is_there(Path::new("no/such/program")));
        let folder = Path::new("folder");
        assert_eq!(program_in(folder, OsStr::new("./new/tool")), folder.join("./new/tool"));
        assert_eq!(program_in(folder, OsStr::new("tool")), Path::new("tool"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn single_quotes_and_backslashes_are_those_of_a_shell() {
        for name in ["plain", "a b", "it's", "$HOME `x` \\ \"q\" *"] {
            let line = quoted(OsStr::new(name)).into_string().expect("text");
            assert_eq!(split(&line).expect("closed"), [name]);
        }
        assert_eq!(split(r"awk '{print $1} \' a\ b").expect("closed"), ["awk", r"{print $1} \", "a b"]);
        assert_eq!(split("cp 'a b"), None);
    }

    #[cfg(windows)]
    #[test]
    fn lines_are_split_by_the_published_rules() {
        let system = r"C:\windows\system32\cmd.exe";
        let cases: [(&str, &[&str]); 11] = [
            // Backslashes of paths stay.
            (
                r#"C:\windows\system32\cmd.exe copy \\server\share\a "C:\my files\b""#,
                &[system, "copy", r"\\server\share\a", r"C:\my files\b"],
            ),
            (r#""C:\Program Files\x.exe" a"#, &[r"C:\Program Files\x.exe", "a"]),
            // The examples of Microsoft's page, behind a program.
            (r#"p "abc" d e"#, &["p", "abc", "d", "e"]),
            (r#"p a\\b d"e f"g h"#, &["p", r"a\\b", "de fg", "h"]),
            (r#"p a\\\"b c d"#, &["p", r#"a\"b"#, "c", "d"]),
            (r#"p a\\\\"b c" d e"#, &["p", r"a\\b c", "d", "e"]),
            (r#"p a"b"" c" d"#, &["p", r#"ab" c"#, "d"]),
            // Two quotation marks between quotation marks are one.
            (r#"p "a""b""#, &["p", r#"a"b"#]),
            (r#"p "" x"#, &["p", "", "x"]),
            // In the path of the program a backslash has no power.
            (r#""C:\my folder\"p a"#, &[r"C:\my folder\p", "a"]),
            ("p 'a b'", &["p", "'a", "b'"]),
        ];
        for (line, words) in cases {
            assert_eq!(split(line).unwrap_or_else(|| panic!("not closed: {line}")), words, "{line}");
        }
    }
}
