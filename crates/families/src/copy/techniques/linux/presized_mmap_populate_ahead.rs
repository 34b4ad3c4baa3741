use std::thread::Builder;

use sys::thread_scope::scope;

use super::presized_mmap_write::{AHEAD_BYTES, PIECE_BYTES};
use crate::copy::prelude::*;
use crate::copy::techniques::mmap_write::write_by_pieces;
use crate::files::SourceMapping;

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

/// The thread calls the kernel and no more: a small stack is a mapping that costs less.
const STACK_BYTES: usize = 64 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let bytes = source.size_bytes()?;
    if bytes == 0 {
        return OpenFile::create(&job.destination)?.finish(job.durable);
    }
    source.ask_for(0, AHEAD_BYTES);
    let mapping = SourceMapping::sequential(&source, bytes)?;
    let is_alone = mapping.len() <= PIECE_BYTES;
    let destination = scope(|scope| {
        if is_alone {
            notes.extend(fewer_threads(1, 2, "nothing lies ahead of the first 1 MiB"));
        } else if let Err(refused) =
            scope.spawn(Builder::new().stack_size(STACK_BYTES), || populate(&source, &mapping))
        {
            notes.push(format!("fell back: no second thread could be started ({refused})"));
        }
        let destination = OpenFile::create(&job.destination)?;
        presize(&destination, bytes, notes)?;
        if is_alone {
            mapping.populate(0..mapping.len());
        }
        // A page that is not there yet is looked up by the writer itself: neither thread waits for the other.
        write_by_pieces(&destination, &mapping)?;
        Ok::<_, io::Error>(destination)
    })?;
    destination.finish(job.durable)
}

/// Looks up all pages in their order; the device is asked for what comes next.
fn populate(source: &OpenFile, mapping: &SourceMapping) {
    for start in (0..mapping.len()).step_by(PIECE_BYTES) {
        source.ask_for(start as u64 + AHEAD_BYTES, PIECE_BYTES as u64);
        mapping.populate(start..mapping.len().min(start + PIECE_BYTES));
    }
}
