//! A file of which parts are mapped, one after the other.

use std::io;
use std::marker::PhantomData;

use rustix::mm::{MapFlags, ProtFlags};

use super::memory::Pages;
use super::{Mapping, OpenFile, SourceMapping};

/// A file that is to be mapped in parts, each of them a `View`.
pub(crate) struct Section<'file, View> {
    file: &'file OpenFile<'file>,
    access: ProtFlags,
    view: PhantomData<View>,
}

impl<'file> Section<'file, SourceMapping> {
    /// For reading the first `bytes` bytes of a file that is not empty; 0 stands for all of them.
    pub(crate) fn of_source(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ, view: PhantomData })
    }

    /// A part that begins at `offset`, a multiple of 64 KiB; its length must not be 0.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<SourceMapping> {
        self.pages(offset, bytes).map(SourceMapping::of_pages)
    }
}

impl<'file> Section<'file, Mapping> {
    /// For writing the first `bytes` bytes of a file, which must not be 0; the file must be that long.
    pub(crate) fn of_destination(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ | ProtFlags::WRITE, view: PhantomData })
    }

    /// A part that begins at `offset`, a multiple of 64 KiB; its length must not be 0.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Mapping> {
        self.pages(offset, bytes).map(Mapping::of_pages)
    }
}

impl<View> Section<'_, View> {
    fn pages(&self, offset: u64, bytes: usize) -> io::Result<Pages> {
        Pages::of_part(self.file, offset, bytes, self.access, MapFlags::SHARED)
    }
}
