//! The memory that buffers take, where it is limited together with the file cache.

use model::{Availability, Point, Setting, Workload, format_bytes};

use super::content::NewData;
use super::workload::PIECE_BYTES;

/// Memory that a process takes next to its buffers, with the least of the file cache that it can work with.
const OWN_BYTES: u64 = 8 << 20;

/// More entries no ring of io_uring has (`IORING_MAX_ENTRIES`).
pub(super) const MOST_IN_FLIGHT: u64 = 32_768;

/// Asks for as many pieces in flight as a technique is to have, for room for their buffers in the memory of a setting, and for this many
/// bytes of the file cache for each byte in flight, which cannot be dropped. One piece at a time that has no room lies in a file.
pub(super) fn of_buffers(point: &Point, workload: &Workload, setting: &Setting, cached: u64) -> Availability {
    let piece_bytes = workload.number(PIECE_BYTES).unwrap_or(0).max(1);
    let pieces = workload.bytes().unwrap_or(0).div_ceil(piece_bytes).max(1);
    let Some(depth) = point.number("depth") else { return Availability::Ready };
    let limit_bytes = setting.conditions.memory_limit_bytes;
    let cached_bytes = piece_bytes.saturating_mul(cached);
    match in_flight(depth, pieces).and_then(|()| of(depth, piece_bytes, cached_bytes, limit_bytes)) {
        Ok(()) => Availability::Ready,
        Err(sentence) => Availability::Missing(sentence),
    }
}

/// Refuses more pieces in flight than there are, or than a ring holds.
fn in_flight(depth: u64, pieces: u64) -> Result<(), String> {
    if depth <= pieces.min(MOST_IN_FLIGHT) {
        return Ok(());
    }
    let reason = if pieces > MOST_IN_FLIGHT {
        format!("a ring has room for {MOST_IN_FLIGHT} at most")
    } else {
        format!("the file has {pieces}; choose a larger file or a smaller {PIECE_BYTES}")
    };
    Err(format!("{depth} pieces cannot be in flight: {reason}"))
}

/// Refuses more buffers of a piece each, with this many bytes of the file cache for each, than the memory of a process has room for:
/// nothing of them can be dropped, and a process beyond its limit is killed. The error is a sentence that says what would help.
pub(super) fn of(
    slots: u64, piece_bytes: u64, cached_bytes: u64, memory_bytes: Option<u64>,
) -> Result<(), String> {
    let Some(memory_bytes) = memory_bytes else { return Ok(()) };
    let slot_bytes = NewData::slot_bytes(usize::try_from(piece_bytes).unwrap_or(usize::MAX)) as u64;
    let each_bytes = slot_bytes.saturating_add(cached_bytes);
    let needed_bytes = slots.saturating_mul(each_bytes);
    // The smallest memories are halved.
    let own_bytes = OWN_BYTES.max(memory_bytes / 8).min(memory_bytes / 2);
    let room_bytes = memory_bytes - own_bytes;
    if needed_bytes <= room_bytes {
        return Ok(());
    }
    let (buffers, verb) =
        if slots == 1 { ("a buffer".to_owned(), "does") } else { (format!("{slots} buffers"), "do") };
    let cache = if cached_bytes > 0 { ", what is in flight in the file cache included," } else { "" };
    Err(format!(
        "{buffers} of {}{cache} {verb} not fit into the memory, which is limited to {} and keeps {} for the process and \
         its file cache; choose a smaller {PIECE_BYTES} or a higher --memory-limit, or map the file",
        format_bytes(each_bytes),
        format_bytes(memory_bytes),
        format_bytes(own_bytes),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn buffers_may_take_what_the_process_and_its_cache_leave() {
        assert_eq!(of(1, 4_096 * MIB, 0, None), Ok(()), "nothing limits it");
        for (slots, piece, memory, fits) in [
            (1, 24, 32, true),
            (1, 32, 32, false),
            (1, 128, 256, true),
            (1, 224, 256, true),
            (1, 256, 256, false),
            (8, 4, 32, false),
            (8, 2, 32, true),
            (1, 4, 8, true),
            (1, 5, 8, false),
        ] {
            let said = of(slots, piece * MIB, 0, Some(memory * MIB));
            assert_eq!(said.is_ok(), fits, "{slots} of {piece} in {memory}: {said:?}");
        }
        let sentence = of(8, 4 * MIB, 0, Some(32 * MIB)).expect_err("no room");
        assert!(
            sentence.starts_with("8 buffers of 4 MiB do not fit into the memory, which is limited to 32 MiB")
        );
        assert!(sentence.ends_with("or map the file"), "{sentence}");
    }

    #[test]
    fn only_pieces_in_flight_are_refused_for_want_of_room() {
        let workload = Workload::of_bytes("whole", 32 * MIB).with(PIECE_BYTES, 32 * MIB);
        let mut setting = Setting::default();
        setting.conditions.memory_limit_bytes = Some(16 * MIB);
        for (point, is_ready) in [(Point::default(), true), (Point::default().with("depth", 1), false)] {
            assert_eq!(of_buffers(&point, &workload, &setting, 0).is_ready(), is_ready, "{point:?}");
        }
    }

    #[test]
    fn pieces_in_flight_through_the_cache_take_room_there_as_well() {
        const KIB: u64 = 1 << 10;
        assert_eq!(of(64, 64 * KIB, 0, Some(16 * MIB)), Ok(()));
        assert_eq!(of(32, 64 * KIB, 128 * KIB, Some(16 * MIB)), Ok(()));
        let sentence = of(64, 64 * KIB, 128 * KIB, Some(16 * MIB)).expect_err("no room");
        let said =
            "64 buffers of 256 KiB, what is in flight in the file cache included, do not fit into the memory";
        assert!(sentence.starts_with(said), "{sentence}");
    }

    #[test]
    fn pieces_in_flight_fit_the_file_and_the_ring() {
        for (depth, pieces, part) in [
            (64, 64, None),
            (1, 1, None),
            (32_768, 1 << 20, None),
            (5_000, 1_024, Some("the file has 1024; choose a larger")),
            (50_000, 1 << 20, Some("room for 32768 at most")),
        ] {
            match (in_flight(depth, pieces), part) {
                (Ok(()), None) => {}
                (Err(sentence), Some(part)) => assert!(sentence.contains(part), "{sentence}"),
                (other, _) => panic!("{depth} of {pieces}: {other:?}"),
            }
        }
    }
}
