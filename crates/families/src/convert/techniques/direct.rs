use crate::convert::blocks::convert_direct;
use crate::convert::prelude::*;

pub(super) const DIRECT: Technique<ConvertJob> = Technique {
    name: "direct",
    idea: "past the file cache (O_DIRECT; FILE_FLAG_NO_BUFFERING), the output presized: 512 KiB in, 1 MiB out, in turn",
    source: "open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["fallocate", "open O_DIRECT|openat O_DIRECT", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 2, convert),
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, false, notes, |blocks, _| blocks.in_turn())
}
