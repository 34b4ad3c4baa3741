use crate::copy::prelude::*;

pub(in crate::copy) const PRESIZED_MMAP_PREFETCH: Technique<CopyJob> = Technique {
    name: "presized_mmap_prefetch",
    idea: "presize the destination, map the source, and for every 1 MiB: PrefetchVirtualMemory, then write",
    source: "Microsoft, PrefetchVirtualMemory",
    suits: |workload| one_file_only(workload, "nothing lies ahead in small ones"),
    ..Technique::usual(|job| job.done_by(copy))
};

const PIECE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open_to_map, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        presize(destination, bytes, notes)?;
        // A file without a byte cannot be mapped.
        if bytes > 0 {
            let view = Views::of_source(source)?.view(0, bytes as usize)?;
            for start in (0..view.len()).step_by(PIECE_BYTES) {
                let piece = start..view.len().min(start + PIECE_BYTES);
                view.populate(piece.clone());
                destination.write_all(&view[piece])?;
            }
        }
        Ok(())
    })
}
