use crate::search::prelude::*;
use crate::search::techniques::sequential::one_after_the_other;

pub(in crate::search) const LIBC_MEMMEM: Technique<SearchJob> = Technique {
    name: "libc_memmem",
    idea: "read as sequential does, find with the C library's memmem",
    source: "memmem(3); glibc, string/memmem.c",
    calls: &["read"],
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| {
            one_after_the_other(job, &Memmem(job.pattern.one_literal(LIBC_MEMMEM.name)?))
        })
    })
};

struct Memmem<'job>(&'job [u8]);

impl Kernel for Memmem<'_> {
    fn find(&self, text: &[u8]) -> Option<usize> {
        // SAFETY: both ranges are readable for the lengths that are announced.
        let found =
            unsafe { libc::memmem(text.as_ptr().cast(), text.len(), self.0.as_ptr().cast(), self.0.len()) };
        (!found.is_null()).then(|| found as usize - text.as_ptr() as usize)
    }
}
