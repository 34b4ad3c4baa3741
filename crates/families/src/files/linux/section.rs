//! A file of which parts are mapped, one after the other.

use std::io;

use rustix::mm::{MapFlags, ProtFlags};

use super::{Mapping, OpenFile};

/// A file that is to be mapped in parts.
pub(crate) struct Section<'file> {
    file: &'file OpenFile<'file>,
    access: ProtFlags,
}

impl<'file> Section<'file> {
    /// For reading the first `bytes` bytes of a file that is not empty; 0 stands for all of them.
    pub(crate) fn of_source(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ })
    }

    /// For writing the first `bytes` bytes of a file, which must not be 0; the file must be that long.
    pub(crate) fn of_destination(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ | ProtFlags::WRITE })
    }

    /// A part that begins at `offset`, a multiple of 64 KiB; its length must not be 0.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Mapping> {
        Mapping::of_part(self.file, offset, bytes, self.access, MapFlags::SHARED)
    }
}
