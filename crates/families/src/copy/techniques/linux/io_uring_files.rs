use std::ffi::CString;
use std::os::fd::{AsFd, AsRawFd, RawFd};

use io_uring::types::{DestinationSlot, Fd, Fixed, FsyncFlags};
use io_uring::{IoUring, opcode, squeue};
use model::{Availability, Host, Setting};

use super::openat::name_of;
use crate::copy::prelude::*;
use crate::files::{OneOfMany, c_path, is_passing, new_ring, probe_ring, register_buffers, tried_out};

pub(in crate::copy) const IO_URING_FILES: Technique<CopyJob> = Technique {
    name: "io_uring_files",
    idea: "io_uring with 32 files in flight: open, create and read linked, then write and both closes; no descriptors",
    source: "io_uring_prep_openat_direct(3), io_uring_prep_link_timeout(3); Linux 5.19",
    calls: &["io_uring_register", "io_uring_enter", "!read", "!write", "!pread64", "!pwrite64"],
    suits: many_files_only,
    needs: "io_uring, Linux 5.19 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe,
    ..Technique::usual(|job| job.done_by(copy))
};

const DEPTH: usize = 32;
const BLOCK_BYTES_MOST: usize = 64 << 10;
const PAGE_BYTES: usize = 4_096;
/// The longest chain of one file: write, flush and both closes.
const CHAIN: usize = 4;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let from = OpenFile::open_folder(&job.source)?;
    job.in_new_folder(|| {
        let files = job.files();
        if files.is_empty() {
            return Ok(());
        }
        let to = OpenFile::open_folder(&job.destination)?;
        Transfer::new(job, [from.as_fd().as_raw_fd(), to.as_fd().as_raw_fd()], notes)?.run()
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Open,
    Create,
    Read,
    Write,
    Flush,
    CloseSource,
    CloseDestination,
}

impl Step {
    const ALL: [Self; 7] = [
        Self::Open,
        Self::Create,
        Self::Read,
        Self::Write,
        Self::Flush,
        Self::CloseSource,
        Self::CloseDestination,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Open => "open through io_uring",
            Self::Create => "create through io_uring",
            Self::Read => "read through io_uring",
            Self::Write => "write through io_uring",
            Self::Flush => "fdatasync through io_uring",
            Self::CloseSource | Self::CloseDestination => "close through io_uring",
        }
    }
}

/// A file in flight, with a block of the buffer and two places in the ring's own table of files.
#[derive(Default)]
struct Lane {
    /// Its place among the job's files; `None` before the first.
    file: Option<usize>,
    names: [CString; 2],
    offset: u64,
    /// Bytes of the block that were read, and of these, that were written.
    read: usize,
    written: usize,
    at_end: bool,
    is_flushed: bool,
    closed: usize,
    /// Completions that are still to come.
    pending: usize,
}

struct Transfer<'job> {
    job: &'job CopyJob,
    folders: [RawFd; 2],
    ring: IoUring,
    buffer: Mapping,
    block_bytes: usize,
    registered: bool,
    lanes: Vec<Lane>,
    next: usize,
    in_flight: usize,
}

impl<'job> Transfer<'job> {
    fn new(job: &'job CopyJob, folders: [RawFd; 2], notes: &mut Notes) -> io::Result<Self> {
        let files = job.files().len();
        let lanes = files.min(DEPTH);
        // One byte more than the file has: less than a whole block is then the end of it.
        let one_more = (job.bytes / files as u64).saturating_add(1).min(BLOCK_BYTES_MOST as u64) as usize;
        let block_bytes = one_more.next_multiple_of(PAGE_BYTES);
        let buffer = Mapping::buffer(lanes * block_bytes)?;
        let ring = new_ring((CHAIN * lanes) as u32, notes)?;
        let table = ring.submitter().register_files_sparse(2 * lanes as u32);
        table.map_err(|refused| sys::failure::in_context("make a table of files for io_uring", refused))?;
        let block =
            |nth| libc::iovec { iov_base: buffer.address_of(nth * block_bytes).cast(), iov_len: block_bytes };
        let blocks: Vec<libc::iovec> = (0..lanes).map(block).collect();
        // SAFETY: the transfer owns ring and buffer; it drops the buffer only when nothing is in flight.
        let registered = unsafe { register_buffers(&ring, &blocks, notes) };
        let lanes = (0..lanes).map(|_| Lane::default()).collect();
        Ok(Self { job, folders, ring, buffer, block_bytes, registered, lanes, next: 0, in_flight: 0 })
    }

