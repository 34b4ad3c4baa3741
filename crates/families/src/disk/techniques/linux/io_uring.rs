use model::{Availability, Host, Setting, Workload};

use crate::disk::past_cache::{open_direct, open_direct_to_write, probe_direct};
use crate::disk::techniques::direct::OPEN_DIRECT;
use crate::disk::techniques::{DiskJob, Technique, buffered, depth, in_phases};
use crate::disk::{buffer_room, in_flight, system};
use crate::files::{OpenFile, probe_ring};

pub(in crate::disk) const IO_URING: Technique<DiskJob> = Technique {
    name: "io_uring",
    idea: "io_uring through the file cache, file and buffers registered, several pieces in flight; flushed at the end",
    source: "io_uring(7), Jens Axboe, Efficient IO with io_uring",
    parameters: &[depth(&[1, 8])],
    calls: &["!read", "!pread64", "!write", "!pwrite64"],
    calls_at: |workload| by_ring(workload, &[]),
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe: probe_ring,
    fits: |point, workload, setting| buffer_room::of_buffers(point, workload, setting, CACHED),
    ..buffered(|job| {
        job.done_in_flight(
            |job, pieces, memory, notes| {
                in_flight::read(job, &OpenFile::open(&job.path)?, pieces, memory, notes)
            },
            |job, pieces, data, notes| {
                let file = system::open_to_write(&job.path)?;
                in_flight::write(job, &file, pieces, data, notes)?;
                job.end(pieces, file)
            },
        )
    })
};

pub(in crate::disk) const IO_URING_DIRECT: Technique<DiskJob> = Technique {
    name: "io_uring_direct",
    idea: "io_uring past the file cache (O_DIRECT), file and buffers registered, several pieces in flight; \
           flushed at the end",
    source: "io_uring(7), Jens Axboe, Efficient IO with io_uring",
    parameters: &[depth(&[1, 8, 32, 64])],
    calls: &["!read", "!pread64", "!write", "!pwrite64"],
    calls_at: |workload| by_ring(workload, &[OPEN_DIRECT]),
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids; a file system that reads and writes past the file cache",
    probe: probe_ring_and_direct,
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

fn by_ring(workload: &Workload, opening: &[&str]) -> Vec<String> {
    let reading = [&["io_uring_setup", "io_uring_register", "io_uring_enter"], opening].concat();
    in_phases(workload, &reading, &[&reading[..], &["fdatasync"]].concat())
}

/// The pages of a piece cannot be dropped while it is read, nor can those that are read ahead of it, which are about as many.
const CACHED: u64 = 2;

fn probe_ring_and_direct(host: &Host, setting: &Setting) -> Availability {
    match probe_ring(host, setting) {
        Availability::Ready => probe_direct(setting),
        missing @ Availability::Missing(_) => missing,
    }
}
