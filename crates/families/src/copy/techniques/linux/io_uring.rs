use io_uring::types::Fixed;
use io_uring::{IoUring, opcode, squeue};

use crate::copy::prelude::*;
use crate::files::{is_passing, probe_ring, register_buffers, ring_of_files};

pub(in crate::copy) const IO_URING: Technique<CopyJob> = Technique {
    name: "io_uring",
    idea: "io_uring with registered files and buffers: 32 blocks of 128 KiB in flight, each read linked to its write",
    source: "liburing, examples/link-cp.c; io_uring_setup(2)",
    calls: &["io_uring_register", "io_uring_enter", "!read", "!write", "!pread64", "!pwrite64"],
    needs: "io_uring, Linux 5.1 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe: probe_ring,
    suits: |workload| one_file_only(workload, "io_uring_files keeps small ones in flight whole"),
    ..Technique::usual(|job| job.done_by(copy))
};

/// Together 4 MiB: the usual limit of locked memory is 8 MiB for all programs of a user.
const DEPTH: usize = 32;
const BLOCK_BYTES: usize = 128 << 10;
const SOURCE: Fixed = Fixed(0);
const DESTINATION: Fixed = Fixed(1);

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        let blocks = bytes.div_ceil(BLOCK_BYTES as u64).min(DEPTH as u64) as usize;
        let buffer = buffer_of(bytes, blocks * BLOCK_BYTES)?;
        let ring = ring_of_files(2 * blocks as u32, [&source, &destination], notes)?;
        let registered = register(&ring, &buffer, notes);
        Transfer {
            ring,
            buffer,
            registered,
            bytes,
            next: 0,
            in_flight: 0,
            blocks: vec![Block::default(); blocks],
        }
        .run(&source, &destination)?;
    }
    destination.finish(job.durable)
}

/// Registers each block as a buffer of its own; the last one ends with the file where that is short.
fn register(ring: &IoUring, buffer: &Mapping, notes: &mut Notes) -> bool {
    let starts = (0..buffer.len()).step_by(BLOCK_BYTES);
    let whole: Vec<libc::iovec> = starts
        .map(|start| libc::iovec {
            iov_base: buffer.address_of(start).cast(),
            iov_len: BLOCK_BYTES.min(buffer.len() - start),
        })
        .collect();
    // SAFETY: the transfer owns ring and buffer; it drops the buffer only when nothing is in flight.
    unsafe { register_buffers(ring, &whole, notes) }
}

/// A block of the buffer with its part of the file.
#[derive(Clone, Copy, Default)]
struct Block {
    offset: u64,
    length: usize,
    read: usize,
    written: usize,
    /// Completions that are still to come.
    pending: u8,
}

struct Transfer {
    ring: IoUring,
    buffer: Mapping,
    registered: bool,
    bytes: u64,
    next: u64,
    in_flight: usize,
    blocks: Vec<Block>,
}

impl Transfer {
    fn run(mut self, source: &OpenFile, destination: &OpenFile) -> io::Result<()> {
        for nth in 0..self.blocks.len() {
            self.start_next(nth);
        }
        let mut outcome = Ok(());
        // After an error too: the kernel may still write into the buffer of what is in flight.
        while self.in_flight > 0 {
            if let Err(error) = self.ring.submit_and_wait(1)
                && !is_passing(&error)
            {
                std::mem::forget(self.buffer);
                return Err(destination.at("io_uring_enter for")(error));
            }
            let completions: Vec<(u64, i32)> =
                self.ring.completion().map(|entry| (entry.user_data(), entry.result())).collect();
            for (tag, answer) in completions {
                let (nth, is_write) = ((tag / 2) as usize, tag % 2 == 1);
                let noted = self.note(nth, is_write, answer);
                let file = if is_write { destination } else { source };
                let step = if is_write { "write through io_uring" } else { "read through io_uring" };
                outcome = outcome.and(noted.map_err(file.at(step)));
                if self.blocks[nth].pending == 0 && outcome.is_ok() {
                    self.advance(nth);
                }
            }
        }
        outcome
    }

