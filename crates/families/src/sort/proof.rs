//! The proof of sorted records: equal for all orders of records whose keys are equal, and for nothing else.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use model::Proof;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::layout::Layout;
use super::room::no_room;
use crate::files::at;

/// Read in one go, about: large enough to hide the calls, small enough for the nearest caches.
const PIECE_BYTES: usize = 256 << 10;

/// Takes records in the order in which they stand.
///
/// Records of equal keys that stand together are one group. Of each group go into the digest: its key, its number of
/// records, and the sum of their digests, which does not tell their order. Groups count in the order in which they
/// come, so records out of order make other groups than sorted ones do.
pub(super) struct GroupProof {
    layout: Layout,
    bytes: u64,
    key: Vec<u8>,
    records: u64,
    sum: u64,
    digest: Xxh3,
}

impl GroupProof {
    /// Nothing was seen yet.
    pub(super) fn new(layout: Layout) -> Self {
        Self { layout, bytes: 0, key: Vec::new(), records: 0, sum: 0, digest: Xxh3::new() }
    }

    /// The next record.
    pub(super) fn add(&mut self, record: &[u8]) {
        self.add_known(self.layout.key(record), record.len(), xxh3_64(record));
    }

    /// The next record, of which the digest is known already.
    fn add_known(&mut self, key: &[u8], bytes: usize, digest: u64) {
        if self.records == 0 || key != self.key {
            self.close_group();
            self.key.clear();
            self.key.extend_from_slice(key);
        }
        self.bytes += bytes as u64;
        self.records += 1;
        self.sum = self.sum.wrapping_add(digest);
    }

    /// Bytes at the end that are no whole record.
    fn add_rest(&mut self, bytes: &[u8]) {
        self.close_group();
        self.bytes += bytes.len() as u64;
        self.digest.update(bytes);
    }

    fn close_group(&mut self) {
        if self.records > 0 {
            self.digest.update(&self.key);
            self.digest.update(&self.records.to_le_bytes());
            self.digest.update(&self.sum.to_le_bytes());
        }
        (self.records, self.sum) = (0, 0);
    }

    /// Number of bytes, and the digest over all groups.
    pub(super) fn finish(mut self) -> Proof {
        self.close_group();
        Proof { bytes: self.bytes, digest: format!("{:032x}", self.digest.digest128()) }
    }
}

/// The proof of a file of records as they stand in it.
///
/// # Errors
/// The file is missing or unreadable.
pub(super) fn proof_of_records(path: &Path, layout: Layout) -> io::Result<Proof> {
    let mut proof = GroupProof::new(layout);
    let rest = each_record(path, layout, &mut |record| proof.add(record))?;
    if !rest.is_empty() {
        proof.add_rest(&rest);
    }
    Ok(proof.finish())
}

/// The proof that a file's records give once they are sorted, whatever their order is now.
///
/// Independent of all techniques: keys and digests are taken out, and those are sorted by the standard library.
///
/// # Errors
/// The file is missing, unreadable, or too large for the memory that its keys and digests need.
pub(super) fn proof_once_sorted(path: &Path, layout: Layout) -> io::Result<Proof> {
    let records = layout.records_in(std::fs::metadata(path).map_err(at("look at", path))?.len(), path)?;
    let mut known = Digests::with_room_for(records, layout)?;
    each_record(path, layout, &mut |record| known.add(record))?;
    Ok(known.proof())
}

/// The same for records in memory.
///
/// # Errors
/// There is no memory for their keys and digests.
pub(super) fn proof_once_sorted_of(records: &[u8], layout: Layout) -> io::Result<Proof> {
    let each = records.chunks_exact(layout.record_bytes());
    let mut known = Digests::with_room_for(each.len(), layout)?;
    each.for_each(|record| known.add(record));
    Ok(known.proof())
}

