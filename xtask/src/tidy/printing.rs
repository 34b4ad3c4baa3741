//! Only the command line prints.

use super::syntax::macro_calls;
use super::{Place, Rule, Tree};

const MACROS: &[&str] = &["print", "println", "eprint", "eprintln"];

pub(super) const RULE: Rule = Rule {
    name: "printing",
    remedy: "Return the text, or write it to a writer that the caller gives; only crates/cli prints.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let silent = tree.files().iter().filter(|file| !may_print(&file.path));
    let calls = silent.flat_map(|file| {
        let calls = file.tokens.as_ref().map(|tokens| macro_calls(tokens, MACROS)).unwrap_or_default();
        calls.into_iter().map(|(name, line)| Place::new(&file.path, line, format!("{name}! is called")))
    });
    calls.collect()
}

/// A build script talks to Cargo on its standard output.
fn may_print(path: &str) -> bool {
    path.starts_with("crates/cli/") || path.starts_with("xtask/") || path.ends_with("/build.rs")
}

#[cfg(test)]
mod tests {
    use super::{MACROS, RULE};
    use crate::tidy::lines;

    #[test]
    fn every_print_outside_the_command_line_is_told() {
        for name in MACROS {
            let text = format!("fn f() {{\n    {name}!(\"a\");\n}}\n");
            assert_eq!(lines(&RULE, "crates/report/src/lib.rs", &text), [2], "{name}");
        }
    }

    #[test]
    fn the_command_line_and_writers_pass() {
        assert!(lines(&RULE, "crates/cli/src/main.rs", "fn main() { println!(); }\n").is_empty());
        assert!(
            lines(&RULE, "crates/report/src/lib.rs", "fn f() { writeln!(w, \"println!\"); }\n").is_empty()
        );
    }
}
