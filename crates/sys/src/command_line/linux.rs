//! The rules of a POSIX shell.

pub(super) fn split(line: &str) -> Option<Vec<String>> {
    shlex::split(line)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn single_quotes_and_backslashes_are_those_of_a_shell() {
        let words = split(r"awk '{print $1} \' a\ b").expect("closed");
        assert_eq!(words, ["awk", r"{print $1} \", "a b"]);
        assert_eq!(split("cp 'a b"), None);
    }
}
