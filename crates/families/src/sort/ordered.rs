//! From the new order of the records to the output.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::crew::together;
use super::gather::{Positioned, gather};
use super::job::{Account, InOrder, SortJob, Sorted, elapsed_ns};
use super::layout::Layout;
use super::room::Room;
use super::source::Source;
use super::system;
use crate::files::OpenFile;

/// Ends a technique that knows the order: gathers and writes the records, or keeps both where writing is suppressed.
///
/// # Errors
/// Whatever the operating system reports.
pub(super) fn deliver<T: Positioned + 'static>(
    job: &SortJob,
    source: Source,
    order: Room<T>,
    mask: u64,
    threads: usize,
    account: &mut Account,
) -> io::Result<Sorted> {
    if !job.written {
        return Ok(Sorted::InMemory(Box::new(Ordered { source, order, mask, layout: job.layout })));
    }
    let output = OpenFile::create(&job.output)?;
    system::allocate(&output, source.len() as u64, account)?;
    let place = Place { output: &output, offset: 0 };
    write_ordered(place, &source, job.layout, &order, mask, threads, account)?;
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

/// Where records go.
#[derive(Clone, Copy)]
pub(super) struct Place<'file> {
    /// An open file, long enough.
    pub(super) output: &'file OpenFile<'file>,
    /// Where the first of them begins.
    pub(super) offset: u64,
}

/// Gathers piece by piece and writes each at its place; the threads take the pieces as they come.
///
/// # Errors
/// Whatever the operating system reports.
pub(super) fn write_ordered<T: Positioned>(
    place: Place,
    records: &[u8],
    layout: Layout,
    order: &[T],
    mask: u64,
    threads: usize,
    account: &mut Account,
) -> io::Result<()> {
    let piece = layout.records_a_piece();
    let pieces = order.len().div_ceil(piece);
    let next = AtomicUsize::new(0);
    let times = together(threads.min(pieces).max(1), |_| {
        let mut buffer = Room::<u8>::new(piece * layout.record_bytes())?;
        let (mut permute_ns, mut write_ns) = (0, 0);
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(order) = order.chunks(piece).nth(nth) else { return Ok((permute_ns, write_ns)) };
            let gathered = &mut buffer[..order.len() * layout.record_bytes()];
            let start = Instant::now();
            gather(records, layout, order, mask, gathered);
            permute_ns += elapsed_ns(start);
            let start = Instant::now();
            let offset = place.offset + (nth * piece * layout.record_bytes()) as u64;
            place.output.write_all_at(gathered, offset)?;
            write_ns += elapsed_ns(start);
        }
    })?;
    // The threads work side by side: the time of one of them is the time of all.
    for (permute_ns, write_ns) in times.into_iter().take(1) {
        account.add("permute", permute_ns);
        account.add("write", write_ns);
    }
    Ok(())
}

/// Records of the input in the order that was found.
struct Ordered<T> {
    source: Source,
    order: Room<T>,
    mask: u64,
    layout: Layout,
}

impl<T: Positioned> InOrder for Ordered<T> {
    fn visit(&self, see: &mut dyn FnMut(&[u8])) {
        for wanted in self.order.iter() {
            see(self.layout.record(&self.source, wanted.position(self.mask)));
        }
    }
}

/// Ends a technique that moved the records themselves: writes them, or keeps them where writing is suppressed.
///
/// # Errors
/// Whatever the operating system reports.
pub(super) fn deliver_moved(job: &SortJob, records: Room<u8>, account: &mut Account) -> io::Result<Sorted> {
    if !job.written {
        return Ok(Sorted::InMemory(Box::new(Moved { records, layout: job.layout })));
    }
    let output = OpenFile::create(&job.output)?;
    account.phase("write", || output.write_all(&records))?;
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

/// Records that stand in their new order.
struct Moved {
    records: Room<u8>,
    layout: Layout,
}

impl InOrder for Moved {
    fn visit(&self, see: &mut dyn FnMut(&[u8])) {
        self.records.chunks_exact(self.layout.record_bytes()).for_each(see);
    }
}
