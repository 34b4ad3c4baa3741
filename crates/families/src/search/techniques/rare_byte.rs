use memchr::arch::all::packedpair::Pair;
use memchr::memchr;

use super::sequential::one_after_the_other;
use crate::search::prelude::*;

pub(super) const RARE_BYTE: Technique<SearchJob> = Technique {
    name: "rare_byte",
    idea: "read as sequential does, memchr for the literal's rarest byte, then compare the literal around it",
    source: "ripgrep, before memchr::memmem; crate memchr",
    calls: &["read"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let literal = job.pattern.one_literal(RARE_BYTE.name)?;
    // A literal of a single byte has no pair, and that byte is its rarest.
    let offset = Pair::new(literal).map_or(0, |pair| usize::from(pair.index1()));
    one_after_the_other(job, &RareByte { literal, offset })
}

struct RareByte<'job> {
    literal: &'job [u8],
    offset: usize,
}

impl Kernel for RareByte<'_> {
    fn find(&self, text: &[u8]) -> Option<usize> {
        let rarest = self.literal[self.offset];
        let mut from = self.offset;
        while let Some(at) = memchr(rarest, text.get(from..)?) {
            let start = from + at - self.offset;
            if text[start..].starts_with(self.literal) {
                return Some(start);
            }
            from += at + 1;
        }
        None
    }
}
