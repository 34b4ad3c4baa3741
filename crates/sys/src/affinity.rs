//! The logical processors on which we run: on Windows, of those of the process's group.

use std::io;
use std::num::NonZero;

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
#[cfg(windows)]
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentProcessorNumber, GetCurrentThread, GetProcessAffinityMask,
    SetProcessAffinityMask, SetThreadAffinityMask, SetThreadIdealProcessor,
};

#[cfg(windows)]
use crate::windows::checked;

/// Returns the logical processors on which the calling thread may run, ascending. Empty when the system does not say.
#[cfg(target_os = "linux")]
pub fn allowed() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU as u32).filter(|&processor| set.is_set(processor as usize)).collect()
}

/// Returns the logical processors on which this process may run, ascending. Empty when the system does not say.
#[cfg(windows)]
pub fn allowed() -> Vec<u32> {
    let (mut ours, mut all) = (0_usize, 0_usize);
    // SAFETY: both places are valid for the answers; the handle is that of this process.
    let answer = unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut ours, &raw mut all) };
    match checked(answer) {
        Ok(()) => (0..usize::BITS).filter(|processor| ours >> processor & 1 == 1).collect(),
        Err(_) => Vec::new(),
    }
}

/// Returns on how many processors the calling thread may run: `chosen`, or what the system says, at least 1. One call, while the
/// standard library, which knows of quotas too, takes as long as copying 100 KB.
pub fn count(chosen: Option<NonZero<usize>>) -> usize {
    chosen.map_or_else(|| allowed().len().max(1), NonZero::get)
}

/// Returns the logical processor on which the calling thread runs at this moment; `None` where the system does not say.
#[cfg(target_os = "linux")]
pub fn current() -> Option<u32> {
    Some(sched_getcpu() as u32)
}

/// Returns the logical processor on which the calling thread runs at this moment.
#[cfg(windows)]
pub fn current() -> Option<u32> {
    // SAFETY: the call takes nothing and reads a number of the thread's own.
    Some(unsafe { GetCurrentProcessorNumber() })
}

/// Restricts the calling thread, and all threads and processes that it starts from now on, to `processors`; on Windows, where threads
/// do not inherit this, the whole process. Errors: the list is empty, or none of its processors exists or is allowed.
pub fn restrict(processors: &[u32]) -> io::Result<()> {
    if processors.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the list of processors is empty"));
    }
    set_allowed(&set_of(processors)?).map_err(|error| {
        let tried = format_args!("processors {processors:?} of {:?} allowed", allowed());
        crate::failure::in_context(tried, error)
    })
}

#[cfg(target_os = "linux")]
fn set_of(processors: &[u32]) -> io::Result<CpuSet> {
    let mut set = CpuSet::new();
    for &processor in processors {
        if processor as usize >= CpuSet::MAX_CPU {
            return Err(beyond(processor, CpuSet::MAX_CPU, "Linux"));
        }
        set.set(processor as usize);
    }
    Ok(set)
}

/// One bit a processor, as the calls of Windows want it.
#[cfg(windows)]
pub(crate) fn set_of(processors: &[u32]) -> io::Result<usize> {
    processors.iter().try_fold(0, |mask, &processor| match 1_usize.checked_shl(processor) {
        Some(bit) => Ok(mask | bit),
        None => Err(beyond(processor, usize::BITS as usize, "Windows")),
    })
}

