use crate::files::invalid;
use crate::records::RECORD_BYTES;
use crate::sort::direct;
use crate::sort::external::{Way, sort_within, with_output_only};
use crate::sort::prelude::*;
use crate::sort::system::taken_bytes;

pub(in crate::sort) const EXTERNAL_MERGE: Technique<SortJob> = Technique {
    name: "external_merge",
    idea: "parallel_radix on as much as fits, into runs in a scratch file; one merge by a tree of losers, with a \
           second thread that reads and writes large blocks",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4",
    suits: with_output_only,
    parameters: &[memory_bytes(&[16 << 20, 64 << 20])],
    calls: &["!open O_DIRECT|openat O_DIRECT"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_within(job, account, number_on(&job.parameters, "memory_bytes")?, Way::Cached)
        })
    })
};

pub(in crate::sort) const EXTERNAL_MERGE_DIRECT: Technique<SortJob> = Technique {
    name: "external_merge_direct",
    idea: "external_merge with runs and output past the file cache: io_uring and O_DIRECT on Linux, overlapped and \
           unbuffered I/O on Windows; two blocks a run are in flight during the merge",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4; io_uring(7); Microsoft, I/O Completion Ports",
    suits: with_output_only,
    parameters: &[memory_bytes(&[16 << 20])],
    // What follows depends on the memory: where all records fit, one call after the other writes them.
    calls: &["open O_DIRECT|openat O_DIRECT"],
    needs: "a file system that reads and writes past the file cache",
    probe: probe_direct,
    ..Technique::usual(|job| job.done_by(sort_direct))
};

pub(in crate::sort) const EXTERNAL_MERGE_LIMITED: Technique<SortJob> = Technique {
    name: "external_merge_limited",
    idea: "external_merge with all the memory that the trial's limit leaves",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4",
    suits: with_output_only,
    calls: &["read|pread64|mmap file"],
    variant_of: Some("external_merge"),
    needs: "a limit of memory (--memory-limit), and a control group that sets it",
    probe: probe_limited,
    ..Technique::usual(|job| job.done_by(sort_limited))
};

fn sort_direct(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    sort_within(job, account, number_on(&job.parameters, "memory_bytes")?, Way::Direct)
}

/// Sorts a small file that makes two runs and ends inside of a page.
fn probe_direct(_host: &Host, setting: &Setting) -> Availability {
    const MEMORY_BYTES: u64 = 2 << 20;
    let bytes = 20_001 * RECORD_BYTES as u64;
    tried_out(setting, bytes as usize, direct::REFUSED, |file| {
        let parameters = model::Point::default().with("memory_bytes", MEMORY_BYTES);
        let mut job = SortJob::of_files(file.path().to_owned(), file.absent(), parameters)?;
        job.processors = std::num::NonZero::new(1);
        sort_direct(&job, &mut Account::default())?;
        match std::fs::metadata(&job.output)?.len() {
            length if length == bytes => Ok(()),
            length => Err(io::Error::other(format!("{length} of {bytes} bytes arrived"))),
        }
    })
}

/// Left to what cannot be foreseen: what the C library takes for a thread, and the kernel for a mapping.
const RESERVED_BYTES: u64 = 12 << 20;

const NO_LIMIT: &str = "it uses the memory that a limit leaves, and there is no limit; give --memory-limit 512M, or take \
                        external_merge@64M";

fn probe_limited(_host: &Host, setting: &Setting) -> Availability {
    match setting.conditions.memory_limit_bytes {
        Some(_) => Availability::Ready,
        None => Availability::Missing(NO_LIMIT.to_owned()),
    }
}

fn sort_limited(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let limit_bytes = job.memory_limit_bytes.ok_or_else(|| invalid(NO_LIMIT))?;
    let memory_bytes = limit_bytes.saturating_sub(taken_bytes()?).saturating_sub(RESERVED_BYTES);
    sort_within(job, account, memory_bytes, Way::Cached)
}
