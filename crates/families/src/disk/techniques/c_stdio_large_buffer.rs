use model::Workload;

use super::{DiskJob, Technique, buffered, in_phases};
use crate::disk::stream::{self, Buffering};
use crate::disk::workload::{ORDER, PIECE_BYTES, Phase, RANDOM, phases};

pub(super) const C_STDIO_LARGE_BUFFER: Technique<DiskJob> = Technique {
    name: "c_stdio_large_buffer",
    idea: "fread and fwrite, the stream with a buffer of 1 MiB, flushed once",
    source: "setvbuf(3)",
    calls: &["!pread64", "!pwrite64"],
    calls_at,
    ..buffered(|job| {
        job.done_by(
            |job, pieces, memory, _notes| stream::read(job, pieces, memory, BUFFERING),
            |job, pieces, data, _notes| stream::rewrite(job, pieces, data, BUFFERING),
        )
    })
};

const BUFFER_BYTES: u64 = 1 << 20;
const BUFFERING: Buffering = Buffering::Bytes(BUFFER_BYTES as usize);

/// In order, a buffer that holds several pieces is filled less often than they are asked for.
fn calls_at(workload: &Workload) -> Vec<String> {
    let mut expected = in_phases(workload, &["read"], &["write", "fdatasync"]);
    let (bytes, piece_bytes) =
        (workload.bytes().unwrap_or(0), workload.number(PIECE_BYTES).unwrap_or(0).max(1));
    let reads = phases(workload).unwrap_or_default().iter().filter(|phase| **phase != Phase::Rewrite).count();
    let is_in_order = workload.word(ORDER) != Some(RANDOM);
    if is_in_order && reads > 0 && piece_bytes <= BUFFER_BYTES / 2 && bytes >= 2 * BUFFER_BYTES {
        expected.push(format!("!read *{}", reads as u64 * bytes.div_ceil(piece_bytes)));
    }
    expected
}
