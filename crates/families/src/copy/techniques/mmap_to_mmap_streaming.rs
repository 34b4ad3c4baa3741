use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};

use super::mmap_to_mmap::copy_view_by_view;
use crate::copy::prelude::*;

pub(super) const MMAP_TO_MMAP_STREAMING: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap_streaming",
    idea: "as mmap_to_mmap, with non-temporal stores, which bypass the processor's caches",
    source: "Intel, MOVNTDQ; mmap(2); Microsoft, CreateFileMapping",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_view_by_view(job, u64::MAX, copy_streaming, notes)
}

/// Copies in whole registers; what stands before the first and behind the last is copied as usual.
fn copy_streaming(to: &mut [u8], from: &[u8]) {
    assert_eq!(to.len(), from.len(), "two views of the same part");
    // SAFETY: every pattern of bits is a register.
    let (head, registers, tail) = unsafe { to.align_to_mut::<__m128i>() };
    let (from_head, rest) = from.split_at(head.len());
    let (from_registers, from_tail) = rest.split_at(size_of_val(registers));
    head.copy_from_slice(from_head);
    for (register, bytes) in registers.iter_mut().zip(from_registers.chunks_exact(16)) {
        // SAFETY: every x86-64 processor has SSE2. Sixteen bytes are read, and written to a register's aligned place.
        unsafe { _mm_stream_si128(register, _mm_loadu_si128(bytes.as_ptr().cast())) };
    }
    // SAFETY: every x86-64 processor has SSE. Without the fence another thread might see later stores first.
    unsafe { _mm_sfence() };
    tail.copy_from_slice(from_tail);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_arrive_wherever_they_begin_and_no_others_change() {
        let source: Vec<u8> = (0..300_u32).map(|byte| (byte * 7 % 251) as u8).collect();
        for (start, length) in [(0, 0), (1, 1), (3, 15), (0, 16), (5, 64), (15, 200), (7, 290)] {
            let mut target = vec![0xee; 320];
            copy_streaming(&mut target[start..start + length], &source[..length]);
            assert_eq!(target[start..start + length], source[..length], "{length} bytes at {start}");
            let around = target[..start].iter().chain(&target[start + length..]);
            assert!(around.copied().all(|byte| byte == 0xee), "{length} bytes at {start}");
        }
    }
}
