//! Techniques that fail, each in its own way. None of them may be ranked, and none may end the run.

use std::io;
use std::process::abort;
use std::ptr::without_provenance_mut;
use std::thread::sleep;
use std::time::Duration;

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};

pub(super) const WRONG_ANSWER: Technique<ControlJob> =
    control("wrong_answer", "returns at once with the proof of one iteration too many", |job| {
        job.done_wrong(|_| Ok(()), job.iterations.wrapping_add(1))
    });

pub(super) const INSTANT: Technique<ControlJob> =
    control("instant", "does nothing, and proves it: no iteration", |job| job.done_wrong(|_| Ok(()), 0));

pub(super) const REFUSED: Technique<ControlJob> =
    control("refused", "says that the system refuses what it needs", |job| job.done_by(|_| refuse()));

pub(super) const HANG: Technique<ControlJob> = control("hang", "never ends", |job| job.done_by(|_| hang()));

pub(super) const CRASH: Technique<ControlJob> =
    control("crash", "ends its own process by abort", |job| job.done_by(|_| abort()));

pub(super) const FAULT: Technique<ControlJob> =
    control("fault", "writes to memory that is not there", |job| job.done_by(|_| fault()));

fn refuse() -> io::Result<()> {
    let sentence = "this control is always refused; nothing is to be done about it";
    Err(io::Error::new(io::ErrorKind::Unsupported, sentence))
}

/// Sleeps: a hanging worker must not take a processor from the others.
fn hang() -> io::Result<()> {
    loop {
        sleep(Duration::from_secs(60));
    }
}

fn fault() -> io::Result<()> {
    /// Inside the first page, which no system maps for a program.
    const NOWHERE: usize = 64;
    // SAFETY: no memory of this program lies there: the processor refuses the store, and the system ends the
    // process. A volatile access is allowed to have such an effect, and the compiler must keep it.
    unsafe { without_provenance_mut::<u8>(NOWHERE).write_volatile(1) };
    Err(io::Error::other("the first page of memory is mapped here: the fault did not happen"))
}
