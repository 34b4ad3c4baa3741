use crate::convert::prelude::*;
use crate::convert::windows::overlapped::convert_overlapped;
use crate::files::{Ring, tried_once};
use crate::in_flight::windows::ring::run;
use crate::parameters::buffers;

pub(in crate::convert) const IO_RING: Technique<ConvertJob> = Technique {
    name: "io_ring",
    idea: "IoRing: 64 KiB of input a buffer, read, converted when that ends, then written; many handed over in one call",
    source: "Microsoft, ioringapi.h; Yarden Shafir, One Year to I/O Ring",
    parameters: &[buffers(&[4, 32])],
    needs: "Windows 11 22H2 or later, for IoRing",
    probe: |_, setting| {
        tried_once(setting, "IoRing cannot be used", 2, |job, notes| convert_through(job, 1, notes))
    },
    ..Technique::usual(|job| job.done_by(|job, notes| convert_through(job, job.parameter("buffers")?, notes)))
};

fn convert_through(job: &ConvertJob, buffers: usize, notes: &mut Notes) -> io::Result<()> {
    let steps = ["BuildIoRingReadFile", "BuildIoRingWriteFile"];
    convert_overlapped(job, buffers, steps, notes, |pieces, _| {
        let ring =
            Ring::new(pieces.blocks() as u32).map_err(pieces.files()[0].at("convert through a ring"))?;
        run(ring, pieces, "convert through a ring")
    })
}
