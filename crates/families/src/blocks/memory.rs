//! The memory that the passes go over, what stands in it, and the proof made of that.

use std::cell::RefCell;
use std::io;
use std::rc::{Rc, Weak};

use model::Proof;
use xxhash_rust::xxh3::Xxh3;

use super::mapping::{Mapping, Pages};

/// Where the memory that is read begins behind the memory that is written: at a page of its own.
const SOURCE_ALIGNMENT: usize = 4096;

/// What memory is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) words: usize,
    /// Whether there is as much once more, from which is copied.
    pub(super) has_source: bool,
    pub(super) pages: Pages,
}

pub(super) struct Memory {
    mapping: Mapping,
    wanted: Wanted,
    /// What a reader must know of the pages.
    pub(super) note: Option<String>,
}

thread_local! {
    /// The techniques of a session are prepared together and work one after the other: those that want the same memory
    /// share it. Otherwise a session would take as much memory as all of them together, and each technique would have pages
    /// of its own, some of which lie better in the caches than others.
    static IN_USE: RefCell<Vec<Weak<RefCell<Memory>>>> = const { RefCell::new(Vec::new()) };
}

/// Memory that is filled, and so touched.
///
/// # Errors
/// There is not this much, or not of these pages.
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
        let too_large = || io::Error::new(io::ErrorKind::OutOfMemory, "so much memory has no address");
        let bytes = wanted.words.checked_mul(size_of::<u32>()).ok_or_else(too_large)?;
        let both = match wanted.has_source {
            true => {
                source_begin(wanted.words).checked_mul(size_of::<u32>()).and_then(|at| at.checked_add(bytes))
            }
            false => Some(bytes),
        };
        let mapping = Mapping::new(both.ok_or_else(too_large)?, wanted.pages)?;
        let mut memory = Self { mapping, wanted, note: None };
        memory.fill();
        memory.note = memory.mapping.shortfall();
        Ok(memory)
    }

    /// The memory that is worked on, and that from which is copied, which is empty without it.
    pub(super) fn parts(&mut self) -> (&mut [u32], &[u32]) {
        let Wanted { words, has_source, .. } = self.wanted;
        let all = self.mapping.words();
        match has_source {
            true => {
                let (target, source) = all.split_at_mut(source_begin(words));
                (&mut target[..words], &source[..words])
            }
            false => (&mut all[..words], &[]),
        }
    }

    /// Brings back what stood there before the first pass. A copy finds zeros where it will write.
    pub(super) fn fill(&mut self) {
        let Wanted { words, has_source, .. } = self.wanted;
        let all = self.mapping.words();
        if has_source {
            let (target, source) = all.split_at_mut(source_begin(words));
            fill(&mut source[..words]);
            target[..words].fill(0);
        } else {
            fill(&mut all[..words]);
        }
    }
}

/// In words.
fn source_begin(words: usize) -> usize {
    words.next_multiple_of(SOURCE_ALIGNMENT / size_of::<u32>())
}

/// The word at a place before the first pass: all differ, and none is what a pass writes next to it.
pub(super) fn word_at(place: usize) -> u32 {
    (place as u32).wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15)
}

/// What a pass of the work `write` stores: a byte four times, another one than the pass before.
pub(super) fn value_of(pass: u32) -> u32 {
    (pass % 255 + 1) * 0x0101_0101
}

/// Fills memory before the passes.
pub(super) fn fill(memory: &mut [u32]) {
    for (place, word) in memory.iter_mut().enumerate() {
        *word = word_at(place);
    }
}

/// The proof of memory that holds these words, of which there are `count`.
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

/// The proof of a sum over `count` words.
pub(super) fn proof_of_sum(count: usize, sum: u32) -> Proof {
    Proof { bytes: (count * size_of::<u32>()) as u64, digest: crate::files::digest_of(&sum.to_le_bytes()) }
}
