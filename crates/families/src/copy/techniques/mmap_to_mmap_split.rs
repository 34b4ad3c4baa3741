use super::mmap_to_mmap::copy_view_by_view;
use crate::copy::prelude::*;

pub(super) const MMAP_TO_MMAP_SPLIT: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap_split",
    idea: "presize the destination, map 16 MiB of each file at a time, copy from view to view",
    source: "mmap(2); Microsoft, Creating a View Within a File",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    suits: |workload| one_file_only(workload, "small ones are mapped whole, as by mmap_to_mmap"),
    ..Technique::usual(|job| job.done_by(copy))
};

const VIEW_BYTES: u64 = 16 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_view_by_view(job, VIEW_BYTES, <[u8]>::copy_from_slice, notes)
}
