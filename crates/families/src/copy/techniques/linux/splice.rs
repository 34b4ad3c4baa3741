use std::os::fd::OwnedFd;

use rustix::io::retry_on_intr;
use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_getpipe_size, fcntl_setpipe_size, pipe_with};

use crate::copy::prelude::*;

pub(in crate::copy) const SPLICE: Technique<CopyJob> = Technique {
    name: "splice",
    idea: "splice from the source into a pipe of 1 MiB and from the pipe into the destination",
    source: "splice(2)",
    calls: &["fcntl F_SETPIPE_SZ", "splice", "!read", "!write"],
    ..Technique::usual(|job| job.done_by(copy))
};

pub(in crate::copy) const PRESIZED_SPLICE: Technique<CopyJob> = Technique {
    name: "presized_splice",
    idea: "fallocate the destination at its full length, then splice through a pipe of 1 MiB",
    source: "fallocate(2), splice(2)",
    calls: &["fallocate", "splice", "!read", "!write"],
    variant_of: Some("presized"),
    ..Technique::usual(|job| job.done_by(copy_presized))
};

const PIPE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let mut pipe = None;
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        pipe_for(&mut pipe, source, notes)?.pass(source, destination).map(drop)
    })
}

fn copy_presized(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let mut pipe = None;
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        presize(destination, bytes, notes)?;
        let passed = pipe_for(&mut pipe, source, notes)?.pass(source, destination)?;
        cut_unfilled(destination, passed, bytes)
    })
}

/// Both ends of a pipe. It is empty between two files.
struct Pipe {
    outlet: OwnedFd,
    inlet: OwnedFd,
    room: usize,
}

/// Returns the pipe, made for the first file and used again for those after it.
fn pipe_for<'pipe>(
    pipe: &'pipe mut Option<Pipe>, source: &OpenFile, notes: &mut Notes,
) -> io::Result<&'pipe Pipe> {
    let made = match pipe.take() {
        Some(made) => made,
        None => Pipe::new(source, notes)?,
    };
    Ok(pipe.insert(made))
}

impl Pipe {
    fn new(source: &OpenFile, notes: &mut Notes) -> io::Result<Self> {
        let (outlet, inlet) = pipe_with(PipeFlags::CLOEXEC).map_err(source.at("pipe2 for"))?;
        let room = match fcntl_setpipe_size(&inlet, PIPE_BYTES) {
            Ok(room) => room,
            Err(refused) => {
                let room = fcntl_getpipe_size(&inlet).map_err(source.at("F_GETPIPE_SZ for"))?;
                notes.push(format!("fell back: a pipe of {room} bytes, since 1 MiB was refused ({refused})"));
                room
            }
        };
        Ok(Self { outlet, inlet, room })
    }

    /// Fills and drains until the source ends; returns the number of bytes that went through.
    fn pass(&self, source: &OpenFile, destination: &OpenFile) -> io::Result<u64> {
        let Self { outlet, inlet, room } = self;
        let mut passed = 0;
        loop {
            let fill = || rustix::pipe::splice(source, None, inlet, None, *room, SpliceFlags::MOVE);
            let mut inside = retry_on_intr(fill).map_err(source.at("splice from"))?;
            if inside == 0 {
                return Ok(passed);
            }
            passed += inside as u64;
            while inside > 0 {
                let drain =
                    || rustix::pipe::splice(outlet, None, destination, None, inside, SpliceFlags::MOVE);
                let moved = retry_on_intr(drain).map_err(destination.at("splice to"))?;
                inside -= destination.progress("splice to", moved)?;
            }
        }
    }
}
