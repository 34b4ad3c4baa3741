use crate::convert::blocks::convert_direct;
use crate::convert::prelude::*;

pub(super) const DIRECT: Technique<ConvertJob> = Technique {
    name: "direct",
    idea: "past the file cache (O_DIRECT; FILE_FLAG_NO_BUFFERING), the output presized: 512 KiB in, 1 MiB out, in turn",
    source: "open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["fallocate", "open O_DIRECT|openat O_DIRECT", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 2, convert_in_turn),
    ..Technique::usual(|job| job.done_by(convert_in_turn))
};

pub(super) const DIRECT_DOUBLE_BUFFERED: Technique<ConvertJob> = Technique {
    name: "direct_double_buffered",
    idea: "as direct, and a second thread reads a block while the block before is converted and written",
    source: "double buffering; open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["fallocate", "open O_DIRECT|openat O_DIRECT", "clone3|clone", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 2, convert_double_buffered),
    ..Technique::usual(|job| job.done_by(convert_double_buffered))
};

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
    probe: |_, setting| probe_direct(setting, 2, convert_write_through),
    ..Technique::usual(|job| job.done_by(convert_write_through))
};

fn convert_in_turn(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, false, notes, |blocks, _| blocks.in_turn())
}

fn convert_double_buffered(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, false, notes, |blocks, notes| blocks.double_buffered(notes))
}

fn convert_write_through(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, true, notes, |blocks, notes| blocks.double_buffered(notes))
}
