use crate::files::{Mapping, OpenFile, pour};
use crate::sort::layout::PIECE_BYTES;
use crate::sort::prelude::*;
use crate::sort::qsort::{name_the_library, qsort};
use crate::sort::source::{Room, open};
use crate::sort::system::Heap;

pub(in crate::sort) const MAPPED_QSORT: Technique<SortJob> = Technique {
    name: "mapped_qsort",
    alias: &["sortFL"],
    idea: "copy the file (read and write; the published one, CopyFile), map the copy, and let the C library's qsort move \
           its records in place",
    source: "Hart, Windows System Programming, sortFL",
    calls: &["mmap file", "write"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| sort_in_mapping(job, account, &Heap::<false>::new()?))
    })
};

pub(in crate::sort) const MAPPED_QSORT_SERIALIZED_HEAP: Technique<SortJob> = Technique {
    name: "mapped_qsort_serialized_heap",
    alias: &["sortFLSR"],
    idea: "mapped_qsort with a heap that threads may share: its only allocation takes the lock, so that no difference can \
           show; see binary_search_tree_serialized_heap",
    source: "Hart, Windows System Programming, sortFLSR",
    calls: &["mmap file", "write"],
    // The published program made its heap without `HEAP_NO_SERIALIZE` and used it from one thread: it paid for the lock.
    ..Technique::usual(|job| job.done_by(|job, account| sort_in_mapping(job, account, &Heap::<true>::new()?)))
};

/// Sorts a copy of the input, made inside the clock as in the published program, in place. `heap` allocates.
fn sort_in_mapping<const SERIALIZED: bool>(
    job: &SortJob, account: &mut Account, heap: &Heap<SERIALIZED>,
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
    input: &OpenFile, output: &OpenFile, bytes: usize, heap: &Heap<SERIALIZED>,
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_thread_waits_as_long_as_another_is_inside_of_the_heap() {
        let heap = Heap::<true>::new().expect("a heap");
        thread::scope(|scope| {
            let held = heap.hold();
            assert!(held.is_some());
            let (sender, said) = channel();
            let heap = &heap;
            scope.spawn(move || {
                let piece = heap.allocate(100).expect("a little memory");
                sender.send("allocated").expect("heard");
                // SAFETY: it came from this heap and is not used any more.
                unsafe { heap.free(piece) };
                sender.send("freed").expect("heard");
            });
            assert_eq!(said.recv_timeout(Duration::from_millis(50)), Err(RecvTimeoutError::Timeout));
            drop(held);
            assert_eq!(said.iter().collect::<Vec<_>>(), ["allocated", "freed"]);
        });
    }

    #[test]
    fn a_heap_of_one_thread_has_no_lock() {
        assert!(Heap::<false>::new().expect("a heap").hold().is_none());
    }
}
