//! Several threads, each with its own region of both files and its own buffers, as in the historical program atouMT.

use std::io;
use std::ops::Range;

use model::Class;

use crate::contract::{Parameter, Technique};
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::{Kernel, bytes_of, units_of};
use crate::files::{Mapping, OpenFile, in_parallel, presize, ranges};

pub(in crate::convert) const PARALLEL_REGIONS: Technique<ConvertJob> = Technique {
    name: "parallel_regions",
    alias: &["atouMT"],
    idea: "fallocate, then threads with regions of their own: pread 256 KiB, convert, pwrite 512 KiB",
    source: "Hart, Windows System Programming, atouMT",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter { name: "threads", values: &[2, 4] }),
    probe: always,
    prepare: |job| job.done_by(convert),
};

const PIECE_BYTES: usize = 256 << 10;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    let convert_one = |region| convert_region(job, kernel, (&source, &destination), region);
    in_parallel(ranges(bytes, job.parameter()?), convert_one)?;
    destination.finish(job.durable)
}

fn convert_region(
    job: &ConvertJob,
    kernel: Kernel,
    (source, destination): (&OpenFile, &OpenFile),
    region: Range<u64>,
) -> io::Result<()> {
    let piece_bytes = PIECE_BYTES.min((region.end - region.start) as usize);
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    let to = units_of(&mut to);
    let mut offset = region.start;
    while offset < region.end {
        let wanted = piece_bytes.min((region.end - offset) as usize);
        let count = source.read_at(&mut from[..wanted], offset)?;
        if count == 0 {
            return Err(source.at("pread")(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        let units = &mut to[..count];
        job.convert(kernel, offset, &from[..count], units)?;
        destination.write_all_at(bytes_of(units), 2 * offset)?;
        offset += count as u64;
    }
    Ok(())
}
