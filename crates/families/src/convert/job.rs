//! The job: one file of ASCII is to become one of UTF-16LE, at a place where none stands.

use std::io;

use super::kernel::{Kernel, NotAscii, Unit, bytes_of, units_of};
use super::output::Output;
use super::special::best_for;
use crate::files::OpenFile;
pub(super) use crate::files::{FileJob as ConvertJob, Notes};
use crate::in_flight::pieces::{Change, Pieces};

impl ConvertJob {
    /// Creates the destination, which is gone again unless it is finished.
    pub(super) fn create(&self) -> io::Result<Output<'_>> {
        Ok(self.output(OpenFile::create(&self.destination)?))
    }

    pub(super) fn output<'job>(&'job self, created: OpenFile<'job>) -> Output<'job> {
        Output::new(created, &self.destination)
    }

    pub(super) fn kernel(&self) -> Kernel {
        best_for(self.bytes)
    }

    /// Converts a piece at `offset` of the source; returns what is to be written, at twice that offset. [`NotAscii`] is an error.
    pub(super) fn convert<'units>(
        &self, kernel: Kernel, offset: u64, from: &[u8], to: &'units mut [Unit],
    ) -> io::Result<&'units [u8]> {
        debug_assert_eq!(from.len(), to.len(), "a unit for every byte");
        kernel(from, to).map_err(|place| NotAscii::at(&self.source, offset + place as u64, from[place]))?;
        // SAFETY: the kernel has written a unit for every byte.
        Ok(unsafe { bytes_of(to) })
    }

    pub(super) fn pieces<'job>(
        &'job self, files: [&'job OpenFile<'job>; 2], steps: [&'static str; 2], bytes: u64,
        blocks: (usize, usize),
    ) -> io::Result<Pieces<'job>> {
        Pieces::new(files, steps, bytes, blocks, Some(self.change()))
    }

    pub(super) fn change(&self) -> Change<'_> {
        let kernel = self.kernel();
        Box::new(move |offset, from, to| self.convert(kernel, offset, from, units_of(to)).map(|_| ()))
    }
}
