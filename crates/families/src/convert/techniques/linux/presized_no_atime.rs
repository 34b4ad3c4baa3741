use rustix::fs::OFlags;

use crate::convert::prelude::*;
use crate::convert::stream::{stream_by_pages, stream_into_presized};
use crate::files::tried_out;

pub(in crate::convert) const PRESIZED_NO_ATIME: Technique<ConvertJob> = Technique {
    name: "presized_no_atime",
    idea: "as presized@256K, with O_NOATIME: reading does not change the source's time of access",
    source: "open(2), O_NOATIME",
    calls: &["fallocate", "open O_NOATIME|openat O_NOATIME", "read", "write"],
    variant_of: Some("presized"),
    needs: "Linux, and files of this user on a file system that takes O_NOATIME",
    probe,
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, OFlags::RDONLY | OFlags::NOATIME)?;
    stream_into_presized(job, &source, job.create()?, notes, |source, destination, bytes| {
        stream_by_pages(job, job.kernel(), source, destination, 256 << 10, bytes)
    })
}

/// Opens a file of this user's in the setting's directory: some network file systems report them as another's.
fn probe(_host: &Host, setting: &Setting) -> Availability {
    tried_out(setting, 1, "O_NOATIME is refused in this directory, and is for a file's owner only", |file| {
        OpenFile::open_with(file.path(), OFlags::RDONLY | OFlags::NOATIME).map(|_| ())
    })
}
