//! Stores past the caches: whole lines, 64 bytes a turn, are gathered and go to memory, whose old contents are not read first.

use super::vector_loop;
use crate::blocks::kernels::{plain_copy, plain_write};

const WORDS: usize = 16;
const ALIGNMENT_BYTES: usize = 16;

/// Returns the words in front of the first whole register, and the whole turns behind them.
fn parts(to: &[u32]) -> (usize, usize) {
    let before = (to.as_ptr().addr().wrapping_neg() % ALIGNMENT_BYTES / size_of::<u32>()).min(to.len());
    (before, (to.len() - before) / WORDS)
}

/// Waits until all stores have left the processor: once behind the last pass, as a program would.
pub(super) fn fence() {
    // SAFETY: every x86-64 processor has the instruction, and it changes nothing.
    unsafe { std::arch::asm!("sfence", options(nostack, preserves_flags)) };
}

pub(super) fn write(to: &mut [u32], value: u32) {
    let (before, turns) = parts(to);
    let (first, rest) = to.split_at_mut(before);
    let (whole, last) = rest.split_at_mut(turns * WORDS);
    plain_write(first, value);
    if turns > 0 {
        // SAFETY: there are this many turns, and they begin at a whole register; every x86-64 processor has the instructions.
        unsafe {
            vector_loop!(
                "movd xmm0, {value:e}",
                "pshufd xmm0, xmm0, 0",
                "2:",
                "movntdq [{at}], xmm0",
                "movntdq [{at} + 16], xmm0",
                "movntdq [{at} + 32], xmm0",
                "movntdq [{at} + 48], xmm0",
                "add {at}, 64",
                "dec {turns}",
                "jnz 2b";
                value = in(reg) value,
                at = inout(reg) whole.as_mut_ptr() => _,
                turns = inout(reg) turns => _
            )
        };
    }
    plain_write(last, value);
}

pub(super) fn copy(from: &[u32], to: &mut [u32]) {
    let words = from.len().min(to.len());
    let (from, to) = (&from[..words], &mut to[..words]);
    let (before, turns) = parts(to);
    let ((first_from, from), (first, rest)) = (from.split_at(before), to.split_at_mut(before));
    let ((whole_from, last_from), (whole, last)) =
        (from.split_at(turns * WORDS), rest.split_at_mut(turns * WORDS));
    plain_copy(first_from, first);
    if turns > 0 {
        // SAFETY: as for `write`, with both memories, which are borrowed apart.
        unsafe {
            vector_loop!(
                "2:",
                "movdqu xmm4, [{from}]",
                "movdqu xmm5, [{from} + 16]",
                "movdqu xmm6, [{from} + 32]",
                "movdqu xmm7, [{from} + 48]",
                "movntdq [{at}], xmm4",
                "movntdq [{at} + 16], xmm5",
                "movntdq [{at} + 32], xmm6",
                "movntdq [{at} + 48], xmm7",
                "add {from}, 64",
                "add {at}, 64",
                "dec {turns}",
                "jnz 2b";
                from = inout(reg) whole_from.as_ptr() => _,
                at = inout(reg) whole.as_mut_ptr() => _,
                turns = inout(reg) turns => _
            )
        };
    }
    plain_copy(last_from, last);
}
