//! What one pass over a piece is: four kinds of work, each done by functions over words of 4 bytes.

use std::ptr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Write,
    Read,
    Update,
    Copy,
}

type CopyPass = fn(&[u32], &mut [u32]);

#[derive(Clone, Copy, Default)]
pub(super) struct Kernels {
    /// Stores a value whose four bytes are equal, so that it can also be stored byte by byte.
    pub(super) write: Option<fn(&mut [u32], u32)>,
    /// Returns the sum of all words, modulo 2^32.
    pub(super) read: Option<fn(&[u32]) -> u32>,
    pub(super) update: Option<fn(&mut [u32])>,
    pub(super) copy: Option<CopyPass>,
    /// The fence behind the last pass, before others may hear that it was made.
    pub(super) fence: Option<fn()>,
}

#[derive(Clone, Copy)]
pub(super) enum Kernel {
    Write(fn(&mut [u32], u32)),
    Read(fn(&[u32]) -> u32),
    Update(fn(&mut [u32])),
    Copy(CopyPass),
}

impl Work {
    pub(super) const ALL: [Self; 4] = [Self::Write, Self::Read, Self::Update, Self::Copy];
    pub(super) const NAMES: [&'static str; 4] =
        [Self::Write.name(), Self::Read.name(), Self::Update.name(), Self::Copy.name()];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "read",
            Self::Update => "update",
            Self::Copy => "copy",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.name() == name)
    }
}

impl Kernels {
    pub(super) fn of(&self, work: Work) -> Option<Kernel> {
        match work {
            Work::Write => self.write.map(Kernel::Write),
            Work::Read => self.read.map(Kernel::Read),
            Work::Update => self.update.map(Kernel::Update),
            Work::Copy => self.copy.map(Kernel::Copy),
        }
    }
}

/// Loads or stores 4 bytes at a time. Volatile: the compiler may not join them, leave any out, or call `memset`.
pub(super) const PLAIN: Kernels = Kernels {
    write: Some(plain_write),
    read: Some(plain_read),
    update: Some(plain_update),
    copy: Some(plain_copy),
    fence: None,
};

pub(super) fn plain_write(to: &mut [u32], value: u32) {
    for word in to {
        // SAFETY: the word is borrowed for writing.
        unsafe { ptr::write_volatile(word, value) };
    }
}

pub(super) fn plain_read(from: &[u32]) -> u32 {
    // SAFETY: the word is borrowed.
    from.iter().fold(0, |sum: u32, word| sum.wrapping_add(unsafe { ptr::read_volatile(word) }))
}

pub(super) fn plain_update(words: &mut [u32]) {
    for word in words {
        // SAFETY: the word is borrowed for writing.
        unsafe { ptr::write_volatile(word, ptr::read_volatile(word).wrapping_add(1)) };
    }
}

pub(super) fn plain_copy(from: &[u32], to: &mut [u32]) {
    for (from, to) in from.iter().zip(to) {
        // SAFETY: both words are borrowed, one of them for writing.
        unsafe { ptr::write_volatile(to, ptr::read_volatile(from)) };
    }
}
