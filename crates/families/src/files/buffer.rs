//! A buffer in few, large pages.

use std::io;
use std::ops::{Deref, DerefMut, Range};

use super::Mapping;

/// A buffer of zeros for system calls that look up every page of it, as those past the file cache do: a piece of it is one
/// stretch of memory for the device where it lies in a huge page, and one for each page where it does not. It begins at a page.
pub(crate) struct Buffer {
    memory: Mapping,
    range: Range<usize>,
}

impl Buffer {
    /// In ordinary pages.
    pub(crate) fn in_pages(bytes: usize) -> io::Result<Self> {
        // No system maps nothing.
        Ok(Self { memory: Mapping::buffer(bytes.max(1))?, range: 0..bytes })
    }

    /// In huge pages where the host has them, else in ordinary ones.
    pub(crate) fn in_huge_pages(bytes: usize) -> io::Result<Self> {
        let (memory, range) = Mapping::buffer_in_huge_pages(bytes)?;
        Ok(Self { memory, range })
    }

    /// The address of a byte, for the system to read or write while the process holds no reference to it.
    pub(crate) fn address_of(&self, offset: usize) -> *mut u8 {
        self.memory.address_of(self.range.start + offset)
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.range.clone()]
    }
}
