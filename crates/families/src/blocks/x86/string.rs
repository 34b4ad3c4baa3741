//! One instruction for the whole piece: the processor chooses the steps.

use std::arch::asm;

pub(super) fn write(to: &mut [u32], value: u32) {
    // SAFETY: this many bytes are borrowed for writing, and the direction is upwards wherever Rust code runs.
    unsafe {
        asm!(
            "rep stosb",
            inout("rdi") to.as_mut_ptr() => _,
            inout("rcx") size_of_val(to) => _,
            in("al") value as u8,
            options(nostack, preserves_flags)
        )
    };
}

pub(super) fn copy(from: &[u32], to: &mut [u32]) {
    let words = from.len().min(to.len());
    // SAFETY: this many words are borrowed for reading and as many for writing; the direction is upwards in Rust code.
    unsafe {
        asm!(
            "rep movsb",
            inout("rsi") from.as_ptr() => _,
            inout("rdi") to.as_mut_ptr() => _,
            inout("rcx") words * size_of::<u32>() => _,
            options(nostack, preserves_flags)
        )
    };
}