    fn run(mut self) -> io::Result<()> {
        let mut outcome = Ok(());
        for nth in 0..self.lanes.len() {
            outcome = outcome.and_then(|()| self.advance(nth));
        }
        // After an error too: the kernel may still write into the buffer. Open files are closed with the ring.
        while self.in_flight > 0 {
            if let Err(error) = self.ring.submit_and_wait(1)
                && !is_passing(&error)
            {
                std::mem::forget((self.buffer, self.lanes));
                return Err(at("io_uring_enter for", &self.job.destination)(error));
            }
            let completions: Vec<(u64, i32)> =
                self.ring.completion().map(|entry| (entry.user_data(), entry.result())).collect();
            for (tag, answer) in completions {
                let (nth, step) = ((tag >> 3) as usize, Step::ALL[(tag & 7) as usize]);
                let noted = self.note(nth, step, answer);
                outcome = outcome.and(noted);
                if self.lanes[nth].pending == 0 {
                    outcome = outcome.and_then(|()| self.advance(nth));
                }
            }
        }
        outcome
    }

    /// Books one completion. A step that did less than it was asked for breaks the chain: what is cancelled goes out again.
    fn note(&mut self, nth: usize, step: Step, answer: i32) -> io::Result<()> {
        let block_bytes = self.block_bytes;
        let lane = &mut self.lanes[nth];
        lane.pending -= 1;
        self.in_flight -= 1;
        let count = match usize::try_from(answer) {
            Ok(count) => count,
            Err(_) if -answer == libc::ECANCELED => return Ok(()),
            // These go out again alone; an open file needs the whole chain.
            Err(_)
                if [Step::Read, Step::Write, Step::Flush].contains(&step)
                    && [libc::EINTR, libc::EAGAIN].contains(&-answer) =>
            {
                return Ok(());
            }
            Err(_) => return Err(self.refused(nth, step, io::Error::from_raw_os_error(-answer))),
        };
        match step {
            Step::Open | Step::Create => {}
            Step::Read => {
                lane.offset += lane.read as u64;
                (lane.read, lane.written) = (count, 0);
                lane.at_end = count < block_bytes;
            }
            Step::Write if count == 0 => {
                return Err(self.refused(nth, step, io::ErrorKind::WriteZero.into()));
            }
            Step::Write => lane.written += count,
            Step::Flush => lane.is_flushed = true,
            Step::CloseSource | Step::CloseDestination => lane.closed += 1,
        }
        Ok(())
    }

    fn refused(&self, nth: usize, step: Step, error: io::Error) -> io::Error {
        let file = self.lanes[nth].file.and_then(|file| self.job.files().get(file));
        let path = match (file, matches!(step, Step::Open | Step::Read | Step::CloseSource)) {
            (None, _) => &self.job.destination,
            (Some(file), true) => &file.source,
            (Some(file), false) => &file.destination,
        };
        at(step.word(), path)(error)
    }

    /// Starts what a file of which nothing is in flight needs next, or the next file.
    fn advance(&mut self, nth: usize) -> io::Result<()> {
        let lane = &self.lanes[nth];
        let chain = match lane.file {
            Some(_) if lane.written < lane.read && !lane.at_end => vec![Step::Write, Step::Read],
            Some(_) if lane.written < lane.read => self.ended_by(nth, &[Step::Write]),
            Some(_) if !lane.at_end => vec![Step::Read],
            Some(_) if lane.closed < 2 => self.ended_by(nth, &[]),
            _ => {
                if self.take_next(nth)? {
                    vec![Step::Open, Step::Create, Step::Read]
                } else {
                    Vec::new()
                }
            }
        };
        let last = chain.len().saturating_sub(1);
        for (place, step) in chain.into_iter().enumerate() {
            self.push(nth, step, place < last);
        }
        Ok(())
    }

    fn ended_by(&self, nth: usize, before: &[Step]) -> Vec<Step> {
        let needs_flush = self.job.durable && !self.lanes[nth].is_flushed;
        let closes = [Step::CloseSource, Step::CloseDestination];
        let closes = &closes[self.lanes[nth].closed..];
        let flush: &[Step] = if needs_flush { &[Step::Flush] } else { &[] };
        [before, flush, closes].concat()
    }

    /// Gives the lane the next file; returns `false` when there is none.
    fn take_next(&mut self, nth: usize) -> io::Result<bool> {
        let Some(file) = self.job.files().get(self.next) else { return Ok(false) };
        let names = [c_path(name_of(&file.source))?, c_path(name_of(&file.destination))?];
        self.lanes[nth] = Lane { file: Some(self.next), names, ..Lane::default() };
        self.next += 1;
        Ok(true)
    }

