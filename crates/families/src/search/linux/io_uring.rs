//! Many files in flight: opened, read and closed by chains of operations, a batch for each call.

use std::ffi::CString;
use std::io;
use std::path::Path;

use io_uring::types::{DestinationSlot, Fd, Fixed};
use io_uring::{IoUring, opcode, squeue};
use model::{Availability, Class, Host, Setting};

use crate::contract::Technique;
use crate::files::{Mapping, OpenFile, at, c_path, tried_out};
use crate::search::job::{Notes, SearchJob, prefix_of};
use crate::search::kernel::Best;
use crate::search::output::Answer;
use crate::search::rolling::{PIECE_BYTES, Rolling};
use crate::search::sequential::search_into;
use crate::search::system::source::Source;

pub(in crate::search) const IO_URING: Technique<SearchJob> = Technique {
    name: "io_uring",
    alias: &[],
    idea: "io_uring: batches of 16 files opened, read (64 KiB) and closed by linked operations, the next while one is searched",
    source: "io_uring_enter(2), direct descriptors and hard links; liburing, man/io_uring_linked_requests.7",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(search),
};

/// Files of one batch; one batch is in flight while another is searched.
const BATCH: usize = 16;
const SLOTS: usize = 2 * BATCH;
/// Read of each file; few files of a tree are longer.
const SLOT_BYTES: usize = 64 << 10;
/// Operations for each file, in their order.
const OPEN: usize = 0;
const READ: usize = 1;
const CLOSE: usize = 2;
const STEPS: usize = 3;

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let files = job.files()?;
    let batches: Vec<_> = files.chunks(BATCH).collect();
    let mut flight = Flight::new().map_err(|error| {
        io::Error::new(error.kind(), format!("io_uring for {}: {error}", job.place.folder.display()))
    })?;
    let mut rolling = None;
    let mut apart = 0;
    for turn in 0..=batches.len() {
        if let Some(batch) = batches.get(turn) {
            flight.start(turn, batch)?;
        }
        let Some(searched) = turn.checked_sub(1) else { continue };
        flight.wait(searched)?;
        for (nth, path) in batches[searched].iter().enumerate() {
            match flight.whole_file(searched, nth) {
                Some(text) => answer.add_matching(&kernel, text, &prefix_of(path))?,
                None => {
                    apart += 1;
                    search_apart(&kernel, path, &mut rolling, &mut answer)?;
                }
            }
        }
    }
    if apart > 0 {
        notes.push(format!(
            "fell back: {apart} of {} files were longer than 64 KiB and read by read(2)",
            files.len()
        ));
    }
    drop(flight);
    answer.finish(job.durable)
}

/// Searches a file that is too long for its slot, or could not be opened or read: then this says why.
fn search_apart(
    kernel: &Best<'_>,
    path: &Path,
    rolling: &mut Option<Rolling>,
    answer: &mut Answer<'_>,
) -> io::Result<()> {
    let rolling = match rolling {
        Some(rolling) => rolling,
        None => rolling.insert(Rolling::new(PIECE_BYTES)?),
    };
    let source = Source::open(path)?;
    search_into(kernel, &source, &prefix_of(path), rolling, answer.text()).map_err(at("read", path))?;
    answer.write_when_full()
}

/// A ring with two halves: the batches take them in turn.
struct Flight {
    ring: IoUring,
    /// A part of the memory for each slot. `None` only when it had to be left to the kernel.
    memory: Option<Mapping>,
    /// What came of the operations of each slot.
    answers: [[i32; STEPS]; SLOTS],
    /// Operations of each half that are not done.
    pending: [usize; 2],
}

impl Flight {
    fn new() -> io::Result<Self> {
        let entries = (SLOTS * STEPS).next_power_of_two() as u32;
        let ring = match IoUring::builder().setup_single_issuer().setup_defer_taskrun().build(entries) {
            // Before Linux 6.1.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => IoUring::new(entries)?,
            built => built?,
        };
        ring.submitter().register_files_sparse(SLOTS as u32)?;
        let memory = Some(Mapping::buffer(SLOTS * SLOT_BYTES)?);
        Ok(Self { ring, memory, answers: [[0; STEPS]; SLOTS], pending: [0; 2] })
    }

    /// Sends a batch on its way.
    fn start(&mut self, turn: usize, batch: &[impl AsRef<Path>]) -> io::Result<()> {
        let names = batch.iter().map(|path| c_path(path.as_ref())).collect::<io::Result<Vec<CString>>>()?;
        for (nth, name) in names.iter().enumerate() {
            self.push_chain(slot_of(turn, nth), name);
        }
        self.pending[turn % 2] = batch.len() * STEPS;
        // The names are read before this returns (IORING_FEAT_SUBMIT_STABLE).
        let submitted = self.ring.submit();
        submitted.map(|_| ()).map_err(|error| self.abandon(error))
    }

