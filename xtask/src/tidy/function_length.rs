//! A function is short enough to be seen whole.

use proc_macro2::Span;
use syn::visit::{self, Visit};

use super::syntax::line_of;
use super::{Place, Rule, Tree};

const LINES_MAX: usize = 70;

pub(super) const RULE: Rule =
    Rule { name: "function-length", remedy: "Move a step of it into a function with a name.", check };

fn check(tree: &Tree) -> Vec<Place> {
    let long = tree.rust().flat_map(|(file, syntax)| {
        let mut functions = Functions::default();
        functions.visit_file(syntax);
        functions.long.into_iter().map(|(name, line, count)| {
            let what = format!("function {name} has {count} lines, {LINES_MAX} are allowed");
            Place::new(&file.path, line, what)
        })
    });
    long.collect()
}

#[derive(Default)]
struct Functions {
    long: Vec<(String, usize, usize)>,
}

impl Functions {
    fn measure(&mut self, signature: &syn::Signature, end: Span) {
        let first = line_of(signature.fn_token.span);
        let count = end.end().line + 1 - first;
        if count > LINES_MAX {
            self.long.push((signature.ident.to_string(), first, count));
        }
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, item.block.brace_token.span.close());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, item.block.brace_token.span.close());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig, block.brace_token.span.close());
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES_MAX, RULE};
    use crate::tidy::lines;

    fn function(lines: usize) -> String {
        format!("\nfn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2))
    }

    #[test]
    fn one_line_too_many_is_told_wherever_the_function_stands() {
        let function = function(LINES_MAX + 1);
        assert_eq!(lines(&RULE, "crates/a/src/lib.rs", &function), [2]);
        assert_eq!(lines(&RULE, "crates/a/src/lib.rs", &format!("impl A {{{function}}}")), [2]);
        assert_eq!(lines(&RULE, "crates/a/src/lib.rs", &format!("trait A {{{function}}}")), [2]);
    }

    #[test]
    fn the_last_allowed_line_passes() {
        assert!(lines(&RULE, "crates/a/src/lib.rs", &function(LINES_MAX)).is_empty());
    }
}
