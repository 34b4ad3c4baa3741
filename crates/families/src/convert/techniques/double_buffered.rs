//! Two buffers: one is filled while the other is converted and written.

use std::io;

use crate::contract::Technique;
use crate::convert::blocks::Blocks;
use crate::convert::job::{ConvertJob, Notes};
use crate::files::{OpenFile, presize};

pub(super) const DOUBLE_BUFFERED: Technique<ConvertJob> = Technique {
    name: "double_buffered",
    idea: "as presized, and a second thread reads 512 KiB while the 512 KiB before are converted and written",
    source: "double buffering",
    calls: &["fallocate", "clone3|clone", "pread64", "pwrite64"],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    if bytes > 0 {
        let (kernel, source, destination) = (job.kernel(), &source, &*destination);
        Blocks { job, kernel, source, destination, bytes, alignment: 1 }.double_buffered(notes)?;
    }
    destination.finish(job.durable)
}
