use memchr::memchr;

use super::sequential::one_after_the_other;
use crate::files::invalid;
use crate::search::prelude::*;

pub(super) const STR_FIND: Technique<SearchJob> = Technique {
    name: "str_find",
    idea: "read as sequential does, check that the text is UTF-8, find with str::find (the two-way algorithm)",
    source: "Rust's standard library, str::find; Crochemore and Perrin, Two-way string-matching, 1991",
    calls: &["read"],
    ..Technique::usual(|job| job.done_by(search))
};

/// Text that is checked at a time: a match does not make all that stands behind it be checked again.
const CHECKED_BYTES: usize = 4 << 10;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let literal = job.pattern.one_literal(STR_FIND.name)?;
    one_after_the_other(job, &TwoWay(std::str::from_utf8(literal).map_err(invalid)?))
}

struct TwoWay<'job>(&'job str);

impl Kernel for TwoWay<'_> {
    /// A literal holds no newline and no broken character: it lies inside one line and inside one valid stretch.
    fn find(&self, text: &[u8]) -> Option<usize> {
        let mut from = 0;
        while from < text.len() {
            let least = text.len().min(from + CHECKED_BYTES);
            let to = memchr(b'\n', &text[least..]).map_or(text.len(), |newline| least + newline + 1);
            let mut offset = from;
            for stretch in text[from..to].utf8_chunks() {
                if let Some(at) = stretch.valid().find(self.0) {
                    return Some(offset + at);
                }
                offset += stretch.valid().len() + stretch.invalid().len();
            }
            from = to;
        }
        None
    }
}
