use model::{Availability, Class, Host, Setting};
use rustix::fs::ioctl_ficlone;

use crate::copy::prelude::*;
use crate::files::tried_out;

pub(in crate::copy) const REFLINK: Technique<CopyJob> = Technique {
    name: "reflink",
    idea: "FICLONE: the destination shares the extents of the source, no byte is moved",
    source: "ioctl_ficlone(2)",
    calls: &["ioctl FICLONE", "!copy_file_range", "!read", "!write"],
    class: Class::SharesExtents,
    needs: "a file system that shares extents: btrfs, XFS, bcachefs",
    probe,
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, clone)
}

fn clone(source: &OpenFile, destination: &OpenFile) -> io::Result<()> {
    ioctl_ficlone(destination, source).map_err(destination.at("ioctl FICLONE"))
}

fn probe(_host: &Host, setting: &Setting) -> Availability {
    tried_out(setting, 4_096, "it needs btrfs, XFS or bcachefs", |file| {
        let absent = file.absent();
        clone(&OpenFile::open(file.path())?, &OpenFile::create(&absent)?)
    })
}
