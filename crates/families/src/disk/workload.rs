//! The workloads: one file, in pieces of one size, in one of two orders.

use std::io;
use std::ops::RangeInclusive;

use model::{Availability, Axis, Durability, Preset, Value, Values, Workload, format_bytes};

use super::pieces::SECTOR_BYTES;
use crate::files::invalid;

/// A part of the work with a clock of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Read,
    Rewrite,
    Reread,
}

impl Phase {
    /// Its name in the keys of metrics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Rewrite => "rewrite",
            Self::Reread => "reread",
        }
    }
}

pub(super) const PIECE_BYTES: &str = "piece_bytes";
pub(super) const ORDER: &str = "order";
pub(super) const PHASES: &str = "phases";
pub(super) const DURABILITY: &str = "durability";
pub(super) const PHASE_LIMIT: &str = "phase_limit_ns";
const BYTES: &str = "bytes";

const SEQUENTIAL: &str = "sequential";
pub(super) const RANDOM: &str = "random";
const DURABLE: &str = "durable";
const RETURNED: &str = "returned";
const ALL: &str = "all";
const READ: &str = "read";
const REWRITE: &str = "rewrite";

/// Every device takes writes of as many bytes, and a last piece of fewer is still one of whole sectors.
const PAGE_BYTES: u64 = 4_096;
const PUBLISHED_BYTES: u64 = 512 << 20;
/// The pieces of the published curve are this large, and twice as large, up to the file.
const LEAST_PIECE_BYTES: u64 = 1 << 10;
const PUBLISHED_IN_PIECES: &str = "published in pieces of ";
const USUAL_PIECE_BYTES: u64 = 64 << 10;
const USUAL_LIMIT_NS: u64 = 10_000_000_000;
/// Small pieces that each wait for the device would take hours, and there are twenty levels of three phases.
const CURVE_LIMIT_NS: u64 = 500_000_000;
/// Less is taken by the process itself.
const LEAST_MEMORY_BYTES: u64 = 8 << 20;
/// The pieces of a drawn order are numbered with 32 bits.
const PIECES_MOST: u64 = u32::MAX as u64;

pub(super) const AXES: &[Axis] = &[
    Axis {
        name: PIECE_BYTES,
        meaning: "size of a piece, a multiple of 512; at most the file",
        values: Values::Bytes(&[USUAL_PIECE_BYTES, 1 << 20]),
    },
    Axis {
        name: ORDER,
        meaning: "the order in which the pieces are worked on",
        values: Values::Words(&[SEQUENTIAL, RANDOM]),
    },
    Axis {
        name: PHASES,
        meaning: "read, rewrite and reread the file, or only one of the first two",
        values: Values::Words(&[ALL, READ, REWRITE]),
    },
    Axis {
        name: DURABILITY,
        meaning: "where rewriting ends: when all is on the device, or when its calls have returned",
        values: Values::Words(&[DURABLE, RETURNED]),
    },
    Axis {
        name: PHASE_LIMIT,
        meaning: "a phase that takes longer is cut short and extrapolated",
        values: Values::DurationsNs(&[USUAL_LIMIT_NS]),
    },
];

/// The workloads of a preset: that of the published sizes has a curve of its own.
pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    match preset {
        Preset::Quick => vec![named("small", 48 << 20, 250_000_000)],
        Preset::Published => published().collect(),
        Preset::Large => vec![named("large", 4 << 30, USUAL_LIMIT_NS)],
    }
}

/// Pieces from 1 KiB to the whole file.
fn published() -> impl Iterator<Item = Workload> {
    let pieces = std::iter::successors(Some(LEAST_PIECE_BYTES), |piece| Some(2 * piece));
    pieces.take_while(|piece| *piece <= PUBLISHED_BYTES).map(|piece| {
        let name = format!("{PUBLISHED_IN_PIECES}{}", format_bytes(piece));
        named(&name, PUBLISHED_BYTES, CURVE_LIMIT_NS).with(PIECE_BYTES, piece)
    })
}

