use std::ffi::CString;

use io_uring::types::{DestinationSlot, Fd, Fixed};
use io_uring::{IoUring, opcode, squeue};

use crate::files::{Mapping, OpenFile, at, c_path, is_passing, moved_by, new_ring, tried_out};
use crate::search::lines::{PIECE_BYTES, Rolling, search_into};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::stitch::Stitch;
use crate::search::system::source::Source;

pub(in crate::search) const IO_URING: Technique<SearchJob> = Technique {
    name: "io_uring",
    idea: "io_uring: batches of 16 files opened and read by linked operations, the next while one is searched; 4 reads of \
           128 KiB in flight for the rest of a file above 64 KiB",
    source: "io_uring_enter(2), direct descriptors and hard links; liburing, man/io_uring_linked_requests.7",
    calls: &["io_uring_enter", "!read", "!pread64"],
    needs: "io_uring, Linux 5.19 or later, which neither kernel.io_uring_disabled nor a seccomp filter forbids",
    probe,
    ..Technique::usual(|job| job.done_by(search))
};

/// Files of one batch; one batch is in flight while another is searched.
const BATCH: usize = 16;
const SLOTS: usize = 2 * BATCH;
/// Read of each file with its batch; few files of a tree are longer.
const SLOT_BYTES: usize = 64 << 10;
/// Operations for each file, in their order. What is closed is the file that the slot held before.
const CLOSE: usize = 0;
const OPEN: usize = 1;
const READ: usize = 2;
const STEPS: usize = 3;
/// Reads of one long file in flight, and how much each of them reads.
const AHEAD: usize = 4;
const AHEAD_BYTES: usize = 128 << 10;
/// The operations of the slots are numbered from 0 on, those of the long file from here on.
const FIRST_AHEAD: usize = SLOTS * STEPS;

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let files = job.files()?;
    let batches: Vec<_> = files.chunks(BATCH).collect();
    let mut flight = Flight::new(files.len(), notes).map_err(|error| {
        sys::failure::in_context(format_args!("io_uring for {}", job.place.folder.display()), error)
    })?;
    let mut rolling = None;
    let mut apart = 0;
    for turn in 0..=batches.len() {
        if let Some(batch) = batches.get(turn) {
            flight.start(turn, batch)?;
        }
        let Some(searched) = turn.checked_sub(1) else { continue };
        flight.wait(searched % 2)?;
        for (nth, path) in batches[searched].iter().enumerate() {
            let slot = slot_of(searched, nth);
            match flight.beginning(slot) {
                Some(text) if text.len() < SLOT_BYTES => {
                    answer.add_matching(&kernel, text, &prefix_of(path))?;
                }
                Some(_) => search_long(&kernel, path, (&mut flight, slot), &mut answer)?,
                None => {
                    apart += 1;
                    search_apart(&kernel, path, &mut rolling, &mut answer)?;
                }
            }
        }
    }
    if apart > 0 {
        notes.push(format!("fell back: {apart} of {} files were read by read(2)", files.len()));
    }
    flight.close_all()?;
    drop(flight);
    answer.finish(job.durable)
}

fn search_long(
    kernel: &Best<'_>, path: &Path, (flight, slot): (&mut Flight, usize), answer: &mut Answer<'_>,
) -> io::Result<()> {
    let (prefix, mut stitch) = (prefix_of(path), Stitch::default());
    let mut lines = |lines: &[u8]| answer.add_lines(kernel, lines, &prefix);
    flight.read_on(slot, path, |piece| stitch.add(piece, &mut lines))?;
    stitch.end(&mut lines)
}

/// Searches a file that the ring could not open or read: this says why, or reads it all the same.
fn search_apart(
    kernel: &Best<'_>, path: &Path, rolling: &mut Option<Rolling>, answer: &mut Answer<'_>,
) -> io::Result<()> {
    let rolling = match rolling {
        Some(rolling) => rolling,
        None => rolling.insert(Rolling::new(PIECE_BYTES)?),
    };
    let source = Source::open(path)?;
    search_into(kernel, &source, &prefix_of(path), rolling, &mut answer.text).map_err(at("read", path))?;
    answer.write_when_full()
}

