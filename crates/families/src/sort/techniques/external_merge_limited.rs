use crate::files::invalid;
use crate::sort::external::{Way, sort_within};
use crate::sort::prelude::*;
use crate::sort::system::taken_bytes;

pub(in crate::sort) const EXTERNAL_MERGE_LIMITED: Technique<SortJob> = Technique {
    name: "external_merge_limited",
    idea: "external_merge with all the memory that the trial's limit leaves",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4",
    calls: &["read|pread64|mmap file"],
    variant_of: Some("external_merge"),
    needs: "a limit of memory (--memory-limit), and a control group that sets it",
    probe,
    ..Technique::usual(|job| job.done_by(sort))
};

/// Left to what cannot be foreseen: what the C library takes for a thread, and the kernel for a mapping.
const RESERVED_BYTES: u64 = 12 << 20;

const NO_LIMIT: &str = "it uses the memory that a limit leaves, and there is no limit; give --memory-limit 512M, or take \
                        external_merge@64M";

fn probe(_host: &Host, setting: &Setting) -> Availability {
    match setting.conditions.memory_limit_bytes {
        Some(_) => Availability::Ready,
        None => Availability::Missing(NO_LIMIT.to_owned()),
    }
}

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let limit_bytes = job.memory_limit_bytes.ok_or_else(|| invalid(NO_LIMIT))?;
    let memory_bytes = limit_bytes.saturating_sub(taken_bytes()?).saturating_sub(RESERVED_BYTES);
    sort_within(job, account, memory_bytes, Way::Cached)
}
