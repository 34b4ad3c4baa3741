//! Every unsafe block says why it is sound.

use syn::visit::{self, Visit};

use super::syntax::line_of;
use super::{Place, Rule, Tree};

const MARK: &str = "SAFETY:";
/// Fewer words than this are no sentence.
const WORDS_MIN: usize = 3;

pub(super) const RULE: Rule = Rule {
    name: "safety",
    remedy: "Write a comment \"SAFETY:\" with a sentence right above it that says why it is sound.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let silent = tree.rust().flat_map(|(file, syntax)| {
        let mut blocks = Blocks::default();
        blocks.visit_file(syntax);
        let text: Vec<&str> = file.text.lines().collect();
        let silent = blocks.lines.into_iter().filter(move |&line| !has_reason(&text, line));
        silent.map(|line| Place::new(&file.path, line, "unsafe without a reason"))
    });
    silent.collect()
}

#[derive(Default)]
struct Blocks {
    lines: Vec<usize>,
}

impl<'ast> Visit<'ast> for Blocks {
    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.lines.push(line_of(block.unsafe_token.span));
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.lines.extend(item.unsafety.map(|token| line_of(token.span)));
        visit::visit_item_impl(self, item);
    }
}

/// Looks upwards from the line of the block, as far as its statement reaches, for a comment with a reason.
fn has_reason(text: &[&str], line: usize) -> bool {
    let above = text[..line - 1].iter().rev().map(|line| line.trim());
    let mut comment = Vec::new();
    for line in above {
        if let Some(words) = line.strip_prefix("//") {
            comment.push(words.trim_start_matches(['/', ' ']));
            if let Some(first) = words.trim().strip_prefix(MARK) {
                comment.pop();
                let words = first.split_whitespace().count()
                    + comment.iter().flat_map(|line| line.split_whitespace()).count();
                return words >= WORDS_MIN;
            }
        } else if line.is_empty() || line.ends_with([';', '{', '}']) || !comment.is_empty() {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::tidy::lines;

    const PATH: &str = "crates/sys/src/clock/linux.rs";

    #[test]
    fn a_block_without_a_sentence_is_told() {
        assert_eq!(lines(&RULE, PATH, "fn f() {\n    unsafe { g() }\n}\n"), [2]);
        assert_eq!(lines(&RULE, PATH, "fn f() {\n    // SAFETY: fine\n    unsafe { g() }\n}\n"), [3]);
        assert_eq!(lines(&RULE, PATH, "unsafe impl Send for A {}\n"), [1]);
    }

    #[test]
    fn a_sentence_for_another_statement_does_not_count() {
        let text = "fn f() {\n    // SAFETY: the buffer is ours alone.\n    g();\n    unsafe { h() };\n}\n";
        assert_eq!(lines(&RULE, PATH, text), [4]);
    }

    #[test]
    fn a_sentence_above_the_statement_passes_also_over_several_lines() {
        let text = "fn f() {\n    // SAFETY: the buffer is ours\n    // alone.\n    let x = g(\n        1,\n        \
                    unsafe { h() },\n    );\n}\n";
        assert!(lines(&RULE, PATH, text).is_empty());
        let text = "// SAFETY: the handle may be used by any thread.\nunsafe impl Send for A {}\n";
        assert!(lines(&RULE, PATH, text).is_empty());
    }
}
