//! A file that is mapped view by view.

use std::io;

use super::{Mapping, OpenFile, Section, SourceMapping, reserve};

/// A file of which parts are mapped, one after the other or several at a time, each of them a `View`.
pub(crate) struct Views<'file, View> {
    file: &'file OpenFile<'file>,
    section: Section<'file, View>,
}

impl<'file> Views<'file, SourceMapping> {
    /// Views for reading, each of them from its first byte to its last. The file must not be empty.
    pub(crate) fn of_source(file: &'file OpenFile<'file>) -> io::Result<Self> {
        Ok(Self { file, section: Section::of_source(file, 0)? })
    }

    /// The view that begins at `offset`, a multiple of 64 KiB, which is where views may begin on every system.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<SourceMapping> {
        let view = self.section.view(offset, bytes)?;
        view.advise_sequential()?;
        Ok(view)
    }
}

impl<'file> Views<'file, Mapping> {
    /// Views for writing; the file gets a length of `bytes`, which must not be 0.
    pub(crate) fn of_destination(
        file: &'file OpenFile<'file>,
        bytes: u64,
        notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        reserve(file, bytes, notes)?;
        Ok(Self { file, section: Section::of_destination(file, bytes)? })
    }

    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Mapping> {
        self.section.view(offset, bytes)
    }

    /// Gives a view back. Where the file is made durable, its flush must find the changed pages.
    pub(crate) fn give_back(&self, view: Mapping, durable: bool) -> io::Result<()> {
        if durable { view.hand_over(self.file) } else { Ok(()) }
    }
}
