//! The operating system is chosen on front pages only, item by item.

use proc_macro2::{TokenStream, TokenTree};

use super::{Place, Rule, Tree};

pub(super) const RULE: Rule = Rule {
    name: "platforms",
    remedy: "Choose the system on a front page (a file at the top of sys or a mod.rs there, a mod.rs of a family or of its techniques, a main.rs of tests, of an example or of xtask), for a whole item.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let mut places = Vec::new();
    for (path, text) in tree.iter().filter(|(path, _)| path.ends_with(".rs")) {
        // What is not Rust is refused by the compiler.
        for line in misplaced(text.parse().unwrap_or_default(), is_front_page(path)) {
            places.push(Place::new(path, line, "cfg on the operating system"));
        }
    }
    places
}

fn is_front_page(path: &str) -> bool {
    matches!(
        path.split('/').collect::<Vec<_>>()[..],
        ["crates", "sys", "src", _]
            | ["crates", "sys" | "families", "src", _, "mod.rs"]
            | ["crates", "families", "src", _, "techniques", "mod.rs"]
            | ["crates", "sys", "src", _, _, "mod.rs"]
            | ["crates", _, "tests" | "examples", _, "main.rs"]
            | ["xtask", "src", "main.rs"]
    )
}

/// Returns the lines that ask for the system, but for attributes where `items_may`: the tokens are items of a front page.
fn misplaced(tokens: TokenStream, items_may: bool) -> Vec<usize> {
    let (mut lines, mut before) = (Vec::new(), [String::new(), String::new()]);
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let words = [before[0].as_str(), before[1].as_str()];
            let is_cfg = matches!(words, [_, "cfg" | "cfg_attr"] | ["cfg", "!"]);
            if is_cfg && names_a_system(group.stream()) {
                lines.push(group.span_open().start().line);
            } else if !(items_may && words[1] == "#") {
                lines.extend(misplaced(group.stream(), items_may && words[0] == "mod"));
            }
        }
        let [_, last] = before;
        before = [last, token.to_string()];
    }
    lines
}

fn names_a_system(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => names_a_system(group.stream()),
        TokenTree::Ident(ident) => {
            ["target_os", "target_family", "windows", "unix"].iter().any(|word| ident == word)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;

    const FRONT: &str = "crates/sys/src/clock/mod.rs";
    const LIBRARY: &str = "crates/measure/src/lib.rs";

    #[test]
    fn a_choice_outside_front_pages_or_inside_an_item_is_reported() {
        for (path, text, line) in [
            (LIBRARY, "#[cfg(windows)]\nmod a;\n", 1),
            (LIBRARY, "#[cfg(target_os = \"linux\")]\nmod a;\n", 1),
            (LIBRARY, "mod a;\n#[cfg_attr(not(unix), allow(unused))]\nmod b;\n", 2),
            ("crates/sys/src/clock/linux.rs", "fn f() -> bool { cfg!(unix) }\n", 1),
            (FRONT, "#![cfg(windows)]\n", 1),
            (FRONT, "struct A {\n    #[cfg(windows)]\n    a: u8,\n}\n", 2),
            (FRONT, "enum A {\n    #[cfg(windows)]\n    B,\n}\n", 2),
            (FRONT, "impl A {\n    #[cfg(windows)]\n    fn f() {}\n}\n", 2),
            (FRONT, "fn f() {\n    if cfg!(windows) {}\n}\n", 2),
        ] {
            assert_eq!(super::super::lines(&RULE, &[(path, text)]), [line], "{path}: {text}");
        }
    }

    #[test]
    fn items_chosen_on_a_front_page_and_other_conditions_pass() {
        let text =
            "#[cfg(target_os = \"linux\")]\nmod linux;\nmod a {\n    #[cfg(windows)]\n    mod windows;\n}\n";
        for (path, text) in [
            (FRONT, text),
            ("crates/sys/src/hangup.rs", text),
            ("crates/families/src/copy/mod.rs", text),
            ("crates/families/src/copy/techniques/mod.rs", text),
            ("crates/sys/tests/process/main.rs", text),
            ("xtask/src/main.rs", text),
            (LIBRARY, "#[cfg(test)]\nmod tests {}\n"),
            (LIBRARY, "/// `#[cfg(windows)]`\nmod a {}\n"),
        ] {
            assert!(super::super::lines(&RULE, &[(path, text)]).is_empty(), "{path}: {text}");
        }
    }
}
