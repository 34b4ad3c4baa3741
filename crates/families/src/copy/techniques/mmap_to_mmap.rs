use crate::copy::prelude::*;

pub(super) const MMAP_TO_MMAP: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap",
    idea: "presize the destination, map both files whole, copy from mapping to mapping",
    source: "mmap(2); Microsoft, CreateFileMapping",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_view_by_view(job, u64::MAX, <[u8]>::copy_from_slice, notes)
}

/// Copies view by view; `view_bytes` is a multiple of 64 KiB, where views may begin on every system.
pub(super) fn copy_view_by_view(
    job: &CopyJob,
    view_bytes: u64,
    copy_bytes: fn(&mut [u8], &[u8]),
    notes: &mut Notes,
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
