use crate::copy::prelude::*;
use crate::copy::techniques::mmap_write::write_by_pieces;
use crate::files::look_up;
use crate::in_flight::linux::ahead::write_looked_up_ahead;

pub(in crate::copy) const PRESIZED_MMAP_POPULATE_AHEAD: Technique<CopyJob> = Technique {
    name: "presized_mmap_populate_ahead",
    idea: "as presized_mmap_read_ahead, and a second thread looks the mapped pages up ahead of the writer",
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
    suits: |workload| one_file_only(workload, "nothing lies ahead in small ones"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let bytes = source.size_bytes()?;
    if bytes == 0 {
        return OpenFile::create(&job.destination)?.finish(job.durable);
    }
    let destination = write_looked_up_ahead(&source, bytes, notes, |mapping, is_alone, notes| {
        let destination = OpenFile::create(&job.destination)?;
        presize(&destination, bytes, notes)?;
        if is_alone {
            look_up(mapping);
        }
        write_by_pieces(&destination, mapping)?;
        Ok(destination)
    })?;
    destination.finish(job.durable)
}
