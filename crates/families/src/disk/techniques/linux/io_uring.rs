use model::{Availability, Host, Setting, Workload};

use crate::disk::past_cache::{open_direct, open_direct_to_write, probe_direct};
use crate::disk::techniques::direct::OPEN_DIRECT;
use crate::disk::techniques::{DiskJob, Technique, buffered, depth, in_phases};
use crate::disk::workload::with_rewriting_only;
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
    fits: |point, workload, setting| match buffer_room::of_buffers(point, workload, setting, CACHED) {
        Availability::Ready => survives(workload, setting, sys::memory_group::slows_writers()),
        missing @ Availability::Missing(_) => missing,
    },
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

/// Leaves out rewriting where what the ring has written fills the memory before the device has taken it.
fn survives(workload: &Workload, setting: &Setting, slows_writers: bool) -> Availability {
    let rewrites = with_rewriting_only(workload).is_ready();
    if slows_writers || !rewrites || setting.conditions.memory_limit_bytes.is_none() {
        return Availability::Ready;
    }
    let reason = "it writes faster than a slow device, and a control group of version 1 kills what has filled its memory; \
                  --set phases=read reads with it";
    Availability::Missing(reason.to_owned())
}

/// The pages of a piece cannot be dropped while it is read, nor can those that are read ahead of it, which are about as many.
const CACHED: u64 = 2;

fn probe_ring_and_direct(host: &Host, setting: &Setting) -> Availability {
    match probe_ring(host, setting) {
        Availability::Ready => probe_direct(setting),
        missing @ Availability::Missing(_) => missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewriting_is_left_out_where_it_may_be_killed() {
        for (phases, limit_bytes, slows_writers, is_ready) in [
            ("all", Some(1 << 24), false, false),
            ("rewrite", Some(1 << 24), false, false),
            ("read", Some(1 << 24), false, true),
            ("all", Some(1 << 24), true, true),
            ("all", None, false, true),
        ] {
            let mut setting = Setting::default();
            setting.conditions.memory_limit_bytes = limit_bytes;
            let workload = Workload::default().with("phases", phases);
            let said = survives(&workload, &setting, slows_writers);
            assert_eq!(said.is_ready(), is_ready, "{phases} {limit_bytes:?} {slows_writers}");
        }
    }
}
