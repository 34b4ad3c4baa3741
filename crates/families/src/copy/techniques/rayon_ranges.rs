use rayon::prelude::*;

use crate::copy::prelude::*;
use crate::files::ThreadFile;
use crate::pool;

pub(super) const RAYON_RANGES: Technique<CopyJob> = Technique {
    name: "rayon_ranges",
    idea: "a rayon pool of one thread a processor, each started on a different processor, over ranges of 1 MiB, each read and written at its offset",
    source: "rayon, ParallelIterator::try_for_each_init",
    calls: &["clone3|clone", "pread64", "pwrite64"],
    suits: |workload| one_file_only(workload, "parallel_files shares small ones out whole"),
    ..Technique::usual(|job| job.done_by(copy))
};

const RANGE_BYTES: u64 = 1 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    destination.set_length(bytes)?;
    let ranges = bytes.div_ceil(RANGE_BYTES);
    let processors = job.processors();
    let threads = processors.min(ranges as usize);
    notes.extend(fewer_threads(threads, processors, "a range has 1 MiB"));
    if threads > 0 {
        let copy_all = || {
            (0..ranges).into_par_iter().try_for_each_init(
                || Lane::new(&source, &destination, bytes),
                |lane, nth| {
                    // Several ranges may meet the same refused lane, and an error cannot be copied.
                    let lane =
                        lane.as_mut().map_err(|error| sys::failure::reworded(error.to_string(), error))?;
                    lane.copy_range(nth * RANGE_BYTES)
                },
            )
        };
        pool::run(threads, copy_all)??;
    }
    destination.finish(job.durable)
}

struct Lane<'job> {
    source: ThreadFile<'job>,
    destination: ThreadFile<'job>,
    buffer: Mapping,
    bytes: u64,
}

impl<'job> Lane<'job> {
    fn new(source: &'job OpenFile, destination: &'job OpenFile, bytes: u64) -> io::Result<Self> {
        let buffer = buffer_of(bytes, 256 << 10)?;
        let (source, destination) = (source.for_thread_to_read()?, destination.for_thread_to_write()?);
        Ok(Self { source, destination, buffer, bytes })
    }

    fn copy_range(&mut self, start: u64) -> io::Result<()> {
        let Self { source, destination, buffer, bytes } = self;
        pour_range(source, destination, start..(start + RANGE_BYTES).min(*bytes), buffer)
    }
}
