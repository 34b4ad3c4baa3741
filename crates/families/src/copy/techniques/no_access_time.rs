//! The time of the last access to the source stays as it was.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_for};
use crate::files::{OpenFile, pour};

pub(super) const NO_ACCESS_TIME: Technique<CopyJob> = Technique {
    name: "no_access_time",
    idea: "read and write, 256 KiB at a time; reading leaves the source's access time alone",
    source: "open(2), O_NOATIME; Microsoft, SetFileTime",
    variant_of: Some("read_write"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BUFFER_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_without_access_time(&job.source, notes)?;
    let destination = OpenFile::create(&job.destination)?;
    pour(&source, &destination, &mut buffer_for(&source, BUFFER_BYTES)?)?;
    destination.finish(job.durable)
}
