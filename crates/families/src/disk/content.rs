//! What stands in the file, so that every sector proves itself.
//!
//! A sector begins with a stamp of eight bytes, scrambled, under a mask that rewriting changes: in one sector of each page it is
//! the number of the sector, in the others their place among those that repeat ([`PERIOD_BYTES`]). So all but one stamp of a
//! page stand in the data before the clock starts, and what is looked at and changed inside it is little next to the transfer. That
//! one is in the first sector of the first page, in the second of the second, and so on: what lies a page apart shares few places
//! in a processor's cache, and reading past the file cache took 4 % longer where all were in the first. A
//! technique adds up stamps of what it reads ([`Sum`]); the sum is known beforehand, and what is missing, read twice or stale makes
//! another one. After the clock every sector is looked at.
//! The rest of the file is random, so that no file system can make it smaller.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::slice;

use super::pieces::{Piece, SECTOR_BYTES};
use crate::files::{Buffer, Mapping, OpenFile, RunningProof, at, remove_if_there, reserve};
use crate::random::Random;

/// The data between the stamps repeats after this many bytes: the largest stretch that a file system compresses as one.
const PERIOD_BYTES: usize = 128 << 10;
const STAMP_BYTES: usize = size_of::<u64>();
/// No system moves less of a file between its cache, its mappings and a program that asks for whole pages.
const PAGE_BYTES: usize = 4_096;
const SECTORS_OF_PAGE: u64 = (PAGE_BYTES / SECTOR_BYTES) as u64;

/// The mask over the stamps of a file. Each rewriting has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mask(pub(super) u64);

impl Mask {
    /// The mask of a file that was never rewritten.
    pub(super) fn first(seed: u64) -> Self {
        Self(scrambled(seed))
    }

    /// The mask after the next rewriting; it always differs.
    pub(super) fn next(self) -> Self {
        let next = scrambled(self.0);
        Self(if next == self.0 { !next } else { next })
    }

    pub(super) fn stamp(self, sector: u64) -> u64 {
        plain_stamp(sector) ^ self.0
    }
}

fn plain_stamp(sector: u64) -> u64 {
    const REPEATS_AFTER: u64 = (PERIOD_BYTES / SECTOR_BYTES) as u64;
    let is_numbered = sector == numbered_sector(sector / SECTORS_OF_PAGE);
    // No number has such high bits as the other.
    scrambled(if is_numbered { sector } else { !(sector % REPEATS_AFTER) })
}

/// The sector of a page that has its number in its stamp.
fn numbered_sector(page: u64) -> u64 {
    page * SECTORS_OF_PAGE + page % SECTORS_OF_PAGE
}

fn numbered_sectors(piece: Piece) -> impl Iterator<Item = u64> {
    let sectors = piece.sectors();
    pages_of(piece).map(numbered_sector).filter(move |sector| sectors.contains(sector))
}

fn pages_of(piece: Piece) -> Range<u64> {
    let sectors = piece.sectors();
    sectors.start / SECTORS_OF_PAGE..sectors.end.div_ceil(SECTORS_OF_PAGE)
}

fn scrambled(number: u64) -> u64 {
    Random(number).next()
}

/// A transfer to a place that a processor's cache holds takes longer: reading past the file cache took 6 % longer (1 to 10) where each
/// page was looked at, and 1 % (0 to 5) with one in four. fio, which is compared with, looks at none.
const PAGES_FOR_A_LOOK: u64 = 4;

/// The sum of the stamps of what was read, in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum {
    stamps: u64,
    /// Whether pieces are whole pages; else all of their stamps are looked at.
    is_pages: bool,
    /// Draws one page in this many as [`PAGES_FOR_A_LOOK`], whose numbered stamp is looked at; `None` is each page.
    drawn: Option<Mask>,
}

impl Sum {
    /// Nothing yet, of pieces of this size. Of mapped ones each page is looked at, or it would not be read. Of those that calls move,
    /// the mask draws others after each rewriting, so that a call that leaves out some pages is found.
    pub(super) fn of(piece_bytes: usize, drawn: Option<Mask>) -> Self {
        Self { stamps: 0, is_pages: piece_bytes.is_multiple_of(PAGE_BYTES), drawn }
    }

