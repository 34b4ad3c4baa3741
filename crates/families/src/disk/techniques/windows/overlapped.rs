//! Many pieces in flight past the file cache.

use std::io;

use crate::contract::Technique;
use crate::disk::content::{NewData, Sum};
use crate::disk::job::{DiskJob, Notes};
use crate::disk::past_cache::{aligned, probe_direct};
use crate::disk::pieces::Pieces;
use crate::disk::queue;
use crate::disk::techniques::{buffered, depth};
use crate::files::{Buffer, Use};

pub(in crate::disk) const OVERLAPPED: Technique<DiskJob> = Technique {
    name: "overlapped",
    idea: "FILE_FLAG_OVERLAPPED and FILE_FLAG_NO_BUFFERING with a completion port, several pieces in flight; \
           FlushFileBuffers at the end",
    source: "Microsoft, I/O Completion Ports; Windows SDK sample UNBUFCP2",
    parameters: &[depth(&[8, 32])],
    needs: "a file system that reads and writes past the file cache",
    probe: |_host, setting| probe_direct(setting),
    ..buffered(|job| job.done_in_flight(job.depth()?, read, rewrite))
};

fn read(job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, _notes: &mut Notes) -> io::Result<Sum> {
    let file = aligned(job, queue::open(&job.path, Use::Read)?)?;
    queue::read(job, &file, pieces, memory)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    let file = aligned(job, queue::open(&job.path, Use::Change)?)?;
    queue::write(&file, job.slots()?, pieces, data)?;
    job.end(pieces, file)
}
