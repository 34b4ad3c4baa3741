//! Windows has no limit on the number of threads: memory runs out, or in small processes the address space.

use std::io;
use std::sync::mpsc::channel;
use std::thread::Builder;

use super::{End, Limit, Probed, grown};
use windows_sys::Win32::System::ProcessStatus::{K32GetPerformanceInfo, PERFORMANCE_INFORMATION};

use crate::clock::now_ns;
use crate::host::system::memory_status;

/// What a thread takes next to what it reserves: the kernel's stack, its environment block, the first pages of its stack.
const THREAD_BYTES: u64 = 64 << 10;

/// Returns what can be committed, and the free address space.
pub fn all(stack_bytes: u64) -> Vec<Limit> {
    let Some(status) = memory_status() else { return Vec::new() };
    let limit = |name: &str, most, each, is_shared| Limit {
        name: name.to_owned(),
        most,
        used: None,
        room: most / each,
        is_shared,
    };
    vec![
        limit("memory that can be committed, in bytes", status.ullAvailPageFile, THREAD_BYTES, true),
        limit("free address space in bytes", status.ullAvailVirtual, stack_bytes.max(THREAD_BYTES), false),
    ]
}

pub(super) fn reached(stack_bytes: u64) -> Option<Limit> {
    all(stack_bytes).into_iter().filter(|limit| limit.room == 0).min_by_key(|limit| limit.room)
}

/// Nothing limits them but memory, and a thread that gets none is refused by the system.
pub(super) fn most_threads() -> u64 {
    u64::MAX
}

/// Never reported here: see [`most_threads`].
pub(super) fn no_maps() -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

pub(super) fn reserve(_bytes: u64) -> io::Result<()> {
    Ok(())
}

/// Returns the pool of the kernel that is never paged out.
fn unpaged_bytes() -> Option<u64> {
    let bytes = size_of::<PERFORMANCE_INFORMATION>() as u32;
    let mut of_system = PERFORMANCE_INFORMATION { cb: bytes, ..Default::default() };
    // SAFETY: the structure says its own size.
    let is_known = unsafe { K32GetPerformanceInfo(&raw mut of_system, bytes) } != 0;
    is_known.then_some((of_system.KernelNonpaged * of_system.PageSize) as u64)
}

/// Creates up to `most` threads, with stacks of this size, within about `within_ns`. They wait until their senders are dropped.
pub fn probe(stack_bytes: u64, most: u64, within_ns: u64) -> io::Result<Probed> {
    let (before_bytes, start_ns) = (unpaged_bytes(), now_ns());
    let mut alive = Vec::new();
    let mut end = End::AllCreated;
    while (alive.len() as u64) < most {
        if now_ns() - start_ns >= within_ns {
            end = End::Late;
            break;
        }
        let (sender, receiver) = channel::<()>();
        // Nothing is ever sent: it is refused when the sender is gone, and that is what is waited for.
        let wait = move || {
            let _ = receiver.recv();
        };
        match Builder::new().stack_size(stack_bytes as usize).spawn(wait) {
            Ok(thread) => alive.push((sender, thread)),
            Err(error) => {
                let limit = reached(stack_bytes).map(|limit| limit.to_string());
                end = End::Refused(limit.unwrap_or_else(|| error.to_string()));
                break;
            }
        }
    }
    let elapsed_ns = now_ns() - start_ns;
    let kernel_bytes = grown(before_bytes, unpaged_bytes());
    let threads = alive.len() as u64;
    let (senders, handles): (Vec<_>, Vec<_>) = alive.into_iter().unzip();
    drop(senders);
    // A thread that only waits does not panic.
    handles.into_iter().for_each(|thread| drop(thread.join()));
    Ok(Probed { threads, elapsed_ns, kernel_bytes, end })
}
