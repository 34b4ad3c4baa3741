//! From the new order of the records to the output: each is copied from its old position to where it belongs.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::job::{Account, SortJob, Sorted, elapsed_ns};
use super::layout::{Layout, PAGE_BYTES};
use super::lockstep::{Shared, together};
use super::source::{Room, Source};
use super::system;
use crate::files::OpenFile;

/// Gathers the records of a known order and writes or keeps them. Every technique moves every record.
pub(super) fn deliver<T: Positioned>(
    job: &SortJob, source: Source, order: Room<T>, mask: u64, threads: usize, account: &mut Account,
) -> io::Result<Sorted> {
    if !job.written {
        let mut moved = Room::<u8>::new(source.len())?;
        gather_all(&source, job.layout, &order, mask, threads, &mut moved, account)?;
        return Ok(Sorted::InMemory(Box::new(moved)));
    }
    let output = create_presized(job, source.len(), account)?;
    let place = Place { output: &output, offset: 0, whole_pages: false };
    write_ordered(place, &source, job.layout, &order, mask, threads, account)?;
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

/// Creates the output with its full length. All techniques do, but those that are published programs, which did not.
pub(super) fn create_presized<'job>(
    job: &'job SortJob, bytes: usize, account: &mut Account,
) -> io::Result<OpenFile<'job>> {
    let output = OpenFile::create(&job.output)?;
    system::allocate(&output, bytes as u64, account)?;
    Ok(output)
}

fn gather_all<T: Positioned>(
    records: &[u8], layout: Layout, order: &[T], mask: u64, threads: usize, destination: &mut [u8],
    account: &mut Account,
) -> io::Result<()> {
    let start = Instant::now();
    let pieces = Pieces::new(order, layout, threads);
    let destination = Shared::new(destination);
    together(pieces.threads(threads), |_| {
        while let Some((first, order)) = pieces.take() {
            let bytes = first * layout.record_bytes()..(first + order.len()) * layout.record_bytes();
            // SAFETY: every piece is taken by one thread only, and pieces do not overlap.
            gather(records, layout, order, mask, unsafe { destination.part(bytes) });
        }
        Ok(())
    })?;
    account.add("permute", elapsed_ns(start));
    Ok(())
}

struct Pieces<'order, T> {
    order: &'order [T],
    length: usize,
    next: AtomicUsize,
}

impl<'order, T> Pieces<'order, T> {
    /// Returns pieces of the usual length, and shorter ones where there are too few of these for the threads.
    fn new(order: &'order [T], layout: Layout, threads: usize) -> Self {
        let share = order.len().div_ceil(threads) * layout.record_bytes();
        Self::of(order, layout.records_a_piece().min(layout.records_within(share)).max(1))
    }

    fn of(order: &'order [T], length: usize) -> Self {
        Self { order, length, next: AtomicUsize::new(0) }
    }

    fn threads(&self, threads: usize) -> usize {
        threads.min(self.order.len().div_ceil(self.length)).max(1)
    }

    fn take(&self) -> Option<(usize, &'order [T])> {
        let first = self.next.fetch_add(1, Ordering::Relaxed) * self.length;
        let rest = self.order.get(first..).filter(|rest| !rest.is_empty())?;
        Some((first, &rest[..self.length.min(rest.len())]))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Place<'file> {
    pub(super) output: &'file OpenFile<'file>,
    pub(super) offset: u64,
    /// True where only whole pages may be written: the last one is padded.
    pub(super) whole_pages: bool,
}

pub(super) fn write_ordered<T: Positioned>(
    place: Place, records: &[u8], layout: Layout, order: &[T], mask: u64, threads: usize,
    account: &mut Account,
) -> io::Result<()> {
    let pieces = if place.whole_pages {
        Pieces::of(order, layout.records_of_whole_pages())
    } else {
        Pieces::new(order, layout, threads)
    };
    let times = together(pieces.threads(threads), |_| {
        let most_bytes = pieces.length.min(order.len()) * layout.record_bytes();
        let mut buffer = Room::<u8>::new(most_bytes.next_multiple_of(PAGE_BYTES))?;
        let (mut permute_ns, mut write_ns) = (0, 0);
        while let Some((first, order)) = pieces.take() {
            let mut bytes = order.len() * layout.record_bytes();
            let start = Instant::now();
            gather(records, layout, order, mask, &mut buffer[..bytes]);
            permute_ns += elapsed_ns(start);
            let start = Instant::now();
            if place.whole_pages {
                buffer[bytes..bytes.next_multiple_of(PAGE_BYTES)].fill(0);
                bytes = bytes.next_multiple_of(PAGE_BYTES);
            }
            let offset = place.offset + (first * layout.record_bytes()) as u64;
            place.output.write_all_at(&buffer[..bytes], offset)?;
            write_ns += elapsed_ns(start);
        }
        Ok((permute_ns, write_ns))
    })?;
    // The threads work side by side: the time of one of them is the time of all.
    for (permute_ns, write_ns) in times.into_iter().take(1) {
        account.add("permute", permute_ns);
        account.add("write", write_ns);
    }
    Ok(())
}

/// Writes or keeps records in their order; a published program does not presize its output.
pub(super) fn deliver_moved(
    job: &SortJob, records: Room<u8>, is_published: bool, account: &mut Account,
) -> io::Result<Sorted> {
    if !job.written {
        return Ok(Sorted::InMemory(Box::new(records)));
    }
    let output = if is_published {
        OpenFile::create(&job.output)?
    } else {
        create_presized(job, records.len(), account)?
    };
    account.phase("write", || output.write_all(&records))?;
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

/// Records that are asked for before they are copied: their places are far apart, and each is a wait for memory.
const AHEAD: usize = 24;
const LINE_BYTES: usize = 64;

pub(super) trait Positioned: Copy + Send + Sync {
    fn position(self, mask: u64) -> usize;
}

impl Positioned for u64 {
    #[inline]
    fn position(self, mask: u64) -> usize {
        (self & mask) as usize
    }
}

pub(super) fn gather<T: Positioned>(
    records: &[u8], layout: Layout, order: &[T], mask: u64, destination: &mut [u8],
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
    records: &[u8], order: &[T], mask: u64, destination: &mut [u8],
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
