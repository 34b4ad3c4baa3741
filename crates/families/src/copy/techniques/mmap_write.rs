use crate::copy::prelude::*;

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
            for piece in Views::of_source(source)?.view(0, bytes as usize)?.chunks(PIECE_BYTES) {
                destination.write_all(piece)?;
            }
        }
        Ok(())
    })
}
