use crate::convert::blocks::{convert_direct, double_buffered};
use crate::convert::prelude::*;

pub(super) const DIRECT_DOUBLE_BUFFERED: Technique<ConvertJob> = Technique {
    name: "direct_double_buffered",
    idea: "as direct, and a second thread reads a block while the block before is converted and written",
    source: "double buffering; open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["fallocate", "open O_DIRECT|openat O_DIRECT", "clone3|clone", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 2, convert),
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, false, notes, double_buffered)
}
