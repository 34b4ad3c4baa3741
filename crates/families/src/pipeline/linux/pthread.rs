//! The C library's mutex and condition variable.

use std::cell::UnsafeCell;
use std::io;
use std::pin::Pin;

use crate::pipeline::locked::{Conditions, Lock, Side};
use crate::pipeline::strategy::Waits;

fn done(code: libc::c_int) -> io::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}

/// A mutex of one kind, at an address of its own that does not change.
struct Mutex(Pin<Box<UnsafeCell<libc::pthread_mutex_t>>>);

// SAFETY: a mutex is made to be used by several threads at once.
unsafe impl Send for Mutex {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for Mutex {}

impl Mutex {
    fn open(kind: libc::c_int) -> io::Result<Self> {
        let mutex = Self(Box::pin(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER)));
        // SAFETY: all zero is valid for the attributes, which are initialised before they are used and destroyed after; the
        // mutex is not used yet, and its memory stays where it is.
        unsafe {
            let mut attributes: libc::pthread_mutexattr_t = std::mem::zeroed();
            done(libc::pthread_mutexattr_init(&raw mut attributes))?;
            let made = done(libc::pthread_mutexattr_settype(&raw mut attributes, kind))
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

impl Drop for Mutex {
    fn drop(&mut self) {
        // SAFETY: no thread holds it any more: all of them shared what owns it.
        unsafe { libc::pthread_mutex_destroy(self.0.get()) };
    }
}

/// A condition variable at an address of its own.
struct Condition(Pin<Box<UnsafeCell<libc::pthread_cond_t>>>);

// SAFETY: a condition variable is made to be used by several threads at once.
unsafe impl Send for Condition {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for Condition {}

impl Condition {
    fn new() -> Self {
        Self(Box::pin(UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER)))
    }
}

impl Drop for Condition {
    fn drop(&mut self) {
        // SAFETY: no thread waits for it any more: all of them shared what owns it.
        unsafe { libc::pthread_cond_destroy(self.0.get()) };
    }
}

/// A lock that enters the kernel only where another thread holds it: the normal mutex.
pub(in crate::pipeline) struct UserLock(Mutex);

impl Lock for UserLock {
    fn open() -> io::Result<Self> {
        Mutex::open(libc::PTHREAD_MUTEX_NORMAL).map(Self)
    }

    fn lock(&self) -> io::Result<()> {
        self.0.lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }
}

/// A mutex of a kind with two condition variables, whose wait gives back the mutex and waits at once. `ALL` are woken, or one.
pub(in crate::pipeline) struct Monitor<const KIND: libc::c_int, const ALL: bool> {
    mutex: Mutex,
    room: Condition,
    message: Condition,
}

impl<const KIND: libc::c_int, const ALL: bool> Monitor<KIND, ALL> {
    fn condition(&self, side: Side) -> *mut libc::pthread_cond_t {
        match side {
            Side::Room => self.room.0.get(),
            Side::Message => self.message.0.get(),
        }
    }
}

impl<const KIND: libc::c_int, const ALL: bool> Conditions for Monitor<KIND, ALL> {
    fn open(_waits: &Waits) -> io::Result<Self> {
        Ok(Self { mutex: Mutex::open(KIND)?, room: Condition::new(), message: Condition::new() })
    }

    fn lock(&self) -> io::Result<()> {
        self.mutex.lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.mutex.unlock()
    }

    fn wait(&self, side: Side) -> io::Result<()> {
        // SAFETY: both are initialised and stay where they are; the caller holds the mutex.
        done(unsafe { libc::pthread_cond_wait(self.condition(side), self.mutex.0.get()) })
    }

    fn wake(&self, side: Side) -> io::Result<()> {
        let condition = self.condition(side);
        // SAFETY: the condition variable is initialised and stays where it is.
        done(unsafe {
            match ALL {
                true => libc::pthread_cond_broadcast(condition),
                false => libc::pthread_cond_signal(condition),
            }
        })
    }
}

/// The atomic wait of the published strategies, all woken.
pub(in crate::pipeline) type BroadcastWait = Monitor<{ libc::PTHREAD_MUTEX_NORMAL }, true>;

/// The atomic wait of the published strategies, one woken.
pub(in crate::pipeline) type SignalWait = Monitor<{ libc::PTHREAD_MUTEX_NORMAL }, false>;

/// A mutex that spins a little before it sleeps, one woken.
pub(in crate::pipeline) type AdaptiveWait = Monitor<{ libc::PTHREAD_MUTEX_ADAPTIVE_NP }, false>;
