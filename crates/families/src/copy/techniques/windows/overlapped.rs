//! Many reads and writes in flight, their ends collected at a completion port.

use std::io;
use std::ptr;

use windows_sys::Win32::Foundation::ERROR_IO_PENDING;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_OVERLAPPED, FILE_FLAG_SEQUENTIAL_SCAN, ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, OVERLAPPED, OVERLAPPED_ENTRY};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::copy::workload::one_file_only;
use crate::files::{Mapping, OpenFile, Port, Use, checked, checked_status, overlapped_at};

pub(in crate::copy) const OVERLAPPED_COPY: Technique<CopyJob> = Technique {
    name: "overlapped",
    idea: "FILE_FLAG_OVERLAPPED and a completion port: 16 blocks of 256 KiB in flight, each read and then written",
    source: "Microsoft, I/O Completion Ports; Windows SDK sample UNBUFCP2",
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const DEPTH: usize = 16;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let flags = FILE_FLAG_OVERLAPPED | FILE_FLAG_SEQUENTIAL_SCAN;
    let source = OpenFile::open_with(&job.source, Use::Read, flags)?;
    let destination = OpenFile::open_with(&job.destination, Use::Create, flags)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        // A write that extends the file is done before its call returns; the length in advance avoids some of that.
        destination.set_length(bytes)?;
        let mut transfer = Transfer::new(&source, &destination, bytes)?;
        transfer.run()?;
        notes.extend(transfer.note());
    }
    destination.finish(job.durable)
}

/// One block: its place in the file, and the structure that the system holds on to while it is in flight.
struct Block {
    overlapped: OVERLAPPED,
    offset: u64,
    wanted: u32,
    writing: bool,
}

struct Transfer<'files> {
    source: &'files OpenFile<'files>,
    destination: &'files OpenFile<'files>,
    port: Port,
    buffer: Mapping,
    /// Never moved or touched while a block of it is in flight.
    blocks: Vec<Block>,
    bytes: u64,
    next: u64,
    in_flight: usize,
    calls: u64,
    pending: u64,
}

impl<'files> Transfer<'files> {
    fn new(source: &'files OpenFile, destination: &'files OpenFile, bytes: u64) -> io::Result<Self> {
        let count = bytes.div_ceil(BLOCK_BYTES as u64).min(DEPTH as u64) as usize;
        let port = Port::of_files(&[source, destination])?;
        let block = || Block { overlapped: OVERLAPPED::default(), offset: 0, wanted: 0, writing: false };
        Ok(Self {
            source,
            destination,
            port,
            buffer: Mapping::buffer(count * BLOCK_BYTES)?,
            blocks: std::iter::repeat_with(block).take(count).collect(),
            bytes,
            next: 0,
            in_flight: 0,
            calls: 0,
            pending: 0,
        })
    }

    fn run(&mut self) -> io::Result<()> {
        for index in 0..self.blocks.len() {
            self.read_next(index)?;
        }
        let mut entries = [OVERLAPPED_ENTRY::default(); DEPTH];
        while self.in_flight > 0 {
            let ended = self.wait(&mut entries)?;
            for &OVERLAPPED_ENTRY { lpOverlapped, dwNumberOfBytesTransferred, .. } in &entries[..ended] {
                let first = self.blocks.as_ptr();
                let index = (lpOverlapped.addr() - first.addr()) / size_of::<Block>();
                self.advance(index, dwNumberOfBytesTransferred)?;
            }
        }
        Ok(())
    }

    /// A block that was read is written; one that was written takes the next piece of the file.
    fn advance(&mut self, index: usize, moved: u32) -> io::Result<()> {
        let block = &self.blocks[index];
        let file = if block.writing { self.destination } else { self.source };
        let step = if block.writing { "WriteFile" } else { "ReadFile" };
        checked_status(block.overlapped.Internal as i32).map_err(file.at(step))?;
        if moved != block.wanted {
            return Err(file.at(step)(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        if block.writing { self.read_next(index) } else { self.start(index, true) }
    }

    fn read_next(&mut self, index: usize) -> io::Result<()> {
        if self.next >= self.bytes {
            return Ok(());
        }
        let block = &mut self.blocks[index];
        block.offset = self.next;
        block.wanted = (self.bytes - self.next).min(BLOCK_BYTES as u64) as u32;
        self.next += u64::from(block.wanted);
        self.start(index, false)
    }

    fn start(&mut self, index: usize, writing: bool) -> io::Result<()> {
        let memory = self.buffer.address_of(index * BLOCK_BYTES);
        let block = &mut self.blocks[index];
        block.writing = writing;
        block.overlapped = overlapped_at(block.offset);
        let overlapped = &raw mut block.overlapped;
        let (file, step) = if writing { (self.destination, "WriteFile") } else { (self.source, "ReadFile") };
        // SAFETY: the block's part of the buffer and its structure belong to the system until its end has come out
        // of the port: no other code touches them before, and `drop` waits for that.
        let answer = unsafe {
            if writing {
                WriteFile(file.handle(), memory, block.wanted, ptr::null_mut(), overlapped)
            } else {
                ReadFile(file.handle(), memory, block.wanted, ptr::null_mut(), overlapped)
            }
        };
        self.calls += 1;
        if let Err(error) = checked(answer) {
            if error.raw_os_error() != Some(ERROR_IO_PENDING as i32) {
                return Err(file.at(step)(error));
            }
            self.pending += 1;
        }
        // What was done before the call returned comes out of the port all the same.
        self.in_flight += 1;
        Ok(())
    }

    /// Waits for at least one end; gives how many entries were filled. Those are in flight no more.
    fn wait(&mut self, entries: &mut [OVERLAPPED_ENTRY]) -> io::Result<usize> {
        let count = self.port.wait(entries)?;
        self.in_flight -= count;
        Ok(count)
    }

    /// Overlapped work on cached files is often done at once, and then nothing overlaps.
    fn note(&self) -> Option<String> {
        let at_once = self.calls - self.pending;
        let sentence =
            || format!("fell back: {at_once} of {} calls were done before they returned", self.calls);
        (at_once > 0).then(sentence)
    }
}

impl Drop for Transfer<'_> {
    /// After an error others may still be in flight: their memory must outlive them.
    fn drop(&mut self) {
        if self.in_flight == 0 {
            return;
        }
        for file in [self.source, self.destination] {
            // SAFETY: the handle is open, and all of its calls are meant.
            unsafe { CancelIoEx(file.handle(), ptr::null()) };
        }
        let mut entries = [OVERLAPPED_ENTRY::default(); DEPTH];
        while self.in_flight > 0 {
            if self.wait(&mut entries).is_err() {
                return;
            }
        }
    }
}