/// A ring with two halves, which the batches take in turn, and a place for one long file.
struct Flight {
    ring: IoUring,
    /// A part for each slot, then one for each read of a long file. `None` only when it had to be left to the kernel.
    memory: Option<Mapping>,
    slots: usize,
    taken: [bool; SLOTS],
    answers: [[i32; STEPS]; SLOTS],
    /// The answers to the reads of a long file; `None` for those in flight.
    ahead: [Option<i32>; AHEAD],
    pending: [usize; 3],
}

const LONG: usize = 2;

impl Flight {
    fn new(files: usize, notes: &mut Notes) -> io::Result<Self> {
        let slots = files.clamp(1, SLOTS);
        let entries = (slots.min(BATCH) * STEPS + AHEAD).next_power_of_two() as u32;
        let ring = new_ring(entries, notes)?;
        ring.submitter().register_files_sparse(slots as u32)?;
        let memory = Some(Mapping::buffer(slots * SLOT_BYTES + AHEAD * AHEAD_BYTES)?);
        Ok(Self {
            ring,
            memory,
            slots,
            taken: [false; SLOTS],
            answers: [[0; STEPS]; SLOTS],
            ahead: [None; AHEAD],
            pending: [0; 3],
        })
    }

    fn memory(&self) -> &Mapping {
        self.memory.as_ref().expect("the memory is here unless an error has ended the search")
    }

    fn start(&mut self, turn: usize, batch: &[impl AsRef<Path>]) -> io::Result<()> {
        let names = batch.iter().map(|path| c_path(path.as_ref())).collect::<io::Result<Vec<CString>>>()?;
        for (nth, name) in names.iter().enumerate() {
            self.push_chain(slot_of(turn, nth), name);
        }
        // The names are read before this returns (IORING_FEAT_SUBMIT_STABLE).
        self.submit()
    }

    fn submit(&mut self) -> io::Result<()> {
        while !self.ring.submission().is_empty() {
            if let Err(error) = self.ring.submit()
                && !is_passing(&error)
            {
                return Err(self.abandon(error));
            }
            // A full queue of answers keeps the ring from taking more.
            self.take_answers();
        }
        Ok(())
    }

    /// Closes what the slot held, opens, reads. The links are hard: a short read, which is hoped for, must not break the chain.
    fn push_chain(&mut self, slot: usize, name: &CString) {
        let target = self.memory().address_of(slot * SLOT_BYTES);
        let place = DestinationSlot::try_from_slot_target(slot as u32).expect("a small number");
        let descriptor = Fixed(slot as u32);
        if self.taken[slot] {
            let close = opcode::Close::new(descriptor).build().flags(squeue::Flags::IO_HARDLINK);
            self.push(close, slot * STEPS + CLOSE, slot / BATCH);
        }
        self.taken[slot] = true;
        let open = opcode::OpenAt::new(Fd(libc::AT_FDCWD), name.as_ptr()).flags(libc::O_RDONLY);
        let open = open.file_index(Some(place)).build().flags(squeue::Flags::IO_HARDLINK);
        self.push(open, slot * STEPS + OPEN, slot / BATCH);
        let read = opcode::Read::new(descriptor, target, SLOT_BYTES as u32).build();
        self.push(read, slot * STEPS + READ, slot / BATCH);
    }

    fn push_ahead(&mut self, slot: usize, nth: usize, offset: u64) {
        let target = self.memory().address_of(self.place_ahead(nth));
        let read = opcode::Read::new(Fixed(slot as u32), target, AHEAD_BYTES as u32).offset(offset).build();
        self.ahead[nth % AHEAD] = None;
        self.push(read, FIRST_AHEAD + nth % AHEAD, LONG);
    }

