//! Through the file cache, but without staying in it.

use std::io::{self, IoSlice, IoSliceMut};

use model::{Availability, Setting};
use rustix::io::{ReadWriteFlags, preadv2, pwritev2, retry_on_intr};

use super::OpenFile;
use crate::files::tried_out;

/// `RWF_DONTCACHE` of `linux/fs.h`, which the libraries do not name yet.
const DONTCACHE: ReadWriteFlags = ReadWriteFlags::from_bits_retain(0x80);

/// As an offset: from the file's own position onwards.
const HERE: u64 = u64::MAX;

pub(crate) fn read_uncached(source: &OpenFile, buffer: &mut [u8]) -> io::Result<usize> {
    let call = || preadv2(source, &mut [IoSliceMut::new(buffer)], HERE, DONTCACHE);
    retry_on_intr(call).map_err(source.at("preadv2 with RWF_DONTCACHE"))
}

/// Writes all bytes from the file's position on, and has the cache let go of the pages once they are on the device.
pub(crate) fn write_all_uncached(destination: &OpenFile, mut bytes: &[u8]) -> io::Result<()> {
    const STEP: &str = "pwritev2 with RWF_DONTCACHE";
    while !bytes.is_empty() {
        let call = || pwritev2(destination, &[IoSlice::new(bytes)], HERE, DONTCACHE);
        let count = retry_on_intr(call).map_err(destination.at(STEP))?;
        bytes = &bytes[destination.progress(STEP, count)?..];
    }
    Ok(())
}

/// Reads and writes a page in the setting's directory: kernel and file system must both know the flag.
pub(crate) fn probe_uncached(setting: &Setting) -> Availability {
    tried_out(setting, 4_096, "it needs Linux 6.14 and a file system that knows RWF_DONTCACHE", |file| {
        let absent = file.absent();
        let mut page = [0; 4_096];
        read_uncached(&OpenFile::open(file.path())?, &mut page)?;
        write_all_uncached(&OpenFile::create(&absent)?, &page)
    })
}
