use crate::convert::blocks::{convert_direct, double_buffered};
use crate::convert::prelude::*;

pub(super) const DIRECT_WRITE_THROUGH: Technique<ConvertJob> = Technique {
    name: "direct_write_through",
    idea: "as direct_double_buffered, each write ending on the device (O_DSYNC; FILE_FLAG_WRITE_THROUGH)",
    source: "open(2), O_DSYNC; Microsoft, File Caching",
    calls: &[
        "fallocate",
        "open O_DIRECT|openat O_DIRECT",
        "open O_DSYNC|openat O_DSYNC",
        "clone3|clone",
        "pread64",
        "pwrite64",
    ],
    variant_of: Some("direct_double_buffered"),
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 2, convert),
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, true, notes, double_buffered)
}
