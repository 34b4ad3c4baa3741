//! The wait of a thread that finds a ring without a wait of its own full or empty.

use std::hint::spin_loop;
use std::thread::yield_now;

/// A turn takes some ten nanoseconds; a message that is on its way comes sooner than another thread could be run.
const SPINS: u32 = 64;

/// The number of waits in vain so far.
#[derive(Default)]
pub(super) struct Patience(u32);

impl Patience {
    /// Spins a little, then lets other threads run.
    pub(super) fn wait(&mut self) {
        if self.0 < SPINS {
            self.0 += 1;
            spin_loop();
        } else {
            yield_now();
        }
    }
}
