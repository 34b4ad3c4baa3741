//! Work from one buffer to another, both filled before the clock: a ceiling, which needs no file.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};
use std::path::Path;

use model::Proof;

use super::at;
use super::memory::filled;
use crate::contract::Repeat;

/// Bytes before the clock: no zeros, of which the system might keep one page for all.
pub(crate) const BEFORE: u8 = b'b';

struct InMemory<To, Work, Fill, Prove> {
    from: Vec<u8>,
    to: Vec<To>,
    untouched: To,
    work: Work,
    is_done: fn(&[To]) -> bool,
    fill: Fill,
    prove: Prove,
}

/// Prepares `work` between two buffers of this length. After the clock, `is_done` checks the timed work, then `fill` reads the
/// real input, and the work is repeated for the proof.
pub(crate) fn in_memory<'job, To: Copy + 'job>(
    length: u64, untouched: To, work: impl Fn(&[u8], &mut [To]) -> io::Result<()> + 'job,
    is_done: fn(&[To]) -> bool, fill: impl Fn(&mut [u8]) -> io::Result<()> + 'job,
    prove: impl Fn(&[To]) -> io::Result<Proof> + 'job,
) -> io::Result<Box<dyn Repeat + 'job>> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let (from, to) = (filled(length, BEFORE)?, filled(length, untouched)?);
    Ok(Box::new(InMemory { from, to, untouched, work, is_done, fill, prove }))
}

impl<To, Work, Fill, Prove> Repeat for InMemory<To, Work, Fill, Prove>
where
    To: Copy,
    Work: Fn(&[u8], &mut [To]) -> io::Result<()>,
    Fill: Fn(&mut [u8]) -> io::Result<()>,
    Prove: Fn(&[To]) -> io::Result<Proof>,
{
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            (self.work)(black_box(&self.from), black_box(&mut self.to))?;
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        if (self.is_done)(&self.to) {
            (self.fill)(&mut self.from)?;
            self.repeat(1)?;
        }
        let proof = (self.prove)(&self.to)?;
        self.from.fill(BEFORE);
        self.to.fill(self.untouched);
        Ok(proof)
    }
}

/// Returns whether what was there before the clock has been copied.
pub(crate) fn is_copied(to: &[u8]) -> bool {
    to.iter().all(|&byte| byte == BEFORE)
}

pub(crate) fn fill_from(path: &Path, room: &mut [u8]) -> io::Result<()> {
    let mut file = File::open(path).map_err(at("open", path))?;
    file.read_exact(room).map_err(at("read", path))
}
