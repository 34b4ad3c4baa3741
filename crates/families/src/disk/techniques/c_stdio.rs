use model::Workload;

use super::{DiskJob, Technique, buffered, in_phases};
use crate::disk::stream::{LIBRARY_BUFFER, UNBUFFERED, read, rewrite};
use crate::disk::workload::{ORDER, PIECE_BYTES, Phase, RANDOM, phases};

pub(super) const C_STDIO: Technique<DiskJob> = Technique {
    name: "c_stdio",
    idea: "fread and fwrite, the stream's buffer left at its default, flushed once",
    source: "the published disk tests: C library with buffering",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| in_phases(workload, &["read"], &["write", "fdatasync"]),
    ..buffered(|job| job.done_by(read::<LIBRARY_BUFFER>, rewrite::<LIBRARY_BUFFER>))
};

pub(super) const C_STDIO_UNBUFFERED: Technique<DiskJob> = Technique {
    name: "c_stdio_unbuffered",
    idea: "fread and fwrite, the stream without a buffer (_IONBF), flushed once",
    source: "the published disk tests: C library without buffering",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| in_phases(workload, &["read"], &["write", "fdatasync"]),
    ..buffered(|job| job.done_by(read::<UNBUFFERED>, rewrite::<UNBUFFERED>))
};

pub(super) const C_STDIO_LARGE_BUFFER: Technique<DiskJob> = Technique {
    name: "c_stdio_large_buffer",
    idea: "fread and fwrite, the stream with a buffer of 1 MiB, flushed once",
    source: "setvbuf(3)",
    calls: &["!pread64", "!pwrite64"],
    calls_at,
    ..buffered(|job| job.done_by(read::<BUFFER_BYTES>, rewrite::<BUFFER_BYTES>))
};

const BUFFER_BYTES: usize = 1 << 20;

/// In order, a buffer that holds several pieces is filled less often than they are asked for.
fn calls_at(workload: &Workload) -> Vec<String> {
    let mut expected = in_phases(workload, &["read"], &["write", "fdatasync"]);
    let (bytes, buffer_bytes) = (workload.bytes().unwrap_or(0), BUFFER_BYTES as u64);
    let piece_bytes = workload.number(PIECE_BYTES).unwrap_or(0).max(1);
    let reads = phases(workload).unwrap_or_default().iter().filter(|phase| **phase != Phase::Rewrite).count();
    let is_in_order = workload.word(ORDER) != Some(RANDOM);
    if is_in_order && reads > 0 && piece_bytes <= buffer_bytes / 2 && bytes >= 2 * buffer_bytes {
        expected.push(format!("!read *{}", reads as u64 * bytes.div_ceil(piece_bytes)));
    }
    expected
}
