//! Pieces of a file in different places: whole lines are searched where they are, and only a cut line is put together.

use std::io;

use memchr::{memchr, memrchr};

/// The beginning of a line whose end has not been seen.
#[derive(Default)]
pub(super) struct Stitch {
    begun: Vec<u8>,
}

impl Stitch {
    pub(super) fn add(
        &mut self, piece: &[u8], lines: &mut impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut rest = piece;
        if !self.begun.is_empty() {
            let Some(newline) = memchr(b'\n', rest) else {
                self.begun.extend_from_slice(rest);
                return Ok(());
            };
            self.begun.extend_from_slice(&rest[..=newline]);
            lines(&self.begun)?;
            self.begun.clear();
            rest = &rest[newline + 1..];
        }
        if let Some(newline) = memrchr(b'\n', rest) {
            lines(&rest[..=newline])?;
            rest = &rest[newline + 1..];
        }
        self.begun.extend_from_slice(rest);
        Ok(())
    }

    /// The file has ended: its last line may lack a newline. The next piece is the first of another file.
    pub(super) fn end(&mut self, lines: &mut impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.begun.is_empty() {
            return Ok(());
        }
        let last = lines(&self.begun);
        self.begun.clear();
        last
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn handed(stitch: &mut Stitch, pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut handed = Vec::new();
        let mut keep = |lines: &[u8]| {
            handed.push(lines.to_vec());
            Ok(())
        };
        pieces.iter().try_for_each(|piece| stitch.add(piece, &mut keep)).expect("memory takes all");
        stitch.end(&mut keep).expect("memory takes all");
        handed
    }

    #[test]
    fn what_was_begun_is_forgotten_when_taking_it_failed() {
        let mut stitch = Stitch::default();
        let mut full = |_: &[u8]| Err(io::Error::other("full"));
        stitch.add(b"begun", &mut full).expect("kept");
        assert_eq!(stitch.end(&mut full).expect_err("full").to_string(), "full");
        assert_eq!(handed(&mut stitch, &[b"a\n"]), [b"a\n"]);
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_give_all_lines_whole(
            text in proptest::collection::vec(prop_oneof![Just(b'a'), Just(b'\n')], 0..200),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..9),
        ) {
            let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            ends.extend([0, text.len()]);
            ends.sort_unstable();
            let pieces: Vec<&[u8]> = ends.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect();
            let handed = handed(&mut Stitch::default(), &pieces);
            prop_assert_eq!(handed.concat(), text);
            for lines in handed.iter().rev().skip(1) {
                prop_assert_eq!(lines.last(), Some(&b'\n'));
            }
        }
    }
}
