use crate::copy::prelude::*;
use crate::in_flight::linux::routines::run;
use crate::in_flight::pieces::Pieces;

pub(in crate::copy) const POSIX_AIO_THREADS: Technique<CopyJob> = Technique {
    name: "posix_aio_threads",
    idea: "aio_read and aio_write with 4 buffers of 256 KiB; SIGEV_THREAD: each end starts the next on a new thread",
    source: "aio(7), sigevent(3type)",
    calls: &["clone3|clone", "pread64", "pwrite64"],
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BLOCKS: usize = 4;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        let (files, steps) = ([&source, &destination], ["aio_read", "aio_write"]);
        let pieces = Pieces::new(files, steps, bytes, (BLOCKS, BLOCK_BYTES), None)?;
        return run(pieces).settled((source, destination))?.1.finish(job.durable);
    }
    destination.finish(job.durable)
}