    /// Nothing yet, of which the same is looked at.
    pub(super) fn emptied(self) -> Self {
        Self { stamps: 0, ..self }
    }

    pub(super) fn add(&mut self, piece: Piece, read: &[u8]) {
        let (sectors, _) = read.as_chunks::<SECTOR_BYTES>();
        let first = piece.sectors().start;
        self.add_each(piece, |number| stamp_in(&sectors[(number - first) as usize]));
    }

    pub(super) fn expect(&mut self, piece: Piece, mask: Mask) {
        self.add_each(piece, |number| mask.stamp(number));
    }

    fn add_each(&mut self, piece: Piece, stamp: impl Fn(u64) -> u64) {
        let add = |sum: u64, number| sum.wrapping_add(stamp(number));
        self.stamps = match (self.is_pages, self.drawn) {
            (false, _) => piece.sectors().fold(self.stamps, add),
            (true, None) => numbered_sectors(piece).fold(self.stamps, add),
            (true, Some(mask)) => drawn_pages(piece, mask).map(numbered_sector).fold(self.stamps, add),
        };
    }
}

/// One page of each [`PAGES_FOR_A_LOOK`] of a piece of whole pages.
fn drawn_pages(piece: Piece, mask: Mask) -> impl Iterator<Item = u64> {
    let Range { start, end } = pages_of(piece);
    (start..end).step_by(PAGES_FOR_A_LOOK as usize).map(move |first| {
        let pages = PAGES_FOR_A_LOOK.min(end - first);
        first + scrambled(mask.0 ^ first) % pages
    })
}

fn stamp_in(sector: &[u8; SECTOR_BYTES]) -> u64 {
    let mut stamp = [0; STAMP_BYTES];
    stamp.copy_from_slice(&sector[..STAMP_BYTES]);
    u64::from_le_bytes(stamp)
}

/// Where the memory for pieces lies.
#[derive(Clone, Copy)]
pub(super) enum Place<'path> {
    Pages,
    /// In huge pages, if the host has them.
    HugePages,
    /// In a file next to this one, without a name: larger than the memory, its pages go to the device and come back, as those of a
    /// process do that is swapped out.
    FileNextTo(&'path Path),
}

pub(super) fn memory_of(bytes: usize, place: Place<'_>) -> io::Result<Buffer> {
    let path = match place {
        Place::Pages => return Buffer::in_pages(bytes),
        Place::HugePages => return Buffer::in_huge_pages(bytes),
        Place::FileNextTo(path) => path.with_extension("buffer"),
    };
    remove_if_there(&path)?;
    let file = OpenFile::create_to_map(&path)?;
    reserve(&file, bytes as u64, &mut Vec::new())?;
    let memory = Mapping::of_destination(&file, bytes)?;
    remove_if_there(&path)?;
    Ok(Buffer::in_mapping(memory))
}

/// The data to write, made before the clock starts: for each slot, memory that a piece is stamped in.
pub(super) struct NewData {
    /// Of all slots.
    pub(super) memory: Buffer,
    slot_bytes: usize,
    /// The longest piece that can be stamped at once.
    pub(super) most_bytes: usize,
    mask: Mask,
}

impl NewData {
    /// Memory that a slot takes for pieces of this size.
    pub(super) fn slot_bytes(piece_bytes: usize) -> usize {
        match piece_bytes {
            piece if PERIOD_BYTES.is_multiple_of(piece) => PERIOD_BYTES,
            piece if piece.is_multiple_of(PERIOD_BYTES) => piece,
            piece => (PERIOD_BYTES + piece).next_multiple_of(4096),
        }
    }

