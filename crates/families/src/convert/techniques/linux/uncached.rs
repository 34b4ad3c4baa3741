use crate::convert::kernel::units_of;
use crate::convert::prelude::*;
use crate::files::{capped, probe_uncached, read_uncached, write_all_uncached};

pub(in crate::convert) const UNCACHED: Technique<ConvertJob> = Technique {
    name: "uncached",
    idea: "as read_write@256K, with RWF_DONTCACHE for reading and writing: the pages leave the cache at once",
    source: "Linux 6.14, Jens Axboe's uncached buffered I/O",
    calls: &["preadv2 RWF_DONTCACHE", "pwritev2 RWF_DONTCACHE"],
    needs: "Linux 6.14, and a file system that knows RWF_DONTCACHE",
    probe: |_host, setting| probe_uncached(setting),
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let piece_bytes = capped(256 << 10, source.size_bytes()?);
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    let mut done = 0;
    loop {
        let count = read_uncached(&source, &mut from)?;
        if count == 0 {
            break;
        }
        let units = &mut units_of(&mut to)[..count];
        write_all_uncached(&destination, job.convert(kernel, done, &from[..count], units)?)?;
        done += count as u64;
    }
    destination.finish(job.durable)
}
