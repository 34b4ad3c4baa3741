//! Which threads still work, what went wrong first, and whether anything moves at all.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(250);
/// Looks in a row that see nothing arrive. They are counted, not timed: a machine that stood still took only one.
const IDLE_LOOKS: u32 = 20;

#[derive(Default)]
pub(super) struct Roll {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    left: usize,
    trouble: Option<io::Error>,
}

/// The units that a thread has received, on a cache line of its own: two of 64 bytes are fetched together.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Arrived(pub(super) AtomicU64);

impl Roll {
    pub(super) fn start<R: Send + 'static>(
        self: &Arc<Self>, work: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> io::Result<JoinHandle<Option<R>>> {
        let leaving = Leaving(Arc::clone(self));
        self.change(|state| state.left += 1);
        Builder::new().spawn(move || {
            let leaving = leaving;
            match work() {
                Ok(result) => Some(result),
                Err(error) => {
                    leaving.0.change(|state| {
                        state.trouble.get_or_insert(error);
                    });
                    None
                }
            }
        })
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        if state.left == 0 || state.trouble.is_some() {
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Waits for all threads; fails with the first error of any, or where nothing moves any more: threads that wait for ever
    /// are then left behind, since the process ends soon. `arrived` counts for each consumer, and last for the transmitter.
    pub(super) fn wait(&self, arrived: &[Arrived], total: u64, longest_wait: Duration) -> io::Result<()> {
        let look = LOOK.max(longest_wait.saturating_mul(2) / IDLE_LOOKS);
        let (mut seen, mut idle) = (0, 0);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(trouble) = state.trouble.take() {
                return Err(trouble);
            }
            if state.left == 0 {
                return Ok(());
            }
            let woken = self.changed.wait_timeout(state, look).unwrap_or_else(PoisonError::into_inner);
            state = woken.0;
            if woken.1.timed_out() {
                let now = sum(arrived);
                idle = if now == seen { idle + 1 } else { 0 };
                seen = now;
            }
            if idle == IDLE_LOOKS && state.left > 0 && state.trouble.is_none() {
                let at_consumers = arrived.split_last().map_or(0, |(_, consumers)| sum(consumers));
                return Err(stalled(at_consumers, total, look * IDLE_LOOKS, state.left));
            }
        }
    }
}

fn sum(of: &[Arrived]) -> u64 {
    of.iter().map(|arrived| arrived.0.load(Ordering::Relaxed)).sum()
}

fn stalled(arrived: u64, total: u64, idle: Duration, left: usize) -> io::Error {
    let sentence = format!(
        "stalled: no unit has arrived for {:.0} s; {arrived} of {total} have, and {left} threads wait for each other. A wake-up \
         was lost",
        idle.as_secs_f64()
    );
    io::Error::new(io::ErrorKind::TimedOut, sentence)
}

/// Strikes its thread off the roll, also when it panics.
struct Leaving(Arc<Roll>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.change(|state| {
            state.left -= 1;
            if std::thread::panicking() {
                state.trouble.get_or_insert_with(|| io::Error::other("a thread of the pipeline panicked"));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_first_error_of_a_thread_ends_the_wait_of_all() {
        let roll = Arc::new(Roll::default());
        let (release, wait) = channel::<()>();
        let waiting = roll.start(move || wait.recv().map_err(io::Error::other)).expect("started");
        let failing = roll.start(|| Err::<(), _>(io::Error::other("no such queue"))).expect("started");
        let error = roll.wait(&[], 1, Duration::ZERO).expect_err("one failed");
        assert_eq!(error.to_string(), "no such queue");
        drop(release);
        assert!(waiting.join().expect("no panic").is_none() && failing.join().expect("no panic").is_none());
    }

    #[test]
    fn a_thread_that_panics_ends_the_wait() {
        let roll = Arc::new(Roll::default());
        let panicking = roll.start(|| -> io::Result<()> { panic!("on purpose") }).expect("started");
        let error = roll.wait(&[], 1, Duration::ZERO).expect_err("one panicked");
        assert!(error.to_string().contains("panicked"), "{error}");
        assert!(panicking.join().is_err());
    }

    #[test]
    fn a_stall_is_an_error_that_says_how_far_it_came() {
        let roll = Arc::new(Roll::default());
        let (release, wait) = channel::<()>();
        let waiting = roll.start(move || wait.recv().map_err(io::Error::other)).expect("started");
        let arrived = [Arrived(AtomicU64::new(3)), Arrived::default(), Arrived(AtomicU64::new(7))];
        let error = roll.wait(&arrived, 10, Duration::ZERO).expect_err("nothing moves");
        let said = error.to_string();
        assert!(said.starts_with("stalled: no unit has arrived for 5 s; 3 of 10 have"), "{said}");
        drop(release);
        assert!(waiting.join().expect("no panic").is_none());
    }
}
