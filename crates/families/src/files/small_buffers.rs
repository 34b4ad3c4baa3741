//! Buffers of up to 64 KiB lie in the program's data, as those of a plain program do: no call maps them, their pages come when they
//! are first touched, and another repetition uses them again. Larger ones, and those beyond the places here, are mapped.

use std::cell::UnsafeCell;
use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Mapping;

/// With room for the beginning of a line that a search carries on.
const PLACE_BYTES: usize = (64 << 10) + PAGE_BYTES;
const PAGE_BYTES: usize = 4_096;
const COUNT: usize = 16;

#[repr(align(4096))]
struct Place(UnsafeCell<[u8; PLACE_BYTES]>);

// SAFETY: only who has taken a place touches it.
unsafe impl Sync for Place {}

static PLACES: [Place; COUNT] = [const { Place(UnsafeCell::new([0; PLACE_BYTES])) }; COUNT];
static IS_TAKEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

impl Mapping {
    /// Returns a page-aligned buffer, in which what an earlier one has left may stand.
    pub(crate) fn buffer(bytes: usize) -> io::Result<Self> {
        let is_small = (1..=PLACE_BYTES).contains(&bytes);
        let mut places = PLACES.iter().zip(&IS_TAKEN).filter(|_| is_small);
        match places.find(|(_, is_taken)| !is_taken.swap(true, Ordering::Acquire)) {
            Some((place, _)) => Ok(Self::new(NonNull::from(&place.0).cast(), bytes, leave)),
            None => Self::mapped_buffer(bytes),
        }
    }
}

/// # Safety
/// A buffer begins here, and nothing refers to it any more.
unsafe fn leave(start: *mut u8, _bytes: usize) {
    let nth = (start.addr() - PLACES.as_ptr().addr()) / size_of::<Place>();
    IS_TAKEN[nth].store(false, Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_buffers_lie_in_the_data_and_large_ones_are_mapped() {
        let is_in_data = |buffer: &Mapping| PLACES.as_ptr_range().contains(&buffer.as_ptr().cast());
        let of = |bytes| Mapping::buffer(bytes).expect("a buffer");
        // Other tests take places too, and leave them.
        let small = [1, 10_000, PLACE_BYTES]
            .map(|bytes| std::iter::repeat_with(|| of(bytes)).find(is_in_data).expect("endless"));
        let mut all: Vec<Mapping> = small.into_iter().chain((0..COUNT).map(|_| of(PLACE_BYTES))).collect();
        assert!(all.iter().any(|buffer| !is_in_data(buffer)), "there are no more places");
        all.sort_by_key(|buffer| buffer.as_ptr());
        assert!(all.windows(2).all(|pair| pair[0].as_ptr_range().end <= pair[1].as_ptr()));
        assert!(all.iter().all(|buffer| buffer.as_ptr().addr().is_multiple_of(PAGE_BYTES)));
        assert!(!is_in_data(&of(PLACE_BYTES + 1)));
    }
}
