use crate::copy::prelude::*;

pub(super) const MMAP_TO_MMAP: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap",
    idea: "presize the destination, map both files whole, copy from mapping to mapping",
    source: "mmap(2); Microsoft, CreateFileMapping",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    ..Technique::usual(|job| {
        job.done_by(|job, notes| copy_view_by_view(job, u64::MAX, <[u8]>::copy_from_slice, notes))
    })
};

pub(super) const MMAP_TO_MMAP_SPLIT: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap_split",
    idea: "presize the destination, map 16 MiB of each file at a time, copy from view to view",
    source: "mmap(2); Microsoft, Creating a View Within a File",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    suits: |workload| one_file_only(workload, "small ones are mapped whole, as by mmap_to_mmap"),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| copy_view_by_view(job, VIEW_BYTES, <[u8]>::copy_from_slice, notes))
    })
};

const VIEW_BYTES: u64 = 16 << 20;

/// Copies view by view; `view_bytes` is a multiple of 64 KiB, where views may begin on every system.
pub(super) fn copy_view_by_view(
    job: &CopyJob, view_bytes: u64, copy_bytes: fn(&mut [u8], &[u8]), notes: &mut Notes,
) -> io::Result<()> {
    job.each_opened(OpenFile::open_to_map, OpenFile::create_to_map, |source, destination| {
        let bytes = source.size_bytes()?;
        // A file without a byte cannot be mapped.
        if bytes > 0 {
            let from = Views::of_source(source)?;
            let to = Views::of_destination(destination, bytes, notes)?;
            let mut offset = 0;
            while offset < bytes {
                let count = view_bytes.min(bytes - offset);
                let mut target = to.view(offset, count as usize)?;
                copy_bytes(&mut target, &from.view(offset, count as usize)?);
                to.give_back(target, job.durable)?;
                offset += count;
            }
        }
        Ok(())
    })
}
