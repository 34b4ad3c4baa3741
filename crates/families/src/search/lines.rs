//! Kernels, which search a text as a whole, and a buffer through which a file of any size rolls, cut at the ends of lines.

use std::io;
use std::ops::Range;

use memchr::{memchr, memrchr};

use super::system::source::Source;
use crate::files::{Mapping, invalid};

pub(super) trait Kernel: Sync {
    /// Returns a place inside the first line that has a match; `text` begins at the start of a line.
    fn find(&self, text: &[u8]) -> Option<usize>;
}

/// Appends `prefix`, the line and a newline for every line that has a match. The newline of the last line may be absent.
pub(super) fn matching_lines<K: Kernel + ?Sized>(kernel: &K, text: &[u8], prefix: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(hit) = kernel.find(rest) {
        let start = memrchr(b'\n', &rest[..hit]).map_or(0, |before| before + 1);
        let end = memchr(b'\n', &rest[hit..]).map_or(rest.len(), |after| hit + after);
        out.extend_from_slice(prefix);
        out.extend_from_slice(&rest[start..end]);
        out.push(b'\n');
        match rest.get(end + 1..) {
            Some(next) if !next.is_empty() => rest = next,
            _ => return,
        }
    }
}

pub(super) fn search_into(
    kernel: &impl Kernel, source: &Source, prefix: &[u8], rolling: &mut Rolling, text: &mut Vec<u8>,
) -> io::Result<()> {
    rolling.whole(
        |buffer| source.read(buffer),
        |lines| {
            matching_lines(kernel, lines, prefix, text);
            Ok(())
        },
    )
}

/// A part of a usual second cache, so that the text is still there when it is searched.
pub(super) const PIECE_BYTES: usize = 128 << 10;

/// Room for the carried beginning of a line, before pieces, which begin at a page: the kernel copies slower to anywhere else.
const HEADROOM_BYTES: usize = 4 << 10;

/// Bytes of a read beyond a range, to find the end of its last line.
const BEYOND_BYTES: usize = 4 << 10;

/// Returns the size of pieces: at most `most`, and one byte more than there is to read, to see the end in the same read.
pub(super) fn piece_for(most: usize, bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX).saturating_add(1).max(LEAST_BYTES).min(most).min(MOST_BYTES)
}

const LEAST_BYTES: usize = 4 << 10;
/// Linux moves less than 2 GiB by one call, and a short read is taken for the end.
const MOST_BYTES: usize = 1 << 30;

pub(super) struct Rolling {
    pages: Mapping,
    piece_bytes: usize,
    begin: usize,
    end: usize,
}

impl Rolling {
    pub(super) fn new(piece_bytes: usize) -> io::Result<Self> {
        let bytes = piece_bytes.max(1).checked_add(HEADROOM_BYTES);
        let bytes = bytes.ok_or_else(|| invalid("the buffer is too large for this machine"))?;
        let pages = Mapping::buffer(bytes)?;
        Ok(Self { pages, piece_bytes: piece_bytes.max(1), begin: HEADROOM_BYTES, end: HEADROOM_BYTES })
    }

    /// Reads a whole file and hands whole lines to `lines`; a short `read` is the end, which saves a call for every file.
    pub(super) fn whole(
        &mut self, mut read: impl FnMut(&mut [u8]) -> io::Result<usize>,
        lines: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.range(0..u64::MAX, |buffer, _| read(buffer), lines)
    }

    /// Hands on the lines behind a newline in the range, and the file's first line if the range begins there: ranges that touch
    /// share no line and lose none.
    pub(super) fn range(
        &mut self, range: Range<u64>, mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
        mut lines: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        (self.begin, self.end) = (HEADROOM_BYTES, HEADROOM_BYTES);
        let mut offset = range.start;
        let mut inside = offset == 0;
        while offset < range.end {
            let wanted = usize::try_from(range.end - offset)
                .map_or(self.piece_bytes, |left| left.min(self.piece_bytes));
            let (fresh, has_ended) = self.fill(wanted, offset, &mut read)?;
            offset += fresh.len() as u64;
            if !inside {
                match memchr(b'\n', &self.pages[fresh.clone()]) {
                    Some(newline) => (self.begin, inside) = (fresh.start + newline + 1, true),
                    None => (self.begin, self.end) = (HEADROOM_BYTES, HEADROOM_BYTES),
                }
            }
            if has_ended {
                return self.last_line(&mut lines);
            }
            let unseen = fresh.start.max(self.begin).min(self.end);
            if let Some(newline) = memrchr(b'\n', &self.pages[unseen..self.end]) {
                let cut = unseen + newline + 1;
                lines(&self.pages[self.begin..cut])?;
                self.begin = cut;
            }
            self.carry();
        }
        if inside { self.beyond(offset, read, lines) } else { Ok(()) }
    }

