//! Unsafe code stands in two crates only; all others forbid it at their head.

use super::{Place, Rule, Tree};

/// The crates that may be unsafe: they call the operating system.
const MAY_BE_UNSAFE: &[&str] = &["sys", "families"];

pub(super) const RULE: Rule = Rule {
    name: "unsafe-code",
    remedy: "Write #![forbid(unsafe_code)] at its head; what must be unsafe belongs into sys or families.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let open = tree.rust().filter(|(file, _)| is_safe_root(&file.path)).filter_map(|(file, syntax)| {
        let forbids = syntax.attrs.iter().any(|attribute| {
            attribute.path().is_ident("forbid")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("unsafe_code"))
        });
        (!forbids).then(|| Place::new(&file.path, 1, "the crate allows unsafe code"))
    });
    open.collect()
}

/// Whether the file is the root of a crate that must be safe.
fn is_safe_root(path: &str) -> bool {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["crates", name, "src", "lib.rs" | "main.rs"] => !MAY_BE_UNSAFE.contains(&name),
        ["xtask", "src", "main.rs"] | ["fuzz", "src", "lib.rs"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::tidy::lines;

    #[test]
    fn a_root_that_forbids_nothing_is_told() {
        assert_eq!(lines(&RULE, "crates/judge/src/lib.rs", "//! judge\n"), [1]);
        assert_eq!(lines(&RULE, "crates/judge/src/lib.rs", "#![deny(unsafe_code)]\n"), [1]);
    }

    #[test]
    fn a_root_that_forbids_and_the_two_unsafe_crates_pass() {
        assert!(lines(&RULE, "crates/judge/src/lib.rs", "#![forbid(unsafe_code)]\n").is_empty());
        assert!(lines(&RULE, "crates/sys/src/lib.rs", "//! sys\n").is_empty());
        assert!(lines(&RULE, "crates/judge/src/ranking.rs", "//! not a root\n").is_empty());
    }
}
