//! Locks and waits of the standard library, or those of loom, which tries every order of events.

#[cfg(loom)]
use loom as provider;
#[cfg(not(loom))]
use std as provider;

use std::sync::PoisonError;

pub(crate) use provider::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use provider::sync::{Condvar, Mutex, MutexGuard};
pub(crate) use provider::thread::yield_now;

/// Tries of a taken lock before others are let run, each after twice the pause: together some hundred nanoseconds, longer than a running
/// thread holds it. Each try takes the holder's cache line away.
#[cfg(not(loom))]
const SPINS: u32 = 5;
/// Tries after which it is left to the system who gets the lock.
#[cfg(not(loom))]
const TRIES: u32 = 9;

/// Locks. A thread that panics under the lock leaves no half-made state, since only moves are made under it.
#[cfg(not(loom))]
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    use std::sync::TryLockError;
    for tried in 0..TRIES {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if tried < SPINS => {
                (0..1 << tried).for_each(|_| std::hint::spin_loop())
            }
            // Its holder waits for a processor: ours may be the one.
            Err(TryLockError::WouldBlock) => yield_now(),
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(loom)]
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the lock back, sleeps until called, and locks again.
pub(crate) fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
