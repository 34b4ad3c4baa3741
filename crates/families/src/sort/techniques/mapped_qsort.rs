use crate::files::{Mapping, OpenFile, pour};
use crate::sort::layout::PIECE_BYTES;
use crate::sort::prelude::*;
use crate::sort::qsort::{name_the_library, qsort};
use crate::sort::source::{Room, open};
use crate::sort::system::Heap;

pub(in crate::sort) const MAPPED_QSORT: Technique<SortJob> = Technique {
    name: "mapped_qsort",
    alias: &["sortFL"],
    idea: "copy the file, map the copy, and let the C library's qsort move its records in place",
    source: "Hart, Windows System Programming, sortFL",
    calls: &["mmap file", "write"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| sort_in_mapping(job, account, &Heap::<false>::new()?))
    })
};

/// Sorts a copy of the input, made inside the clock as in the published program, in place. `heap` allocates.
pub(super) fn sort_in_mapping<const SERIALIZED: bool>(
    job: &SortJob,
    account: &mut Account,
    heap: &Heap<SERIALIZED>,
) -> io::Result<Sorted> {
    let (input, bytes) = open(job)?;
    let output = OpenFile::create_to_map(&job.output)?;
    account.phase("read", || copy(&input, &output, bytes, heap))?;
    name_the_library(account);
    let (record_bytes, key_bytes) = (job.layout.record_bytes(), job.layout.key_bytes());
    if bytes == 0 {
        // A file without a byte cannot be mapped.
        if !job.written {
            return Ok(Sorted::InMemory(Box::new(Room::<u8>::new(0)?)));
        }
    } else {
        let mut records = Mapping::of_destination(&output, bytes)?;
        account.phase("sort", || qsort(&mut records, record_bytes, key_bytes));
        if !job.written {
            return Ok(Sorted::InMemory(Box::new(records)));
        }
        if job.durable {
            records.hand_over(&output)?;
        }
    }
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn copy<const SERIALIZED: bool>(
    input: &OpenFile,
    output: &OpenFile,
    bytes: usize,
    heap: &Heap<SERIALIZED>,
) -> io::Result<()> {
    let length = bytes.clamp(1, PIECE_BYTES);
    let piece = heap.allocate_zeroed(length)?;
    // SAFETY: the heap gave this many bytes that are set, and no other value uses them before they are given back.
    let poured = pour(input, output, unsafe { std::slice::from_raw_parts_mut(piece.as_ptr(), length) });
    // SAFETY: the piece came from this heap, and nothing refers to it any more.
    unsafe { heap.free(piece) };
    if poured? == bytes as u64 {
        Ok(())
    } else {
        Err(input.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof)))
    }
}