/// Shows every record of a file; gives the bytes at its end that are no whole record.
fn each_record(path: &Path, layout: Layout, see: &mut dyn FnMut(&[u8])) -> io::Result<Vec<u8>> {
    let mut file = File::open(path).map_err(at("open", path))?;
    let mut piece = vec![0; PIECE_BYTES.next_multiple_of(layout.record_bytes())];
    let mut held = 0;
    loop {
        match file.read(&mut piece[held..]) {
            Ok(0) => {
                piece.truncate(held);
                return Ok(piece);
            }
            Ok(count) => {
                held += count;
                let whole = held - held % layout.record_bytes();
                piece[..whole].chunks_exact(layout.record_bytes()).for_each(&mut *see);
                piece.copy_within(whole..held, 0);
                held -= whole;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(at("read", path)(error)),
        }
    }
}

/// What the proof needs of each record. 24 bytes, and the rest of the key where it is longer than its prefix.
struct Digests {
    layout: Layout,
    rows: Vec<Row>,
    rests: Vec<u8>,
}

struct Row {
    prefix: u64,
    digest: u64,
    position: u32,
}

impl Digests {
    fn with_room_for(records: usize, layout: Layout) -> io::Result<Self> {
        let (mut rows, mut rests) = (Vec::new(), Vec::new());
        let rest_bytes = layout.key_bytes().saturating_sub(super::layout::PREFIX_BYTES);
        let taken = rows
            .try_reserve_exact(records)
            .and_then(|()| rests.try_reserve_exact(records.saturating_mul(rest_bytes)));
        let bytes = (size_of::<Row>() + rest_bytes).saturating_mul(records);
        taken.map_err(|_| no_room("the proof of the sorted records", bytes))?;
        Ok(Self { layout, rows, rests })
    }

    fn add(&mut self, record: &[u8]) {
        let position = self.rows.len() as u32;
        self.rows.push(Row { prefix: self.layout.prefix(record), digest: xxh3_64(record), position });
        self.rests.extend_from_slice(self.layout.rest(record));
    }

    fn proof(mut self) -> Proof {
        let rest_bytes = self.layout.key_bytes().saturating_sub(super::layout::PREFIX_BYTES);
        let rests = &self.rests;
        let rest = |row: &Row| &rests[row.position as usize * rest_bytes..][..rest_bytes];
        self.rows.sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix).then_with(|| rest(a).cmp(rest(b))));
        let mut proof = GroupProof::new(self.layout);
        let mut key = Vec::new();
        for row in &self.rows {
            key.clear();
            key.extend_from_slice(&row.prefix.to_be_bytes()[..self.layout.key_bytes() - rest_bytes]);
            key.extend_from_slice(rest(row));
            proof.add_known(&key, self.layout.record_bytes(), row.digest);
        }
        proof.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of four bytes with a key of two, two of them equal in their keys.
    const SORTED: &[u8] = b"aa-1ab-2ab-3cc-4";

    fn layout() -> Layout {
        Layout::new(4, 2).expect("possible")
    }

    fn proof_of(records: &[u8]) -> Proof {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("records");
        std::fs::write(&path, records).expect("written");
        proof_of_records(&path, layout()).expect("readable")
    }

    #[test]
    fn records_of_equal_keys_may_stand_in_any_order() {
        assert_eq!(proof_of(SORTED), proof_of(b"aa-1ab-3ab-2cc-4"));
        assert_eq!(proof_of(SORTED).bytes, 16);
    }

    #[test]
    fn records_out_of_order_lost_doubled_changed_or_cut_give_another_proof() {
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
            assert_eq!(proof_once_sorted_of(records, layout()).expect("small"), proof_of(SORTED));
        }
        let empty = proof_once_sorted_of(b"", layout()).expect("small");
        assert_eq!(empty, proof_of(b""));
    }

    #[test]
    fn keys_longer_than_their_prefix_are_compared_to_their_end() {
        let layout = Layout::new(12, 11).expect("possible");
        let sorted = b"aaaaaaaabbb1aaaaaaaabbc2aaaaaaaabbc3b----------4";
        let mixed = b"aaaaaaaabbc3b----------4aaaaaaaabbb1aaaaaaaabbc2";
        let mut proof = GroupProof::new(layout);
        sorted.chunks(12).for_each(|record| proof.add(record));
        assert_eq!(proof_once_sorted_of(mixed, layout).expect("small"), proof.finish());
    }

    #[test]
    fn files_larger_than_a_piece_are_read_whole() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("records");
        let mut records: Vec<u8> = Vec::new();
        crate::records::write_record_bytes(&mut records, 100 * 9_001, 5).expect("memory takes all");
        std::fs::write(&path, &records).expect("written");
        let layout = Layout::new(100, 10).expect("possible");
        let mut proof = GroupProof::new(layout);
        records.chunks(100).for_each(|record| proof.add(record));
        assert_eq!(proof_of_records(&path, layout).expect("readable"), proof.finish());
        let sorted = proof_once_sorted(&path, layout).expect("readable");
        assert_eq!(sorted, proof_once_sorted_of(&records, layout).expect("small"));
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
