use crate::convert::linux::uring::Uring;
use crate::convert::prelude::*;
use crate::convert::stream::into_output;
use crate::files::probe_ring;
use crate::in_flight::pieces::Pieces;
use crate::parameters::buffers;

pub(in crate::convert) const IO_URING: Technique<ConvertJob> = Technique {
    name: "io_uring",
    idea: "as presized, by io_uring with registered files and buffers: READ_FIXED of 64 KiB, converted when it ends, then \
           WRITE_FIXED",
    source: "io_uring_setup(2)",
    calls: &["io_uring_register", "io_uring_enter", "!read", "!write", "!pread64", "!pwrite64"],
    parameters: &[buffers(&[4, 32])],
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe: probe_ring,
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert(job, notes, (job.parameter("buffers")?, PIECE_BYTES), true))
    })
};

pub(in crate::convert) const IO_URING_32K: Technique<ConvertJob> = Technique {
    name: "io_uring_32k",
    alias: &["atouOV"],
    idea: "as io_uring, with 4 buffers of 32 KiB, and the output is not presized; the published program waits for \
           events of overlapped calls, which Linux has not",
    source: "Hart, Windows System Programming, atouOV",
    calls: &["io_uring_enter", "!read|pread64", "!write|pwrite64", "!fallocate|ftruncate"],
    variant_of: Some("io_uring"),
    needs: IO_URING.needs,
    probe: probe_ring,
    ..Technique::usual(|job| job.done_by(|job, notes| convert(job, notes, (4, 32 << 10), false)))
};

/// Input of one block: four of them stay in the second cache of one processor with their output.
pub(super) const PIECE_BYTES: usize = 64 << 10;

pub(super) const STEPS: [&str; 2] = ["read through io_uring", "write through io_uring"];

fn convert(job: &ConvertJob, notes: &mut Notes, blocks: (usize, usize), is_presized: bool) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    into_output(job, &source, job.create()?, is_presized, notes, |destination, bytes, notes| {
        let pieces = job.pieces([&source, destination], STEPS, bytes, blocks)?;
        run(Uring::new(&pieces, notes)?, pieces)
    })
}

/// Runs the ring; the state of each block says which of its two transfers has ended.
fn run(mut ring: Uring, mut pieces: Pieces) -> io::Result<()> {
    let mut writing = vec![false; pieces.blocks()];
    for nth in 0..pieces.blocks() {
        pieces.begin(nth).into_iter().for_each(|transfer| ring.start(nth, transfer));
    }
    let mut ended = Vec::with_capacity(pieces.blocks());
    // After an error too: the kernel may still write into the buffers of what is in flight.
    while ring.in_flight() > 0 {
        if let Err(error) = ring.wait(&mut ended) {
            std::mem::forget(pieces);
            return Err(error);
        }
        for (nth, answer) in ended.drain(..) {
            if let Some(transfer) = pieces.ended(nth, writing[nth], answer) {
                writing[nth] = transfer.is_write;
                ring.start(nth, transfer);
            }
        }
    }
    pieces.finish()
}
