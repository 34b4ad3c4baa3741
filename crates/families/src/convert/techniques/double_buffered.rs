use crate::convert::blocks::blocks;
use crate::convert::prelude::*;
use crate::convert::stream::into_presized;

pub(super) const DOUBLE_BUFFERED: Technique<ConvertJob> = Technique {
    name: "double_buffered",
    idea: "as presized, and a second thread reads 512 KiB while the 512 KiB before are converted and written",
    source: "double buffering",
    calls: &["fallocate", "clone3|clone", "pread64", "pwrite64"],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    into_presized(job, &source, job.create()?, notes, |destination, bytes, notes| {
        blocks(job, [&source, destination], bytes, 1).double_buffered(notes)
    })
}