    fn place_ahead(&self, nth: usize) -> usize {
        self.slots * SLOT_BYTES + nth % AHEAD * AHEAD_BYTES
    }

    fn push(&mut self, entry: squeue::Entry, mark: usize, group: usize) {
        let entry = entry.user_data(mark as u64);
        // SAFETY: a name lives until it is submitted, and the memory until nothing is in flight, or is left to the kernel.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        pushed
            .expect("the ring has entries for every step of every slot of a batch, and for every read ahead");
        self.pending[group] += 1;
    }

    fn wait(&mut self, group: usize) -> io::Result<()> {
        while self.pending[group] > 0 {
            self.wait_for_one()?;
        }
        Ok(())
    }

    /// Waits until something is done, and writes down its answer.
    fn wait_for_one(&mut self) -> io::Result<()> {
        if self.take_answers() {
            return Ok(());
        }
        if let Err(error) = self.ring.submit_and_wait(1)
            && !is_passing(&error)
        {
            return Err(self.abandon(error));
        }
        self.take_answers();
        Ok(())
    }

    /// Writes down the answers; returns whether there were any.
    fn take_answers(&mut self) -> bool {
        let mut is_any = false;
        for entry in self.ring.completion() {
            is_any = true;
            let mark = entry.user_data() as usize;
            let group = match mark.checked_sub(FIRST_AHEAD) {
                Some(nth) => {
                    self.ahead[nth] = Some(entry.result());
                    LONG
                }
                None => {
                    self.answers[mark / STEPS][mark % STEPS] = entry.result();
                    mark / STEPS / BATCH
                }
            };
            self.pending[group] -= 1;
        }
        is_any
    }

    /// Returns the first bytes of a file, as many as its slot takes: fewer are all of it.
    fn beginning(&self, slot: usize) -> Option<&[u8]> {
        let answers = self.answers[slot];
        let count = usize::try_from(answers[READ]).ok().filter(|_| answers[OPEN] >= 0)?;
        Some(&self.memory()[slot * SLOT_BYTES..][..count])
    }

    /// Hands all pieces of a file that fills its slot to `piece`, with the next in flight.
    fn read_on(
        &mut self, slot: usize, path: &Path, mut piece: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut begin = SLOT_BYTES as u64;
        self.start_ahead(slot, begin)?;
        piece(&self.memory()[slot * SLOT_BYTES..][..SLOT_BYTES])?;
        loop {
            let end = self.pieces_from(slot, path, begin, &mut piece)?;
            // What was asked for behind the end of the file has brought nothing.
            self.wait(LONG)?;
            let last = ((end - begin) / AHEAD_BYTES as u64) as usize % AHEAD;
            let is_more =
                |(nth, answer): (usize, &Option<i32>)| nth != last && answer.is_some_and(|count| count > 0);
            if !self.ahead.iter().enumerate().any(is_more) {
                return Ok(());
            }
            // It was no end: a read was cut short.
            begin = end;
            self.start_ahead(slot, begin)?;
        }
    }

    fn start_ahead(&mut self, slot: usize, begin: u64) -> io::Result<()> {
        for nth in 0..AHEAD {
            self.push_ahead(slot, nth, begin + (nth * AHEAD_BYTES) as u64);
        }
        self.submit()
    }

    /// Hands pieces to `piece` up to the first that is not full; returns the end of that one.
    fn pieces_from(
        &mut self, slot: usize, path: &Path, begin: u64, piece: &mut impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut offset = begin;
        for nth in 0.. {
            let answer = loop {
                match self.ahead[nth % AHEAD] {
                    Some(answer) => break answer,
                    None => self.wait_for_one()?,
                }
            };
            let count = moved_by(answer).map_err(at("read", path))?;
            piece(&self.memory()[self.place_ahead(nth)..][..count])?;
            offset += count as u64;
            if count < AHEAD_BYTES {
                break;
            }
            self.push_ahead(slot, nth + AHEAD, offset + ((AHEAD - 1) * AHEAD_BYTES) as u64);
            self.submit()?;
        }
        Ok(offset)
    }

