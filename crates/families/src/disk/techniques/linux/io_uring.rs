//! Many pieces in flight through the file cache.

use std::io;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::{NewData, Sum};
use crate::disk::job::{DiskJob, Notes};
use crate::disk::pieces::Pieces;
use crate::disk::techniques::{buffered, depth};
use crate::disk::{queue, room, system};
use crate::files::{Buffer, OpenFile, probe_ring};

pub(in crate::disk) const IO_URING: Technique<DiskJob> = Technique {
    name: "io_uring",
    idea: "io_uring through the file cache, file and buffers registered, several pieces in flight; flushed at the end",
    source: "io_uring(7), Jens Axboe, Efficient IO with io_uring",
    parameters: &[depth(&[1, 8])],
    calls: &["!read", "!pread64", "!write", "!pwrite64"],
    calls_at: |workload| {
        in_phases(
            workload,
            &["io_uring_setup", "io_uring_register", "io_uring_enter"],
            &["io_uring_setup", "io_uring_register", "io_uring_enter", "fdatasync"],
        )
    },
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe: probe_ring,
    fits: |point, workload, setting| room::of_buffers_and_cache(point, workload, setting, CACHED),
    ..buffered(|job| job.done_in_flight(job.depth()?, read, rewrite))
};

/// The pages of a piece cannot be dropped while it is read, nor can those that are read ahead of it, which are about as many.
const CACHED: u64 = 2;

fn read(job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, notes: &mut Notes) -> io::Result<Sum> {
    let file = OpenFile::open(&job.path)?;
    queue::read(job, &file, pieces, memory, notes)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, notes: &mut Notes) -> io::Result<()> {
    let file = system::open_to_write(&job.path)?;
    queue::write(&file, job.slots()?, pieces, data, notes)?;
    job.end(pieces, file)
}
