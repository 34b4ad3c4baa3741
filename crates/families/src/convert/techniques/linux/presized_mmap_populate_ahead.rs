use std::thread::Builder;

use sys::thread_scope::scope;

use super::presized_mmap_write::AHEAD_BYTES;
use crate::convert::prelude::*;
use crate::convert::techniques::mmap_write::write_from_mapping;

pub(in crate::convert) const PRESIZED_MMAP_POPULATE_AHEAD: Technique<ConvertJob> = Technique {
    name: "presized_mmap_populate_ahead",
    idea: "as presized_mmap_read_ahead, and a second thread looks the mapped pages up ahead of the converter",
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
    ..Technique::usual(|job| job.done_by(convert))
};

/// The thread calls the kernel and no more: a small stack is a mapping that costs less.
const STACK_BYTES: usize = 64 << 10;
const WINDOW_BYTES: usize = 1 << 20;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let bytes = source.size_bytes()?;
    if bytes == 0 {
        return job.create()?.finish(job.durable);
    }
    source.ask_for(0, AHEAD_BYTES);
    let mapping = SourceMapping::sequential(&source, bytes)?;
    let is_alone = mapping.len() <= WINDOW_BYTES;
    let destination = scope(|scope| {
        if is_alone {
            notes.extend(fewer_threads(1, 2, "nothing lies ahead of the first 1 MiB"));
        } else if let Err(refused) =
            scope.spawn(Builder::new().stack_size(STACK_BYTES), || populate(&source, &mapping))
        {
            notes.push(format!("fell back: no second thread could be started ({refused})"));
        }
        let destination = job.create()?;
        presize(&destination, 2 * bytes, notes)?;
        if is_alone {
            look_up(&mapping);
        }
        // A page that is not there yet is looked up by the converter itself: neither waits for the other.
        write_from_mapping(job, job.kernel(), &mapping, &destination, |_, _| ())?;
        Ok::<_, io::Error>(destination)
    })?;
    destination.finish(job.durable)
}

/// Looks up all pages in their order; the device is asked for what comes next.
fn populate(source: &OpenFile, mapping: &[u8]) {
    for start in (0..mapping.len()).step_by(WINDOW_BYTES) {
        source.ask_for(start as u64 + AHEAD_BYTES, WINDOW_BYTES as u64);
        look_up(&mapping[start..mapping.len().min(start + WINDOW_BYTES)]);
    }
}
