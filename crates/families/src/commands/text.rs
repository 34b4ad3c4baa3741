//! A text to work on: lines of words, of which a few are common and most are rare.

use std::io::{self, BufWriter, Write};

use crate::random::Random;

const WORDS: u64 = 20_000;
const LINE_BYTES: usize = 78;
/// Letters about as often as they stand in English text.
const LETTERS: &[u8] = b"eeeeeetttttaaaaooooiiiinnnnsssshhhrrrddlllccuummwwffggyyppbbvk";

/// Writes this many bytes; the same seed gives the same text.
pub(super) fn write_text(out: &mut dyn Write, bytes: u64, seed: u64) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(256 << 10, out);
    let mut random = Random(seed);
    let mut left = bytes;
    let mut line = Vec::with_capacity(LINE_BYTES + 16);
    while left > 0 {
        line.clear();
        while line.len() < LINE_BYTES - 12 {
            if !line.is_empty() {
                line.push(b' ');
            }
            push_word(&mut line, common(&mut random));
        }
        line.push(b'\n');
        let taken = line.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        out.write_all(&line[..taken])?;
        left -= taken as u64;
    }
    out.flush()
}

/// A word is a function of its number, so that no list of words is kept.
fn push_word(line: &mut Vec<u8>, number: u64) {
    let mut letters = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..2 + letters.below(9) {
        line.push(*letters.pick(LETTERS));
    }
}

/// Returns the number of a word: small ones are common, as Zipf found of every language.
fn common(random: &mut Random) -> u64 {
    let share = random.below(1 << 32) as f64 / (1u64 << 32) as f64;
    (WORDS as f64).powf(share) as u64
}
