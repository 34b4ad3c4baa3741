//! The pieces of a file on their way through the blocks of an asynchronous technique: read, changed, written.
//!
//! A technique asks what a block does next, has the system do it, and books how it ended. Everything else about a
//! piece is here: short reads and writes, what happens between them, and which of several failures is reported.

use std::io;
use std::slice;

use crate::files::{Mapping, OpenFile, capped};

/// Bytes that are to move between a block and a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) is_write: bool,
    /// Not to be touched until the transfer has ended.
    pub(crate) memory: *mut u8,
    pub(crate) bytes: u32,
    pub(crate) offset: u64,
}

/// A part of the source in one block.
#[derive(Debug, Clone, Copy, Default)]
struct Piece {
    offset: u64,
    length: usize,
    read: usize,
    /// Bytes written of the changed piece.
    written: usize,
}

/// Makes of a piece at an offset of the source what is written, which has twice the bytes.
pub(crate) type Change<'job> = Box<dyn Fn(u64, &[u8], &mut [u8]) -> io::Result<()> + Send + Sync + 'job>;

/// All pieces of one file, and the memory that they go through.
pub(crate) struct Pieces<'job> {
    source: &'job OpenFile<'job>,
    destination: &'job OpenFile<'job>,
    /// The names of reading and writing in an error.
    steps: [&'static str; 2],
    bytes: u64,
    next: u64,
    piece_bytes: usize,
    input: Mapping,
    /// The change, with memory for its result. Without it a piece is written as it was read.
    change: Option<(Change<'job>, Mapping)>,
    pieces: Vec<Piece>,
    /// Of all failures the one nearest to the beginning of the source, with its place there.
    failure: Option<(u64, io::Error)>,
}

impl<'job> Pieces<'job> {
    /// Makes room for `blocks` pieces, or fewer where the source is short. `bytes`, the size of the source, must not be 0.
    pub(crate) fn new(
        [source, destination]: [&'job OpenFile<'job>; 2], steps: [&'static str; 2], bytes: u64,
        (blocks, piece_bytes): (usize, usize), change: Option<Change<'job>>,
    ) -> io::Result<Self> {
        let piece_bytes = capped(piece_bytes, bytes);
        let blocks = bytes.div_ceil(piece_bytes as u64).min(blocks.max(1) as u64) as usize;
        let input = Mapping::buffer(blocks * piece_bytes)?;
        let change = match change {
            Some(change) => Some((change, Mapping::buffer(2 * blocks * piece_bytes)?)),
            None => None,
        };
        let pieces = vec![Piece::default(); blocks];
        Ok(Self {
            source,
            destination,
            steps,
            bytes,
            next: 0,
            piece_bytes,
            input,
            change,
            pieces,
            failure: None,
        })
    }

    pub(crate) fn blocks(&self) -> usize {
        self.pieces.len()
    }

    pub(crate) fn files(&self) -> [&'job OpenFile<'job>; 2] {
        [self.source, self.destination]
    }

    pub(crate) fn file(&self, transfer: &Transfer) -> &'job OpenFile<'job> {
        if transfer.is_write { self.destination } else { self.source }
    }

    /// Returns the memory where a block is read to and where it is written from, each with its length.
    pub(crate) fn memory(&self, nth: usize) -> [(*mut u8, usize); 2] {
        let (start, length) = (nth * self.piece_bytes, self.piece_bytes);
        let input = (self.input.address_of(start), length);
        let output = self.change.as_ref().map(|(_, output)| (output.address_of(2 * start), 2 * length));
        [input, output.unwrap_or(input)]
    }

    /// Returns the bytes that are written for each that is read.
    fn growth(&self) -> usize {
        1 + usize::from(self.change.is_some())
    }

    /// Returns the first transfer of an idle block; `None` when nothing is left to do.
    pub(crate) fn begin(&mut self, nth: usize) -> Option<Transfer> {
        let length = (self.bytes - self.next).min(self.piece_bytes as u64) as usize;
        if length == 0 || self.failure.is_some() {
            return None;
        }
        self.pieces[nth] = Piece { offset: self.next, length, ..Piece::default() };
        self.next += length as u64;
        Some(self.transfer(nth, false))
    }

    /// Books the end of a reading transfer; returns the next one of its block.
    pub(crate) fn was_read(&mut self, nth: usize, answer: io::Result<usize>) -> Option<Transfer> {
        match answer {
            Ok(0) => self.fail_at_step(nth, false, io::Error::from(io::ErrorKind::UnexpectedEof)),
            Ok(count) => self.pieces[nth].read += count,
            Err(error) if is_to_be_repeated(&error) => {}
            Err(error) => self.fail_at_step(nth, false, error),
        }
        let Piece { offset, length, read, .. } = self.pieces[nth];
        // What lies behind a failure is of no interest any more; what lies before it may fail earlier.
        if self.failure.as_ref().is_some_and(|(place, _)| *place <= offset) {
            return None;
        }
        if read < length {
            return Some(self.transfer(nth, false));
        }
        if let Err(error) = self.changed(nth) {
            self.fail(offset, error);
        }
        self.failure.is_none().then(|| self.transfer(nth, true))
    }

    /// Books the end of a writing transfer; returns the next one of its block.
    pub(crate) fn was_written(&mut self, nth: usize, answer: io::Result<usize>) -> Option<Transfer> {
        match answer {
            Ok(0) => self.fail_at_step(nth, true, io::Error::from(io::ErrorKind::WriteZero)),
            Ok(count) => self.pieces[nth].written += count,
            Err(error) if is_to_be_repeated(&error) => {}
            Err(error) => self.fail_at_step(nth, true, error),
        }
        let Piece { length, written, .. } = self.pieces[nth];
        if self.failure.is_some() {
            None
        } else if written < self.growth() * length {
            Some(self.transfer(nth, true))
        } else {
            self.begin(nth)
        }
    }

    /// Books the end of the last transfer of this block.
    pub(crate) fn ended(
        &mut self, nth: usize, is_write: bool, answer: io::Result<usize>,
    ) -> Option<Transfer> {
        if is_write { self.was_written(nth, answer) } else { self.was_read(nth, answer) }
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Returns the missing rest of a piece's input or output.
    fn transfer(&self, nth: usize, is_write: bool) -> Transfer {
        let Piece { offset, length, read, written } = self.pieces[nth];
        let [(input, _), (output, _)] = self.memory(nth);
        let growth = self.growth();
        let (memory, done, all, offset) = if is_write {
            (output, written, growth * length, growth as u64 * offset)
        } else {
            (input, read, length, offset)
        };
        Transfer {
            is_write,
            memory: memory.wrapping_add(done),
            bytes: (all - done) as u32,
            offset: offset + done as u64,
        }
    }

    fn changed(&self, nth: usize) -> io::Result<()> {
        let Some((change, _)) = &self.change else { return Ok(()) };
        let Piece { offset, length, .. } = self.pieces[nth];
        let [(input, _), (output, _)] = self.memory(nth);
        // SAFETY: both parts lie inside mappings of this value; nothing of this block is in flight, and blocks do not overlap.
        let (from, to) =
            unsafe { (slice::from_raw_parts(input, length), slice::from_raw_parts_mut(output, 2 * length)) };
        change(offset, from, to)
    }

    fn fail_at_step(&mut self, nth: usize, is_write: bool, error: io::Error) {
        let file = if is_write { self.destination } else { self.source };
        let error = file.at(self.steps[usize::from(is_write)])(error);
        self.fail(self.pieces[nth].offset, error);
    }

    fn fail(&mut self, place: u64, error: io::Error) {
        if self.failure.as_ref().is_none_or(|(other, _)| place < *other) {
            self.failure = Some((place, error));
        }
    }
}

/// Returns whether a transfer did not happen, and may at once be tried again.
fn is_to_be_repeated(error: &io::Error) -> bool {
    [io::ErrorKind::Interrupted, io::ErrorKind::WouldBlock].contains(&error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECE: usize = 1_000;

    /// Has `play` book ends for a source of two pieces of ASCII in two blocks; returns the outcome.
    fn played(text: &[u8], play: impl FnOnce(&mut Pieces)) -> io::Result<()> {
        let (folder, source) = crate::testing::scratch_with("source", text);
        let destination = folder.path().join("result");
        let files =
            [&OpenFile::open(&source).expect("there"), &OpenFile::create(&destination).expect("created")];
        let change = |offset, from: &[u8], _: &mut [u8]| match from.iter().position(|byte| !byte.is_ascii()) {
            Some(place) => Err(io::Error::other(format!("offset {}", offset + place as u64))),
            None => Ok(()),
        };
        let steps = ["reading", "writing"];
        let bytes = text.len() as u64;
        let mut pieces =
            Pieces::new(files, steps, bytes, (2, PIECE), Some(Box::new(change))).expect("memory");
        play(&mut pieces);
        pieces.finish()
    }

    /// Puts bytes of the source where a transfer wants them; returns how many.
    fn fill(transfer: &Transfer, text: &[u8], at_most: usize) -> usize {
        let count = at_most.min(transfer.bytes as usize);
        let bytes = &text[transfer.offset as usize..][..count];
        // SAFETY: the memory of a transfer has room for its bytes, and nothing else uses it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), transfer.memory, count) };
        count
    }

    #[test]
    fn short_reads_and_writes_go_on_where_they_ended() {
        let text = [b'x'; PIECE];
        let outcome = played(&text, |pieces| {
            assert_eq!(pieces.blocks(), 1, "one piece needs one block");
            let first = pieces.begin(0).expect("a piece");
            let moved = fill(&first, &text, 400);
            let second = pieces.was_read(0, Ok(moved)).expect("the rest");
            assert_eq!((second.is_write, second.bytes, second.offset), (false, 600, 400));
            let moved = fill(&second, &text, PIECE);
            let third = pieces.was_read(0, Ok(moved)).expect("all was read");
            assert_eq!((third.is_write, third.bytes, third.offset), (true, 2_000, 0));
            let again = pieces.was_written(0, Err(io::ErrorKind::Interrupted.into()));
            assert_eq!(again, Some(third), "an interrupted transfer is repeated");
            let fourth = pieces.was_written(0, Ok(1_999)).expect("one byte is missing");
            assert_eq!((fourth.bytes, fourth.offset), (1, 1_999));
            assert_eq!(pieces.was_written(0, Ok(1)), None, "the source is at its end");
        });
        outcome.expect("all was done");
    }

    #[test]
    fn the_failure_nearest_to_the_beginning_is_returned() {
        let mut text = [b'x'; 2 * PIECE];
        (text[7], text[PIECE + 3]) = (0xfe, 0xff);
        for order in [[0, 1], [1, 0]] {
            let outcome = played(&text, |pieces| {
                let begun = [0, 1].map(|nth| pieces.begin(nth).expect("a piece"));
                for nth in order {
                    let moved = fill(&begun[nth], &text, PIECE);
                    assert_eq!(pieces.was_read(nth, Ok(moved)), None, "nothing is written any more");
                }
            });
            let said = outcome.expect_err("two bytes are no ASCII").to_string();
            assert_eq!(said, "offset 7");
        }
    }

    #[test]
    fn a_shorter_source_and_a_full_disk_name_step_and_file() {
        let text = [b'x'; PIECE];
        let shorter = played(&text, |pieces| {
            pieces.begin(0);
            assert_eq!(pieces.was_read(0, Ok(0)), None);
        });
        let said = shorter.expect_err("nothing was read");
        assert_eq!(said.kind(), io::ErrorKind::UnexpectedEof);
        assert!(said.to_string().starts_with("reading ") && said.to_string().contains("source"), "{said}");
        let full = played(&text, |pieces| {
            let first = pieces.begin(0).expect("a piece");
            fill(&first, &text, PIECE);
            pieces.was_read(0, Ok(PIECE)).expect("to be written");
            assert_eq!(pieces.was_written(0, Err(io::ErrorKind::StorageFull.into())), None);
        });
        let said = full.expect_err("no room");
        assert!(said.to_string().starts_with("writing ") && said.to_string().contains("result"), "{said}");
    }
}
