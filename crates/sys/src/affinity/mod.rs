//! On which logical processors we run.

use std::io;
use std::num::NonZero;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
pub(crate) mod system;

pub use system::{allowed, current, pin};

/// On how many logical processors the calling thread may run, at least 1: `chosen`, or what the system tells. That is one
/// call; the answer of the standard library, which knows of quotas too, takes as long as copying 100 KB.
pub fn count(chosen: Option<NonZero<usize>>) -> usize {
    chosen.map_or_else(|| allowed().len().max(1), NonZero::get)
}

/// Restricts the calling thread, and all threads and processes that it starts from now on, to `processors`.
/// On Windows, where threads do not inherit this, the whole process is restricted.
/// Errors: the list is empty, or none of its processors exists or is allowed.
pub fn restrict(processors: &[u32]) -> io::Result<()> {
    if processors.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the list of processors is empty"));
    }
    system::restrict(processors)
}

/// Moves the calling thread to one of the processors on which it may run, counted from 0 and around; it may leave it again.
/// Threads that are started together often begin on one processor, and it takes the system milliseconds to move one of
/// them. It is a hint: where the system does not take it, nothing changes.
pub fn begin_on(nth: usize) {
    let allowed = allowed();
    if allowed.len() > 1 {
        system::begin_on(allowed[nth % allowed.len()], &allowed);
    }
}

/// Held by a test that looks at where the process may run: on Windows another test may be about to restrict all of it.
#[cfg(test)]
fn undisturbed() -> std::sync::MutexGuard<'static, ()> {
    static PROCESSORS: std::sync::Mutex<()> = std::sync::Mutex::new(());
    PROCESSORS.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_at_this_moment_is_one_of_those_that_are_allowed() {
        let _undisturbed = undisturbed();
        let allowed = allowed();
        assert!(current().is_none_or(|current| allowed.is_empty() || allowed.contains(&current)));
    }

    #[test]
    fn processors_are_counted_where_no_number_is_chosen() {
        let _undisturbed = undisturbed();
        assert_eq!(count(NonZero::new(3)), 3);
        assert_eq!(count(None), allowed().len().max(1));
    }

    #[test]
    fn a_pinned_thread_runs_on_its_processor_and_the_others_are_free() {
        let _undisturbed = undisturbed();
        let before = allowed();
        let Some(&last) = before.last() else { return };
        let pinned = std::thread::spawn(move || {
            pin(last)?;
            Ok::<_, io::Error>(current())
        });
        assert_eq!(pinned.join().expect("a thread").expect("an allowed processor"), Some(last));
        assert_eq!(allowed(), before);
        pin(1023).expect_err("no such machine");
    }

    #[test]
    fn a_processor_that_does_not_exist_is_refused_by_name() {
        let refused = restrict(&[1023]).expect_err("no such machine");
        assert!(refused.to_string().contains("1023"), "{refused}");
        restrict(&[70_000]).expect_err("beyond every mask");
        restrict(&[]).expect_err("nowhere to run");
    }
}
