//! What the techniques that are the same on every system ask of Linux.

use std::io;

use rustix::mm::{Advice, madvise};

use crate::convert::job::{ConvertJob, Notes};
use crate::convert::kernel::Unit;
use crate::convert::output::Output;
use crate::files::{Mapping, OpenFile, SourceMapping, reserve};

/// Opens the source to map it.
pub(in crate::convert) fn open_to_map(job: &ConvertJob) -> io::Result<OpenFile<'_>> {
    OpenFile::open(&job.source)
}

/// Creates the output to map it.
pub(in crate::convert) fn create_to_map(job: &ConvertJob) -> io::Result<Output<'_>> {
    Ok(job.output(OpenFile::create_to_map(&job.destination)?))
}

/// Gives an output that is to be mapped its length and its blocks.
pub(in crate::convert) fn make_room(output: &OpenFile, bytes: u64, notes: &mut Notes) -> io::Result<()> {
    reserve(output, bytes, notes)
}

/// Maps the source, which will be read from its first byte to its last. `bytes` must not be 0.
pub(in crate::convert) fn map_source(source: &OpenFile, bytes: u64) -> io::Result<SourceMapping> {
    let mapping = SourceMapping::of_source(source, bytes as usize)?;
    mapping.advise_sequential()?;
    Ok(mapping)
}

/// Looks up the pages of a part of a mapping, which must begin at a page, for reading: one call instead of a fault for
/// every few of them. A kernel before 5.14 refuses, and that is no error: every page is then looked up when it is touched.
pub(in crate::convert) fn look_up(part: &[u8]) {
    // SAFETY: the range is memory of this process, and looking pages up does not change their contents.
    let _ = unsafe { madvise(part.as_ptr().cast_mut().cast(), part.len(), Advice::LinuxPopulateRead) };
}

/// As [`look_up`], for writing.
pub(in crate::convert) fn look_up_for_writing(part: &mut [Unit]) {
    // SAFETY: as in look_up.
    let _ = unsafe { madvise(part.as_mut_ptr().cast(), size_of_val(part), Advice::LinuxPopulateWrite) };
}

/// Nothing to do: a flush of the file finds the changed pages of its mappings.
pub(in crate::convert) fn hand_over(_mapping: &Mapping, _output: &OpenFile) -> io::Result<()> {
    Ok(())
}

/// Both files as one of several threads uses them: the descriptors of all, since a call at an offset shares nothing.
pub(in crate::convert) struct OwnFiles<'job> {
    files: (&'job OpenFile<'job>, &'job OpenFile<'job>),
}

impl<'job> OwnFiles<'job> {
    /// Both files for one thread.
    pub(in crate::convert) fn new(
        _job: &'job ConvertJob,
        files: (&'job OpenFile<'job>, &'job OpenFile<'job>),
    ) -> io::Result<Self> {
        Ok(Self { files })
    }

    /// The source and the output.
    pub(in crate::convert) fn both(&self) -> (&OpenFile<'job>, &OpenFile<'job>) {
        self.files
    }
}
