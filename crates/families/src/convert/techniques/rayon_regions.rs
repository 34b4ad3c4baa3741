use std::sync::Mutex;

use rayon::current_thread_index;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::parallel_regions::{PIECE_BYTES, convert_piece};
use crate::convert::kernel::units_of;
use crate::convert::prelude::*;
use crate::convert::stream::into_presized;
use crate::pool;

pub(super) const RAYON_REGIONS: Technique<ConvertJob> = Technique {
    name: "rayon_regions",
    idea: "as parallel_regions, one thread a processor, each started on a different processor, in pieces of 256 KiB that rayon's threads take from each other",
    source: "crate rayon, ParallelIterator and ThreadPoolBuilder",
    calls: &["fallocate", "clone3|clone", "pread64", "pwrite64"],
    ..Technique::usual(|job| job.done_by(convert))
};

struct Worker<'job> {
    source: ThreadFile<'job>,
    destination: ThreadFile<'job>,
    from: Mapping,
    to: Mapping,
}

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    into_presized(job, &source, job.create()?, notes, |destination, bytes, notes| {
        let pieces = bytes.div_ceil(PIECE_BYTES as u64) as usize;
        let threads = pieces.min(job.processors());
        notes.extend(fewer_threads(threads, job.processors(), "a piece has 256 KiB"));
        convert_by(job, (&source, destination), bytes, (threads, pieces))
    })
}

fn convert_by(
    job: &ConvertJob, (source, destination): (&OpenFile, &OpenFile), bytes: u64,
    (threads, pieces): (usize, usize),
) -> io::Result<()> {
    let kernel = job.kernel();
    let workers: Vec<Mutex<Option<Worker>>> = (0..threads).map(|_| Mutex::new(None)).collect();
    let room = PIECE_BYTES.min(bytes as usize);
    let convert_one = |nth: usize| {
        let own = current_thread_index().expect("pieces are converted by the threads of the pool");
        let mut own = workers[own].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let worker = match &mut *own {
            Some(worker) => worker,
            none => none.insert(Worker {
                source: source.for_thread_to_read()?,
                destination: destination.for_thread_to_write()?,
                from: Mapping::buffer(room)?,
                to: Mapping::buffer(2 * room)?,
            }),
        };
        let start = nth as u64 * PIECE_BYTES as u64;
        let length = room.min((bytes - start) as usize);
        let buffers = (&mut worker.from[..length], &mut units_of(&mut worker.to)[..length]);
        convert_piece(job, kernel, (&worker.source, &worker.destination), start, buffers)
    };
    // Of several failures the one nearest to the beginning of the file.
    let all = || (0..pieces).into_par_iter().map(convert_one).find_map_first(Result::err);
    pool::run(threads, all)?.map_or(Ok(()), Err)
}
