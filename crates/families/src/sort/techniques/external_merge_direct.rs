use crate::records::RECORD_BYTES;
use crate::sort::direct;
use crate::sort::external::{Way, sort_within};
use crate::sort::prelude::*;

pub(in crate::sort) const EXTERNAL_MERGE_DIRECT: Technique<SortJob> = Technique {
    name: "external_merge_direct",
    idea: "external_merge with runs and output past the file cache: io_uring and O_DIRECT on Linux, overlapped and \
           unbuffered I/O on Windows; two blocks a run are in flight during the merge",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4; io_uring(7); Microsoft, I/O Completion Ports",
    parameters: &[memory_bytes(&[16 << 20])],
    // What follows depends on the memory: where all records fit, one call after the other writes them.
    calls: &["open O_DIRECT|openat O_DIRECT"],
    needs: "a file system that reads and writes past the file cache",
    probe,
    ..Technique::usual(|job| job.done_by(sort))
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    sort_within(job, account, number_on(&job.parameters, "memory_bytes")?, Way::Direct)
}

/// Sorts a small file that makes two runs and ends inside of a page.
fn probe(_host: &Host, setting: &Setting) -> Availability {
    const MEMORY_BYTES: u64 = 2 << 20;
    let bytes = 20_001 * RECORD_BYTES as u64;
    tried_out(setting, bytes as usize, direct::REFUSED, |file| {
        let parameters = model::Point::default().with("memory_bytes", MEMORY_BYTES);
        let mut job = SortJob::of_files(file.path().to_owned(), file.absent(), parameters)?;
        job.processors = std::num::NonZero::new(1);
        sort(&job, &mut Account::default())?;
        match std::fs::metadata(&job.output)?.len() {
            length if length == bytes => Ok(()),
            length => Err(io::Error::other(format!("{length} of {bytes} bytes arrived"))),
        }
    })
}