    fn push(&mut self, nth: usize, step: Step, is_linked: bool) {
        let lane = &self.lanes[nth];
        let (source, destination) = (Fixed(2 * nth as u32), Fixed(2 * nth as u32 + 1));
        let place = |Fixed(slot): Fixed| DestinationSlot::try_from_slot_target(slot).ok();
        let [from, to] = self.folders.map(Fd);
        // A file that is opened into the ring's own table has no descriptor: it takes no flag about one.
        let entry = match step {
            Step::Open => opcode::OpenAt::new(from, lane.names[0].as_ptr())
                .file_index(place(source))
                .flags(libc::O_RDONLY)
                .build(),
            Step::Create => opcode::OpenAt::new(to, lane.names[1].as_ptr())
                .file_index(place(destination))
                .flags(libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL)
                .mode(0o666)
                .build(),
            Step::Read => self.read(nth, source),
            Step::Write => self.write(nth, destination),
            Step::Flush => opcode::Fsync::new(destination).flags(FsyncFlags::DATASYNC).build(),
            Step::CloseSource => opcode::Close::new(source).build(),
            Step::CloseDestination => opcode::Close::new(destination).build(),
        };
        let flags = if is_linked { squeue::Flags::IO_LINK } else { squeue::Flags::empty() };
        let entry = entry.flags(flags).user_data((nth as u64) << 3 | step as u64);
        // SAFETY: the operation touches this lane's block and names only, which live until nothing of it is in flight.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        pushed.expect("the ring has room for the longest chain of every lane");
        self.lanes[nth].pending += 1;
        self.in_flight += 1;
    }

    /// Reads the next block of the file, behind what was read before.
    fn read(&self, nth: usize, source: Fixed) -> squeue::Entry {
        let (lane, count) = (&self.lanes[nth], self.block_bytes as u32);
        let target = self.buffer.address_of(nth * self.block_bytes);
        let offset = lane.offset + lane.read as u64;
        if self.registered {
            opcode::ReadFixed::new(source, target, count, nth as u16).offset(offset).build()
        } else {
            opcode::Read::new(source, target, count).offset(offset).build()
        }
    }

    fn write(&self, nth: usize, destination: Fixed) -> squeue::Entry {
        let lane = &self.lanes[nth];
        let count = (lane.read - lane.written) as u32;
        let origin = self.buffer.address_of(nth * self.block_bytes + lane.written);
        let offset = lane.offset + lane.written as u64;
        if self.registered {
            opcode::WriteFixed::new(destination, origin, count, nth as u16).offset(offset).build()
        } else {
            opcode::Write::new(destination, origin, count).offset(offset).build()
        }
    }
}

/// Copies a folder of one file: the table of files came with Linux 5.19, after the ring.
fn probe(host: &Host, setting: &Setting) -> Availability {
    if let refused @ Availability::Missing(_) = probe_ring(host, setting) {
        return refused;
    }
    tried_out(setting, 5_000, "the kernel opens no files through io_uring (before Linux 5.19)", |file| {
        let (source, destination) = (file.path().to_owned(), file.absent());
        let one = OneOfMany { destination: destination.join("copy"), source };
        let folder = file.path().parent().unwrap_or(file.path()).to_owned();
        let job = CopyJob { many: Some(vec![one]), ..CopyJob::of_attempt(folder, destination, 5_000) };
        copy(&job, &mut Notes::new())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passing_refusal_goes_out_again_and_no_other_does() {
        let (scratch, source) = crate::testing::scratch_with("source", "0123456789");
        let one = OneOfMany { destination: scratch.path().join("copy"), source };
        let folder = scratch.path().to_owned();
        let job = CopyJob { many: Some(vec![one]), ..CopyJob::of_attempt(folder.clone(), folder, 10) };
        let mut transfer = Transfer::new(&job, [0, 0], &mut Notes::new()).expect("a ring");
        transfer.advance(0).expect("begun");
        transfer.note(0, Step::Open, 0).expect("opened");
        transfer.note(0, Step::Create, 0).expect("created");
        transfer.note(0, Step::Read, -libc::EAGAIN).expect("it may be read later");
        assert_eq!((transfer.lanes[0].pending, transfer.in_flight), (0, 0));
        transfer.advance(0).expect("begun again");
        assert_eq!((transfer.lanes[0].pending, transfer.lanes[0].read), (1, 0), "the read alone");
        assert!(transfer.note(0, Step::Read, -libc::EIO).is_err());
    }
}
