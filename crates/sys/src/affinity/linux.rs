//! `sched_getaffinity` and `sched_setaffinity`.

use std::io;

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The logical processors on which the calling thread may run, ascending. Empty when the system does not say.
pub fn allowed() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU)
        .filter(|&processor| set.is_set(processor))
        .map(|processor| processor as u32)
        .collect()
}

/// The logical processor on which the calling thread runs at this moment; `None` where the system does not say.
pub fn current() -> Option<u32> {
    Some(sched_getcpu() as u32)
}

pub(super) fn restrict(processors: &[u32]) -> io::Result<()> {
    let mut set = CpuSet::new();
    for &processor in processors {
        if processor as usize >= CpuSet::MAX_CPU {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("processor {processor} is beyond the {} that Linux can name here", CpuSet::MAX_CPU),
            ));
        }
        set.set(processor as usize);
    }
    sched_setaffinity(None, &set).map_err(|error| {
        let error = io::Error::from(error);
        crate::failure::in_context(
            format_args!("processors {processors:?} of {:?} allowed", allowed()),
            error,
        )
    })
}

/// Keeps the calling thread, and no other that runs already, on one processor.
pub fn pin(processor: u32) -> io::Result<()> {
    restrict(&[processor])
}

pub(super) fn begin_on(processor: u32, allowed: &[u32]) {
    if pin(processor).is_ok() {
        // What was allowed before is allowed again; were it not, the thread would stay where it is.
        let _ = restrict(allowed);
    }
}

#[cfg(test)]
mod tests {
    use super::{allowed, restrict};

    #[test]
    fn a_restricted_thread_runs_where_it_may_and_the_others_are_free() {
        let before = allowed();
        assert!(!before.is_empty());
        let last = before[before.len() - 1];
        let inside = std::thread::spawn(move || {
            restrict(&[last]).expect("an allowed processor");
            // What the thread starts is bound as well.
            std::thread::spawn(allowed).join().expect("the inner thread")
        });
        assert_eq!(inside.join().expect("the thread"), [last]);
        assert_eq!(allowed(), before);
    }

    #[test]
    fn a_thread_that_begins_on_a_processor_may_leave_it_again() {
        let before = allowed();
        for nth in [0, 1, 5] {
            let after = std::thread::spawn(move || {
                super::super::begin_on(nth);
                allowed()
            });
            assert_eq!(after.join().expect("a thread"), before);
        }
    }
}
