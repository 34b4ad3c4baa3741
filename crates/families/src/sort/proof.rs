//! The proof of sorted records: a sum over their digests in any order, and the first key smaller than the one before it.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use model::Proof;
use xxhash_rust::xxh3::xxh3_128;

use super::layout::Layout;
use crate::files::at;

/// Read in one go, about: large enough to hide the calls, small enough for the nearest caches.
const PIECE_BYTES: usize = 256 << 10;

struct OrderProof {
    layout: Layout,
    bytes: u64,
    /// The sum of 128-bit digests: another set of records has it once in 2^128 cases.
    sum: u128,
    /// The last key, from which the next piece goes on.
    last_key: Vec<u8>,
    first_out_of_order: Option<u64>,
    rest: Vec<u8>,
}

impl OrderProof {
    fn new(layout: Layout) -> Self {
        Self { layout, bytes: 0, sum: 0, last_key: Vec::new(), first_out_of_order: None, rest: Vec::new() }
    }

    fn of_memory(records: &[u8], layout: Layout) -> Self {
        let mut proof = Self::new(layout);
        let (whole, rest) = records.split_at(records.len() - records.len() % layout.record_bytes());
        whole.chunks(piece_bytes(layout)).for_each(|records| proof.add(records));
        proof.rest = rest.to_vec();
        proof
    }

    fn of_file(path: &Path, layout: Layout) -> io::Result<Self> {
        let mut proof = Self::new(layout);
        let mut file = File::open(path).map_err(at("open", path))?;
        let mut piece = vec![0; piece_bytes(layout)];
        let mut held = 0;
        loop {
            match file.read(&mut piece[held..]) {
                Ok(0) => break,
                Ok(count) => {
                    held += count;
                    let whole = held - held % layout.record_bytes();
                    proof.add(&piece[..whole]);
                    piece.copy_within(whole..held, 0);
                    held -= whole;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(at("read", path)(error)),
            }
        }
        proof.rest = piece[..held].to_vec();
        Ok(proof)
    }

    fn add(&mut self, records: &[u8]) {
        // A length known beforehand is hashed without a call and without asking for it again.
        let sum = match self.layout.record_bytes() {
            64 => sum_of_digests(records.as_chunks::<64>().0.iter().map(|record| &record[..])),
            other => sum_of_digests(records.chunks_exact(other)),
        };
        self.sum = self.sum.wrapping_add(sum);
        self.look_at_order(records);
        self.bytes += records.len() as u64;
    }

    fn look_at_order(&mut self, records: &[u8]) {
        let record_bytes = self.layout.record_bytes();
        let Some(last) = records.len().checked_sub(record_bytes).map(|start| &records[start..]) else {
            return;
        };
        let known = self.bytes / record_bytes as u64;
        if self.first_out_of_order.is_none() {
            let is_behind = known == 0 || self.layout.key(records) >= &self.last_key[..];
            self.first_out_of_order =
                if is_behind { self.first_descent(records).map(|nth| known + nth) } else { Some(known) };
        }
        self.last_key.clear();
        self.last_key.extend_from_slice(self.layout.key(last));
    }

    fn first_descent(&self, records: &[u8]) -> Option<u64> {
        let all = records.chunks_exact(self.layout.record_bytes());
        let descent = all.clone().zip(all.skip(1)).position(|(one, next)| {
            match self.layout.prefix(one).cmp(&self.layout.prefix(next)) {
                Ordering::Less => false,
                Ordering::Equal => self.layout.rest(one) > self.layout.rest(next),
                Ordering::Greater => true,
            }
        });
        descent.map(|nth| nth as u64 + 1)
    }

    fn finish(self) -> Proof {
        let mut found = Vec::with_capacity(32 + self.rest.len());
        found.extend_from_slice(&self.sum.to_le_bytes());
        found.extend_from_slice(&self.bytes.to_le_bytes());
        found.extend_from_slice(&self.first_out_of_order.unwrap_or(u64::MAX).to_le_bytes());
        found.extend_from_slice(&self.rest);
        Proof { bytes: self.bytes + self.rest.len() as u64, digest: format!("{:032x}", xxh3_128(&found)) }
    }
}

fn sum_of_digests<'records>(records: impl Iterator<Item = &'records [u8]>) -> u128 {
    records.fold(0, |sum: u128, record| sum.wrapping_add(xxh3_128(record)))
}

pub(super) fn proof_of_records(path: &Path, layout: Layout) -> io::Result<Proof> {
    OrderProof::of_file(path, layout).map(OrderProof::finish)
}

pub(super) fn proof_of_memory(records: &[u8], layout: Layout) -> Proof {
    OrderProof::of_memory(records, layout).finish()
}

/// Returns the proof of a file's records once sorted, without sorting: they have the same sum.
pub(super) fn proof_once_sorted(path: &Path, layout: Layout) -> io::Result<Proof> {
    layout.records_in(std::fs::metadata(path).map_err(at("look at", path))?.len(), path)?;
    Ok(OrderProof { first_out_of_order: None, ..OrderProof::of_file(path, layout)? }.finish())
}

