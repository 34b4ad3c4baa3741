use std::io::IoSliceMut;

use rustix::io::{preadv2, retry_on_intr};

use crate::disk::in_turn;
use crate::disk::system::{open_to_write, write_all_with};
use crate::disk::techniques::{DiskJob, Technique, buffered, in_phases};
use crate::files::{DONTCACHE, OpenFile, probe_uncached};

pub(in crate::disk) const UNCACHED: Technique<DiskJob> = Technique {
    name: "uncached",
    idea: "preadv2 and pwritev2 with RWF_DONTCACHE: the pages leave the cache at once; flushed at the end",
    source: "Linux 6.14, Jens Axboe's uncached buffered I/O",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| {
        in_phases(
            workload,
            &["preadv2", "preadv2 RWF_DONTCACHE *preadv2"],
            &["pwritev2", "pwritev2 RWF_DONTCACHE *pwritev2", "fdatasync"],
        )
    },
    needs: "Linux 6.14, and a file system that knows RWF_DONTCACHE",
    probe: |_host, setting| probe_uncached(setting),
    ..buffered(|job| {
        job.done_by(
            |job, pieces, memory, _notes| {
                let file = OpenFile::open(&job.path)?;
                in_turn::read_by(job, memory, &file, pieces, |buffer, offset| {
                    let call = || preadv2(&file, &mut [IoSliceMut::new(buffer)], offset, DONTCACHE);
                    retry_on_intr(call).map_err(file.at("preadv2"))
                })
            },
            |job, pieces, data, _notes| {
                let file = open_to_write(&job.path)?;
                for piece in pieces.by_ref() {
                    write_all_with(&file, data.stamped(0, piece).1, piece.offset, DONTCACHE)?;
                }
                job.end(pieces, file)
            },
        )
    })
};