    /// Books one completion. A short read breaks the link, and its write is cancelled: both go out again.
    fn note(&mut self, nth: usize, is_write: bool, answer: i32) -> io::Result<()> {
        let block = &mut self.blocks[nth];
        block.pending -= 1;
        self.in_flight -= 1;
        match usize::try_from(answer) {
            Ok(0) if is_write => Err(io::ErrorKind::WriteZero.into()),
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                *(if is_write { &mut block.written } else { &mut block.read }) += count;
                Ok(())
            }
            Err(_) if [libc::EINTR, libc::EAGAIN].contains(&-answer) => Ok(()),
            Err(_) if is_write && -answer == libc::ECANCELED => Ok(()),
            Err(_) => Err(io::Error::from_raw_os_error(-answer)),
        }
    }

    /// Starts the next step of a block of which nothing is in flight.
    fn advance(&mut self, nth: usize) {
        let Block { length, read, written, .. } = self.blocks[nth];
        if written == length {
            self.start_next(nth);
        } else if read < length {
            self.push_read(nth);
            self.push_write(nth);
        } else {
            self.push_write(nth);
        }
    }

    fn start_next(&mut self, nth: usize) {
        let length = (self.bytes - self.next).min(BLOCK_BYTES as u64) as usize;
        if length > 0 {
            self.blocks[nth] = Block { offset: self.next, length, ..Block::default() };
            self.next += length as u64;
            self.push_read(nth);
            self.push_write(nth);
        }
    }

    fn push_read(&mut self, nth: usize) {
        let Block { offset, length, read, .. } = self.blocks[nth];
        let (count, offset) = ((length - read) as u32, offset + read as u64);
        let target = self.buffer.address_of(nth * BLOCK_BYTES + read);
        let entry = if self.registered {
            opcode::ReadFixed::new(SOURCE, target, count, nth as u16).offset(offset).build()
        } else {
            opcode::Read::new(SOURCE, target, count).offset(offset).build()
        };
        self.push(nth, entry.flags(squeue::Flags::IO_LINK).user_data(2 * nth as u64));
    }

    fn push_write(&mut self, nth: usize) {
        let Block { offset, length, written, .. } = self.blocks[nth];
        let (count, offset) = ((length - written) as u32, offset + written as u64);
        let origin = self.buffer.address_of(nth * BLOCK_BYTES + written);
        let entry = if self.registered {
            opcode::WriteFixed::new(DESTINATION, origin, count, nth as u16).offset(offset).build()
        } else {
            opcode::Write::new(DESTINATION, origin, count).offset(offset).build()
        };
        self.push(nth, entry.user_data(2 * nth as u64 + 1));
    }

    fn push(&mut self, nth: usize, entry: squeue::Entry) {
        // SAFETY: the operation touches this block of the buffer only, which lives until nothing is in flight.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        pushed.expect("the ring has two entries for every block");
        self.blocks[nth].pending += 1;
        self.in_flight += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::new_ring;

    /// A transfer of one block with its pair of operations booked as in flight, none of them submitted.
    fn transfer(bytes: u64) -> Transfer {
        let mut transfer = Transfer {
            ring: new_ring(4, &mut Notes::new()).expect("a ring"),
            buffer: Mapping::buffer(BLOCK_BYTES).expect("memory"),
            registered: false,
            bytes,
            next: 0,
            in_flight: 0,
            blocks: vec![Block::default()],
        };
        transfer.start_next(0);
        transfer
    }

    #[test]
    fn a_short_read_is_completed_before_anything_is_written() {
        let mut transfer = transfer(1_000);
        transfer.note(0, false, 400).expect("a short read is no error");
        transfer.note(0, true, -libc::ECANCELED).expect("its write was cancelled by the link");
        assert_eq!(transfer.in_flight, 0);
        transfer.advance(0);
        let Block { read, written, pending, .. } = transfer.blocks[0];
        assert_eq!((read, written, pending), (400, 0, 2), "the rest is read, and the whole is written");
    }

    #[test]
    fn a_short_write_is_completed_without_reading_again() {
        let mut transfer = transfer(1_000);
        transfer.note(0, false, 1_000).expect("all was read");
        transfer.note(0, true, 300).expect("a short write is no error");
        transfer.advance(0);
        let Block { read, written, pending, .. } = transfer.blocks[0];
        assert_eq!((read, written, pending), (1_000, 300, 1));
    }

    #[test]
    fn a_file_that_became_shorter_and_a_failed_device_are_errors() {
        assert!(transfer(1_000).note(0, false, 0).is_err());
        assert!(transfer(1_000).note(0, true, -libc::ENOSPC).is_err());
    }
}