    /// Makes the data of pieces of at most `bytes` bytes.
    pub(super) fn new(
        seed: u64, bytes: usize, slots: usize, place: Place<'_>, mask: Mask,
    ) -> io::Result<Self> {
        let slot_bytes = Self::slot_bytes(bytes);
        let mut memory = memory_of(slot_bytes * slots, place)?;
        for slot in memory.chunks_exact_mut(slot_bytes) {
            fill(slot, seed, mask);
        }
        Ok(Self { memory, slot_bytes, most_bytes: bytes, mask })
    }

    /// The data of a piece in a slot, at the offset of the memory of all slots that comes first.
    pub(super) fn stamped(&mut self, slot: usize, piece: Piece) -> (usize, &[u8]) {
        let start = slot * self.slot_bytes + (piece.offset % PERIOD_BYTES as u64) as usize;
        assert!(start + piece.bytes <= self.memory.len(), "a piece lies inside the memory of its slot");
        // SAFETY: the bytes lie inside the memory, which is borrowed alone. No reference to the other slots is made, whose bytes
        // the system may be reading.
        let data = unsafe { slice::from_raw_parts_mut(self.memory.address_of(start), piece.bytes) };
        let (sectors, _) = data.as_chunks_mut::<SECTOR_BYTES>();
        let first = piece.sectors().start;
        for number in numbered_sectors(piece) {
            put_stamp(&mut sectors[(number - first) as usize], self.mask.stamp(number));
        }
        (start, data)
    }
}

/// Fills memory with random bytes of the seed and the place inside the period, and with the stamps that hold for each period.
fn fill(memory: &mut [u8], seed: u64, mask: Mask) {
    let (words, _) = memory.as_chunks_mut::<STAMP_BYTES>();
    let period = (PERIOD_BYTES / STAMP_BYTES) as u64;
    for (nth, word) in words.iter_mut().enumerate() {
        *word = scrambled(!seed ^ (nth as u64 % period)).to_le_bytes();
    }
    let (sectors, _) = memory.as_chunks_mut::<SECTOR_BYTES>();
    sectors.iter_mut().zip(0..).for_each(|(sector, number)| put_stamp(sector, mask.stamp(number)));
}

fn put_stamp(sector: &mut [u8; SECTOR_BYTES], stamp: u64) {
    sector[..STAMP_BYTES].copy_from_slice(&stamp.to_le_bytes());
}

pub(super) struct Seen {
    pub(super) bytes: u64,
    /// Digest of all bytes without their mask: the same after each rewriting.
    pub(super) digest: String,
    /// The mask of all sectors; `None` where they differ.
    pub(super) mask: Option<Mask>,
    /// Sectors that still have the stamp of the mask that was asked for.
    pub(super) old_sectors: u64,
}

