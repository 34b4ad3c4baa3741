use super::io_uring::{PIECE_BYTES, STEPS};
use crate::convert::linux::uring::Uring;
use crate::convert::prelude::*;
use crate::convert::stream::into_output;
use crate::files::probe_ring;
use crate::in_flight::pieces::{Pieces, Transfer};

pub(in crate::convert) const COMPLETION_CALLBACK: Technique<ConvertJob> = Technique {
    name: "completion_callback",
    idea: "as io_uring@4, and for each transfer a routine that is called with its end and starts the next",
    source: "io_uring_setup(2)",
    calls: &["io_uring_register", "io_uring_enter", "!read", "!write", "!pread64", "!pwrite64"],
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe: probe_ring,
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert(job, notes, (BUFFERS, PIECE_BYTES), true, Uring::wait))
    })
};

pub(in crate::convert) const COMPLETION_CALLBACK_8K: Technique<ConvertJob> = Technique {
    name: "completion_callback_8k",
    alias: &["atouEX"],
    idea: "as completion_callback, with buffers of 8 KiB, the output not presized, and io_uring_enter in a loop that \
           waits for nothing: the published SleepEx(0, TRUE) also calls the routines and gives up the processor",
    source: "Hart, Windows System Programming, atouEX",
    calls: &["io_uring_enter min_complete=0", "!read|pread64", "!write|pwrite64", "!fallocate|ftruncate"],
    variant_of: Some("completion_callback"),
    needs: COMPLETION_CALLBACK.needs,
    probe: probe_ring,
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert(job, notes, (BUFFERS, 8 << 10), false, Uring::poll))
    })
};

const BUFFERS: usize = 4;

type Enter = fn(&mut Uring, &mut Vec<(usize, io::Result<usize>)>) -> io::Result<()>;

fn convert(
    job: &ConvertJob, notes: &mut Notes, blocks: (usize, usize), is_presized: bool, enter: Enter,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    into_output(job, &source, job.create()?, is_presized, notes, |destination, bytes, notes| {
        let pieces = job.pieces([&source, destination], STEPS, bytes, blocks)?;
        let ring = Uring::new(&pieces, notes)?;
        let routines = vec![read_done as Routine; pieces.blocks()];
        Extended { ring, pieces, routines }.run(enter)
    })
}

type Routine = fn(&mut Extended, nth: usize, answer: io::Result<usize>);

struct Extended<'job> {
    ring: Uring,
    pieces: Pieces<'job>,
    routines: Vec<Routine>,
}

impl Extended<'_> {
    fn run(mut self, enter: Enter) -> io::Result<()> {
        for nth in 0..self.pieces.blocks() {
            let first = self.pieces.begin(nth);
            self.start(nth, first);
        }
        let mut ended = Vec::with_capacity(self.pieces.blocks());
        while self.ring.in_flight() > 0 {
            if let Err(error) = enter(&mut self.ring, &mut ended) {
                std::mem::forget(self.pieces);
                return Err(error);
            }
            for (nth, answer) in ended.drain(..) {
                let routine = self.routines[nth];
                routine(&mut self, nth, answer);
            }
        }
        self.pieces.finish()
    }

    fn start(&mut self, nth: usize, transfer: Option<Transfer>) {
        if let Some(transfer) = transfer {
            self.routines[nth] = if transfer.is_write { write_done } else { read_done };
            self.ring.start(nth, transfer);
        }
    }
}

fn read_done(extended: &mut Extended, nth: usize, answer: io::Result<usize>) {
    let next = extended.pieces.was_read(nth, answer);
    extended.start(nth, next);
}

fn write_done(extended: &mut Extended, nth: usize, answer: io::Result<usize>) {
    let next = extended.pieces.was_written(nth, answer);
    extended.start(nth, next);
}
