//! The parts of a file on their way through the blocks of an asynchronous technique: read, then written.

use std::io;

/// What of the file no block has got yet.
pub(in crate::copy) struct Parts {
    next: u64,
    end: u64,
}

/// A part of the file in one block.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::copy) struct Part {
    /// Where it begins in the file.
    pub(in crate::copy) offset: u64,
    pub(in crate::copy) length: usize,
    /// Bytes read of `length`.
    pub(in crate::copy) read: usize,
    /// Bytes written of `length`.
    pub(in crate::copy) written: usize,
}

impl Parts {
    pub(in crate::copy) fn of_bytes(bytes: u64) -> Self {
        Self { next: 0, end: bytes }
    }

    /// The next part, of at most this many bytes; `None` when all are handed out.
    pub(in crate::copy) fn next(&mut self, at_most: usize) -> Option<Part> {
        let length = (self.end - self.next).min(at_most as u64) as usize;
        let part = Part { offset: self.next, length, ..Part::default() };
        self.next += length as u64;
        (length > 0).then_some(part)
    }
}

impl Part {
    /// Books this many bytes as read or written.
    ///
    /// # Errors
    /// There were none: the source became shorter, or the destination takes no more.
    pub(in crate::copy) fn book(&mut self, is_write: bool, count: usize) -> io::Result<()> {
        match (count, is_write) {
            (0, false) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            (0, true) => return Err(io::Error::from(io::ErrorKind::WriteZero)),
            (_, false) => self.read += count,
            (_, true) => self.written += count,
        }
        Ok(())
    }

    /// Whether all of it was read.
    pub(in crate::copy) fn is_read(&self) -> bool {
        self.read == self.length
    }

    /// Whether all of it was written; so it is of a part of no bytes.
    pub(in crate::copy) fn is_written(&self) -> bool {
        self.written == self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_file_and_a_part_of_nothing_is_none() {
        let mut parts = Parts::of_bytes(250);
        let lengths: Vec<(u64, usize)> =
            std::iter::from_fn(|| parts.next(100)).map(|part| (part.offset, part.length)).collect();
        assert_eq!(lengths, [(0, 100), (100, 100), (200, 50)]);
        assert!(Part::default().is_written(), "a block without a part takes the next one");
    }

    #[test]
    fn a_part_that_moves_nothing_is_an_error_and_names_which_end_it_was() {
        let mut part = Part { length: 100, ..Part::default() };
        part.book(false, 40).expect("a short read");
        assert!(!part.is_read());
        assert_eq!(part.book(false, 0).expect_err("no more").kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(part.book(true, 0).expect_err("no more").kind(), io::ErrorKind::WriteZero);
    }
}
