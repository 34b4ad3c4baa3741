//! The records of the published tests: 64 printable bytes, an eight-character key first, CR LF last.
//!
//! Source: the historical *RandFile*, which made the inputs of the copy and sort tests.

use std::io::{self, Write};

use crate::files::invalid;
use crate::random::Random;

/// Bytes of a record, its CR LF included.
pub const RECORD_BYTES: usize = 64;

/// Bytes of the key at the start of a record: lower-case hexadecimal digits.
pub const KEY_BYTES: usize = 8;

/// Records that are made before they are handed to the writer: 64 KiB stay in the nearest caches.
const BATCH: usize = 1024;

/// Writes `records` records; the same seed gives the same bytes on every machine. Errors: those of the writer, or too many records.
pub fn write_records(writer: &mut impl Write, records: u64, seed: u64) -> io::Result<()> {
    let bytes = records.checked_mul(RECORD_BYTES as u64);
    let bytes = bytes.ok_or_else(|| invalid(format!("{records} records are too many")))?;
    write_record_bytes(writer, bytes, seed)
}

/// Writes exactly `bytes` bytes of records; where the size is no multiple of 64 the last record is cut off. Errors: those of the
/// writer.
pub fn write_record_bytes(writer: &mut impl Write, bytes: u64, seed: u64) -> io::Result<()> {
    let mut generator = Generator::new(seed);
    let mut batch = vec![[0_u8; RECORD_BYTES]; BATCH];
    let mut left = bytes;
    while left > 0 {
        let taken = left.min((BATCH * RECORD_BYTES) as u64) as usize;
        for record in &mut batch[..taken.div_ceil(RECORD_BYTES)] {
            *record = generator.record();
        }
        writer.write_all(&batch.as_flattened()[..taken])?;
        left -= taken as u64;
    }
    Ok(())
}

/// xoshiro256++ of Blackman and Vigna, seeded by their splitmix64: own code as in [`crate::random`].
struct Generator {
    state: [u64; 4],
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        Self { state: std::array::from_fn(|_| random.next()) }
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let drawn = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        drawn
    }

    fn record(&mut self) -> [u8; RECORD_BYTES] {
        let mut record = [0; RECORD_BYTES];
        let (words, _) = record.as_chunks_mut::<8>();
        words[0] = hexadecimal((self.next() >> 32) as u32);
        for word in &mut words[1..] {
            *word = printable(self.next());
        }
        record[RECORD_BYTES - 2..].copy_from_slice(b"\r\n");
        record
    }
}

/// Returns eight characters, from the space to the underscore: six bits of each byte are random.
fn printable(random: u64) -> [u8; 8] {
    ((random & 0x3f3f_3f3f_3f3f_3f3f) + 0x2020_2020_2020_2020).to_le_bytes()
}

/// Returns the eight lower-case digits of a number, all worked out at once inside one register.
fn hexadecimal(number: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut digits = u64::from(number);
    digits = (digits | (digits << 16)) & 0x0000_ffff_0000_ffff;
    digits = (digits | (digits << 8)) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | (digits << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = ((digits + 6 * ONES) >> 4) & ONES;
    (digits + u64::from(b'0') * ONES + letters * u64::from(b'a' - b'0' - 10)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: u64, seed: u64) -> Vec<u8> {
        let mut text = Vec::new();
        write_record_bytes(&mut text, bytes, seed).expect("memory takes all");
        text
    }

    #[test]
    fn a_record_is_a_key_then_printable_characters_then_cr_lf() {
        let mut text = Vec::new();
        write_records(&mut text, 3_000, 7).expect("memory takes all");
        assert_eq!(text.len(), 3_000 * RECORD_BYTES);
        for record in text.chunks(RECORD_BYTES) {
            assert!(record[..KEY_BYTES].iter().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')));
            assert!(record[KEY_BYTES..62].iter().all(|c| (b' '..=b'~').contains(c)));
            assert_eq!(&record[62..], b"\r\n");
        }
    }

    #[test]
    fn keys_are_spread_and_rarely_repeat() {
        let text = written(64 * 100_000, 3);
        let mut keys: Vec<&[u8]> = text.chunks(64).map(|record| &record[..KEY_BYTES]).collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() > 99_900, "{} different keys of 100000", keys.len());
        assert!(keys[0] < b"0001".as_slice() && keys[keys.len() - 1] > b"fffe".as_slice());
    }

    #[test]
    fn a_seed_gives_the_same_bytes_and_another_seed_gives_others() {
        assert_eq!(written(200_000, 5), written(200_000, 5));
        assert_ne!(written(64, 5), written(64, 6));
        let first = String::from_utf8(written(64, 1)).expect("printable");
        assert_eq!(first, FIRST_RECORD_OF_SEED_1, "files of earlier versions must stay reproducible");
    }

    /// Its key is the upper half of the first number that xoshiro256++ gives for seed 1: cfc5d07f 6f03c29b.
    const FIRST_RECORD_OF_SEED_1: &str =
        "cfc5d07f-@_6R!\"_@UJ77]C966-%?1(_DO8&+8'O%C@G*?I7'5T(5'C\\ARC#)E\r\n";

    #[test]
    fn a_size_that_is_no_multiple_of_a_record_cuts_the_last_one_off() {
        for bytes in [0, 1, 63, 65, 65_535, 65_537, 200_001] {
            let text = written(bytes, 9);
            assert_eq!(text.len() as u64, bytes);
            assert_eq!(text, written(bytes.next_multiple_of(64), 9)[..bytes as usize]);
        }
    }

    #[test]
    fn every_digit_of_a_key_is_the_digit_of_its_number() {
        for number in [0, 1, 0x9abc_def0, 0x0123_4567, u32::MAX, 0xa0a0_9f9f] {
            assert_eq!(String::from_utf8_lossy(&hexadecimal(number)), format!("{number:08x}"));
        }
    }

    #[test]
    fn more_records_than_a_file_can_hold_are_refused() {
        let refused = write_records(&mut io::sink(), u64::MAX, 1).expect_err("too many");
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
    }
}