    fn beyond(
        &mut self, mut offset: u64, mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
        mut lines: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        loop {
            let (fresh, has_ended) = self.fill(BEYOND_BYTES, offset, &mut read)?;
            offset += fresh.len() as u64;
            if let Some(newline) = memchr(b'\n', &self.pages[fresh.clone()]) {
                self.end = fresh.start + newline + 1;
                return lines(&self.pages[self.begin..self.end]);
            }
            if has_ended {
                return self.last_line(&mut lines);
            }
            self.carry();
        }
    }

    /// Reads behind the text; returns its end, and whether it is that of the file.
    fn fill(
        &mut self, wanted: usize, offset: u64, read: &mut impl FnMut(&mut [u8], u64) -> io::Result<usize>,
    ) -> io::Result<(Range<usize>, bool)> {
        self.make_room(wanted)?;
        let start = self.end;
        let count = read(&mut self.pages[start..start + wanted], offset)?;
        self.end += count;
        Ok((start..self.end, count < wanted))
    }

    fn last_line(&self, lines: &mut impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.begin < self.end { lines(&self.pages[self.begin..self.end]) } else { Ok(()) }
    }

    /// Moves the beginning of a line to the next piece. A long one stays: moved often, it would cost the square of its length.
    fn carry(&mut self) {
        let carried = self.end - self.begin;
        if carried <= HEADROOM_BYTES {
            self.pages.copy_within(self.begin..self.end, HEADROOM_BYTES - carried);
            (self.begin, self.end) = (HEADROOM_BYTES - carried, HEADROOM_BYTES);
        }
    }

    fn make_room(&mut self, wanted: usize) -> io::Result<()> {
        let refused =
            || io::Error::new(io::ErrorKind::OutOfMemory, "a line is too long for this machine's memory");
        let needed = self.end.checked_add(wanted).ok_or_else(refused)?;
        if needed <= self.pages.len() {
            return Ok(());
        }
        let text = self.begin..self.end;
        if self.begin >= self.pages.len() / 2 {
            self.pages.copy_within(text.clone(), 0);
        } else {
            let mut larger = Mapping::buffer(needed.checked_mul(2).ok_or_else(refused)?)?;
            larger[..text.len()].copy_from_slice(&self.pages[text.clone()]);
            self.pages = larger;
        }
        (self.begin, self.end) = (0, text.len());
        if self.end + wanted <= self.pages.len() { Ok(()) } else { self.make_room(wanted) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn handed(rolling: &mut Rolling, text: &[u8], range: Range<u64>) -> Vec<Vec<u8>> {
        let mut handed = Vec::new();
        let read = rolling.range(
            range,
            |buffer, offset| {
                let rest = &text[text.len().min(offset as usize)..];
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            },
            |lines| {
                handed.push(lines.to_vec());
                Ok(())
            },
        );
        read.expect("memory is readable");
        handed
    }

    #[test]
    fn a_piece_is_never_larger_than_what_there_is_to_read() {
        let most = 128 << 10;
        for (bytes, piece) in [(0, 4 << 10), (10_000, 10_001), (most as u64 - 1, most), (u64::MAX, most)] {
            assert_eq!(piece_for(most, bytes), piece, "{bytes}");
        }
        assert_eq!(piece_for(3 << 30, u64::MAX), 1 << 30, "one call reads no more");
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let line = prop_oneof![
            8 => proptest::collection::vec(prop_oneof![Just(b'a'), Just(b'\r'), Just(0)], 0..12),
            1 => proptest::collection::vec(Just(b'l'), 4_000..10_000),
        ];
        (proptest::collection::vec(line, 0..30), any::<bool>()).prop_map(|(lines, newline_last)| {
            let mut text = lines.join(&b'\n');
            text.extend(newline_last.then_some(b'\n'));
            text
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn ranges_that_touch_share_no_line_and_lose_none(
            text in text(),
            piece in 1_usize..9_000,
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut rolling = Rolling::new(piece).expect("memory");
            let mut ends: Vec<u64> = cuts.iter().map(|cut| cut.index(text.len() + 1) as u64).collect();
            ends.extend([0, text.len() as u64]);
            ends.sort_unstable();
            let mut all = Vec::new();
            for range in ends.windows(2).filter(|range| range[0] < range[1]) {
                let handed = handed(&mut rolling, &text, range[0]..range[1]);
                for lines in &handed {
                    let starts = all.is_empty() || all.last() == Some(&b'\n');
                    prop_assert!(starts && !lines.is_empty());
                    all.extend_from_slice(lines);
                }
            }
            prop_assert_eq!(all, text.clone());
            prop_assert_eq!(handed(&mut rolling, &text, 0..u64::MAX).concat(), text);
        }
    }
}
