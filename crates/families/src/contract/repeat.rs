//! The work of a technique, once all that the family gives to every technique is there.

use std::io;

use model::{Proof, SampleNote};

use crate::values::Values;

/// A prepared technique: everything before this point is outside the clock.
pub trait Repeat {
    /// Restores what a repetition consumes, outside the clock.
    fn refresh(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Does the work `times` times. The loop is in here so that the indirect call is paid once a sample.
    fn repeat(&mut self, times: u64) -> io::Result<()>;

    /// Returns the proof that must be equal for all techniques, computed after the clock has stopped.
    fn proof(&mut self) -> io::Result<Proof>;

    /// Hands over what the technique noted during the last [`Repeat::repeat`], for one repetition. Must cost nothing: a process
    /// that is timed from outside does it inside its time.
    fn values(&self, _out: &mut Values) {}

    /// Returns the time of the last [`Repeat::repeat`] where its work had pauses or was done only in part.
    fn own_time(&self) -> Option<OwnTime> {
        None
    }

    /// Returns notes on the last repetition: `fell back: ...`. As for [`Repeat::values`], this must cost nothing.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns notes from a look at the result. Only asked for after the clock, where work is timed inside.
    fn notes_on_the_output(&self) -> Vec<SampleNote> {
        Vec::new()
    }
}

/// The time of work that the technique has timed itself, in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnTime {
    /// Of all repetitions together.
    pub ns: u64,
    /// True where only a part of the work was done and `ns` is computed for the whole; a note says how large that part was.
    pub is_extrapolated: bool,
}

/// The worker's use of a prepared technique.
pub type Body<'a> = dyn FnMut(&mut dyn Repeat) -> io::Result<()> + 'a;
