//! Waiting for children, and the sum of what they used.

use std::collections::HashSet;

use model::Usage;

use crate::usage::system::from_rusage;

/// Everything that has been waited for since a command was started.
#[derive(Debug)]
pub(super) struct Reaper {
    main: i32,
    /// Children that were there before the command: their ends are none of its business.
    pub(super) earlier: HashSet<i32>,
    /// The wait status of the command itself, once it has ended.
    pub(super) status: Option<i32>,
    /// What all that ended have used, with what they themselves waited for.
    pub(super) usage: Usage,
    /// How many ended, those that their own parents waited for not included.
    pub(super) ended: u32,
}

impl Reaper {
    pub(super) fn new(main: i32, earlier: HashSet<i32>) -> Self {
        Self { main, earlier, status: None, usage: Usage::default(), ended: 0 }
    }

    /// Takes in every child that has ended by now. False when there is no child left.
    pub(super) fn reap(&mut self) -> bool {
        loop {
            let mut status = 0;
            // SAFETY: an all-zero `rusage` is valid: it consists of integers only.
            let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
            // SAFETY: both places are valid for the answers. `__WALL` covers children of every kind of clone.
            let id = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG | libc::__WALL, &raw mut raw) };
            match id {
                0 => return true,
                1.. => self.take_in(id, status, &raw),
                _ if last_error() == libc::EINTR => {}
                _ => return false,
            }
        }
    }

    fn take_in(&mut self, id: i32, status: i32, raw: &libc::rusage) {
        if self.earlier.remove(&id) {
            return;
        }
        if id == self.main {
            self.status = Some(status);
        }
        self.ended += 1;
        // The kernel counts in units of 512 bytes, whatever the device has.
        let used = Usage {
            read_bytes: Some(raw.ru_inblock as u64 * 512),
            written_bytes: Some(raw.ru_oublock as u64 * 512),
            ..from_rusage(raw)
        };
        self.usage = add(&self.usage, &used);
    }
}

fn add(sum: &Usage, more: &Usage) -> Usage {
    // What the kernel does not tell of a child is not known of the tree.
    let both = sum.combined_with(*more, |sum, more| Some(sum.unwrap_or(0) + more?));
    // Processes of one tree have their peaks at different times: the largest is known, their sum is not.
    Usage { peak_memory_bytes: sum.peak_memory_bytes.max(more.peak_memory_bytes), ..both }
}

fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
