use crate::convert::kernel::{Kernel, units_of};
use crate::convert::prelude::*;

pub(super) const MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "mmap_write",
    idea: "map the source, convert 256 KiB of it into a buffer (Linux: MADV_POPULATE_READ before each), write 512 KiB",
    source: "mmap(2), madvise(2); Microsoft, CreateFileMapping",
    calls: &["mmap file", "madvise MADV_POPULATE_READ", "write", "!read"],
    ..Technique::usual(|job| job.done_by(convert))
};

/// Stays in the second cache of one processor with its output; its pages are looked up together, since faults cost more.
pub(super) const PIECE_BYTES: usize = 256 << 10;

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_to_map(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        let mapping = SourceMapping::sequential(&source, bytes)?;
        write_from_mapping(job, job.kernel(), &mapping, &destination, |_, piece| look_up(piece))?;
    }
    destination.finish(job.durable)
}

/// Converts and writes piece by piece; `before_each` gets the place and the piece.
pub(super) fn write_from_mapping(
    job: &ConvertJob, kernel: Kernel, mapping: &SourceMapping, destination: &OpenFile,
    before_each: impl Fn(u64, &[u8]),
) -> io::Result<()> {
    let mut buffer = Mapping::buffer(2 * mapping.len().min(PIECE_BYTES))?;
    let buffer = units_of(&mut buffer);
    for (nth, piece) in mapping.chunks(PIECE_BYTES).enumerate() {
        let start = (nth * PIECE_BYTES) as u64;
        before_each(start, piece);
        destination.write_all(job.convert(kernel, start, piece, &mut buffer[..piece.len()])?)?;
    }
    Ok(())
}
