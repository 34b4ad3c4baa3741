use super::mapped_qsort::sort_in_mapping;
use crate::sort::prelude::*;
use crate::sort::system::Heap;

pub(in crate::sort) const MAPPED_QSORT_SERIALIZED_HEAP: Technique<SortJob> = Technique {
    name: "mapped_qsort_serialized_heap",
    alias: &["sortFLSR"],
    idea: "mapped_qsort with a heap that threads may share: every allocation takes its lock",
    source: "Hart, Windows System Programming, sortFLSR",
    calls: &["mmap file", "write"],
    ..Technique::usual(|job| job.done_by(sort))
};

/// The published program made its heap without `HEAP_NO_SERIALIZE` and used it from one thread: it paid for the lock.
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
            let (tell, said) = channel();
            let heap = &heap;
            scope.spawn(move || {
                let piece = heap.allocate(100).expect("a little memory");
                tell.send("allocated").expect("heard");
                // SAFETY: it came from this heap and is not used any more.
                unsafe { heap.free(piece) };
                tell.send("freed").expect("heard");
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
