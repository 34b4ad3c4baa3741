use rustix::fs::OFlags;
use rustix::io::ReadWriteFlags;

use crate::disk::techniques::{DiskJob, Technique, flushing_each, in_phases};
use crate::disk::{in_turn, system};
use crate::files::OpenFile;

pub(in crate::disk) const SYNCHRONOUS: Technique<DiskJob> = Technique {
    name: "synchronous",
    idea: "a file opened with O_SYNC: each write waits for its data and for all that is kept about the file",
    source: "the published disk tests: system calls with O_SYNC",
    calls: &["!fdatasync"],
    calls_at: |workload| in_phases(workload, &["pread64"], &["open O_SYNC|openat O_SYNC", "pwrite64"]),
    ..flushing_each(|job| {
        job.done_by(in_turn::read, |job, pieces, data, _notes| {
            let file = OpenFile::open_with(&job.path, OFlags::WRONLY | OFlags::SYNC)?;
            in_turn::write_to(&file, pieces, data, || Ok(()))
        })
    })
};

pub(in crate::disk) const WRITE_DSYNC: Technique<DiskJob> = Technique {
    name: "write_dsync",
    idea: "pwritev2 with RWF_DSYNC: each call waits for its data",
    source: "pwritev2(2), Linux 4.7",
    variant_of: Some("write_through"),
    calls: &["!pwrite64", "!fdatasync"],
    calls_at: |workload| in_phases(workload, &["pread64"], &["pwritev2", "pwritev2 RWF_DSYNC *pwritev2"]),
    ..flushing_each(|job| {
        job.done_by(in_turn::read, |job, pieces, data, _notes| {
            let file = system::open_to_write(&job.path)?;
            for piece in pieces {
                system::write_all_with(&file, data.stamped(0, piece).1, piece.offset, ReadWriteFlags::DSYNC)?;
            }
            Ok(())
        })
    })
};
