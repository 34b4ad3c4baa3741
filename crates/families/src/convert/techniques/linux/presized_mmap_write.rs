use crate::convert::kernel::Kernel;
use crate::convert::prelude::*;
use crate::convert::stream::into_presized;
use crate::convert::techniques::mmap_write::{PIECE_BYTES, write_from_mapping};
use crate::in_flight::linux::ahead::AHEAD_BYTES;

pub(in crate::convert) const PRESIZED_MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "presized_mmap_write",
    idea: "as mmap_write, with the output's blocks and length allocated first (fallocate)",
    source: "fallocate(2), madvise(2)",
    calls: &["fallocate", "mmap file", "madvise MADV_POPULATE_READ", "write", "!read"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_with(job, job.kernel(), notes)))
};

pub(in crate::convert) const PRESIZED_MMAP_READ_AHEAD: Technique<ConvertJob> = Technique {
    name: "presized_mmap_read_ahead",
    idea: "as presized_mmap_write, with POSIX_FADV_WILLNEED 32 MiB ahead of what is converted",
    source: "posix_fadvise(2), madvise(2)",
    calls: &[
        "fallocate",
        "mmap file",
        "fadvise64 POSIX_FADV_WILLNEED",
        "madvise MADV_POPULATE_READ",
        "write",
        "!read",
    ],
    ..Technique::usual(|job| job.done_by(convert_read_ahead))
};

pub(in crate::convert) fn convert_with(
    job: &ConvertJob, kernel: Kernel, notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    into_presized(job, &source, job.create()?, notes, |destination, bytes, _| {
        let mapping = SourceMapping::sequential(&source, bytes)?;
        write_from_mapping(job, kernel, &mapping, destination, |_, piece| look_up(piece))
    })
}

fn convert_read_ahead(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    source.ask_for(0, AHEAD_BYTES);
    into_presized(job, &source, job.create()?, notes, |destination, bytes, _| {
        let mapping = SourceMapping::sequential(&source, bytes)?;
        let before_each = |start: u64, piece: &[u8]| {
            source.ask_for(start + AHEAD_BYTES, PIECE_BYTES as u64);
            look_up(piece);
        };
        write_from_mapping(job, job.kernel(), &mapping, destination, before_each)
    })
}
