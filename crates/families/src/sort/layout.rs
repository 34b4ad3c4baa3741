//! Where a record ends, and which of its bytes are the key.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::files::invalid;

/// Records longer than this are refused: a buffer of a few of them would leave every cache.
pub(super) const MOST_RECORD_BYTES: u64 = 64 << 10;

pub(super) const PREFIX_BYTES: usize = 8;

/// Bytes that are gathered before they are written: few enough to stay in the second cache.
pub(super) const PIECE_BYTES: usize = 256 << 10;

/// Pieces end where pages of the output end. A page that two pieces share is written twice.
pub(super) const PAGE_BYTES: usize = 4 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    record_bytes: usize,
    key_bytes: usize,
    /// The bits of a prefix that belong to the key: a short key ends before eight bytes do.
    prefix_mask: u64,
}

impl Layout {
    pub(super) fn new(record_bytes: u64, key_bytes: u64) -> Result<Self, String> {
        match (record_bytes, key_bytes) {
            (0, _) | (MOST_RECORD_BYTES.., _) if record_bytes != MOST_RECORD_BYTES => Err(format!(
                "a record of {record_bytes} bytes: record_bytes must be from 1 to {MOST_RECORD_BYTES}"
            )),
            (_, 0) => Err("a key of 0 bytes: key_bytes must be at least 1".to_owned()),
            _ if key_bytes > record_bytes => Err(format!(
                "a record of {record_bytes} bytes cannot hold a key of {key_bytes}: key_bytes must be at most \
                 record_bytes"
            )),
            _ => Ok(Self {
                record_bytes: record_bytes as usize,
                key_bytes: key_bytes as usize,
                prefix_mask: u64::MAX << (64 - 8 * (key_bytes as usize).min(PREFIX_BYTES)),
            }),
        }
    }

    pub(super) fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    pub(super) fn key_bytes(&self) -> usize {
        self.key_bytes
    }

    pub(super) fn key<'record>(&self, record: &'record [u8]) -> &'record [u8] {
        &record[..self.key_bytes]
    }

    /// Returns the first eight bytes of the key as a number of the same order; zeros stand behind a shorter key.
    #[inline]
    pub(super) fn prefix(&self, record: &[u8]) -> u64 {
        match record.first_chunk::<PREFIX_BYTES>() {
            Some(first) => u64::from_be_bytes(*first) & self.prefix_mask,
            None => self.prefix_of_short_record(record),
        }
    }

    fn prefix_of_short_record(&self, record: &[u8]) -> u64 {
        let mut bytes = [0; PREFIX_BYTES];
        bytes[..self.key_bytes].copy_from_slice(self.key(record));
        u64::from_be_bytes(bytes)
    }

    /// Returns the key behind its prefix; empty where the prefix is the whole key.
    pub(super) fn rest<'record>(&self, record: &'record [u8]) -> &'record [u8] {
        &record[PREFIX_BYTES.min(self.key_bytes)..self.key_bytes]
    }

    /// Returns whether the prefix does not decide alone.
    pub(super) fn has_rest(&self) -> bool {
        self.key_bytes > PREFIX_BYTES
    }

    #[inline]
    pub(super) fn record<'records>(&self, records: &'records [u8], position: usize) -> &'records [u8] {
        &records[position * self.record_bytes..][..self.record_bytes]
    }

    pub(super) fn bytes_of(&self, records: &Range<usize>) -> Range<usize> {
        records.start * self.record_bytes..records.end * self.record_bytes
    }

    pub(super) fn records_in(&self, bytes: u64, path: &Path) -> io::Result<usize> {
        let record_bytes = self.record_bytes as u64;
        let sentence = match (bytes % record_bytes, bytes / record_bytes) {
            (0, records) if records <= u64::from(u32::MAX) => return Ok(records as usize),
            (0, records) => format!("{records} records are too many; at most {} are sorted", u32::MAX),
            (surplus, _) => format!(
                "{bytes} bytes are no whole records of {record_bytes} bytes: {surplus} too many; cut them off, or \
                 give the record's length as record_bytes"
            ),
        };
        Err(invalid(format!("{}: {sentence}", path.display())))
    }

    /// Returns the records of a piece: about 256 KiB, where possible ending at the end of a page.
    pub(super) fn records_a_piece(&self) -> usize {
        self.records_within(PIECE_BYTES).max(1)
    }

    /// Returns the fewest records that end at the end of a page.
    fn whole_pages(&self) -> usize {
        PAGE_BYTES / (1 << self.record_bytes.trailing_zeros()).min(PAGE_BYTES)
    }

    /// Returns the records of a piece of whole pages: about 256 KiB, more where few records end with no page.
    pub(super) fn records_of_whole_pages(&self) -> usize {
        self.records_within(PIECE_BYTES).next_multiple_of(self.whole_pages()).max(self.whole_pages())
    }

    /// Returns the records that fit into this many bytes, ending at the end of a page where there are enough of them.
    pub(super) fn records_within(&self, bytes: usize) -> usize {
        let most = bytes / self.record_bytes;
        let whole_pages = self.whole_pages();
        if most < whole_pages { most } else { most - most % whole_pages }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(record_bytes: u64, key_bytes: u64) -> Layout {
        Layout::new(record_bytes, key_bytes).expect("a possible layout")
    }

    #[test]
    fn more_records_than_have_positions_are_refused() {
        let refused = layout(64, 8).records_in(64 << 32, Path::new("some.records"));
        let sentence = refused.expect_err("too many").to_string();
        assert!(sentence.contains("4294967296 records are too many"), "{sentence}");
    }

    #[test]
    fn pieces_end_with_pages_and_hold_at_least_a_record() {
        for record_bytes in [1, 7, 8, 64, 100, 4_096, 65_536] {
            let bytes = layout(record_bytes, 1).records_a_piece() * record_bytes as usize;
            assert!(bytes.is_multiple_of(PAGE_BYTES) && bytes <= PIECE_BYTES, "{record_bytes}");
        }
        for record_bytes in [1, 7, 8, 64, 100, 4_096, 5_000, 65_535, 65_536] {
            let bytes = layout(record_bytes, 1).records_of_whole_pages() * record_bytes as usize;
            assert!(bytes.is_multiple_of(PAGE_BYTES) && bytes > 0, "{record_bytes}");
        }
        assert_eq!(layout(64, 8).records_of_whole_pages(), 4_096);
        assert_eq!(layout(64, 8).records_a_piece(), 4_096);
        assert_eq!(layout(65_535, 1).records_a_piece(), 4);
    }
}