/// Reads a file from its first byte to its last, in a way of its own, and looks at every sector.
pub(super) fn look_at(path: &Path, old: Mask) -> io::Result<Seen> {
    let mut file = File::open(path).map_err(at("open", path))?;
    let mut piece = Vec::new();
    let mut proof = RunningProof::default();
    let (mut sector, mut mask, mut is_one, mut old_sectors) = (0, None, true, 0);
    loop {
        piece.clear();
        if file.by_ref().take(256 << 10).read_to_end(&mut piece).map_err(at("read", path))? == 0 {
            break;
        }
        let (sectors, _) = piece.as_chunks_mut::<SECTOR_BYTES>();
        for bytes in sectors {
            let found = stamp_in(bytes) ^ plain_stamp(sector);
            is_one &= *mask.get_or_insert(found) == found;
            old_sectors += u64::from(found == old.0);
            let plain = stamp_in(bytes) ^ mask.unwrap_or(found);
            bytes[..STAMP_BYTES].copy_from_slice(&plain.to_le_bytes());
            sector += 1;
        }
        proof.add(&piece);
    }
    let proof = proof.end();
    let mask = mask.filter(|_| is_one).map(Mask);
    Ok(Seen { bytes: proof.bytes, digest: proof.digest, mask, old_sectors })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(offset: u64, bytes: usize) -> Piece {
        Piece { offset, bytes }
    }

    #[test]
    fn the_sum_of_the_stamps_is_known_beforehand_in_any_order() {
        let mask = Mask::first(7);
        for bytes in [1 << 10, 4 << 10, 12 << 10, 24 << 10] {
            let mut data = NewData::new(7, bytes, 1, Place::Pages, mask).expect("memory");
            for mut read in [Sum::of(bytes, Some(mask)), Sum::of(bytes, None)] {
                let mut expected = read.emptied();
                let offsets = [30, 0, 10_240, 7].map(|nth| nth * bytes as u64);
                for offset in offsets {
                    read.add(piece(offset, bytes), data.stamped(0, piece(offset, bytes)).1);
                }
                for offset in [offsets[2], offsets[0], offsets[3], offsets[1]] {
                    expected.expect(piece(offset, bytes), mask);
                }
                assert_eq!(read, expected);
                read.add(piece(0, bytes), data.stamped(0, piece(0, bytes)).1);
                assert_ne!(read, expected, "a piece of {bytes} that was read twice is found");
            }
        }
    }

    fn stamped(piece_bytes: usize, mask: Mask) -> Vec<u8> {
        let mut data = NewData::new(7, piece_bytes, 1, Place::Pages, mask).expect("memory");
        data.stamped(0, piece(0, piece_bytes)).1.to_vec()
    }

    /// Readings of the first piece, in which a part is stale, is another one, or was left out.
    fn wrong(piece_bytes: usize, start: usize, part: usize) -> [Vec<u8>; 3] {
        let (old, new) = (Mask::first(7), Mask::first(7).next());
        let right = stamped(piece_bytes, new);
        let mut stale = right.clone();
        stale[start..start + part].copy_from_slice(&stamped(piece_bytes, old)[start..start + part]);
        let mut twice = right.clone();
        let other = if start == 0 { part } else { 0 };
        twice.copy_within(other..other + part, start);
        let mut skipped = right;
        skipped[start..start + part].fill(0);
        [stale, twice, skipped]
    }

    fn is_found(nothing: Sum, wrong: &[u8]) -> bool {
        let right = stamped(wrong.len(), Mask::first(7).next());
        let [wrong, right] = [wrong, &right[..]].map(|bytes| {
            let mut sum = nothing;
            sum.add(piece(0, bytes.len()), bytes);
            sum
        });
        wrong != right
    }

    #[test]
    fn a_skipped_wrong_or_stale_page_or_sector_is_found() {
        for (piece_bytes, part) in [(64 << 10, 4_096), (1 << 10, 512), (3 << 9, 512)] {
            for start in (0..piece_bytes).step_by(part) {
                for wrong in wrong(piece_bytes, start, part) {
                    assert!(is_found(Sum::of(piece_bytes, None), &wrong), "{start} of {piece_bytes}");
                }
            }
        }
    }

    /// Those of one rewriting after the other.
    fn masks() -> impl Iterator<Item = Mask> {
        std::iter::successors(Some(Mask::first(5)), |mask| Some(mask.next())).take(200)
    }

    #[test]
    fn random_page_masks_cover_every_16k_part() {
        let piece_bytes = 64 << 10;
        for start in (0..piece_bytes).step_by(4_096) {
            for wrong in wrong(piece_bytes, start, 4_096) {
                let found =
                    masks().filter(|&mask| is_found(Sum::of(piece_bytes, Some(mask)), &wrong)).count();
                assert!((20..100).contains(&found), "the page at {start}: with {found} of 200 masks");
            }
        }
        for start in (0..piece_bytes).step_by(16 << 10) {
            for wrong in wrong(piece_bytes, start, 16 << 10) {
                assert!(masks().all(|mask| is_found(Sum::of(piece_bytes, Some(mask)), &wrong)), "{start}");
            }
        }
        // Smaller pieces are looked at as well.
        for (piece_bytes, part) in [(4_096, 4_096), (1 << 10, 512), (3 << 9, 512)] {
            let mut skipped = stamped(piece_bytes, Mask::first(7).next());
            skipped[..part].fill(0);
            assert!(is_found(Sum::of(piece_bytes, Some(Mask::first(1))), &skipped), "{piece_bytes}");
        }
    }
}
