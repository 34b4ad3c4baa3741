use model::{Availability, Host, Setting};

use crate::disk::in_flight;
use crate::disk::past_cache::{open_direct, open_direct_to_write, probe_direct};
use crate::disk::techniques::{DiskJob, Technique, buffered, depth, in_phases};
use crate::files::probe_ring;

pub(in crate::disk) const IO_URING_DIRECT: Technique<DiskJob> = Technique {
    name: "io_uring_direct",
    idea: "io_uring past the file cache (O_DIRECT), file and buffers registered, several pieces in flight; \
           flushed at the end",
    source: "io_uring(7), Jens Axboe, Efficient IO with io_uring",
    parameters: &[depth(&[1, 8, 32, 64])],
    calls: &["!read", "!pread64", "!write", "!pwrite64"],
    calls_at: |workload| {
        in_phases(
            workload,
            &["io_uring_setup", "io_uring_register", "io_uring_enter", "open O_DIRECT|openat O_DIRECT"],
            &[
                "io_uring_setup",
                "io_uring_register",
                "io_uring_enter",
                "open O_DIRECT|openat O_DIRECT",
                "fdatasync",
            ],
        )
    },
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids; a file system that reads and writes past the file cache",
    probe,
    ..buffered(|job| {
        job.done_in_flight(
            |job, pieces, memory, notes| in_flight::read(job, &open_direct(job)?, pieces, memory, notes),
            |job, pieces, data, notes| {
                let file = open_direct_to_write(job, false)?;
                in_flight::write(job, &file, pieces, data, notes)?;
                job.end(pieces, file)
            },
        )
    })
};

fn probe(host: &Host, setting: &Setting) -> Availability {
    match probe_ring(host, setting) {
        Availability::Ready => probe_direct(setting),
        missing @ Availability::Missing(_) => missing,
    }
}
