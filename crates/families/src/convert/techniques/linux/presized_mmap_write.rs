//! The output gets its blocks first, then the mapped source is converted piece by piece and written.

use std::io;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes};
use crate::convert::kernel::Kernel;
use crate::convert::system::{look_up, map_source};
use crate::convert::techniques::mmap_write::write_from_mapping;
use crate::files::{OpenFile, presize};

pub(in crate::convert) const PRESIZED_MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "presized_mmap_write",
    idea: "as mmap_write, with the output's blocks and length allocated first (fallocate)",
    source: "fallocate(2), madvise(2)",
    calls: &["fallocate", "mmap file", "madvise MADV_POPULATE_READ", "write", "!read"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_with(job, job.kernel(), notes)))
};

/// The same with a kernel to choose.
pub(in crate::convert) fn convert_with(
    job: &ConvertJob,
    kernel: Kernel,
    notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    if bytes > 0 {
        let mapping = map_source(&source, bytes)?;
        write_from_mapping(job, kernel, &mapping, &destination, |_, piece| look_up(piece))?;
    }
    destination.finish(job.durable)
}
