//! The job: a file is read, rewritten and reread, piece by piece.

use std::io;
use std::path::PathBuf;

use model::{Durability, Point, Trial, Workload};

use super::content::{Mask, NewData, Sum};
use super::files;
use super::pieces::{Order, Pieces};
use super::workload::{self, Phase};
use crate::files::{Buffer, OpenFile};
use crate::parameters::{number_of, size_on};

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
    pub(super) is_ceilinged: bool,
    /// The values of the technique's own axes.
    pub(super) parameters: Point,
}

/// What a reader must know of the work: `fell back: ...`.
pub(super) type Notes = Vec<String>;

/// Reads the pieces into the memory and adds up what they hold.
pub(super) type ReadPieces = fn(&DiskJob, &mut Pieces<'_>, &mut Buffer, &mut Notes) -> io::Result<Sum>;
/// Writes new data into the pieces, and returns when the clock is to stop: see [`DiskJob::end`].
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
            is_durable: workload::durability(workload) == Durability::Durable,
            phases: workload::phases(workload)?,
            phase_limit_ns: number_of(workload, workload::PHASE_LIMIT)?,
            seed: *seed,
            mask: files::Kept::read(&kept)?.mask,
            kept,
            memory_bytes,
            is_ceilinged: memory_bytes.is_some_and(is_in_force),
            parameters,
        })
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

    /// This many pieces in flight as that, and no more than there are.
    pub(super) fn at_most_all(&self, depth: usize) -> usize {
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
