//! The workloads, and what a user may choose about them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use model::{Axis, CacheLevel, Host, Mark, Preset, Value, Workload, format_bytes};
use sys::{affinity, host};

use super::kernels::Work;
use crate::contract::Curve;
use crate::parameters::{bytes, counts, words};

pub(super) const WORK: &str = "work";
pub(super) const TOTAL: &str = "total_bytes";
pub(super) const PIECE: &str = "piece_bytes";
pub(super) const PASSES: &str = "passes";
pub(super) const THREADS: &str = "threads";
/// Chooses the total, and is no value of the workload: on another host the same word would be another amount.
const OF_CACHE: &str = "of_cache";

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

const PUBLISHED_TOTALS: [u64; 2] = [USUAL_TOTAL, 32 * MIB];
const LEAST_PIECE: u64 = KIB;
const USUAL_PIECE: u64 = 16 * KIB;
/// Of 8 passes, the first one, which loads the piece, is a small part.
const USUAL_PASSES: u64 = 8;
/// The published programs make 1,000, and their preset as many of them as the budget pays for, but never fewer than 100.
const PUBLISHED_PASSES: u64 = 1_000;
const LEAST_PUBLISHED_PASSES: u64 = 100;
/// A level may take this many samples, and a loop of plain stores writes as much in a nanosecond.
const SAMPLES_OF_LEVEL: u64 = 160;
const BYTES_A_NS: u64 = 8;
/// Memory beyond the caches takes long, and no pass finds more than the one before.
const LARGE_PASSES: u64 = 4;
const USUAL_TOTAL: u64 = 8 * MIB;
const LARGE_TOTAL: u64 = 256 * MIB;

const WORD: u64 = 4;
const MOST_BYTES: u64 = 1 << 40;
const MOST_PASSES: u64 = 1_000_000;
const MOST_THREADS: u64 = 4096;

const HALF_L1: &str = "L1/2";
const HALF_L2: &str = "L2/2";
const HALF_LAST: &str = "LLC/2";
const FOUR_LAST: &str = "4xLLC";

pub(super) const AXES: &[Axis] = &[
    words(
        WORK,
        "what a pass does: stores a value, adds the words, adds 1 to each, or copies other memory",
        &Work::NAMES,
    ),
    bytes(TOTAL, "the whole memory", &PUBLISHED_TOTALS),
    words(
        OF_CACHE,
        "the whole memory as a part of this host's caches, instead of total_bytes",
        &[HALF_L1, HALF_L2, HALF_LAST, FOUR_LAST],
    ),
    bytes(
        PIECE,
        "the piece that gets all its passes before the next; the whole is the plain loop",
        &[USUAL_PIECE],
    ),
    counts(PASSES, "passes over each piece", &[USUAL_PASSES, PUBLISHED_PASSES]),
    counts(THREADS, "threads, each with its own pieces", &[1]),
];

/// One level inside each cache of most processors, and the whole.
pub(super) const CURVE: Curve = Curve {
    along: PIECE,
    techniques: &["avx2", "nontemporal", "plain", "avx512", "std_slice", "memset", "rep_string"],
    levels: &["4K", "32K", "512K", "8M"],
};

pub(super) fn caches() -> Vec<CacheLevel> {
    let mut caches = this_host().processor.caches.clone();
    caches.retain(|cache| cache.kind != "instruction" && cache.bytes > 0);
    caches
}

pub(super) fn marks() -> Vec<Mark> {
    let caches = caches().into_iter();
    caches.map(|cache| Mark { at: cache.bytes, name: format!("L{}", cache.level) }).collect()
}

/// Returns a half, three quarters and the whole of each cache: the best piece may leave room for other data.
pub(super) fn levels_of(caches: &[CacheLevel]) -> Vec<u64> {
    let parts = caches.iter().flat_map(|cache| [cache.bytes / 2, cache.bytes / 4 * 3, cache.bytes]);
    let levels: BTreeSet<u64> = parts.map(|bytes| bytes / WORD * WORD).filter(|bytes| *bytes > 0).collect();
    levels.into_iter().collect()
}

fn this_host() -> &'static Host {
    static HOST: LazyLock<Host> = LazyLock::new(host::describe);
    &HOST
}

pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    match preset {
        Preset::Quick => vec![workload("write 8 MiB", USUAL_TOTAL, USUAL_PIECE)],
        Preset::Published => PUBLISHED_TOTALS.into_iter().flat_map(published).collect(),
        Preset::Large => large(),
    }
}

fn published(total: u64) -> impl Iterator<Item = Workload> {
    let pieces = std::iter::successors(Some(LEAST_PIECE), |piece| Some(2 * piece));
    pieces.take_while(move |piece| *piece <= total).map(move |piece| {
        let name = format!("write {} in pieces of {}", format_bytes(total), format_bytes(piece));
        workload(&name, total, piece).with(PASSES, LEAST_PUBLISHED_PASSES)
    })
}

/// Gives all published workloads the same passes, so that their totals can be compared.
pub(super) fn paid(mut workloads: Vec<Workload>, each_ns: u64) -> Vec<Workload> {
    let largest = workloads.iter().filter_map(|one| one.number(TOTAL)).max().unwrap_or(0).max(1);
    let passes = (each_ns / SAMPLES_OF_LEVEL).saturating_mul(BYTES_A_NS) / largest;
    let passes = passes.clamp(LEAST_PUBLISHED_PASSES, PUBLISHED_PASSES);
    for one in workloads.iter_mut().filter(|one| one.number(PASSES) == Some(LEAST_PUBLISHED_PASSES)) {
        one.point.set(PASSES, passes);
    }
    workloads
}

/// Returns the plain loop over memory that no cache of this host holds, then over a half of each cache. The first also has the
/// pieces of the curve.
fn large() -> Vec<Workload> {
    let caches = caches();
    let beyond = total_of(FOUR_LAST, &caches).map_or(LARGE_TOTAL, |total| total.max(USUAL_TOTAL));
    let parts = [HALF_LAST, HALF_L2, HALF_L1].into_iter().filter_map(|part| total_of(part, &caches));
    let mut totals = vec![beyond];
    for total in parts {
        if !totals.contains(&total) {
            totals.push(total);
        }
    }
    totals.into_iter().map(whole).collect()
}

fn whole(total: u64) -> Workload {
    let name = format!("write the whole of {}", format_bytes(total));
    workload(&name, total, total).with(PASSES, LARGE_PASSES)
}

fn workload(name: &str, total: u64, piece: u64) -> Workload {
    let named = Workload { name: name.to_owned(), ..Workload::default() };
    let sizes = named.with(TOTAL, total).with(PIECE, piece);
    sizes.with(WORK, Work::Write.name()).with(PASSES, USUAL_PASSES).with(THREADS, 1)
}

fn total_of(part: &str, caches: &[CacheLevel]) -> Option<u64> {
    let cache = match part {
        HALF_L1 => caches.iter().find(|cache| cache.level == 1)?,
        HALF_L2 => caches.iter().find(|cache| cache.level == 2)?,
        _ => caches.iter().max_by_key(|cache| cache.level)?,
    };
    let is_half = [HALF_L1, HALF_L2, HALF_LAST].contains(&part);
    let bytes = if is_half { cache.bytes / 2 } else { 4 * cache.bytes };
    Some(bytes / WORD * WORD)
}

/// Returns the numbers that an axis takes. A piece is no larger than the whole, which [`check`] sees.
pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    match axis {
        TOTAL | PIECE => Some(WORD..=MOST_BYTES),
        PASSES => Some(1..=MOST_PASSES),
        THREADS => Some(1..=MOST_THREADS),
        _ => None,
    }
}

pub(super) fn set(workload: &mut Workload, axis: &Axis, value: Value) -> Result<(), String> {
    if axis.name == OF_CACHE {
        let part = value.word().unwrap_or_default();
        let total = total_of(part, &caches())
            .ok_or_else(|| format!("the caches of this host are not known; set {TOTAL} instead"))?;
        workload.point.set(TOTAL, total);
    } else {
        workload.point.set(axis.name, value);
    }
    Ok(())
}

