//! Several pieces in flight through a ring of submissions and completions.

use std::io;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes};
use crate::convert::pieces::{Pieces, Transfer};
use crate::convert::windows::overlapped::convert_overlapped;
use crate::files::{Piece, Ring, tried_once};
use crate::parameters::buffers;

pub(in crate::convert) const IO_RING: Technique<ConvertJob> = Technique {
    name: "io_ring",
    idea: "IoRing: 64 KiB of input a buffer, read, converted when that ends, then written; many handed over in one call",
    source: "Microsoft, ioringapi.h; Yarden Shafir, One Year to I/O Ring",
    parameters: &[buffers(&[4, 32])],
    needs: "Windows 11 22H2 or later, for IoRing",
    probe: |_, setting| {
        tried_once(setting, "IoRing cannot be used", 2, |job, notes| convert_through(job, 1, notes))
    },
    ..Technique::usual(|job| job.done_by(|job, notes| convert_through(job, job.parameter("buffers")?, notes)))
};

fn convert_through(job: &ConvertJob, buffers: usize, notes: &mut Notes) -> io::Result<()> {
    let steps = ["BuildIoRingReadFile", "BuildIoRingWriteFile"];
    convert_overlapped(job, buffers, steps, notes, |pieces, _| {
        let ring =
            Ring::new(pieces.blocks() as u32).map_err(pieces.files()[0].at("convert through a ring"))?;
        let writing = vec![false; pieces.blocks()];
        Ringed { ring, pieces, writing }.run()
    })
}

/// The ring stands first: it is dropped, and with it everything in flight has ended, before the memory of the pieces.
struct Ringed<'job> {
    ring: Ring,
    pieces: Pieces<'job>,
    /// For each block, whether the transfer that it is in is a write.
    writing: Vec<bool>,
}

impl Ringed<'_> {
    fn run(mut self) -> io::Result<()> {
        for nth in 0..self.writing.len() {
            let first = self.pieces.begin(nth);
            self.start(nth, first)?;
        }
        while self.ring.in_flight() > 0 {
            let (nth, answer) = self.ring.wait_for_end()?;
            let next = self.pieces.ended(nth, self.writing[nth], answer);
            self.start(nth, next)?;
        }
        self.pieces.finish()
    }

    fn start(&mut self, nth: usize, transfer: Option<Transfer>) -> io::Result<()> {
        let Some(transfer) = transfer else { return Ok(()) };
        let Transfer { is_write, memory, bytes, offset } = transfer;
        self.writing[nth] = is_write;
        let file = self.pieces.file(&transfer);
        let piece = Piece { file: file.handle(), memory, bytes, offset, mark: nth };
        // SAFETY: the files outlive the ring, which is dropped before the pieces; a block has one transfer at a time,
        // and its memory is touched by nothing else until that has ended.
        let started = unsafe { if is_write { self.ring.write(&piece) } else { self.ring.read(&piece) } };
        started.map_err(file.at("convert through a ring"))
    }
}
