//! The job: a file is read, rewritten and reread, piece by piece.

use std::io;
use std::path::PathBuf;

use model::{Durability, Point, Trial, Workload};

use super::content::{Mask, NewData, Sum};
use super::files;
use super::passes::Passes;
use super::pieces::{Order, PART_BYTES, Pieces};
use super::{room, workload};
use crate::contract::Repeat;
use crate::files::{Buffer, OpenFile};
use crate::parameters::{number_of, size_on};

/// A part of the work with a clock of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Read,
    Rewrite,
    Reread,
}

impl Phase {
    /// Its name in the keys of quantities.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Rewrite => "rewrite",
            Self::Reread => "reread",
        }
    }
}

/// What every technique of the family is told.
#[derive(Debug, Clone)]
pub(super) struct DiskJob {
    /// The file, which is whole sectors long.
    pub(super) path: PathBuf,
    /// Where the state of the file is kept.
    pub(super) kept: PathBuf,
    /// Size of a piece. The last one may be shorter.
    pub(super) piece_bytes: usize,
    /// All pieces in their order.
    pub(super) order: Order,
    /// Whether rewriting ends when all is on the device, or when its calls have returned.
    pub(super) is_durable: bool,
    /// What is done.
    pub(super) phases: &'static [Phase],
    /// A phase that takes longer is cut short.
    pub(super) phase_limit_ns: u64,
    /// Seed of what stands in the file.
    pub(super) seed: u64,
    /// The mask of what stands in the file when the work begins.
    pub(super) mask: Mask,
    /// Memory of this process together with its part of the file cache; `None` where nothing limits it.
    pub(super) memory_bytes: Option<u64>,
    /// Whether that limit is in force: then the cache lets go of the file by itself.
    pub(super) is_limited: bool,
    /// The values of the technique's own axes.
    pub(super) parameters: Point,
}

/// What a reader must know of the work: `fell back: ...`.
pub(super) type Notes = Vec<String>;

/// Reads the pieces into the memory and adds up what they hold.
pub(super) type ReadPieces = fn(&DiskJob, &mut Pieces<'_>, &mut Buffer, &mut Notes) -> io::Result<Sum>;
/// Writes new data into the pieces, and returns when the clock is to stop: see [`DiskJob::end`].
pub(super) type RewritePieces = fn(&DiskJob, &mut Pieces<'_>, &mut NewData, &mut Notes) -> io::Result<()>;

/// The memory of a technique, which is there before the clock starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    /// How many pieces are in flight.
    pub(super) slots: usize,
    /// How many pieces there is memory to read to.
    read_slots: usize,
    /// For how many bytes of each piece there is new data at once.
    pub(super) new_bytes: usize,
    /// Where pieces are read to.
    pub(super) pages: ReadInto,
}

/// Where pieces are read to.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadInto {
    /// The file's own pages, which are mapped.
    Mapped,
    /// Ordinary pages.
    Pages,
    /// Huge pages, where the host has them: the system looks up every page of what it reads past the cache, or is told beforehand.
    HugePages,
}

impl Memory {
    /// Memory for pieces to be read to.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn to_read(self, piece_bytes: usize) -> io::Result<Buffer> {
        match self.pages {
            ReadInto::Mapped => Buffer::in_pages(0),
            ReadInto::Pages => Buffer::in_pages(piece_bytes * self.read_slots),
            ReadInto::HugePages => Buffer::in_huge_pages(piece_bytes * self.read_slots),
        }
    }
}

impl DiskJob {
    /// The job of a trial.
    ///
    /// # Errors
    /// The workload is none of this family, or its file was not made.
    pub(super) fn of(trial: &Trial, parameters: Point) -> io::Result<Self> {
        let Trial { workload, scratch, seed, .. } = trial;
        let bytes = workload::file_bytes(workload)?;
        let piece_bytes = size_on(&workload.point, workload::PIECE_BYTES)?;
        let memory_bytes = trial.setting.conditions.memory_limit_bytes;
        let kept = files::kept_of(workload, scratch)?;
        Ok(Self {
            path: files::file_of(workload, scratch)?,
            piece_bytes,
            order: match is_random(workload) {
                false => Order::sequential(bytes, piece_bytes),
                true => Order::random(bytes, piece_bytes, *seed),
            },
            is_durable: workload::durability(workload) == Durability::Durable,
            phases: workload::phases(workload)?,
            phase_limit_ns: number_of(workload, workload::PHASE_LIMIT)?,
            seed: *seed,
            mask: files::Kept::read(&kept)?.mask,
            kept,
            memory_bytes,
            is_limited: memory_bytes.is_some_and(is_in_force),
            parameters,
        })
    }