pub(super) fn check(workload: &Workload) -> Result<(), String> {
    let [total, piece, threads] =
        [TOTAL, PIECE, THREADS].map(|axis| workload.number(axis).unwrap_or_default());
    for (axis, bytes) in [(TOTAL, total), (PIECE, piece)] {
        if bytes % WORD != 0 {
            let below = bytes / WORD * WORD;
            return Err(format!(
                "--set {axis}={bytes}: no whole number of stores, which have {WORD} bytes; set {below} or {}",
                below + WORD
            ));
        }
    }
    if piece > total {
        return Err(format!(
            "--set {PIECE}={piece}: the piece is larger than the whole of {}; set at most {PIECE}={total}, or a larger {TOTAL}",
            format_bytes(total)
        ));
    }
    let pieces = total.div_ceil(piece.max(1));
    if threads > pieces {
        return Err(format!(
            "--set {THREADS}={threads}: there {} for them, and each needs one; set at most {THREADS}={pieces}, or smaller pieces",
            if pieces == 1 { "is 1 piece".to_owned() } else { format!("are {pieces} pieces") }
        ));
    }
    let allowed = affinity::allowed().len() as u64;
    if allowed > 0 && threads > allowed {
        return Err(format!(
            "--set {THREADS}={threads}: only {allowed} processors may be used here; set at most {THREADS}={allowed}"
        ));
    }
    let needed = if workload.word(WORK) == Some(Work::Copy.name()) { 2 * total } else { total };
    match this_host().memory.available_bytes {
        Some(available) if needed > available => Err(format!(
            "--set {TOTAL}={total}: {} of memory are needed, and {} are available; set a smaller {TOTAL}",
            format_bytes(needed),
            format_bytes(available)
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(level: u32, bytes: u64) -> CacheLevel {
        CacheLevel { level, kind: "unified".to_owned(), bytes, shared_by: None }
    }

    #[test]
    fn the_whole_is_chosen_by_the_caches_that_hold_data() {
        let caches = [cache(1, 48 * KIB), cache(2, MIB), cache(3, 32 * MIB)];
        let totals = [HALF_L1, HALF_L2, HALF_LAST, FOUR_LAST].map(|part| total_of(part, &caches));
        assert_eq!(totals, [Some(24 * KIB), Some(MIB / 2), Some(16 * MIB), Some(128 * MIB)]);
        // Without a third level, the second is the last one.
        assert_eq!(total_of(FOUR_LAST, &caches[..2]), Some(4 * MIB));
        assert_eq!((total_of(HALF_L2, &caches[..1]), total_of(FOUR_LAST, &[])), (None, None));
    }

    #[test]
    fn the_curve_has_parts_of_each_cache_and_the_whole() {
        let levels = levels_of(&[cache(1, 48 * KIB), cache(2, 2 * MIB)]);
        assert_eq!(levels, [24 * KIB, 36 * KIB, 48 * KIB, MIB, 3 * MIB / 2, 2 * MIB]);
        // Whole stores, each level once, and none of nothing.
        assert_eq!(levels_of(&[cache(1, 6), cache(2, 6)]), [4]);
        assert!(levels_of(&[]).is_empty());
    }

    #[test]
    fn published_passes_are_as_many_as_the_time_of_a_level_pays_for() {
        let of = |preset, level_s: u64| {
            let workloads = paid(of_preset(preset), level_s * 1_000_000_000);
            let passes: BTreeSet<Option<u64>> = workloads.iter().map(|one| one.number(PASSES)).collect();
            passes.into_iter().flatten().collect::<Vec<u64>>()
        };
        let published = [0, 1, 300, 86_400].map(|level_s| of(Preset::Published, level_s));
        assert_eq!(published, [[100], [100], [447], [1_000]]);
        assert_eq!([of(Preset::Quick, 86_400), of(Preset::Large, 86_400)], [[8], [4]]);
    }

    #[test]
    fn published_pieces_go_from_1_kib_to_the_whole() {
        for (total, last) in [(8 * MIB, 13), (32 * MIB, 15)] {
            let own = of_preset(Preset::Published);
            let own = own.iter().filter(|one| one.number(TOTAL) == Some(total));
            let pieces: Vec<u64> = own.filter_map(|one| one.number(PIECE)).collect();
            assert_eq!(pieces, (0..=last).map(|power| KIB << power).collect::<Vec<u64>>());
        }
    }
}
