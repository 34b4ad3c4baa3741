use crate::copy::prelude::*;
use crate::files::SourceMapping;

pub(in crate::copy) const PRESIZED_MMAP_WRITE: Technique<CopyJob> = Technique {
    name: "presized_mmap_write",
    idea: "fallocate the destination, map the source, and for every 1 MiB: MADV_POPULATE_READ, then write",
    source: "fallocate(2), madvise(2)",
    calls: &["fallocate", "mmap file", "madvise MADV_POPULATE_READ", "write", "!read"],
    ..Technique::usual(|job| job.done_by(copy))
};

/// The pages of a piece are looked up together: a fault for every few of them costs more than needing no buffer saves.
pub(super) const PIECE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        presize(destination, bytes, notes)?;
        if bytes > 0 {
            let mapping = SourceMapping::of_source(source, bytes as usize)?;
            mapping.advise_sequential()?;
            for start in (0..mapping.len()).step_by(PIECE_BYTES) {
                write_piece(destination, &mapping, start)?;
            }
        }
        Ok(())
    })
}

pub(super) fn write_piece(destination: &OpenFile, mapping: &SourceMapping, start: usize) -> io::Result<()> {
    let piece = start..mapping.len().min(start + PIECE_BYTES);
    mapping.populate(piece.clone());
    destination.write_all(&mapping[piece])
}
