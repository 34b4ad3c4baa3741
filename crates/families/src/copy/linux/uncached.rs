//! Through the file cache, but without staying in it.

use std::io::{self, IoSlice, IoSliceMut};

use model::{Availability, Class, Host, Setting};
use rustix::io::{ReadWriteFlags, preadv2, pwritev2, retry_on_intr};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_for};
use crate::files::{OpenFile, tried_out};

pub(in crate::copy) const UNCACHED: Technique<CopyJob> = Technique {
    name: "uncached",
    alias: &[],
    idea: "preadv2 and pwritev2 with RWF_DONTCACHE, 256 KiB at a time: the cache lets go of the pages at once",
    source: "Linux 6.14, Jens Axboe's uncached buffered I/O",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(copy),
};

/// `RWF_DONTCACHE` of `linux/fs.h`, which the libraries do not name yet.
const DONTCACHE: ReadWriteFlags = ReadWriteFlags::from_bits_retain(0x80);

/// As an offset: from the file's own position onwards.
const HERE: u64 = u64::MAX;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let mut buffer = buffer_for(&source, 256 << 10)?;
    loop {
        match read(&source, &mut buffer)? {
            0 => break,
            count => write_all(&destination, &buffer[..count])?,
        }
    }
    destination.finish(job.durable)
}

fn read(source: &OpenFile, buffer: &mut [u8]) -> io::Result<usize> {
    let call = || preadv2(source, &mut [IoSliceMut::new(buffer)], HERE, DONTCACHE);
    retry_on_intr(call).map_err(source.at("preadv2 with RWF_DONTCACHE"))
}

fn write_all(destination: &OpenFile, mut bytes: &[u8]) -> io::Result<()> {
    const STEP: &str = "pwritev2 with RWF_DONTCACHE";
    while !bytes.is_empty() {
        let call = || pwritev2(destination, &[IoSlice::new(bytes)], HERE, DONTCACHE);
        let count = retry_on_intr(call).map_err(destination.at(STEP))?;
        bytes = &bytes[destination.progress(STEP, count)?..];
    }
    Ok(())
}

/// Reads and writes a page in the setting's directory: kernel and file system must both know the flag.
fn probe(_host: &Host, setting: &Setting) -> Availability {
    tried_out(setting, 4_096, "it needs Linux 6.14 and a file system that knows RWF_DONTCACHE", |file| {
        let absent = file.absent();
        let mut page = [0; 4_096];
        read(&OpenFile::open(file.path())?, &mut page)?;
        write_all(&OpenFile::create(&absent)?, &page)
    })
}
