//! Room for threads of the standard library.
//!
//! Each of them asks for memory when it begins, for a second stack on which signals are handled, and one that gets none ends the
//! process without a word. So a thread is refused here, with a reason, while there is still room for those that were started.

use std::io;

use super::{system, usual_stack_bytes};

/// There is memory for so many on every host on which anything can be measured.
const FEW: usize = 32;
/// So many meet no limit on maps of memory where the program itself meets none.
const MANY: usize = 1_000;
/// What a thread takes at most beside its stack when it begins.
const SETUP_BYTES: u64 = 1 << 20;
/// Stacks for which there must be room when another thread is started: those that were started may not have all their memory yet.
const STACKS_LEFT: u64 = 5;

/// Whether there is room for so many threads, found out before the first of them is started.
#[derive(Debug, Clone)]
pub struct Room {
    /// How many can be alive at once.
    most: u64,
    stack_bytes: u64,
    /// There may be no address space for all of them: it is looked for before each.
    is_tight: bool,
}

impl Room {
    /// Room for `count` threads beside what the process holds now. `stack_bytes` is `None` for the usual size.
    pub fn for_threads(count: usize, stack_bytes: Option<usize>) -> Self {
        let stack_bytes = stack_bytes.map_or_else(usual_stack_bytes, |bytes| bytes as u64);
        let all_bytes = (count as u64).saturating_mul(stack_bytes.saturating_add(SETUP_BYTES));
        Self {
            most: if count > MANY { system::most_threads() } else { u64::MAX },
            stack_bytes,
            is_tight: count > FEW && system::reserve(all_bytes).is_err(),
        }
    }

    /// Sees whether there is room for another thread beside so many that are alive.
    pub fn check(&self, alive: usize) -> io::Result<()> {
        if alive as u64 >= self.most {
            return Err(system::no_maps());
        }
        if self.is_tight { system::reserve(self.stack_bytes.saturating_mul(STACKS_LEFT)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_beside_few_others_has_room_and_one_beside_countless_others_where_maps_are_limited_has_none() {
        Room::for_threads(2, None).check(1).expect("room for a thread");
        Room::for_threads(500, Some(64 << 10)).check(499).expect("room for a small thread");
        let refused = Room::for_threads(usize::MAX, Some(64 << 10)).check(1 << 40).err();
        assert_eq!(refused.is_some(), system::most_threads() < 1 << 40, "{refused:?}");
        assert!(refused.is_none_or(|error| error.kind() == io::ErrorKind::OutOfMemory));
    }
}
