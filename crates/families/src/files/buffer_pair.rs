//! Two buffers, both filled before the clock: a ceiling works from one to the other without files.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};
use std::path::Path;

use super::{at, filled};

/// Bytes before the clock: no zeros, of which the system might keep one page for all.
pub(crate) const BEFORE: u8 = b'b';

pub(crate) struct BufferPair<To> {
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<To>,
    untouched: To,
}

impl<To: Copy> BufferPair<To> {
    /// Makes both, or returns an error that calls them `what`. `untouched` is what no work leaves in the second.
    pub(crate) fn new(what: &str, length: u64, untouched: To) -> io::Result<Self> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        Ok(Self { from: filled(what, length, BEFORE)?, to: filled(what, length, untouched)?, untouched })
    }

    pub(crate) fn reset(&mut self) {
        self.from.fill(BEFORE);
        self.to.fill(self.untouched);
    }
}

impl BufferPair<u8> {
    #[inline]
    pub(crate) fn copy(&mut self) {
        black_box(&mut self.to).copy_from_slice(black_box(&self.from));
    }

    /// Returns whether what was there before the clock has been copied.
    pub(crate) fn is_copied(&self) -> bool {
        self.to.iter().all(|&byte| byte == BEFORE)
    }
}

/// Fills a buffer from a file, after the clock: read before, it would warm a cold cache.
pub(crate) fn fill_from(path: &Path, room: &mut [u8]) -> io::Result<()> {
    let mut file = File::open(path).map_err(at("open", path))?;
    file.read_exact(room).map_err(at("read", path))
}
