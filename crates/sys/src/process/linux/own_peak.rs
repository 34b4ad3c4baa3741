//! The peak memory that a command is born with: that of the process which starts it.

use std::fs;

/// Forgets our own peak as far as the system allows, and gives what remains of it.
///
/// `execve` takes the peak of the memory it replaces over into `ru_maxrss`, and after `posix_spawn` that memory is
/// ours. Writing 5 to `clear_refs` sets the peak back to what is resident now (proc(5)).
pub(super) fn renew() -> Option<u64> {
    // Without this file the peak is merely higher.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kib * 1024)
}
