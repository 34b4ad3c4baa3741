use super::completion_routines::copy_overlapped;
use crate::copy::prelude::*;
use crate::files::{Ring, tried_once};
use crate::in_flight::windows::ring::run;

pub(in crate::copy) const IO_RING: Technique<CopyJob> = Technique {
    name: "io_ring",
    idea: "IoRing: 16 blocks of 256 KiB in flight, each read and then written, many of them handed over in one call",
    source: "Microsoft, ioringapi.h; Yarden Shafir, One Year to I/O Ring",
    needs: "Windows 11 22H2 or later, for IoRing",
    probe: |_, setting| tried_once(setting, "IoRing cannot be used", 1, copy),
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const DEPTH: usize = 16;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    const STEP: &str = "copy through a ring";
    copy_overlapped(job, (DEPTH, BLOCK_BYTES), [STEP; 2], |pieces| {
        let ring = Ring::new(DEPTH as u32).map_err(pieces.files()[0].at(STEP))?;
        run(ring, pieces, STEP)
    })
}
