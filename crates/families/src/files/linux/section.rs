//! A file of which parts are mapped, one after the other.

use std::io;
use std::marker::PhantomData;

use rustix::mm::{MapFlags, ProtFlags};

use super::OpenFile;
use crate::files::{Mapping, Pages, SourceMapping};

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
}

impl<'file> Section<'file, Mapping> {
    /// For writing the first `bytes` bytes of a file, which must not be 0; the file must be that long.
    pub(crate) fn of_destination(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ | ProtFlags::WRITE, view: PhantomData })
    }
}

impl<View: From<Pages>> Section<'_, View> {
    /// A part that begins at `offset`, a multiple of 64 KiB; its length must not be 0.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<View> {
        Pages::of_part(self.file, offset, bytes, self.access, MapFlags::SHARED).map(View::from)
    }
}
