//! Pieces in flight through a ring of submissions and completions.

use std::io;

use crate::files::{Piece, Ring};
use crate::in_flight::pieces::{Pieces, Transfer};

/// Moves all pieces through a ring, which has room for one transfer a block; `step` is what this is called in an error.
pub(crate) fn run(ring: Ring, pieces: Pieces, step: &'static str) -> io::Result<()> {
    let writing = vec![false; pieces.blocks()];
    Ringed { ring, pieces, writing, step }.run()
}

/// The ring stands first: it is dropped, and with it everything in flight has ended, before the memory of the pieces.
struct Ringed<'job> {
    ring: Ring,
    pieces: Pieces<'job>,
    writing: Vec<bool>,
    step: &'static str,
}

impl Ringed<'_> {
    fn run(mut self) -> io::Result<()> {
        for nth in 0..self.writing.len() {
            let first = self.pieces.begin(nth);
            self.start(nth, first)?;
        }
        while self.ring.in_flight() > 0 {
            let (nth, answer) = self.ring.wait().map_err(self.pieces.files()[1].at(self.step))?;
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
        // SAFETY: the files outlive the ring, dropped before the pieces; a block has one transfer, and sole use of its memory.
        let started = unsafe { self.ring.start(&piece, is_write) };
        started.map_err(file.at(self.step))
    }
}
