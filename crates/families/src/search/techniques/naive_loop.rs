use memchr::arch::all::packedpair::Pair;
use memchr::memchr;

use super::sequential::one_after_the_other;
use crate::search::prelude::*;

pub(super) const NAIVE_LOOP: Technique<SearchJob> = Technique {
    name: "naive_loop",
    idea: "read as sequential does, compare the literal with the bytes at every place, one byte after the other",
    source: "every textbook",
    calls: &["read"],
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| one_after_the_other(job, &Naive(job.pattern.one_literal(NAIVE_LOOP.name)?)))
    })
};

pub(super) const RARE_BYTE: Technique<SearchJob> = Technique {
    name: "rare_byte",
    idea: "read as sequential does, memchr for the literal's rarest byte, then compare the literal around it",
    source: "ripgrep, before memchr::memmem; crate memchr",
    calls: &["read"],
    ..Technique::usual(|job| job.done_by(search_by_rare_byte))
};

struct Naive<'job>(&'job [u8]);

impl Kernel for Naive<'_> {
    fn find(&self, text: &[u8]) -> Option<usize> {
        let last = text.len().checked_sub(self.0.len())?;
        (0..=last).find(|&at| self.0.iter().zip(&text[at..]).all(|(wanted, byte)| wanted == byte))
    }
}

fn search_by_rare_byte(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
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