fn beyond(processor: u32, most: usize, system: &str) -> io::Error {
    let text = format!("processor {processor} is beyond the {most} that {system} can name here");
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

#[cfg(target_os = "linux")]
fn set_allowed(set: &CpuSet) -> io::Result<()> {
    Ok(sched_setaffinity(None, set)?)
}

#[cfg(windows)]
fn set_allowed(set: &usize) -> io::Result<()> {
    // SAFETY: the call takes a number and the handle of this process.
    checked(unsafe { SetProcessAffinityMask(GetCurrentProcess(), *set) })
}

/// Keeps the calling thread, and no other that runs already, on one processor.
#[cfg(target_os = "linux")]
pub fn pin(processor: u32) -> io::Result<()> {
    restrict(&[processor])
}

/// Keeps the calling thread on one processor.
#[cfg(windows)]
pub fn pin(processor: u32) -> io::Result<()> {
    let mask = set_of(&[processor])?;
    // SAFETY: the call takes a number and the handle of the calling thread.
    match unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Moves the calling thread to one of its processors, counted from 0 and around; it may leave it again. Threads that are started
/// together often begin on one, and it takes the system milliseconds to move them. A hint: where it is not taken, nothing changes.
pub fn begin_on(nth: usize) {
    let allowed = allowed();
    if allowed.len() > 1 {
        move_to(allowed[nth % allowed.len()], &allowed);
    }
}

#[cfg(target_os = "linux")]
fn move_to(processor: u32, allowed: &[u32]) {
    if pin(processor).is_ok() {
        // What was allowed before is allowed again; were it not, the thread would stay where it is.
        let _ = restrict(allowed);
    }
}

#[cfg(windows)]
fn move_to(processor: u32, _allowed: &[u32]) {
    // SAFETY: the call takes a number and the handle of the calling thread. A refusal changes nothing.
    let _ = unsafe { SetThreadIdealProcessor(GetCurrentThread(), processor) };
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;

    /// Held by a test that looks at where the process may run: on Windows another test may be about to restrict all of it.
    fn undisturbed() -> MutexGuard<'static, ()> {
        static PROCESSORS: Mutex<()> = Mutex::new(());
        PROCESSORS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn processors_are_counted_and_one_of_them_is_the_current_one() {
        let _undisturbed = undisturbed();
        assert_eq!((count(NonZero::new(3)), count(None)), (3, allowed().len().max(1)));
        assert!(current().is_none_or(|current| allowed().is_empty() || allowed().contains(&current)));
    }

    #[test]
    fn a_pinned_thread_runs_on_its_processor_and_others_are_free() {
        let _undisturbed = undisturbed();
        let before = allowed();
        let Some(&last) = before.last() else { return };
        let pinned = std::thread::spawn(move || pin(last).map(|()| current()));
        assert_eq!(pinned.join().expect("a thread").expect("an allowed processor"), Some(last));
        assert_eq!(allowed(), before);
        pin(1023).expect_err("no such machine");
    }

    #[test]
    fn what_a_restricted_thread_starts_is_bound_as_well() {
        let _undisturbed = undisturbed();
        let before = allowed();
        let last = *before.last().expect("a processor");
        let inside = std::thread::spawn(move || {
            restrict(&[last]).expect("an allowed processor");
            std::thread::spawn(allowed).join().expect("the inner thread")
        });
        assert_eq!(inside.join().expect("the thread"), [last]);
        // Only where the whole process is restricted is there anything to take back.
        restrict(&before).expect("the processors from before");
        assert_eq!(allowed(), before);
    }

    #[test]
    fn a_thread_that_begins_on_a_processor_may_leave_it_again() {
        let _undisturbed = undisturbed();
        let before = allowed();
        for nth in [0, 1, 5] {
            let after = std::thread::spawn(move || {
                begin_on(nth);
                allowed()
            });
            assert_eq!(after.join().expect("a thread"), before);
        }
    }

    #[test]
    fn a_processor_that_does_not_exist_is_refused_by_name() {
        let refused = restrict(&[1023]).expect_err("no such machine");
        assert!(refused.to_string().contains("1023"), "{refused}");
        let refused = restrict(&[70_000]).expect_err("beyond every mask");
        assert!(refused.to_string().contains("processor 70000 is beyond"), "{refused}");
        restrict(&[]).expect_err("nowhere to run");
    }

    #[cfg(windows)]
    #[test]
    fn every_processor_is_one_bit() {
        assert_eq!(set_of(&[0, 2, 63]).expect("they exist"), 1 << 63 | 0b101);
        assert!(set_of(&[64]).expect_err("no such bit").to_string().contains("processor 64"));
    }
}
