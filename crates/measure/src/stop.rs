//! Limits of work that takes long.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use sys::clock;

/// Limit of a removal and of work on small files. That of a technique is the user's, who may give it a second.
pub(crate) const LIMIT_NS: u64 = 60_000_000_000;

/// No device that is worth measuring is slower. Work on a large file also gets the time that it takes at this rate.
const SLOWEST_BYTES_PER_SECOND: u64 = 10 << 20;

/// Returns whether work may go on: an error once the user wants to stop, or when it has taken too long.
pub(crate) fn check_stop(interrupted: &AtomicBool, limit_ns: u64) -> impl Fn() -> io::Result<()> {
    let start_ns = clock::now_ns();
    move || {
        if interrupted.load(Ordering::Relaxed) {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "it was interrupted"));
        }
        if clock::now_ns().saturating_sub(start_ns) > limit_ns {
            let limit = model::format_long_ns(limit_ns);
            return Err(io::Error::new(io::ErrorKind::TimedOut, format!("it takes longer than {limit}")));
        }
        Ok(())
    }
}

pub(crate) fn limit_ns(bytes: u64) -> u64 {
    LIMIT_NS.saturating_add((bytes / SLOWEST_BYTES_PER_SECOND).saturating_mul(1_000_000_000))
}

/// Does what nothing can end, a call that waits for a device, on a thread of its own. When `check_stop` says so, the thread is
/// left to itself: it ends when the device answers, or with the program.
pub(crate) fn patiently<Done: Send + 'static>(
    check_stop: &dyn Fn() -> io::Result<()>, work: impl FnOnce() -> io::Result<Done> + Clone + Send + 'static,
) -> io::Result<Done> {
    /// Between two questions whether it may go on.
    const PAUSE: Duration = Duration::from_millis(20);
    let (sender, said) = mpsc::channel();
    let on_thread = work.clone();
    let started = thread::Builder::new().spawn(move || sender.send(on_thread()).ok());
    if started.is_err() {
        // Where no thread is to be had, it is waited for.
        return work();
    }
    loop {
        match said.recv_timeout(PAUSE) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Timeout) => check_stop()?,
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("the work was given up")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_goes_on_until_an_interruption_or_its_limit() {
        let interrupted = AtomicBool::new(false);
        let (unlimited, limited) = (check_stop(&interrupted, u64::MAX), check_stop(&interrupted, 0));
        unlimited().expect("it may go on");
        // The clock moves on, however coarse it is.
        let start_ns = clock::now_ns();
        while clock::now_ns() <= start_ns {}
        let late = limited().expect_err("no time was given");
        assert_eq!((late.kind(), &*late.to_string()), (io::ErrorKind::TimedOut, "it takes longer than 0 ns"));
        interrupted.store(true, Ordering::Relaxed);
        for stopped in [unlimited(), limited()] {
            assert_eq!(stopped.expect_err("interrupted").kind(), io::ErrorKind::Interrupted);
        }
    }

    #[test]
    fn a_large_file_is_given_the_time_that_it_takes() {
        assert_eq!(limit_ns(0), LIMIT_NS);
        assert_eq!(limit_ns(100 * SLOWEST_BYTES_PER_SECOND), LIMIT_NS + 100_000_000_000);
        assert_eq!(limit_ns(u64::MAX), u64::MAX);
    }

    #[test]
    fn a_call_that_never_answers_is_left_when_it_may_not_go_on() {
        assert_eq!(patiently(&|| Ok(()), || Ok(7)).expect("an answer"), 7);
        let refused = patiently(&|| Ok(()), || Err::<(), _>(io::ErrorKind::StorageFull.into()));
        assert_eq!(refused.expect_err("refused").kind(), io::ErrorKind::StorageFull);
        for why in [io::ErrorKind::Interrupted, io::ErrorKind::TimedOut] {
            let left = patiently(&|| Err(why.into()), || -> io::Result<()> {
                loop {
                    thread::park();
                }
            });
            assert_eq!(left.expect_err("left").kind(), why);
        }
    }
}
