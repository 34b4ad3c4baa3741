use crate::convert::prelude::*;
use crate::convert::techniques::mmap_write::write_from_mapping;
use crate::in_flight::linux::ahead::write_looked_up_ahead;

pub(in crate::convert) const PRESIZED_MMAP_POPULATE_AHEAD: Technique<ConvertJob> = Technique {
    name: "presized_mmap_populate_ahead",
    idea: "as presized_mmap_read_ahead, and a second thread looks the mapped pages up ahead of the converter",
    source: "madvise(2), MADV_POPULATE_READ",
    calls: &[
        "fallocate",
        "mmap file",
        "clone3|clone",
        "fadvise64 POSIX_FADV_WILLNEED",
        "madvise MADV_POPULATE_READ",
        "write",
        "!read",
    ],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let bytes = source.size_bytes()?;
    if bytes == 0 {
        return job.create()?.finish(job.durable);
    }
    let destination = write_looked_up_ahead(&source, bytes, notes, |mapping, is_alone, notes| {
        let destination = job.create()?;
        presize(&destination, 2 * bytes, notes)?;
        if is_alone {
            look_up(mapping);
        }
        write_from_mapping(job, job.kernel(), mapping, &destination, |_, _| ())?;
        Ok(destination)
    })?;
    destination.finish(job.durable)
}
