//! What a worker performs instead of a technique.

use std::io;

use families::Repeat;
use model::Proof;

use super::FakeFamily;

/// A technique that notes what it is asked for.
pub(super) struct Noting<'f> {
    pub(super) family: &'f FakeFamily,
    pub(super) technique: String,
    pub(super) is_refused: bool,
}

impl Repeat for Noting<'_> {
    fn repeat(&mut self, _times: u64) -> io::Result<()> {
        self.family.note(&self.technique, "works");
        if self.is_refused { Err(io::Error::other("refused at work")) } else { Ok(()) }
    }
    fn proof(&mut self) -> io::Result<Proof> {
        Ok(FakeFamily::proof())
    }
}
