//! The peak RSS that a command inherits across exec: that of the process which starts it.

use std::ffi::c_void;
use std::fs;
use std::sync::Once;

use rustix::mm::{Advice, madvise};

use crate::usage::system::own_peak_bytes;

/// More than what is touched again between the measurement of our own memory and the start.
const SLACK_BYTES: u64 = 1 << 20;

/// Makes our own peak as small as the system allows, and gives what remains: `execve` takes the peak of the memory it replaces over
/// into `ru_maxrss`, and after `posix_spawn` that memory is ours. So our program text is let go before the first start (what a start
/// needs comes back by page faults, and stays), and writing 5 to `clear_refs` sets the peak back to what is resident (proc(5)).
pub(super) fn renew() -> Option<u64> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = let_files_go();
    });
    // Without this file the peak is merely higher.
    let _ = fs::write("/proc/self/clear_refs", "5");
    own_peak_bytes()
}

/// The largest peak RSS that a command started after `renewed_bytes` were read can have inherited across exec. Our own peak is a
/// bound, since it only grows; but what we keep of a command's output grows it too.
pub(super) fn bound(renewed_bytes: Option<u64>) -> Option<u64> {
    let renewed_bytes = renewed_bytes? + SLACK_BYTES;
    Some(own_peak_bytes()?.min(renewed_bytes))
}

/// Lets go what we have mapped of program files and not changed.
fn let_files_go() -> Option<()> {
    let maps = fs::read_to_string("/proc/self/smaps").ok()?;
    let mut candidate = None;
    for line in maps.lines() {
        if let Some(range) = unwritable_file(line) {
            candidate = Some(range);
        } else if let Some(kib) = line.strip_prefix("Anonymous:")
            && let Some((start, end)) = candidate.take()
            && kib.trim() == "0 kB"
        {
            // SAFETY: a private mapping of a file that cannot be written to, of which no page was ever changed (relocations would
            // count as anonymous): its pages are the same when they come back.
            let _ = unsafe { madvise(start as *mut c_void, end - start, Advice::LinuxDontNeed) };
        }
    }
    Some(())
}

/// The addresses of a private, unwritable mapping of a file, from the head line of its entry (proc(5)).
fn unwritable_file(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let permissions = fields.next()?;
    let inode = fields.nth(2)?;
    let address = |digits| usize::from_str_radix(digits, 16).ok();
    (matches!(permissions, "r-xp" | "r--p") && inode != "0").then_some((address(start)?, address(end)?))
}
