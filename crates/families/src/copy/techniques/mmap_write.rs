use crate::copy::prelude::*;
use crate::files::SourceMapping;

pub(super) const MMAP_WRITE: Technique<CopyJob> = Technique {
    name: "mmap_write",
    idea: "map the source with the hint that access is sequential, write from the mapping 1 MiB at a time",
    source: "mmap(2), madvise(2); Microsoft, CreateFileMapping",
    calls: &["mmap file", "write", "!read"],
    ..Technique::usual(|job| job.done_by(copy))
};

const PIECE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open_to_map, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        // A file without a byte cannot be mapped.
        if bytes > 0 {
            write_by_pieces(destination, &SourceMapping::sequential(source, bytes)?)?;
        }
        Ok(())
    })
}

pub(super) fn write_by_pieces(destination: &OpenFile, mapping: &[u8]) -> io::Result<()> {
    mapping.chunks(PIECE_BYTES).try_for_each(|piece| destination.write_all(piece))
}
