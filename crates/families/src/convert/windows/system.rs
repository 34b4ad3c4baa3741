//! What the techniques that are the same on every system ask of Windows.

use std::io;

use crate::convert::job::{ConvertJob, Notes};
use crate::convert::kernel::Unit;
use crate::convert::output::Output;
use crate::files::{Mapping, OpenFile, SourceMapping, Use};

/// Opens the source to map it.
pub(in crate::convert) fn open_to_map(job: &ConvertJob) -> io::Result<OpenFile<'_>> {
    OpenFile::open_sequential(&job.source)
}

/// Creates the output to map it.
pub(in crate::convert) fn create_to_map(job: &ConvertJob) -> io::Result<Output<'_>> {
    job.create()
}

/// Nothing to do: mapping the output at its full length allocates it.
pub(in crate::convert) fn make_room(_output: &OpenFile, _bytes: u64, _notes: &mut Notes) -> io::Result<()> {
    Ok(())
}

/// Maps the source. `bytes` must not be 0.
pub(in crate::convert) fn map_source(source: &OpenFile, bytes: u64) -> io::Result<SourceMapping> {
    SourceMapping::of_source(source, bytes as usize)
}

/// Nothing to do: PrefetchVirtualMemory reads pages from the device, but no call spares the fault of the first touch.
pub(in crate::convert) fn look_up(_part: &[u8]) {}

/// As [`look_up`].
pub(in crate::convert) fn look_up_for_writing(_part: &mut [Unit]) {}

/// Hands the changed pages of a mapped output to the file system, where a flush of the file finds them.
pub(in crate::convert) fn hand_over(mapping: &Mapping, output: &OpenFile) -> io::Result<()> {
    mapping.flush().map_err(output.at("FlushViewOfFile"))
}

/// Both files as one of several threads uses them: a handle that waits does one thing at a time, so threads that share
/// one wait for each other.
pub(in crate::convert) struct OwnFiles<'job> {
    source: OpenFile<'job>,
    destination: OpenFile<'job>,
}

impl<'job> OwnFiles<'job> {
    /// Both files for one thread.
    pub(in crate::convert) fn new(
        job: &'job ConvertJob,
        _files: (&'job OpenFile<'job>, &'job OpenFile<'job>),
    ) -> io::Result<Self> {
        let source = OpenFile::open(&job.source)?;
        Ok(Self { source, destination: OpenFile::open_with(&job.destination, Use::Change, 0)? })
    }

    /// The source and the output.
    pub(in crate::convert) fn both(&self) -> (&OpenFile<'job>, &OpenFile<'job>) {
        (&self.source, &self.destination)
    }
}
