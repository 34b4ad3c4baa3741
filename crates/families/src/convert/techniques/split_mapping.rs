use crate::convert::kernel::units_of;
use crate::convert::prelude::*;
use crate::convert::stream::into_mapped;
use crate::files::{Section, Views};

pub(super) const SPLIT_MAPPING: Technique<ConvertJob> = Technique {
    name: "split_mapping",
    idea: "as mmap_to_mmap, with 4 MiB of the source and 8 MiB of the output mapped at a time (Linux: MADV_POPULATE)",
    source: "mmap(2), madvise(2); Microsoft, MapViewOfFile",
    calls: &[
        "fallocate",
        "mmap MAP_SHARED",
        "madvise MADV_POPULATE_READ",
        "madvise MADV_POPULATE_WRITE",
        "!read",
        "!write",
    ],
    ..Technique::usual(|job| job.done_by(convert))
};

/// Input mapped at a time. Windows maps from multiples of 64 KiB on.
const WINDOW_BYTES: u64 = 4 << 20;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    into_mapped(job, notes, |source, destination, bytes, _| {
        let (from, to) = (Views::of_source(source)?, Section::of_destination(destination, 2 * bytes)?);
        for start in (0..bytes).step_by(WINDOW_BYTES as usize) {
            let length = WINDOW_BYTES.min(bytes - start) as usize;
            let (from, mut to) = (from.view(start, length)?, to.view(2 * start, 2 * length)?);
            look_up(&from);
            look_up_for_writing(units_of(&mut to));
            job.convert(kernel, start, &from, units_of(&mut to))?;
            if job.durable {
                to.hand_over(destination)?;
            }
        }
        Ok(())
    })
}
