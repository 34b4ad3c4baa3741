//! Public names say what a thing is; these words say nothing.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Item, Visibility};

use super::syntax::{attributes_of, is_for_tests, line_of, words_of};
use super::{Place, Rule, Tree};

const AVOIDED: &[&str] = &["benchmark", "test", "result", "manager", "util", "common", "helper"];

pub(super) const RULE: Rule = Rule {
    name: "names",
    remedy: "Name it by what it is: a sample, a trial, a proof, a ranking, the thing that it does.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let named = tree.rust().filter(|(file, _)| !file.is_for_tests()).flat_map(|(file, syntax)| {
        let mut names = Names::default();
        names.visit_file(syntax);
        names.avoided.into_iter().map(|(name, word, line)| {
            Place::new(&file.path, line, format!("the name {name} holds the word {word}"))
        })
    });
    named.collect()
}

#[derive(Default)]
struct Names {
    avoided: Vec<(String, &'static str, usize)>,
}

impl Names {
    fn look_at(&mut self, name: &Ident) {
        let text = name.to_string();
        for word in words_of(&text) {
            let singular = word.strip_suffix('s').unwrap_or(&word);
            if let Some(avoided) = AVOIDED.iter().find(|avoided| **avoided == word || **avoided == singular) {
                self.avoided.push((text.clone(), avoided, line_of(name.span())));
            }
        }
    }

    fn look_at_public(&mut self, visibility: &Visibility, name: &Ident) {
        if matches!(visibility, Visibility::Public(_)) {
            self.look_at(name);
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        if attributes_of(item).is_some_and(is_for_tests) {
            return;
        }
        match item {
            Item::Const(item) => self.look_at_public(&item.vis, &item.ident),
            Item::Fn(item) => self.look_at_public(&item.vis, &item.sig.ident),
            Item::Static(item) => self.look_at_public(&item.vis, &item.ident),
            Item::Struct(item) => self.look_at_public(&item.vis, &item.ident),
            // An alias of the standard library's own is not a name that was chosen here.
            Item::Type(item) if item.ident != "Result" => self.look_at_public(&item.vis, &item.ident),
            Item::Enum(item) if matches!(item.vis, Visibility::Public(_)) => {
                self.look_at(&item.ident);
                item.variants.iter().for_each(|variant| self.look_at(&variant.ident));
            }
            Item::Trait(item) if matches!(item.vis, Visibility::Public(_)) => {
                self.look_at(&item.ident);
                item.items.iter().filter_map(trait_item_name).for_each(|name| self.look_at(name));
            }
            // A module's name is also the name of a file, which all readers see.
            Item::Mod(item) => self.look_at(&item.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.look_at_public(&field.vis, name);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.look_at_public(&item.vis, &item.sig.ident);
    }
}

fn trait_item_name(item: &syn::TraitItem) -> Option<&Ident> {
    match item {
        syn::TraitItem::Const(item) => Some(&item.ident),
        syn::TraitItem::Fn(item) => Some(&item.sig.ident),
        syn::TraitItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::tidy::lines;

    const PATH: &str = "crates/stats/src/lib.rs";

    #[test]
    fn an_avoided_word_is_told_in_every_kind_of_public_name() {
        for text in [
            "pub fn run_benchmark() {}",
            "pub struct TestPlan;",
            "pub struct A { pub result_bytes: u64 }",
            "pub enum A { Result }",
            "pub trait Manager {}",
            "pub trait A { fn helpers(&self); }",
            "impl A { pub fn util(&self) {} }",
            "pub const RESULTS: u8 = 1;",
            "mod common;",
        ] {
            assert_eq!(lines(&RULE, PATH, text), [1], "{text}");
        }
    }

    #[test]
    fn tests_private_names_and_the_standard_library_pass() {
        for text in [
            "pub fn run() -> Result<(), Error> { Ok(()) }",
            "pub type Result<T> = std::io::Result<T>;",
            "fn result() {}",
            "#[cfg(test)] mod tests { pub fn helper() {} }",
            "pub fn attest() {}",
            "pub struct Latest;",
        ] {
            assert!(lines(&RULE, PATH, text).is_empty(), "{text}");
        }
        assert!(lines(&RULE, "crates/cli/tests/run.rs", "pub fn helper() {}").is_empty());
    }
}
