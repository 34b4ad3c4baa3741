//! Many pieces in flight past the file cache.

use std::io;

use model::{Availability, Host, Setting};

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::{NewData, Sum};
use crate::disk::job::{DiskJob, Notes};
use crate::disk::past_cache::{open_direct, open_direct_to_write, probe_direct};
use crate::disk::pieces::Pieces;
use crate::disk::queue;
use crate::disk::techniques::{buffered, depth};
use crate::files::{Buffer, probe_ring};

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
    ..buffered(|job| job.done_in_flight(job.depth()?, read, rewrite))
};

fn probe(host: &Host, setting: &Setting) -> Availability {
    match probe_ring(host, setting) {
        Availability::Ready => probe_direct(setting),
        missing @ Availability::Missing(_) => missing,
    }
}

fn read(job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, notes: &mut Notes) -> io::Result<Sum> {
    let file = open_direct(job)?;
    queue::read(job, &file, pieces, memory, notes)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, notes: &mut Notes) -> io::Result<()> {
    let file = open_direct_to_write(job, false)?;
    queue::write(&file, job.slots()?, pieces, data, notes)?;
    job.end(pieces, file)
}
