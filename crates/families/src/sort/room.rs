//! Large arrays straight from the system: refused with a sentence where there is no memory, never with an abort.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::slice;

use super::system::{memory, untouched_memory};
use crate::files::Mapping;

/// Types of which every pattern of bits, all zeros among them, is a value.
///
/// # Safety
/// Every pattern of bits must be a valid value, and dropping one must do nothing.
pub(super) unsafe trait Plain: Copy + Send + Sync {}

// SAFETY: a number has no invalid pattern of bits.
unsafe impl Plain for u8 {}
// SAFETY: a number has no invalid pattern of bits.
unsafe impl Plain for u64 {}

/// An array of zeros whose pages come when they are first touched, large ones where the system has them.
pub(super) struct Room<T> {
    pages: Option<Mapping>,
    length: usize,
    kind: PhantomData<T>,
}

impl<T: Plain> Room<T> {
    pub(super) fn new(length: usize) -> io::Result<Self> {
        let bytes = length.checked_mul(size_of::<T>()).ok_or_else(|| no_room("an array", usize::MAX))?;
        let pages = if bytes == 0 { None } else { Some(memory(bytes)?) };
        Ok(Self { pages, length, kind: PhantomData })
    }
}

impl<T> Deref for Room<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.pages {
            // SAFETY: the pages are aligned for every type, hold `length` values of which every pattern of bits is
            // valid, and live as long as `self`.
            Some(pages) => unsafe { slice::from_raw_parts(pages.address_of(0).cast::<T>(), self.length) },
            None => &[],
        }
    }
}

impl<T> DerefMut for Room<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &self.pages {
            // SAFETY: as for reading, and `self` is borrowed alone.
            Some(pages) => unsafe { slice::from_raw_parts_mut(pages.address_of(0).cast::<T>(), self.length) },
            None => &mut [],
        }
    }
}

pub(super) fn bytes_of(numbers: &mut [u64]) -> &mut [u8] {
    // SAFETY: a number is eight bytes of which every pattern is valid, as it is for each of them alone; the bytes are
    // borrowed alone as long as the numbers are.
    unsafe { slice::from_raw_parts_mut(numbers.as_mut_ptr().cast::<u8>(), size_of_val(numbers)) }
}

pub(super) fn no_room(what: &str, bytes: usize) -> io::Error {
    let size = model::format_bytes(bytes as u64);
    io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory for {what}: {size} are needed"))
}

/// Refuses early what a library would take without asking whether it is there: its refusal would end the process.
pub(super) fn ensure_room(what: &str, bytes: usize) -> io::Result<()> {
    /// Less is taken at once by some systems, page by page.
    const FEWEST_BYTES: usize = 1 << 20;
    // Asked of the system: the heap might find room in what it holds already, which a thread's stack could not use.
    untouched_memory(bytes.max(FEWEST_BYTES)).map(drop).map_err(|_| no_room(what, bytes))
}

/// What this many threads may take when they begin. They take it without asking, and a refusal would end the process.
pub(super) fn bytes_of_threads(count: usize, stack_bytes: usize) -> usize {
    const BESIDE_THE_STACK: usize = 1 << 20;
    count * (stack_bytes + BESIDE_THE_STACK)
}

/// The stack of a thread whose starter asks for no other.
pub(super) const USUAL_STACK_BYTES: usize = 2 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_than_there_is_is_refused_in_a_sentence() {
        for refused in [
            Room::<u64>::new(usize::MAX / 2).map(drop),
            Room::<u64>::new(1 << 50).map(drop),
            ensure_room("a copy", usize::MAX / 4),
        ] {
            let refused = refused.expect_err("too much");
            assert!(refused.to_string().contains("memory"), "{refused}");
        }
    }
}
