use crate::copy::prelude::*;
use crate::in_flight::linux::ahead::AHEAD_BYTES;

pub(in crate::copy) const READ_AHEAD: Technique<CopyJob> = Technique {
    name: "read_ahead",
    idea: "read and write, 256 KiB at a time, with POSIX_FADV_WILLNEED 32 MiB ahead of what is read",
    source: "posix_fadvise(2), readahead(2)",
    calls: &["fadvise64 POSIX_FADV_WILLNEED", "read", "write"],
    suits: |workload| one_file_only(workload, "nothing lies ahead in small ones"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    source.ask_for(0, AHEAD_BYTES);
    let destination = OpenFile::create(&job.destination)?;
    let mut memory = Buffer::of_at_most(256 << 10);
    let buffer = memory.for_file(&source)?;
    let mut offset = 0;
    loop {
        let count = source.read(buffer)?;
        if count == 0 {
            return destination.finish(job.durable);
        }
        source.ask_for(offset + AHEAD_BYTES, count as u64);
        destination.write_all(&buffer[..count])?;
        offset += count as u64;
    }
}