pub(super) fn proof_once_sorted_of(records: &[u8], layout: Layout) -> Proof {
    OrderProof { first_out_of_order: None, ..OrderProof::of_memory(records, layout) }.finish()
}

fn piece_bytes(layout: Layout) -> usize {
    PIECE_BYTES.next_multiple_of(layout.record_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORTED: &[u8] = b"aa-1ab-2ab-3cc-4";

    fn layout() -> Layout {
        Layout::new(4, 2).expect("possible")
    }

    fn proof_of(records: &[u8]) -> Proof {
        let (_folder, path) = crate::testing::scratch_with("records", records);
        proof_of_records(&path, layout()).expect("readable")
    }

    #[test]
    fn records_of_equal_keys_may_stand_in_any_order() {
        assert_eq!(proof_of(SORTED), proof_of(b"aa-1ab-3ab-2cc-4"));
        assert_eq!(proof_of(SORTED).bytes, 16);
    }

    #[test]
    fn records_misplaced_lost_doubled_changed_or_cut_change_proof() {
        for (what, records) in [
            ("out of order", &b"ab-2aa-1ab-3cc-4"[..]),
            ("a group torn", b"ab-2cc-4ab-3aa-1"),
            ("reversed", b"cc-4ab-3ab-2aa-1"),
            ("lost", b"aa-1ab-2cc-4"),
            ("doubled", b"aa-1ab-2ab-3ab-3cc-4"),
            ("one doubled, one lost", b"aa-1ab-2ab-2cc-4"),
            ("changed behind the key", b"aa-1ab-2ab-3cc-5"),
            ("changed in the key", b"aa-1ab-2ab-3cd-4"),
            ("the ends of two records swapped", b"aa-2ab-1ab-3cc-4"),
            ("cut off", b"aa-1ab-2ab-3cc-"),
            ("a byte too many", b"aa-1ab-2ab-3cc-4\n"),
            ("empty", b""),
        ] {
            assert_ne!(proof_of(SORTED), proof_of(records), "{what}");
        }
    }

    #[test]
    fn the_expected_proof_is_that_of_the_sorted_records() {
        for records in [SORTED, b"cc-4ab-2aa-1ab-3", b"ab-3ab-2cc-4aa-1"] {
            assert_eq!(proof_once_sorted_of(records, layout()), proof_of(SORTED));
        }
        assert_eq!(proof_once_sorted_of(b"", layout()), proof_of(b""));
    }

    #[test]
    fn keys_longer_than_their_prefix_are_compared_to_their_end() {
        let layout = Layout::new(12, 11).expect("possible");
        let sorted = b"aaaaaaaabbb1aaaaaaaabbc2aaaaaaaabbc3b----------4";
        let mixed = b"aaaaaaaabbc3b----------4aaaaaaaabbb1aaaaaaaabbc2";
        assert_eq!(proof_once_sorted_of(mixed, layout), proof_of_memory(sorted, layout));
        assert_ne!(proof_once_sorted_of(mixed, layout), proof_of_memory(mixed, layout));
        let mut last_two_swapped = sorted.to_vec();
        last_two_swapped[..24].rotate_left(12);
        assert_ne!(proof_once_sorted_of(mixed, layout), proof_of_memory(&last_two_swapped, layout));
    }

    #[test]
    fn files_larger_than_a_piece_are_read_whole() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("records");
        let mut records: Vec<u8> = Vec::new();
        crate::records::write_record_bytes(&mut records, 100 * 9_001, 5).expect("memory takes all");
        std::fs::write(&path, &records).expect("written");
        let layout = Layout::new(100, 10).expect("possible");
        let mut proof = OrderProof::new(layout);
        records.chunks(100).for_each(|record| proof.add(record));
        assert_eq!(proof_of_records(&path, layout).expect("readable"), proof.finish());
        assert_eq!(proof_of_records(&path, layout).expect("readable"), proof_of_memory(&records, layout));
        let sorted = proof_once_sorted(&path, layout).expect("readable");
        assert_eq!(sorted, proof_once_sorted_of(&records, layout));
        assert_ne!(sorted, proof_of_memory(&records, layout));
    }

    #[test]
    fn a_descent_is_seen_wherever_it_stands_even_between_two_pieces() {
        let layout = Layout::new(64, 8).expect("possible");
        let mut records: Vec<u8> = Vec::new();
        crate::records::write_records(&mut records, 9_000, 5).expect("memory takes all");
        let mut rows: Vec<&[u8]> = records.chunks(64).collect();
        rows.sort_unstable();
        let expected = proof_once_sorted_of(&records, layout);
        assert_eq!(proof_of_memory(&rows.concat(), layout), expected);
        for nth in [0, 1, 4_094, 4_095, 4_096, 8_191, 8_998] {
            let mut rows = rows.clone();
            rows.swap(nth, nth + 1);
            assert_ne!(proof_of_memory(&rows.concat(), layout), expected, "{nth}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        for missing in [
            proof_of_records(Path::new("/nowhere/at/all"), layout()),
            proof_once_sorted(Path::new("/nowhere/at/all"), layout()),
        ] {
            let missing = missing.expect_err("missing");
            assert!(missing.to_string().contains("/nowhere/at/all"), "{missing}");
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        }
    }
}
