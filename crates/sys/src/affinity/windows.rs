//! `GetProcessAffinityMask` and `SetProcessAffinityMask`: the processors of the process's group.
//!
//! Threads do not inherit the processors of the thread that starts them here, processes do from processes. So the
//! whole process is restricted.

use std::io;

use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentProcessorNumber, GetCurrentThread, GetProcessAffinityMask,
    SetProcessAffinityMask, SetThreadAffinityMask, SetThreadIdealProcessor,
};

use crate::windows::checked;

/// The processors of the group in which this process may run.
pub fn allowed() -> Vec<u32> {
    let (mut ours, mut all) = (0_usize, 0_usize);
    // SAFETY: both places are valid for the answers; the handle is that of this process.
    let answer = unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut ours, &raw mut all) };
    match checked(answer) {
        Ok(()) => (0..usize::BITS).filter(|processor| ours >> processor & 1 == 1).collect(),
        Err(_) => Vec::new(),
    }
}

/// The processor on which the calling thread runs.
pub fn current() -> Option<u32> {
    // SAFETY: the call takes nothing and reads a number of the thread's own.
    Some(unsafe { GetCurrentProcessorNumber() })
}

pub(super) fn restrict(processors: &[u32]) -> io::Result<()> {
    let mask = mask_of(processors)?;
    // SAFETY: the call takes a number and the handle of this process.
    checked(unsafe { SetProcessAffinityMask(GetCurrentProcess(), mask) }).map_err(|error| {
        crate::failure::in_context(
            format_args!("processors {processors:?} of {:?} allowed", allowed()),
            error,
        )
    })
}

/// Keeps the calling thread on one processor.
pub fn pin(processor: u32) -> io::Result<()> {
    let mask = mask_of(&[processor])?;
    // SAFETY: the call takes a number and the handle of the calling thread.
    match unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

pub(super) fn begin_on(processor: u32, _allowed: &[u32]) {
    // SAFETY: the call takes a number and the handle of the calling thread. A refusal changes nothing.
    let _ = unsafe { SetThreadIdealProcessor(GetCurrentThread(), processor) };
}

/// One bit a processor, as the calls want it.
pub(crate) fn mask_of(processors: &[u32]) -> io::Result<usize> {
    processors.iter().try_fold(0, |mask, &processor| match 1_usize.checked_shl(processor) {
        Some(bit) => Ok(mask | bit),
        None => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("processor {processor} is beyond the {} that Windows can name here", usize::BITS),
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::{allowed, mask_of, restrict};
    use crate::affinity::undisturbed;

    #[test]
    fn a_restricted_process_runs_where_it_may_until_it_is_free_again() {
        let _undisturbed = undisturbed();
        let before = allowed();
        let last = before[before.len() - 1];
        restrict(&[last]).expect("an allowed processor");
        assert_eq!(std::thread::spawn(allowed).join().expect("a thread"), [last]);
        restrict(&before).expect("the processors from before");
        assert_eq!(allowed(), before);
    }

    #[test]
    fn every_processor_is_one_bit() {
        assert_eq!(mask_of(&[0, 2, 63]).expect("they exist"), 1 << 63 | 0b101);
        assert!(mask_of(&[64]).expect_err("no such bit").to_string().contains("processor 64"));
    }
}
