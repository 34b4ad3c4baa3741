use crate::disk::in_flight;
use crate::disk::past_cache::{aligned, probe_direct};
use crate::disk::queue;
use crate::disk::techniques::{DiskJob, PAST_CACHE, Technique, buffered, depth};
use crate::files::Use;

pub(in crate::disk) const OVERLAPPED: Technique<DiskJob> = Technique {
    name: "overlapped",
    idea: "FILE_FLAG_OVERLAPPED and FILE_FLAG_NO_BUFFERING with a completion port, several pieces in flight; \
           FlushFileBuffers at the end",
    source: "Microsoft, I/O Completion Ports; Windows SDK sample UNBUFCP2",
    parameters: &[depth(&[8, 32])],
    needs: PAST_CACHE,
    probe: |_host, setting| probe_direct(setting),
    ..buffered(|job| {
        job.done_in_flight(
            |job, pieces, memory, notes| {
                let file = aligned(job, queue::open(&job.path, Use::Read)?)?;
                in_flight::read(job, &file, pieces, memory, notes)
            },
            |job, pieces, data, notes| {
                let file = aligned(job, queue::open(&job.path, Use::Change)?)?;
                in_flight::write(job, &file, pieces, data, notes)?;
                job.end(pieces, file)
            },
        )
    })
};
