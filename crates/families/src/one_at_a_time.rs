//! Tests that choose among the processors come one after the other: on Windows a choice holds for the whole process.

use std::sync::{Mutex, MutexGuard, PoisonError};

static CHOOSING: Mutex<()> = Mutex::new(());

/// Waits until no other test chooses.
pub(crate) fn choosing_processors() -> MutexGuard<'static, ()> {
    // A test that has failed does not make the others fail.
    CHOOSING.lock().unwrap_or_else(PoisonError::into_inner)
}