    /// The job done by a technique that works on one piece after the other.
    pub(super) fn done_by(
        &self,
        read: ReadPieces,
        rewrite: RewritePieces,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        self.done_into(1, 0, ReadInto::Pages, read, rewrite)
    }

    /// The same past the file cache.
    pub(super) fn done_past_cache(
        &self,
        read: ReadPieces,
        rewrite: RewritePieces,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        self.done_into(1, 0, ReadInto::HugePages, read, rewrite)
    }

    /// The job done by a technique whose pieces lie in the mapped file: it needs no memory for a whole one, and is given the new
    /// data in parts.
    pub(super) fn done_by_mapping(
        &self,
        read: ReadPieces,
        rewrite: RewritePieces,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        let memory = Memory {
            slots: 1,
            read_slots: 0,
            new_bytes: self.piece_bytes.min(PART_BYTES),
            pages: ReadInto::Mapped,
        };
        Ok(Box::new(Passes::new(self, memory, read, rewrite)))
    }

    /// The job done by a technique with so many pieces in flight. There is memory to read one more to, where the process may have it.
    ///
    /// # Errors
    /// The memory has no room for their buffers.
    pub(super) fn done_in_flight(
        &self,
        depth: usize,
        read: ReadPieces,
        rewrite: RewritePieces,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        let has_room = room::of(depth as u64 + 1, self.piece_bytes as u64, 0, self.memory_bytes).is_ok();
        self.done_into(depth, usize::from(has_room), ReadInto::HugePages, read, rewrite)
    }

    fn done_into(
        &self,
        depth: usize,
        spare_slots: usize,
        pages: ReadInto,
        read: ReadPieces,
        rewrite: RewritePieces,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        let slots = self.at_most_all(depth);
        room::of(slots as u64, self.piece_bytes as u64, 0, self.memory_bytes)
            .map_err(|sentence| io::Error::new(io::ErrorKind::InvalidInput, sentence))?;
        let memory = Memory { slots, read_slots: slots + spare_slots, new_bytes: self.piece_bytes, pages };
        Ok(Box::new(Passes::new(self, memory, read, rewrite)))
    }

    /// Ends a rewriting whose calls have returned: waits until all is on the device, where it is to end there, and closes the file.
    pub(super) fn end(&self, pieces: &mut Pieces<'_>, file: OpenFile) -> io::Result<()> {
        pieces.calls_have_returned();
        file.finish_one_of_many(self.is_durable)
    }

    /// The sum of what calls have moved to memory, before anything was.
    pub(super) fn sum_of_moved(&self) -> Sum {
        Sum::of_moved(self.piece_bytes, self.mask)
    }

    /// The sum of what was read in a mapping, before anything was.
    pub(super) fn sum_of_mapped(&self) -> Sum {
        Sum::of_mapped(self.piece_bytes)
    }

    /// How many pieces are to be in flight, a parameter.
    pub(super) fn depth(&self) -> io::Result<usize> {
        size_on(&self.parameters, "depth")
    }

    /// How many pieces are in flight: no more than there are.
    pub(super) fn slots(&self) -> io::Result<usize> {
        self.depth().map(|depth| self.at_most_all(depth))
    }

    fn at_most_all(&self, depth: usize) -> usize {
        depth.min(usize::try_from(self.order.count()).unwrap_or(usize::MAX)).max(1)
    }
}

/// Whether this process is under a limit that is not higher. The kernel rounds it to whole pages.
fn is_in_force(memory_bytes: u64) -> bool {
    sys::memory_group::limit_bytes().is_some_and(|bytes| bytes <= memory_bytes)
}

fn is_random(workload: &Workload) -> bool {
    workload.word(workload::ORDER) == Some(workload::RANDOM)
}
