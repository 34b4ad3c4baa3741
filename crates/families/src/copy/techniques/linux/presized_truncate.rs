use crate::copy::prelude::*;
use crate::copy::techniques::presized::copy_into_room;

pub(in crate::copy) const PRESIZED_TRUNCATE: Technique<CopyJob> = Technique {
    name: "presized_truncate",
    idea: "ftruncate the destination to its full length, then read and write 256 KiB at a time",
    source: "ftruncate(2)",
    calls: &["ftruncate", "!fallocate", "read", "write"],
    variant_of: Some("presized"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_into_room(job, 256 << 10, |destination, bytes| destination.set_length(bytes))
}
