//! The mapped file again, with a heap that serialises its users, as in the historical program sortFLSR.

use std::io;

use super::mapped_qsort::sort_in_mapping;
use crate::contract::Technique;
use crate::sort::job::{Account, SortJob, Sorted};
use crate::sort::system::Heap;

pub(in crate::sort) const MAPPED_QSORT_SERIALIZED_HEAP: Technique<SortJob> = Technique {
    name: "mapped_qsort_serialized_heap",
    alias: &["sortFLSR"],
    idea: "mapped_qsort with a heap that threads may share: every allocation takes its lock",
    source: "Hart, Windows System Programming, sortFLSR",
    calls: &["mmap file", "write"],
    ..Technique::usual(|job| job.done_by(sort))
};

/// The published program made its heap without `HEAP_NO_SERIALIZE`, and used it from a single thread: what it paid for was
/// the lock.
fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    sort_in_mapping(job, account, &Heap::<true>::new()?)
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
            let (tell, told) = channel();
            let heap = &heap;
            scope.spawn(move || {
                let piece = heap.allocate(100).expect("a little memory");
                tell.send("allocated").expect("heard");
                // SAFETY: it came from this heap and is not used any more.
                unsafe { heap.free(piece) };
                tell.send("freed").expect("heard");
            });
            assert_eq!(told.recv_timeout(Duration::from_millis(50)), Err(RecvTimeoutError::Timeout));
            drop(held);
            assert_eq!(told.iter().collect::<Vec<_>>(), ["allocated", "freed"]);
        });
    }

    #[test]
    fn threads_that_allocate_side_by_side_get_pieces_of_their_own() {
        let heap = Heap::<true>::new().expect("a heap");
        thread::scope(|scope| {
            for nth in 0..4_u8 {
                let heap = &heap;
                scope.spawn(move || {
                    let mut kept = Vec::new();
                    for bytes in (1..400).map(|step: usize| step * 13 % 997 + 1) {
                        let piece = heap.allocate(bytes).expect("a little memory");
                        // SAFETY: the heap gave so many bytes, and this thread alone has them.
                        unsafe { piece.as_ptr().write_bytes(nth, bytes) };
                        kept.push((piece, bytes));
                    }
                    for (piece, bytes) in kept {
                        // SAFETY: all of its bytes were set above.
                        let seen = unsafe { std::slice::from_raw_parts(piece.as_ptr(), bytes) };
                        assert!(seen.iter().all(|&byte| byte == nth));
                        // SAFETY: it came from this heap and is not used any more.
                        unsafe { heap.free(piece) };
                    }
                });
            }
        });
    }

    #[test]
    fn a_heap_of_one_thread_has_no_lock() {
        assert!(Heap::<false>::new().expect("a heap").hold().is_none());
    }
}
