//! A file that is mapped view by view.

use std::io;

use super::{Mapping, OpenFile, Section, reserve};

/// A file of which parts are mapped, one after the other or several at a time.
pub(crate) struct Views<'file> {
    section: Section<'file>,
    is_destination: bool,
}

impl<'file> Views<'file> {
    /// Views for reading, each of them from its first byte to its last. The file must not be empty.
    pub(crate) fn of_source(file: &'file OpenFile<'file>) -> io::Result<Self> {
        Ok(Self { section: Section::of_source(file, 0)?, is_destination: false })
    }

    /// Views for writing; the file gets a length of `bytes`, which must not be 0.
    pub(crate) fn of_destination(
        file: &'file OpenFile<'file>,
        bytes: u64,
        notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        reserve(file, bytes, notes)?;
        Ok(Self { section: Section::of_destination(file, bytes)?, is_destination: true })
    }

    /// The view that begins at `offset`, a multiple of 64 KiB, which is where views may begin on every system.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Mapping> {
        let view = self.section.view(offset, bytes)?;
        if !self.is_destination {
            view.advise_sequential()?;
        }
        Ok(view)
    }

    /// Gives a view of a destination back. Where the file is made durable, its flush finds the changed pages by itself.
    pub(crate) fn give_back(&self, view: Mapping, _durable: bool) -> io::Result<()> {
        drop(view);
        Ok(())
    }
}
