use crate::copy::prelude::*;
use crate::files::{probe_uncached, read_uncached, write_all_uncached};

pub(in crate::copy) const UNCACHED: Technique<CopyJob> = Technique {
    name: "uncached",
    idea: "preadv2 and pwritev2 with RWF_DONTCACHE, 256 KiB at a time: the pages leave the cache at once",
    source: "Linux 6.14, Jens Axboe's uncached buffered I/O",
    calls: &["preadv2 RWF_DONTCACHE", "pwritev2 RWF_DONTCACHE"],
    needs: "Linux 6.14, and a file system that knows RWF_DONTCACHE",
    probe: |_host, setting| probe_uncached(setting),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(256 << 10);
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let buffer = buffer.for_file(source)?;
        loop {
            match read_uncached(source, buffer)? {
                0 => return Ok(()),
                count => write_all_uncached(destination, &buffer[..count])?,
            }
        }
    })
}
