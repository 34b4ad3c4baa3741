//! Through the file cache, but without staying in it.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_for};
use crate::files::{OpenFile, probe_uncached, read_uncached, write_all_uncached};

pub(in crate::copy) const UNCACHED: Technique<CopyJob> = Technique {
    name: "uncached",
    idea: "preadv2 and pwritev2 with RWF_DONTCACHE, 256 KiB at a time: the cache lets go of the pages at once",
    source: "Linux 6.14, Jens Axboe's uncached buffered I/O",
    probe: |_host, setting| probe_uncached(setting),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let mut buffer = buffer_for(&source, 256 << 10)?;
    loop {
        match read_uncached(&source, &mut buffer)? {
            0 => break,
            count => write_all_uncached(&destination, &buffer[..count])?,
        }
    }
    destination.finish(job.durable)
}