fn named(name: &str, bytes: u64, limit_ns: u64) -> Workload {
    shaped(Workload::of_bytes(name, bytes)).with(PHASE_LIMIT, limit_ns)
}

/// A workload of a size that the user typed, rounded up to whole pages: work past the file cache knows no other lengths.
pub(super) fn of_bytes(bytes: u64) -> Workload {
    let whole = bytes.checked_next_multiple_of(PAGE_BYTES).unwrap_or(bytes);
    shaped(Workload { name: Workload::of_size(bytes).name, ..Workload::of_size(whole) })
}

fn shaped(workload: Workload) -> Workload {
    let piece_bytes = USUAL_PIECE_BYTES.min(workload.bytes().unwrap_or(0));
    workload
        .with(PIECE_BYTES, piece_bytes)
        .with(ORDER, SEQUENTIAL)
        .with(PHASES, ALL)
        .with(DURABILITY, DURABLE)
        .with(PHASE_LIMIT, USUAL_LIMIT_NS)
}

/// The numbers that an axis takes. A piece is no larger than the file, which [`check`] sees.
pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    match axis {
        PIECE_BYTES => Some(SECTOR_BYTES as u64..=1 << 40),
        // A day: a limit that is never reached.
        PHASE_LIMIT => Some(1..=24 * 60 * 60 * 1_000_000_000),
        _ => None,
    }
}

pub(super) fn set(workload: &mut Workload, axis: &Axis, value: Value) -> Result<(), String> {
    let sector = SECTOR_BYTES as u64;
    match (axis.name, value.number()) {
        (PIECE_BYTES, Some(bytes)) if bytes == 0 || !bytes.is_multiple_of(sector) => {
            return Err(format!(
                "a piece has whole sectors: {bytes} is not a multiple of {sector}; for example 64K"
            ));
        }
        (PHASE_LIMIT, Some(0)) => return Err("a phase needs some time; for example 10s".to_owned()),
        _ => {}
    }
    // A workload of the curve that gets other pieces is none of it.
    if axis.name == PIECE_BYTES && workload.name.starts_with(PUBLISHED_IN_PIECES) {
        workload.name = "published".to_owned();
    }
    // Where nothing is written, nothing is flushed.
    if (axis.name, &value) == (PHASES, &READ.into()) {
        workload.point.set(DURABILITY, RETURNED);
    }
    workload.point.set(axis.name, value);
    Ok(())
}

pub(super) fn check(workload: &Workload) -> Result<(), String> {
    let bytes = workload.bytes().unwrap_or(0);
    let piece_bytes = workload.number(PIECE_BYTES).unwrap_or(0);
    let shown = format_bytes(bytes);
    if piece_bytes > bytes {
        let piece = format_bytes(piece_bytes);
        return Err(format!(
            "--set {PIECE_BYTES}={piece_bytes}: a piece of {piece} is larger than the file of {shown}; \
             the whole file is --set {PIECE_BYTES}={bytes}"
        ));
    }
    if bytes.div_ceil(piece_bytes.max(1)) > PIECES_MOST {
        return Err(format!("{shown} have more than {PIECES_MOST} pieces; choose larger ones"));
    }
    Ok(())
}

/// The memory of a worker together with its part of the file cache: half of what the file takes.
pub(super) fn memory_bytes(workload: &Workload) -> u64 {
    (workload.bytes().unwrap_or(0) / 2).max(LEAST_MEMORY_BYTES)
}

pub(super) fn phases(workload: &Workload) -> io::Result<&'static [Phase]> {
    match workload.word(PHASES) {
        Some(ALL) => Ok(&[Phase::Read, Phase::Rewrite, Phase::Reread]),
        Some(READ) => Ok(&[Phase::Read]),
        Some(REWRITE) => Ok(&[Phase::Rewrite]),
        _ => Err(invalid(format!("the workload '{}' of the disk family has no {PHASES}", workload.name))),
    }
}