    fn close_all(&mut self) -> io::Result<()> {
        let taken = std::mem::replace(&mut self.taken, [false; SLOTS]);
        for slot in (0..SLOTS).filter(|&slot| taken[slot]) {
            let close = opcode::Close::new(Fixed(slot as u32)).build();
            self.push(close, slot * STEPS + CLOSE, slot / BATCH);
        }
        self.submit()?;
        self.wait(0)?;
        self.wait(1)
    }

    /// Returns the error of a broken ring. The kernel may still write into the memory: it is left to it.
    fn abandon(&mut self, error: io::Error) -> io::Error {
        std::mem::forget(self.memory.take());
        self.pending = [0; 3];
        sys::failure::in_context("io_uring_enter", error)
    }
}

impl Drop for Flight {
    /// Waits: something may be in flight after an error, and its memory must outlive it.
    fn drop(&mut self) {
        for group in 0..self.pending.len() {
            if self.wait(group).is_err() {
                return;
            }
        }
    }
}

fn slot_of(turn: usize, nth: usize) -> usize {
    turn % 2 * BATCH + nth
}

fn probe(_host: &Host, setting: &Setting) -> Availability {
    let refused = "the kernel refuses it (kernel.io_uring_disabled, a container's seccomp filter, or before Linux 5.19)";
    tried_out(setting, 4 << 10, refused, |file| {
        let mut flight = Flight::new(1, &mut Notes::new())?;
        flight.start(0, &[file.path()])?;
        flight.wait(0)?;
        let expected = OpenFile::open(file.path())?.size_bytes()?;
        match flight.beginning(0) {
            Some(text) if text.len() as u64 == expected => flight.close_all(),
            _ => Err(io::Error::other("a chain of open and read did not read the file")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(folder: &Path, lengths: &[usize]) -> Vec<std::path::PathBuf> {
        let files = lengths.iter().map(|&length| {
            let path = folder.join(length.to_string());
            let text: Vec<u8> = (0..length).map(|nth| (nth % 251) as u8).collect();
            std::fs::write(&path, text).expect("written");
            path
        });
        files.collect()
    }

    #[test]
    fn a_long_file_comes_whole_and_through_the_ring_alone() {
        let folder = tempfile::tempdir().expect("scratch");
        let rows = AHEAD * AHEAD_BYTES;
        let lengths =
            [0, 1, AHEAD_BYTES - 1, AHEAD_BYTES, AHEAD_BYTES + 1, rows, rows + 7, 3 * rows + AHEAD_BYTES];
        let paths = written(folder.path(), &lengths.map(|length| SLOT_BYTES + length));
        let mut flight = Flight::new(paths.len(), &mut Notes::new()).expect("a ring");
        flight.start(0, &paths).expect("submitted");
        flight.wait(0).expect("done");
        for (slot, path) in paths.iter().enumerate() {
            let expected = std::fs::read(path).expect("readable");
            // What is opened by name from now on is not there any more.
            std::fs::remove_file(path).expect("removed");
            let mut text = Vec::new();
            let read = flight.read_on(slot, path, |piece| {
                text.extend_from_slice(piece);
                Ok(())
            });
            read.expect("read");
            assert!(text == expected, "{}", path.display());
        }
    }

    #[test]
    fn a_flight_that_is_given_up_waits_for_what_is_under_way() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = written(folder.path(), &[700_000]).remove(0);
        let mut flight = Flight::new(SLOTS, &mut Notes::new()).expect("a ring");
        flight.start(0, &[&path; BATCH]).expect("submitted");
        flight.start(1, &[&path; BATCH]).expect("submitted");
        flight.wait(0).expect("done");
        let full = flight.read_on(0, &path, |_| Err(io::Error::other("full"))).expect_err("full");
        assert_eq!(full.to_string(), "full");
        drop(flight);
    }
}
