//! Several threads, each with its own region, handles and buffers, as in the historical program atouMT.

use std::io;
use std::ops::Range;

use model::Class;

use crate::contract::{Parameter, Technique};
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::{Kernel, bytes_of, units_of};
use crate::files::{Mapping, OpenFile, Use, in_parallel, presize, ranges};

pub(in crate::convert) const PARALLEL_REGIONS: Technique<ConvertJob> = Technique {
    name: "parallel_regions",
    alias: &["atouMT"],
    idea: "SetEndOfFile, then threads with regions and handles of their own: ReadFile and WriteFile at an offset",
    source: "Hart, Windows System Programming, atouMT",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter { name: "threads", values: &[2, 4] }),
    probe: always,
    prepare: |job| job.done_by(convert),
};

const PIECE_BYTES: usize = 256 << 10;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let bytes = OpenFile::open(&job.source)?.size_bytes()?;
    let destination = job.create()?;
    presize(&destination, 2 * bytes, notes)?;
    let kernel = job.kernel();
    in_parallel(ranges(bytes, job.parameter()?), |region| convert_region(job, kernel, region))?;
    destination.finish(job.durable)
}

/// A handle that waits does one thing at a time, so threads that share one wait for each other.
fn convert_region(job: &ConvertJob, kernel: Kernel, region: Range<u64>) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::open_with(&job.destination, Use::Change, 0)?;
    let piece_bytes = PIECE_BYTES.min((region.end - region.start) as usize);
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    let to = units_of(&mut to);
    let mut offset = region.start;
    while offset < region.end {
        let wanted = piece_bytes.min((region.end - offset) as usize);
        let count = source.read_at(&mut from[..wanted], offset)?;
        if count == 0 {
            return Err(source.at("ReadFile")(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        let units = &mut to[..count];
        job.convert(kernel, offset, &from[..count], units)?;
        destination.write_all_at(bytes_of(units), 2 * offset)?;
        offset += count as u64;
    }
    Ok(())
}
