use crate::copy::prelude::*;
use crate::files::SourceMapping;
use crate::in_flight::linux::ahead::AHEAD_BYTES;

pub(in crate::copy) const PRESIZED_MMAP_WRITE: Technique<CopyJob> = Technique {
    name: "presized_mmap_write",
    idea: "fallocate the destination, map the source, and for every 1 MiB: MADV_POPULATE_READ, then write",
    source: "fallocate(2), madvise(2)",
    calls: &["fallocate", "mmap file", "madvise MADV_POPULATE_READ", "write", "!read"],
    ..Technique::usual(|job| job.done_by(|job, notes| copy_pieces(job, notes, |_, _, _| ())))
};

pub(in crate::copy) const PRESIZED_MMAP_READ_AHEAD: Technique<CopyJob> = Technique {
    name: "presized_mmap_read_ahead",
    idea: "as presized_mmap_write, with POSIX_FADV_WILLNEED 32 MiB ahead of what is written",
    source: "posix_fadvise(2), madvise(2)",
    calls: &[
        "fallocate",
        "mmap file",
        "fadvise64 POSIX_FADV_WILLNEED",
        "madvise MADV_POPULATE_READ",
        "write",
        "!read",
    ],
    suits: |workload| one_file_only(workload, "nothing lies ahead in small ones"),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| {
            copy_pieces(job, notes, |source, offset, bytes| source.ask_for(offset, bytes))
        })
    })
};

/// The pages of a piece are looked up together: a fault for every few of them costs more than needing no buffer saves.
const PIECE_BYTES: usize = 1 << 20;

fn copy_pieces(job: &CopyJob, notes: &mut Notes, ask_for: fn(&OpenFile, u64, u64)) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        ask_for(source, 0, AHEAD_BYTES);
        presize(destination, bytes, notes)?;
        if bytes > 0 {
            let mapping = SourceMapping::sequential(source, bytes)?;
            for start in (0..mapping.len()).step_by(PIECE_BYTES) {
                let piece = start..mapping.len().min(start + PIECE_BYTES);
                ask_for(source, start as u64 + AHEAD_BYTES, PIECE_BYTES as u64);
                mapping.populate(piece.clone());
                destination.write_all(&mapping[piece])?;
            }
        }
        Ok(())
    })
}
