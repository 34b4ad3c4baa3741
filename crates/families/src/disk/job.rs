//! The job: a file is read, rewritten and reread, piece by piece.

use std::io;
use std::path::PathBuf;

use model::{Point, Trial, Workload, format_bytes};

use super::content::{Mask, NewData, Sum};
use super::files;
use super::passes::Passes;
use super::pieces::{Order, Pieces};
use super::workload;
use crate::contract::Repeat;
use crate::files::Mapping;
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

/// Reads the pieces and adds up what they hold.
pub(super) type ReadPieces = fn(&DiskJob, &mut Pieces<'_>, &mut Notes) -> io::Result<Sum>;
/// Writes new data into the pieces, and returns when all of it is on the device.
pub(super) type RewritePieces = fn(&DiskJob, &mut Pieces<'_>, &mut NewData, &mut Notes) -> io::Result<()>;

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
        self.done_in_flight(1, read, rewrite)
    }

    /// The job done by a technique that works on so many pieces at once.
    ///
    /// # Errors
    /// Their buffers would leave nothing of the memory to the file cache.
    pub(super) fn done_in_flight(
        &self,
        depth: usize,
        read: ReadPieces,
        rewrite: RewritePieces,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        let slots = self.at_most_all(depth);
        let slot_bytes = NewData::slot_bytes(self.piece_bytes);
        let needed_bytes = (slots as u64).saturating_mul(slot_bytes as u64);
        if let Some(memory_bytes) = self.memory_bytes.filter(|bytes| needed_bytes > bytes / 2) {
            let text = format!(
                "{slots} buffer(s) of {} are more than half of the memory, which is limited to {}; \
                 choose a smaller piece_bytes or a higher --memory-limit",
                format_bytes(slot_bytes as u64),
                format_bytes(memory_bytes)
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        Ok(Box::new(Passes::new(self, slots, read, rewrite)))
    }

    /// Memory for one piece, in ordinary pages.
    pub(super) fn buffer(&self) -> io::Result<Mapping> {
        Mapping::buffer(self.piece_bytes)
    }

    /// The sum of what has been read, before anything was.
    pub(super) fn sum(&self) -> Sum {
        Sum::of_pieces(self.piece_bytes)
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
