use crate::convert::kernel::Kernel;
use crate::convert::prelude::*;
use crate::convert::stream::into_presized;
use crate::convert::system::look_up;
use crate::convert::techniques::mmap_write::write_from_mapping;

pub(in crate::convert) const PRESIZED_MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "presized_mmap_write",
    idea: "as mmap_write, with the output's blocks and length allocated first (fallocate)",
    source: "fallocate(2), madvise(2)",
    calls: &["fallocate", "mmap file", "madvise MADV_POPULATE_READ", "write", "!read"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_with(job, job.kernel(), notes)))
};

pub(in crate::convert) fn convert_with(
    job: &ConvertJob,
    kernel: Kernel,
    notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    into_presized(job, &source, job.create()?, notes, |destination, bytes, _| {
        let mapping = SourceMapping::sequential(&source, bytes)?;
        write_from_mapping(job, kernel, &mapping, destination, |_, piece| look_up(piece))
    })
}
