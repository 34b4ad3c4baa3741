//! The job: a file is read, rewritten and reread, piece by piece.

use std::io;
use std::path::PathBuf;

use model::{Durability, Point, Trial};

use super::content::{Mask, NewData, Sum};
use super::files;
use super::pieces::{Order, Pieces};
use super::workload::{self, Phase};
use crate::contract::Repeat;
use crate::files::{Buffer, OpenFile};
use crate::parameters::{number_of, size_on};

/// The job that every technique of the family gets.
pub(super) struct DiskJob {
    /// The file, which is whole sectors long.
    pub(super) path: PathBuf,
    pub(super) kept: PathBuf,
    /// Size of a piece. The last one may be shorter.
    pub(super) piece_bytes: usize,
    pub(super) order: Order,
    /// Whether rewriting ends when all is on the device, or when its calls have returned.
    pub(super) is_durable: bool,
    pub(super) phases: &'static [Phase],
    pub(super) phase_limit_ns: u64,
    /// Seed of what stands in the file.
    pub(super) seed: u64,
    /// The mask of what stands in the file when the work begins.
    pub(super) mask: Mask,
    /// Memory of this process together with its part of the file cache; `None` where nothing limits it.
    pub(super) memory_bytes: Option<u64>,
    /// Whether that limit is in force: then the cache lets go of the file by itself.
    pub(super) is_ceilinged: bool,
    pub(super) parameters: Point,
}

/// Sentences that a reader must know of the work: `fell back: ...`.
pub(super) type Notes = Vec<String>;
pub(super) type Prepared<'job> = io::Result<Box<dyn Repeat + 'job>>;

/// Reads the pieces into the memory and adds up what they hold.
pub(super) type ReadPieces = fn(&DiskJob, &mut Pieces<'_>, &mut Buffer, &mut Notes) -> io::Result<Sum>;
/// Writes new data into the pieces, and returns when the clock is to stop: see [`DiskJob::end`].
pub(super) type RewritePieces = fn(&DiskJob, &mut Pieces<'_>, &mut NewData, &mut Notes) -> io::Result<()>;

impl DiskJob {
    /// The job of a trial. Fails where the workload is none of this family, or its file was not made.
    pub(super) fn of(trial: &Trial, parameters: Point) -> io::Result<Self> {
        let Trial { workload, scratch, seed, .. } = trial;
        let bytes = workload::file_bytes(workload)?;
        let piece_bytes = size_on(&workload.point, workload::PIECE_BYTES)?;
        let memory_bytes = trial.setting.conditions.memory_limit_bytes;
        let kept = files::kept_of(workload, scratch)?;
        Ok(Self {
            path: files::file_of(workload, scratch)?,
            piece_bytes,
            order: match workload.word(workload::ORDER) {
                Some(workload::RANDOM) => Order::random(bytes, piece_bytes, *seed),
                _ => Order::sequential(bytes, piece_bytes),
            },
            is_durable: workload::durability(workload) == Durability::Durable,
            phases: workload::phases(workload)?,
            phase_limit_ns: number_of(workload, workload::PHASE_LIMIT)?,
            seed: *seed,
            mask: files::Kept::read(&kept)?.mask,
            kept,
            memory_bytes,
            // The kernel rounds a limit to whole pages.
            is_ceilinged: memory_bytes
                .zip(sys::memory_group::limit_bytes())
                .is_some_and(|(most, limit)| limit <= most),
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
        Sum::of(self.piece_bytes, Some(self.mask))
    }

    /// Returns how many pieces are in flight: a parameter, and no more than there are.
    pub(super) fn slots(&self) -> io::Result<usize> {
        let pieces = usize::try_from(self.order.count()).unwrap_or(usize::MAX);
        Ok(size_on(&self.parameters, "depth")?.min(pieces).max(1))
    }
}
