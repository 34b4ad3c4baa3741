//! One technique, one file.

use syn::visit::{self, Visit};
use syn::{Item, Type};

use super::syntax::{attributes_of, is_for_tests, line_of};
use super::{Place, Rule, Tree};

pub(super) const RULE: Rule = Rule { name: "one-technique", remedy: "Give it a file of its own.", check };

/// The controls check the instrument: they answer no question, and several differ by a number only.
const CONTROLS: &str = "control";

fn check(tree: &Tree) -> Vec<Place> {
    let in_a_family = |path: &str| {
        let inside = path.strip_prefix("crates/families/src/").and_then(|path| path.split_once('/'));
        inside.is_some_and(|(family, _)| family != CONTROLS)
    };
    let files = tree.rust().filter(|(file, _)| in_a_family(&file.path) && !file.is_for_tests());
    let surplus = files.flat_map(|(file, syntax)| {
        let mut techniques = Techniques::default();
        techniques.visit_file(syntax);
        let further = techniques.lines.into_iter().skip(1);
        further.map(|line| Place::new(&file.path, line, "a second technique is declared in this file"))
    });
    surplus.collect()
}

#[derive(Default)]
struct Techniques {
    lines: Vec<usize>,
}

impl<'ast> Visit<'ast> for Techniques {
    fn visit_item(&mut self, item: &'ast Item) {
        if attributes_of(item).is_some_and(is_for_tests) {
            return;
        }
        match item {
            Item::Const(item) if is_technique(&item.ty) => self.lines.push(line_of(item.ident.span())),
            Item::Static(item) if is_technique(&item.ty) => self.lines.push(line_of(item.ident.span())),
            _ => visit::visit_item(self, item),
        }
    }
}

fn is_technique(declared: &Type) -> bool {
    let Type::Path(path) = declared else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "Technique")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::tidy::lines;

    const ONE: &str = "pub const A: Technique<Job> = Technique { name: \"a\" };\n";

    #[test]
    fn a_second_technique_is_told() {
        let two = format!("{ONE}pub static B: crate::Technique<Job> = b();\n");
        assert_eq!(lines(&RULE, "crates/families/src/copy/techniques/linux/a.rs", &two), [2]);
    }

    #[test]
    fn one_technique_lists_of_them_and_tests_pass() {
        assert!(lines(&RULE, "crates/families/src/copy/techniques/a.rs", ONE).is_empty());
        let list = "pub const ALL: &[Technique<Job>] = &[a::A, b::B];\n";
        assert!(
            lines(&RULE, "crates/families/src/copy/techniques/mod.rs", &format!("{ONE}{list}")).is_empty()
        );
        let tests = format!("{ONE}#[cfg(test)]\nmod tests {{ {ONE} }}\n");
        assert!(lines(&RULE, "crates/families/src/copy/techniques/a.rs", &tests).is_empty());
        assert!(
            lines(&RULE, "crates/families/src/control/techniques/slower.rs", &format!("{ONE}{ONE}"))
                .is_empty()
        );
        assert!(lines(&RULE, "crates/families/src/contract.rs", &format!("{ONE}{ONE}")).is_empty());
    }
}