pub(super) fn durability(workload: &Workload) -> Durability {
    match workload.word(DURABILITY) {
        Some(RETURNED) => Durability::Returned,
        _ => Durability::Durable,
    }
}

/// For a technique that differs from the plain one in rewriting only.
pub(super) fn with_rewriting_only(workload: &Workload) -> Availability {
    match workload.word(PHASES) {
        Some(READ) => Availability::Missing("it differs in rewriting, and this only reads".to_owned()),
        _ => Availability::Ready,
    }
}

pub(super) fn file_bytes(workload: &Workload) -> io::Result<u64> {
    crate::parameters::number_of(workload, BYTES)
}

#[cfg(test)]
mod tests {
    use super::super::DISK;
    use super::*;
    use crate::testing::{assert_refused, changed};

    #[test]
    fn a_size_is_rounded_up_to_whole_pages_and_keeps_its_name() {
        let workload = of_bytes(100_000_000);
        assert_eq!((workload.name.as_str(), workload.bytes()), ("100MB", Some(100_003_840)));
        assert_eq!(of_bytes(512 << 20).bytes(), Some(512 << 20));
        assert_eq!(of_bytes(1_000).number(PIECE_BYTES), Some(4_096), "no piece is larger than the file");
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_a_sentence() {
        let cases = [
            ("piece_bytes=0", "0 is not a multiple of 512; for example 64K"),
            ("piece_bytes=1000", "1000 is not a multiple of 512"),
            ("piece_bytes=2M", "a piece of 2 MiB is larger than the file of 1 MiB; the whole file is"),
            ("order=backwards", "order is one of sequential, random, not 'backwards'"),
            ("phases=write", "phases is one of all, read, rewrite"),
            ("phase_limit_ns=0s", "a phase needs some time"),
            ("phase_limit_ns=25h", "a duration from 1ns to 86400s is expected, for example 10s"),
            ("piece_bytes=2T", "a size from 512 B to 1 TiB is expected"),
            ("pieces=1", "has no axis 'pieces'"),
        ];
        assert_refused(DISK, &of_bytes(1 << 20), &cases);
    }

    #[test]
    fn the_file_is_twice_the_memory() {
        for preset in [Preset::Quick, Preset::Published, Preset::Large] {
            for workload in of_preset(preset) {
                assert_eq!(check(&workload), Ok(()));
                assert_eq!(workload.bytes(), Some(2 * memory_bytes(&workload)));
            }
        }
    }

    #[test]
    fn the_published_pieces_double_from_a_kilobyte_to_the_file() {
        let published = of_preset(Preset::Published);
        let pieces: Vec<Option<u64>> = published.iter().map(|one| one.number(PIECE_BYTES)).collect();
        assert_eq!(pieces, (10..=29).map(|power| Some(1 << power)).collect::<Vec<_>>());
        assert_eq!(published[0].name, "published in pieces of 1 KiB");
        assert!(
            published
                .iter()
                .all(|one| one.without_axis(PIECE_BYTES) == published[0].without_axis(PIECE_BYTES))
        );
        let mut other = published[0].clone();
        DISK.set(&mut other, PIECE_BYTES, "3K").expect("a size");
        assert_eq!(other.name, "published", "its name says no other piece than it has");
    }

    #[test]
    fn rewriting_ends_on_the_device_unless_the_user_chose_otherwise() {
        let [returned, read] = [(DURABILITY, "returned"), (PHASES, "read")]
            .map(|word| changed(DISK, of_bytes(1 << 20), &[word]).expect("a word"));
        let ends = [of_bytes(1 << 20), returned, read].map(|workload| DISK.durability(&workload));
        assert_eq!(ends, [Durability::Durable, Durability::Returned, Durability::Returned].map(Some));
    }
}
