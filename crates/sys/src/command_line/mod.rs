//! A command on one line, split into words by the rules that its author knows: those of a shell, or of Windows.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// The words of a command line; `None` when a quotation mark is not closed. Nothing is replaced, and nothing is run.
///
/// Linux: as a shell splits. Windows: as its programs split theirs, where a backslash is a part of a path.
#[must_use]
pub fn split(line: &str) -> Option<Vec<String>> {
    system::split(line)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn blanks_separate_words_and_quotation_marks_hold_them_together() {
        assert_eq!(split(" cp  \"a b\"\t\"\" c=\"d e\" \n").expect("closed"), ["cp", "a b", "", "c=d e"]);
        assert_eq!(split("").expect("closed"), Vec::<String>::new());
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_told() {
        assert_eq!(split("cp \"a b"), None);
        assert_eq!(split("\"cp a b"), None);
    }
}
