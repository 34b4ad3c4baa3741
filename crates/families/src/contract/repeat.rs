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

    /// What must be equal for all techniques of the family: computed after the clock has stopped.
    fn proof(&mut self) -> io::Result<Proof>;

    /// What the technique counted or timed itself in the last call of [`Repeat::repeat`], reported for one repetition: further
    /// metrics of the family, the times of its parts, latencies. It was noted during the work and is only handed over here,
    /// which must cost nothing: a process that is timed from outside does it inside its time, and is asked for no latencies.
    fn values(&self, _out: &mut Values) {}

    /// The time of the last call of [`Repeat::repeat`] where that is not the time that it took: there were pauses between the parts
    /// of the work, or only a part of it was done.
    fn own_time(&self) -> Option<OwnTime> {
        None
    }

    /// What a reader must know of the last repetition: `fell back: ...`. As for [`Repeat::values`], this must cost nothing.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// What a look at the result shows. Only asked for after the clock, where work is timed inside.
    fn notes_on_the_output(&self) -> Vec<SampleNote> {
        Vec::new()
    }
}

/// The time of work that the technique has timed itself, in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnTime {
    /// Of all repetitions together.
    pub ns: u64,
    /// Whether only a part of the work was done, and the time of the whole follows from it. A note of the technique shows how
    /// large that part was; what else the process used is then not known for the whole.
    pub is_extrapolated: bool,
}

/// What the worker does with a prepared technique.
pub type Body<'a> = dyn FnMut(&mut dyn Repeat) -> io::Result<()> + 'a;