    /// Open, read, close. The links are hard: a short read, which is what is hoped for, must not break the chain.
    fn push_chain(&mut self, slot: usize, name: &CString) {
        let memory = self.memory.as_ref().expect("the memory is here unless an error has ended the search");
        let target = memory.address_of(slot * SLOT_BYTES);
        let taken = DestinationSlot::try_from_slot_target(slot as u32).expect("a small number");
        let descriptor = Fixed(slot as u32);
        let open = opcode::OpenAt::new(Fd(libc::AT_FDCWD), name.as_ptr()).flags(libc::O_RDONLY);
        let chain = [
            open.file_index(Some(taken)).build().flags(squeue::Flags::IO_HARDLINK),
            opcode::Read::new(descriptor, target, SLOT_BYTES as u32)
                .build()
                .flags(squeue::Flags::IO_HARDLINK),
            opcode::Close::new(descriptor).build(),
        ];
        for (step, entry) in chain.into_iter().enumerate() {
            let entry = entry.user_data((slot * STEPS + step) as u64);
            // SAFETY: the name lives until it has been read by the call that submits, and the slot's part of the memory
            // until nothing is in flight: `drop` waits for that, and an error that ends the waiting leaves the memory.
            let pushed = unsafe { self.ring.submission().push(&entry) };
            pushed.expect("the ring has entries for every step of every slot");
        }
    }

    /// Waits for a whole batch.
    fn wait(&mut self, turn: usize) -> io::Result<()> {
        while self.pending[turn % 2] > 0 {
            if let Err(error) = self.ring.submit_and_wait(1)
                && error.kind() != io::ErrorKind::Interrupted
            {
                return Err(self.abandon(error));
            }
            for entry in self.ring.completion() {
                let (slot, step) = (entry.user_data() as usize / STEPS, entry.user_data() as usize % STEPS);
                self.answers[slot][step] = entry.result();
                self.pending[slot / BATCH] -= 1;
            }
        }
        Ok(())
    }

    /// The text of a file that was opened and read to its end.
    fn whole_file(&self, turn: usize, nth: usize) -> Option<&[u8]> {
        let slot = slot_of(turn, nth);
        let answers = self.answers[slot];
        let count = usize::try_from(answers[READ]).ok().filter(|&count| count < SLOT_BYTES)?;
        let is_whole = answers[OPEN] >= 0 && answers[CLOSE] >= 0;
        let memory = self.memory.as_ref().filter(|_| is_whole)?;
        Some(&memory[slot * SLOT_BYTES..slot * SLOT_BYTES + count])
    }

    /// The words for a ring that cannot be asked any more. The kernel may still write into the memory: it is left to it.
    fn abandon(&mut self, error: io::Error) -> io::Error {
        std::mem::forget(self.memory.take());
        self.pending = [0; 2];
        io::Error::new(error.kind(), format!("io_uring_enter: {error}"))
    }
}

impl Drop for Flight {
    /// After an error of another kind, a batch may be in flight: its memory must outlive it.
    fn drop(&mut self) {
        for half in 0..2 {
            if self.wait(half).is_err() {
                return;
            }
        }
    }
}

fn slot_of(turn: usize, nth: usize) -> usize {
    turn % 2 * BATCH + nth
}

/// Reads a private file through a ring.
fn probe(_host: &Host, setting: &Setting) -> Availability {
    let refused = "the kernel refuses it (kernel.io_uring_disabled, a container's seccomp filter, or before Linux 5.19)";
    tried_out(setting, 4 << 10, refused, |file| {
        let mut flight = Flight::new()?;
        flight.start(0, &[file.path()])?;
        flight.wait(0)?;
        let expected = OpenFile::open(file.path())?.size_bytes()?;
        match flight.whole_file(0, 0) {
            Some(text) if text.len() as u64 == expected => Ok(()),
            _ => Err(io::Error::other("a chain of open, read and close did not read the file")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_whole_long_and_missing_files_are_told_apart() {
        let folder = tempfile::tempdir().expect("scratch");
        let lengths = [0, 1, SLOT_BYTES - 1, SLOT_BYTES, SLOT_BYTES + 1];
        let mut paths: Vec<_> = lengths.iter().map(|length| folder.path().join(length.to_string())).collect();
        for (path, &length) in paths.iter().zip(&lengths) {
            std::fs::write(path, vec![b'x'; length]).expect("written");
        }
        paths.push(folder.path().join("absent"));
        paths.push(folder.path().to_owned());
        let mut flight = Flight::new().expect("a ring");
        for turn in 0..3 {
            flight.start(turn, &paths).expect("submitted");
            flight.wait(turn).expect("done");
            let found: Vec<_> =
                (0..paths.len()).map(|nth| flight.whole_file(turn, nth).map(<[u8]>::len)).collect();
            assert_eq!(found, [Some(0), Some(1), Some(SLOT_BYTES - 1), None, None, None, None]);
        }
    }

    #[test]
    fn a_flight_that_is_given_up_waits_for_what_is_under_way() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("file");
        std::fs::write(&path, vec![b'x'; 60_000]).expect("written");
        let mut flight = Flight::new().expect("a ring");
        flight.start(0, &[&path; BATCH]).expect("submitted");
        flight.start(1, &[&path; BATCH]).expect("submitted");
        drop(flight);
    }
}
