use crate::files::{fill_from, in_memory, is_copied};
use crate::sort::prelude::*;
use crate::sort::proof::proof_once_sorted_of;

pub(in crate::sort) const MEMORY_COPY: Technique<SortJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: every record is moved at \
           least once",
    source: "memcpy(3)",
    calls: &["only mmap|munmap|madvise|brk|mremap"],
    ceiling: true,
    ..Technique::usual(|job| {
        let copy = |from: &[u8], to: &mut [u8]| {
            to.copy_from_slice(from);
            Ok(())
        };
        let fill = |room: &mut [u8]| fill_from(&job.input, room);
        in_memory(job.bytes, 0xff, copy, is_copied, fill, |copied| {
            Ok(proof_once_sorted_of(copied, job.layout))
        })
    })
};
