//! The operating system is chosen on front pages only, item by item.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::Attribute;

use super::{Place, Rule, Tree};

pub(super) const RULE: Rule = Rule {
    name: "platforms",
    remedy: "Choose the system on a front page (a file at the top of sys or a mod.rs there, a mod.rs of a family or of its techniques, a main.rs of tests, of an example or of xtask), for a whole item.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let choices = tree.rust().flat_map(|(file, syntax)| {
        let allowed = if is_front_page(&file.path) { lines_of_items(&syntax.items) } else { Vec::new() };
        let choices = file.tokens.as_ref().map(choices).unwrap_or_default();
        let misplaced = choices.into_iter().filter(move |line| !allowed.contains(line));
        misplaced.map(|line| Place::new(&file.path, line, "cfg on the operating system"))
    });
    choices.collect()
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

/// The lines of all `cfg`, `cfg_attr` and `cfg!` that ask for the system.
fn choices(tokens: &TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut is_cfg = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) if is_cfg && names_a_system(&group.stream()) => {
                lines.push(line_of(group.span_open()));
            }
            TokenTree::Group(group) => lines.extend(choices(&group.stream())),
            TokenTree::Ident(ident) => {
                is_cfg = ident == "cfg" || ident == "cfg_attr";
                continue;
            }
            TokenTree::Punct(punct) if punct.as_char() == '!' => continue,
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        is_cfg = false;
    }
    lines
}

fn names_a_system(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => names_a_system(&group.stream()),
        TokenTree::Ident(ident) => {
            ["target_os", "target_family", "windows", "unix"].iter().any(|word| ident == word)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The lines of `cfg` attributes on items of a module, which is where they belong.
fn lines_of_items(items: &[syn::Item]) -> Vec<usize> {
    let mut lines = Vec::new();
    for item in items {
        lines.extend(attributes_of(item).unwrap_or_default().iter().flat_map(lines_of_attribute));
        if let syn::Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) = item {
            lines.extend(lines_of_items(items));
        }
    }
    lines
}

fn lines_of_attribute(attribute: &Attribute) -> std::ops::RangeInclusive<usize> {
    let span = attribute.bracket_token.span;
    line_of(span.open())..=line_of(span.close())
}

/// The line on which something begins, from 1.
fn line_of(span: Span) -> usize {
    span.start().line
}

/// The attributes of an item; `None` for what holds none.
fn attributes_of(item: &syn::Item) -> Option<&[Attribute]> {
    Some(match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::ForeignMod(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::TraitAlias(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::tidy::lines;

    const FRONT: &str = "crates/sys/src/clock/mod.rs";

    #[test]
    fn a_choice_outside_front_pages_is_told() {
        for choice in ["cfg(windows)", "cfg(target_os = \"linux\")", "cfg_attr(not(unix), allow(unused))"] {
            let text = format!("#[{choice}]\nmod a;\n");
            assert_eq!(lines(&RULE, "crates/measure/src/lib.rs", &text), [1], "{choice}");
        }
        assert_eq!(lines(&RULE, "crates/sys/src/clock/linux.rs", "fn f() -> bool { cfg!(unix) }\n"), [1]);
    }

    #[test]
    fn a_choice_inside_an_item_is_told_even_on_a_front_page() {
        assert_eq!(lines(&RULE, FRONT, "struct A {\n    #[cfg(windows)]\n    a: u8,\n}\n"), [2]);
        assert_eq!(lines(&RULE, FRONT, "enum A {\n    #[cfg(windows)]\n    B,\n}\n"), [2]);
        assert_eq!(lines(&RULE, FRONT, "fn f() {\n    if cfg!(windows) {}\n}\n"), [2]);
    }

    #[test]
    fn modules_chosen_on_a_front_page_and_other_conditions_pass() {
        let text = "#[cfg(target_os = \"linux\")]\nmod linux;\n#[cfg(windows)]\nmod windows;\n";
        assert!(lines(&RULE, FRONT, text).is_empty());
        assert!(lines(&RULE, "crates/sys/src/hangup.rs", "#[cfg(windows)]\npub fn f() {}\n").is_empty());
        assert!(lines(&RULE, "crates/families/src/copy/mod.rs", text).is_empty());
        assert!(lines(&RULE, "crates/families/src/copy/techniques/mod.rs", text).is_empty());
        assert!(lines(&RULE, "crates/sys/tests/process/main.rs", text).is_empty());
        assert!(lines(&RULE, "xtask/src/main.rs", text).is_empty());
        assert!(lines(&RULE, "crates/store/src/lib.rs", "#[cfg(test)]\nmod tests {}\n").is_empty());
        assert!(lines(&RULE, "crates/store/src/lib.rs", "/// `#[cfg(windows)]`\nmod a {}\n").is_empty());
    }
}
