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

struct Naive<'job>(&'job [u8]);

impl Kernel for Naive<'_> {
    fn find(&self, text: &[u8]) -> Option<usize> {
        let last = text.len().checked_sub(self.0.len())?;
        (0..=last).find(|&at| self.0.iter().zip(&text[at..]).all(|(wanted, byte)| wanted == byte))
    }
}
