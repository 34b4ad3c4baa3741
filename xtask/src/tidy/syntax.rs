//! Questions about Rust source that several rules ask.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::Attribute;

/// The line on which something begins, from 1.
pub(super) fn line_of(span: Span) -> usize {
    span.start().line
}

/// Whether an item only exists in tests: `#[cfg(test)]` or `#[test]`.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test")))
    })
}

/// The attributes of an item; `None` for what holds none.
pub(super) fn attributes_of(item: &syn::Item) -> Option<&[Attribute]> {
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

/// Calls of the named macros with their lines, also those inside other macros.
pub(super) fn macro_calls<'a>(tokens: &TokenStream, names: &[&'a str]) -> Vec<(&'a str, usize)> {
    let mut calls = Vec::new();
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => calls.extend(macro_calls(&group.stream(), names)),
            TokenTree::Ident(ident) => {
                let is_call =
                    matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
                if let Some(name) = names.iter().find(|name| is_call && ident == **name) {
                    calls.push((name, line_of(ident.span())));
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    calls
}

/// The words of an identifier in lower case: `snake_case` and `CamelCase` alike.
pub(super) fn words_of(identifier: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in identifier.split('_') {
        let mut previous_is_lower = false;
        words.push(String::new());
        for letter in part.chars() {
            if letter.is_uppercase() && previous_is_lower {
                words.push(String::new());
            }
            previous_is_lower = letter.is_lowercase() || letter.is_ascii_digit();
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{macro_calls, words_of};

    #[test]
    fn identifiers_fall_into_their_words() {
        assert_eq!(words_of("read_write_bytes"), ["read", "write", "bytes"]);
        assert_eq!(words_of("TrialRecord"), ["trial", "record"]);
        assert_eq!(words_of("MAX_LEN"), ["max", "len"]);
        assert_eq!(words_of("Utf16Reader"), ["utf16", "reader"]);
    }

    #[test]
    fn a_macro_inside_a_macro_is_found_and_a_string_is_not_a_call() {
        let tokens = "fn f() { vec![a!(1)]; let s = \"a!()\"; let a = 1; }".parse().expect("it is Rust");
        assert_eq!(macro_calls(&tokens, &["a"]).len(), 1);
    }
}
