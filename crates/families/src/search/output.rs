//! The answer on its way to the file: gathered in memory, written in few large calls.

use std::collections::BTreeMap;
use std::io;
use std::mem::take;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use memchr::memchr;

use super::lines::{Kernel, matching_lines};
use crate::files::OpenFile;

/// As much is gathered before it is written: a call is cheap next to it, and it stays in the nearest caches.
const FULL_BYTES: usize = 64 << 10;

/// Searched between two looks at how much was gathered.
const STRETCH_BYTES: usize = 1 << 20;

pub(super) struct Answer<'job> {
    file: OpenFile<'job>,
    /// Who appends to it calls [`Answer::write_when_full`] at the next pause.
    pub(super) text: Vec<u8>,
}

impl<'job> Answer<'job> {
    pub(super) fn create(path: &'job Path) -> io::Result<Self> {
        Ok(Self { file: OpenFile::create(path)?, text: Vec::new() })
    }

    pub(super) fn write_when_full(&mut self) -> io::Result<()> {
        if self.text.len() >= FULL_BYTES {
            self.file.write_all(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }

    /// Adds the matching lines of a text, all of them before any is written.
    pub(super) fn add_lines(&mut self, kernel: &impl Kernel, lines: &[u8], prefix: &[u8]) -> io::Result<()> {
        matching_lines(kernel, lines, prefix, &mut self.text);
        self.write_when_full()
    }

    /// Adds the matching lines of a text, a stretch after the other: all at once, they might fill the memory.
    pub(super) fn add_matching(
        &mut self, kernel: &impl Kernel, mut text: &[u8], prefix: &[u8],
    ) -> io::Result<()> {
        while !text.is_empty() {
            let least = text.len().min(STRETCH_BYTES);
            let end = memchr(b'\n', &text[least..]).map_or(text.len(), |newline| least + newline + 1);
            self.add_lines(kernel, &text[..end], prefix)?;
            text = &text[end..];
        }
        Ok(())
    }

    /// Adds text that was gathered elsewhere; large text is written at once.
    pub(super) fn add(&mut self, text: &[u8]) -> io::Result<()> {
        if text.len() < FULL_BYTES {
            self.text.extend_from_slice(text);
            return self.write_when_full();
        }
        self.file.write_all(&self.text)?;
        self.text.clear();
        self.file.write_all(text)
    }

    pub(super) fn finish(self, durable: bool) -> io::Result<()> {
        self.file.write_all(&self.text)?;
        self.file.finish(durable)
    }
}

pub(super) struct OrderedAnswer<'job>(Mutex<Parts<'job>>);

struct Parts<'job> {
    answer: Answer<'job>,
    next: usize,
    /// Parts that were ready before their turn.
    early: BTreeMap<usize, Vec<u8>>,
}

impl<'job> OrderedAnswer<'job> {
    pub(super) fn create(path: &'job Path) -> io::Result<Self> {
        let parts = Parts { answer: Answer::create(path)?, next: 0, early: BTreeMap::new() };
        Ok(Self(Mutex::new(parts)))
    }

    /// Takes over part `nth`; `text` comes back empty.
    pub(super) fn hand_in(&self, nth: usize, text: &mut Vec<u8>) -> io::Result<()> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if nth != parts.next {
            parts.early.insert(nth, take(text));
            return Ok(());
        }
        parts.answer.add(text)?;
        text.clear();
        parts.next += 1;
        while let Some(text) = {
            let next = parts.next;
            parts.early.remove(&next)
        } {
            parts.answer.add(&text)?;
            parts.next += 1;
        }
        Ok(())
    }

    pub(super) fn finish(self, durable: bool) -> io::Result<()> {
        let parts = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        debug_assert!(parts.early.is_empty(), "a part was never handed in");
        parts.answer.finish(durable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("answer");
        let answer = OrderedAnswer::create(&path).expect("created");
        let large = vec![b'x'; 3 * FULL_BYTES];
        for (nth, text) in [(2, &b"c"[..]), (0, b"a"), (4, b"e"), (1, &large), (3, b"")] {
            let mut text = text.to_vec();
            answer.hand_in(nth, &mut text).expect("taken");
            assert!(text.is_empty(), "{nth}");
        }
        answer.finish(false).expect("written");
        let written = std::fs::read(&path).expect("readable");
        assert_eq!(written, [b"a", &large[..], b"c", b"e"].concat());
    }
}
