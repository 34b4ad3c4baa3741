//! The memory that the passes go over, what stands in it, and the proof made of that.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::rc::{Rc, Weak};
use std::slice;

use model::Proof;
use sys::trace;
use xxhash_rust::xxh3::Xxh3;

use super::mapping::{Pages, mapped, shortfall};
use crate::files::Mapping;

/// Offset of the memory that is read behind the memory that is written: at a page of its own.
const SOURCE_ALIGNMENT: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) words: usize,
    pub(super) has_source: bool,
    pub(super) pages: Pages,
}

pub(super) struct Memory {
    mapping: Mapping,
    range: Range<usize>,
    wanted: Wanted,
    pub(super) note: Option<String>,
}

thread_local! {
    /// The techniques of a session work one after the other and share equal memory: otherwise a session would take the memory
    /// of all, and some techniques would have pages that lie better in the caches.
    static IN_USE: RefCell<Vec<Weak<RefCell<Memory>>>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn lent(wanted: Wanted) -> io::Result<Rc<RefCell<Memory>>> {
    IN_USE.with_borrow_mut(|in_use| {
        in_use.retain(|memory| memory.strong_count() > 0);
        let known = in_use.iter().filter_map(Weak::upgrade).find(|memory| memory.borrow().wanted == wanted);
        if let Some(memory) = known {
            return Ok(memory);
        }
        let memory = Rc::new(RefCell::new(Memory::new(wanted)?));
        in_use.push(Rc::downgrade(&memory));
        Ok(memory)
    })
}

impl Memory {
    fn new(wanted: Wanted) -> io::Result<Self> {
        let words = wanted.words.checked_add(wanted.source_begin());
        let bytes = words.and_then(|words| words.checked_mul(size_of::<u32>())).ok_or_else(|| {
            io::Error::new(io::ErrorKind::OutOfMemory, "memory of this size has no address")
        })?;
        // Which pages these are is the idea of some techniques, though the clock does not run yet.
        let (mapping, range) = trace::resumed(|| mapped(bytes, wanted.pages))?;
        let mut memory = Self { mapping, range, wanted, note: None };
        memory.fill();
        memory.note = shortfall(&memory.mapping[memory.range.clone()], wanted.pages);
        Ok(memory)
    }

    /// Returns the target and the source, which is empty where nothing is copied.
    pub(super) fn parts(&mut self) -> (&mut [u32], &mut [u32]) {
        let bytes = &mut self.mapping[self.range.clone()];
        // SAFETY: any four bytes are a word, the range begins at a page, and the words are borrowed as `self` is.
        let all =
            unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len() / size_of::<u32>()) };
        let (words, begin) = (self.wanted.words, self.wanted.source_begin());
        let (target, source) = all.split_at_mut(begin.max(words));
        (&mut target[..words], source)
    }

    /// Restores what stood there before the first pass. A copy finds zeros where it will write.
    pub(super) fn fill(&mut self) {
        let (target, source) = self.parts();
        let (words, zeros) = if source.is_empty() { (target, source) } else { (source, target) };
        words.iter_mut().enumerate().for_each(|(place, word)| *word = word_at(place));
        zeros.fill(0);
    }
}

impl Wanted {
    /// Returns the first word of the source; 0 where there is none.
    fn source_begin(self) -> usize {
        if self.has_source { self.words.next_multiple_of(SOURCE_ALIGNMENT / size_of::<u32>()) } else { 0 }
    }
}

/// Returns the word at a place before the first pass: all differ, and none is what a pass writes next to it.
pub(super) fn word_at(place: usize) -> u32 {
    (place as u32).wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15)
}

/// Returns the value that a `write` pass stores: a byte four times, another one than the pass before.
pub(super) fn value_of(pass: u32) -> u32 {
    (pass % 255 + 1) * 0x0101_0101
}

pub(super) fn proof_of_words(count: usize, words: impl Iterator<Item = u32>) -> Proof {
    const AT_ONCE: usize = 1024;
    let mut digest = Xxh3::new();
    let mut bytes = Vec::with_capacity(AT_ONCE * size_of::<u32>());
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
        if bytes.len() == bytes.capacity() {
            digest.update(&bytes);
            bytes.clear();
        }
    }
    digest.update(&bytes);
    Proof { bytes: (count * size_of::<u32>()) as u64, digest: format!("{:032x}", digest.digest128()) }
}

pub(super) fn proof_of_sum(count: usize, sum: u32) -> Proof {
    Proof { bytes: (count * size_of::<u32>()) as u64, digest: crate::files::digest_of(&sum.to_le_bytes()) }
}
