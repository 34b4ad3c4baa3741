//! Room for threads of the standard library.
//!
//! Each of them asks for memory when it begins, for a second stack on which signals are handled, and one that gets none ends the
//! process. So a thread is refused here, with a reason, before the process has no room for what the threads need once they run.

use std::io;
use std::sync::OnceLock;

use super::{system, usual_stack_bytes};

/// So few threads find room wherever the program itself does, as far as their number is limited.
const FEW: u64 = 1_000;

/// How many threads there is room for beside what the process holds already.
#[derive(Debug, Clone, Default)]
pub struct Room {
    most: OnceLock<u64>,
}

impl Room {
    /// Counts what the process holds now, before it has threads. [`Room::default`] counts when there are many, which takes about a
    /// millisecond.
    pub fn now() -> Self {
        Self { most: OnceLock::from(system::most_threads(0)) }
    }

    /// Sees whether there is room for another thread beside those that are alive. `stack_bytes` is `None` for the usual size.
    ///
    /// # Errors
    /// `OutOfMemory`: there is none.
    pub fn check(&self, alive: usize, stack_bytes: Option<usize>) -> io::Result<()> {
        let alive = alive as u64;
        if alive >= FEW && alive >= *self.most.get_or_init(|| system::most_threads(alive)) {
            return Err(system::no_maps());
        }
        system::check_address_space(stack_bytes.map_or_else(usual_stack_bytes, |bytes| bytes as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_beside_few_others_has_room_and_one_beside_countless_others_has_none_where_the_system_limits_them()
     {
        for room in [Room::now(), Room::default()] {
            room.check(0, None).expect("room for a thread");
            room.check(500, Some(64 << 10)).expect("room for a small thread");
            let refused = room.check(1 << 40, None).err();
            assert_eq!(refused.is_some(), system::most_threads(0) < 1 << 40, "{refused:?}");
            assert!(refused.is_none_or(|error| error.kind() == io::ErrorKind::OutOfMemory));
        }
    }
}
