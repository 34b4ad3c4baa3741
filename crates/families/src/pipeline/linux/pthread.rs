//! The C library's mutex and condition variable.

use std::cell::UnsafeCell;
use std::io;
use std::pin::Pin;

use crate::pipeline::locked::{Condition, Lock};
use crate::pipeline::strategy::Waits;

fn done(code: libc::c_int) -> io::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}

pub(in crate::pipeline) struct Mutex<const KIND: libc::c_int>(Pin<Box<UnsafeCell<libc::pthread_mutex_t>>>);

// SAFETY: a mutex is made to be used by several threads at once.
unsafe impl<const KIND: libc::c_int> Send for Mutex<KIND> {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl<const KIND: libc::c_int> Sync for Mutex<KIND> {}

impl<const KIND: libc::c_int> Lock for Mutex<KIND> {
    fn open() -> io::Result<Self> {
        let mutex = Self(Box::pin(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER)));
        // SAFETY: zeros are valid until the attributes are initialised; the mutex is not used yet, and its memory stays.
        unsafe {
            let mut attributes: libc::pthread_mutexattr_t = std::mem::zeroed();
            done(libc::pthread_mutexattr_init(&raw mut attributes))?;
            let made = done(libc::pthread_mutexattr_settype(&raw mut attributes, KIND))
                .and_then(|()| done(libc::pthread_mutex_init(mutex.0.get(), &raw const attributes)));
            libc::pthread_mutexattr_destroy(&raw mut attributes);
            made?;
        }
        Ok(mutex)
    }

    fn lock(&self) -> io::Result<()> {
        // SAFETY: the mutex is initialised and stays where it is.
        done(unsafe { libc::pthread_mutex_lock(self.0.get()) })
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: as above, and the caller holds it.
        done(unsafe { libc::pthread_mutex_unlock(self.0.get()) })
    }
}

impl<const KIND: libc::c_int> Drop for Mutex<KIND> {
    fn drop(&mut self) {
        // SAFETY: no thread holds it any more: all of them shared what owns it.
        unsafe { libc::pthread_mutex_destroy(self.0.get()) };
    }
}

/// A condition variable at an address of its own, whose wait gives back the mutex and waits at once. `ALL` are woken, or one.
pub(in crate::pipeline) struct ConditionVariable<const ALL: bool>(Pin<Box<UnsafeCell<libc::pthread_cond_t>>>);

// SAFETY: a condition variable is made to be used by several threads at once.
unsafe impl<const ALL: bool> Send for ConditionVariable<ALL> {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl<const ALL: bool> Sync for ConditionVariable<ALL> {}

impl<const KIND: libc::c_int, const ALL: bool> Condition<Mutex<KIND>> for ConditionVariable<ALL> {
    fn open() -> io::Result<Self> {
        Ok(Self(Box::pin(UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER))))
    }

    fn wait(&self, mutex: &Mutex<KIND>, _waits: &Waits) -> io::Result<()> {
        // SAFETY: both are initialised and stay where they are; the caller holds the mutex.
        done(unsafe { libc::pthread_cond_wait(self.0.get(), mutex.0.get()) })
    }

    fn wake(&self) -> io::Result<()> {
        // SAFETY: the condition variable is initialised and stays where it is.
        done(unsafe {
            if ALL {
                libc::pthread_cond_broadcast(self.0.get())
            } else {
                libc::pthread_cond_signal(self.0.get())
            }
        })
    }
}

impl<const ALL: bool> Drop for ConditionVariable<ALL> {
    fn drop(&mut self) {
        // SAFETY: no thread waits for it any more: all of them shared what owns it.
        unsafe { libc::pthread_cond_destroy(self.0.get()) };
    }
}

pub(in crate::pipeline) type UserLock = Mutex<{ libc::PTHREAD_MUTEX_NORMAL }>;

/// A mutex that spins a little before it sleeps.
pub(in crate::pipeline) type AdaptiveLock = Mutex<{ libc::PTHREAD_MUTEX_ADAPTIVE_NP }>;
