//! Records copied to where they belong, each from its old position.

use super::layout::Layout;

/// Records that are asked for before they are copied: their places are far apart, and each is a wait for memory.
const AHEAD: usize = 24;
/// What the processor fetches at once.
const LINE_BYTES: usize = 64;

/// Something that names a record by its position in the input.
pub(super) trait Positioned: Copy + Send + Sync {
    fn position(self, mask: u64) -> usize;
}

/// A number whose lowest bits are a position.
impl Positioned for u64 {
    #[inline]
    fn position(self, mask: u64) -> usize {
        (self & mask) as usize
    }
}

/// Copies the records that `order` names, one behind the other, into `destination`, which they fill.
pub(super) fn gather<T: Positioned>(
    records: &[u8],
    layout: Layout,
    order: &[T],
    mask: u64,
    destination: &mut [u8],
) {
    match layout.record_bytes() {
        // Lengths known beforehand become a few moves each.
        16 => gather_fixed::<16, T>(records, order, mask, destination),
        32 => gather_fixed::<32, T>(records, order, mask, destination),
        64 => gather_fixed::<64, T>(records, order, mask, destination),
        128 => gather_fixed::<128, T>(records, order, mask, destination),
        _ => gather_any(records, layout, order, mask, destination),
    }
}

fn gather_fixed<const BYTES: usize, T: Positioned>(
    records: &[u8],
    order: &[T],
    mask: u64,
    destination: &mut [u8],
) {
    let (records, _) = records.as_chunks::<BYTES>();
    let (places, _) = destination.as_chunks_mut::<BYTES>();
    for (nth, (place, wanted)) in places.iter_mut().zip(order).enumerate() {
        if let Some(next) = order.get(nth + AHEAD).and_then(|next| records.get(next.position(mask))) {
            next.iter().step_by(LINE_BYTES).for_each(fetch);
        }
        *place = records[wanted.position(mask)];
    }
}

fn gather_any<T: Positioned>(records: &[u8], layout: Layout, order: &[T], mask: u64, destination: &mut [u8]) {
    let places = destination.chunks_exact_mut(layout.record_bytes());
    for (nth, (place, wanted)) in places.zip(order).enumerate() {
        if let Some(next) = order.get(nth + AHEAD) {
            layout.record(records, next.position(mask)).iter().step_by(LINE_BYTES).for_each(fetch);
        }
        place.copy_from_slice(layout.record(records, wanted.position(mask)));
    }
}

/// Asks for the line of a byte without waiting for it.
#[inline(always)]
fn fetch(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it reads nothing that the program sees.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}
