//! The job: run a chain of this many iterations.

use std::fs;
use std::hint::black_box;
use std::io;
use std::path::PathBuf;

use model::Proof;

use crate::contract::{Repeat, Technique};
use crate::files::{at, proof_of_number, remove_if_there};

#[derive(Debug, Clone)]
pub(super) struct ControlJob {
    pub(super) iterations: u64,
    /// The file of a technique that did another number of iterations.
    pub(super) false_answer: PathBuf,
    /// Round of the run, from 0, when the coordinator reports it.
    pub(super) round: u64,
    /// Place in the round's order, from 0, when the coordinator reports it.
    pub(super) position: Option<u64>,
    pub(super) seed: u64,
    pub(super) memory_limit_bytes: Option<u64>,
}

pub(super) fn proof_of_iterations(iterations: u64) -> Proof {
    proof_of_number(iterations, iterations)
}

/// Runs the chain: one function for all, so that no two techniques differ in their machine code.
#[inline(never)]
pub(super) fn spin(iterations: u64) {
    let mut state = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..black_box(iterations) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
    }
    black_box(state);
}

pub(super) type Action = fn(&ControlJob) -> io::Result<()>;

impl ControlJob {
    pub(super) fn done_by(&self, action: Action) -> io::Result<Box<dyn Repeat + '_>> {
        remove_if_there(&self.false_answer)?;
        Ok(Box::new(Doing { job: self, action, answer: self.iterations, done: false }))
    }

    /// Does the job wrong: the proof is that of `answer` iterations, here and for a process that looks afterwards.
    pub(super) fn done_wrong(&self, action: Action, answer: u64) -> io::Result<Box<dyn Repeat + '_>> {
        fs::write(&self.false_answer, answer.to_string()).map_err(at("write", &self.false_answer))?;
        Ok(Box::new(Doing { job: self, action, answer, done: false }))
    }

    pub(super) fn spin_longer(&self, per_mille: u64) -> io::Result<()> {
        spin(self.iterations + self.iterations * per_mille / 1_000);
        Ok(())
    }
}

struct Doing<'job> {
    job: &'job ControlJob,
    action: Action,
    answer: u64,
    done: bool,
}

impl Repeat for Doing<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            (self.action)(self.job)?;
        }
        self.done = true;
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        if self.done {
            Ok(proof_of_iterations(self.answer))
        } else {
            Err(io::Error::new(io::ErrorKind::NotFound, "nothing was done yet"))
        }
    }
}

/// A technique of this family: most differ in nothing but name, idea and action.
pub(super) const fn control(
    name: &'static str, idea: &'static str,
    prepare: for<'job> fn(&'job ControlJob) -> io::Result<Box<dyn Repeat + 'job>>,
) -> Technique<ControlJob> {
    Technique { name, idea, source: "a control of this tool", ..Technique::usual(prepare) }
}
