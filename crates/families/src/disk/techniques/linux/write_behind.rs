use model::{Availability, Workload};

use crate::disk::in_turn;
use crate::disk::system::{let_go, open_to_write, write_back};
use crate::disk::techniques::{DiskJob, Technique, buffered, in_phases};
use crate::disk::workload::{ORDER, RANDOM};
use crate::files::OpenFile;

pub(in crate::disk) const WRITE_BEHIND: Technique<DiskJob> = Technique {
    name: "write_behind",
    idea: "sync_file_range starts to write back every 4 MiB, waits for the 4 MiB before, and drops those from \
           the cache; read with POSIX_FADV_DONTNEED behind",
    source: "sync_file_range(2); Linus Torvalds, linux-kernel, 2010-05-23",
    calls: &["!open O_SYNC|openat O_SYNC"],
    calls_at,
    suits,
    ..buffered(|job| {
        job.done_by(
            |job, pieces, memory, _notes| {
                let file = OpenFile::open_sequential(&job.path)?;
                let mut done = 0;
                in_turn::read_by(job, memory, &file, pieces, |buffer, offset| {
                    if offset >= done + BLOCK_BYTES {
                        let_go(&file, done, offset - done)?;
                        done = offset;
                    }
                    file.read_at(buffer, offset)
                })
            },
            |job, pieces, data, _notes| {
                let file = open_to_write(&job.path)?;
                // The block that is being written back, and the one that is being filled.
                let (mut behind, mut filled) = (0..0, 0..0);
                for piece in pieces.by_ref() {
                    file.write_all_at(data.stamped(0, piece).1, piece.offset)?;
                    filled.end = piece.offset + piece.bytes as u64;
                    if filled.end - filled.start < BLOCK_BYTES {
                        continue;
                    }
                    write_back(&file, filled.start, filled.end - filled.start, false)?;
                    if !behind.is_empty() {
                        let bytes = behind.end - behind.start;
                        write_back(&file, behind.start, bytes, true)?;
                        let_go(&file, behind.start, bytes)?;
                    }
                    behind = filled.clone();
                    filled.start = filled.end;
                }
                job.end(pieces, file)
            },
        )
    })
};

/// Large enough for the device, and little next to the cache.
const BLOCK_BYTES: u64 = 4 << 20;

/// A file of one block has nothing behind it.
fn calls_at(workload: &Workload) -> Vec<String> {
    if workload.bytes().unwrap_or(0) < 2 * BLOCK_BYTES {
        return in_phases(workload, &["pread64"], &["pwrite64", "fdatasync"]);
    }
    in_phases(
        workload,
        &["fadvise64 POSIX_FADV_SEQUENTIAL", "pread64", "fadvise64 POSIX_FADV_DONTNEED"],
        &[
            "pwrite64",
            "sync_file_range SYNC_FILE_RANGE_WRITE",
            "sync_file_range SYNC_FILE_RANGE_WAIT_AFTER",
            "fadvise64 POSIX_FADV_DONTNEED",
            "fdatasync",
        ],
    )
}

fn suits(workload: &Workload) -> Availability {
    if workload.word(ORDER) != Some(RANDOM) {
        return Availability::Ready;
    }
    let why = "what was written lies behind in a sequential order only: leave --set order=random out";
    Availability::Missing(why.to_owned())
}
