//! The worker: a small process that carries out one assignment and exits. It knows nothing of plans, rounds or budgets.

pub(crate) mod protocol;
pub(crate) mod sampler;

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use families::{AnyFamily, Commands, HandedOver, Repeat, Values};
use model::{Proof, Sample, SampleNote, Trial, Usage, Workload};
use sys::trace::{self, Edge};
use sys::usage::{self, Meter};

use crate::order::order;
use protocol::{Answer, Assignment, Did, FileWork, Timed};
use sampler::{Stretch, time_apart, time_bare, time_middle, time_of_one_ns, time_together};

/// A stretch of this length reports the time of one repetition well enough for planning.
const CALIBRATION_NS: u64 = 1_000_000;

/// Carries out an assignment given as JSON. What goes wrong inside a technique is an answer in `out`, not an error.
pub fn work(families: &[&dyn AnyFamily], assignment: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let assignment: Assignment = serde_json::from_slice(assignment).map_err(|error| {
        let sentence = format!("standard input holds no assignment as 'bakeoff run' writes it: {error}");
        io::Error::new(io::ErrorKind::InvalidInput, sentence)
    })?;
    let mut worker = Worker { families, out };
    match assignment {
        Assignment::Calibrate { trial } => worker.calibrate(&trial),
        Assignment::Sample { trial, repetitions, stretches, untimed_first } => {
            worker.sample(&trial, repetitions, stretches, untimed_first)
        }
        Assignment::Once { trial } => worker.once(&trial),
        Assignment::Explain { trial } => worker.explain(&trial),
        Assignment::Session { trials, repetitions, inner_rounds, seed } => {
            // Rounds of nothing would say nothing, for as long as it takes to count them.
            if trials.is_empty() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "the assignment names no trial"));
            }
            let rounds = InnerRounds { number: inner_rounds, repetitions, seed };
            worker.session(&trials, 0, Vec::new(), &rounds)
        }
        Assignment::Facts { family } => {
            let find = worker.family(&family)?.facts();
            worker.say(&Answer::Facts { facts: find.map_or_else(Vec::new, |find| find()) })
        }
        Assignment::Files { work, family, workload, folder, seed, job, time_limit_ns } => {
            let family = match job {
                Some(job) => {
                    Commands::leaked_with(*job, time_limit_ns.map_or(Duration::MAX, Duration::from_nanos))
                }
                None => worker.family(&family)?,
            };
            let proof = work_on_files(work, family, &workload, &folder, seed);
            worker.say(&proof.map_or_else(|error| failed(0, &error), |proof| Answer::Proof { proof }))
        }
    }
}

struct Worker<'a> {
    families: &'a [&'a dyn AnyFamily],
    out: &'a mut dyn Write,
}

impl<'a> Worker<'a> {
    fn say(&mut self, answer: &Answer) -> io::Result<()> {
        let mut line = serde_json::to_vec(answer).map_err(io::Error::other)?;
        line.push(b'\n');
        // One write a line: a line is whole or it is not there.
        self.out.write_all(&line)?;
        self.out.flush()
    }

    fn family(&self, name: &str) -> io::Result<&'a dyn AnyFamily> {
        let found = self.families.iter().copied().find(|family| family.name() == name);
        found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("no family is called '{name}'")))
    }

    fn perform(
        &mut self, trial: &Trial, body: &mut dyn FnMut(&dyn AnyFamily, &mut dyn Repeat) -> io::Result<Answer>,
    ) -> io::Result<()> {
        let family = self.family(&trial.family)?;
        let mut answer = failed(0, &io::Error::other("the technique was not run"));
        let done = family.perform(trial, &mut |repeat| {
            answer = body(family, repeat)?;
            Ok(())
        });
        self.say(&done.map_or_else(|error| failed(0, &error), |()| answer))
    }

    fn calibrate(&mut self, trial: &Trial) -> io::Result<()> {
        self.say(&Answer::Begin { trial: 0 })?;
        self.perform(trial, &mut |family, repeat| {
            let one_ns = time_of_one_ns(repeat, family.consumes_its_input(), CALIBRATION_NS)?;
            let elapsed_ns = one_ns.ceil() as u64;
            let stretch = Stretch { elapsed_ns, usage: Usage::default(), processors: (None, None) };
            let values = values_of(repeat, Values::default());
            finish(repeat, stretch, 1, Some(values)).map(timed)
        })
    }

    fn sample(
        &mut self, trial: &Trial, repetitions: u64, stretches: u32, untimed_first: bool,
    ) -> io::Result<()> {
        self.say(&Answer::Begin { trial: 0 })?;
        self.perform(trial, &mut |family, repeat| {
            if untimed_first {
                repeat.refresh()?;
                repeat.repeat(1)?;
            }
            let (stretch, values) = time_middle(stretches, || {
                let stretch = stretch(family, repeat, repetitions)?;
                Ok((stretch, values_of(repeat, Values::default())))
            })?;
            finish(repeat, stretch, repetitions, Some(values)).map(timed)
        })
    }

    /// Does the work and says in one line what it noted, without greeting, usage or proof: the process is timed from outside.
    fn once(&mut self, trial: &Trial) -> io::Result<()> {
        self.perform(trial, &mut |_, repeat| {
            let stretch = time_bare(repeat)?;
            finish(repeat, stretch, 1, None).map(timed)
        })
    }

    /// Does the work once and shows what it used. Between the marks stands the work, and nothing else.
    fn explain(&mut self, trial: &Trial) -> io::Result<()> {
        self.say(&Answer::Begin { trial: 0 })?;
        self.perform(trial, &mut |_, repeat| {
            repeat.refresh()?;
            let mut meter = Meter::open();
            // The readings are calls themselves: this many are counted where there is no work between them.
            let first = trace::counters();
            let _ = (meter.read(), meter.read());
            let second = trace::counters();
            let before = meter.read();
            trace::mark(Edge::Begin);
            let done = repeat.repeat(1);
            trace::mark(Edge::End);
            let usage = usage::difference(&before, &meter.read());
            let counters = trace::counters().since(&second).since(&second.since(&first));
            done?;
            let (proof, notes) = (repeat.proof()?, notes_of(repeat, true));
            Ok(Answer::Did(Box::new(Did { usage, counters, proof, notes })))
        })
    }

    /// Prepares the techniques of a session from `next` on, each inside the preparation of the one before it: all of them
    /// stay ready for every inner round. One that cannot be prepared has failed, and the others go on.
    fn session(
        &mut self, trials: &[Trial], next: usize, mut ready: Vec<Ready<'_>>, rounds: &InnerRounds,
    ) -> io::Result<()> {
        let Some(trial) = trials.get(next) else { return self.inner_rounds(ready, rounds) };
        self.say(&Answer::Begin { trial: next })?;
        let family = self.family(&trial.family)?;
        let mut went_on = None;
        let prepared = family.perform(trial, &mut |repeat| {
            let mut all: Vec<Ready<'_>> = ready.iter_mut().map(Ready::lent).collect();
            all.push(Ready { index: next, family, repeat });
            went_on = Some(self.session(trials, next + 1, all, rounds));
            Ok(())
        });
        if let Err(error) = prepared {
            self.say(&failed(next, &error))?;
        }
        match went_on {
            Some(done) => done,
            None => self.session(trials, next + 1, ready, rounds),
        }
    }

    /// Takes the inner rounds of a session, each in an order of its own. What has failed is not tried again.
    fn inner_rounds(&mut self, mut ready: Vec<Ready<'_>>, rounds: &InnerRounds) -> io::Result<()> {
        let mut has_failed = vec![false; ready.len()];
        for inner in 0..rounds.number {
            for (position, place) in order(rounds.seed, inner, ready.len()).into_iter().enumerate() {
                if has_failed[place] {
                    continue;
                }
                let Ready { index, family, repeat } = ready[place].lent();
                self.say(&Answer::Begin { trial: index })?;
                let taken = repeat.refresh().and_then(|()| repeat.repeat(1));
                let taken = taken.and_then(|()| stretch(family, repeat, rounds.repetitions));
                let values = values_of(repeat, Values::default());
                let answer = match taken.and_then(|one| finish(repeat, one, rounds.repetitions, Some(values)))
                {
                    Ok(timed) => {
                        let sample = Sample { inner, position: position as u32, ..timed.sample };
                        Answer::Timed(Box::new(Timed { trial: index, sample, ..timed }))
                    }
                    Err(error) => {
                        has_failed[place] = true;
                        failed(index, &error)
                    }
                };
                self.say(&answer)?;
            }
        }
        Ok(())
    }
}

struct Ready<'r> {
    /// Its number in the assignment, from 0.
    index: usize,
    family: &'r dyn AnyFamily,
    repeat: &'r mut dyn Repeat,
}

impl Ready<'_> {
    fn lent(&mut self) -> Ready<'_> {
        Ready { index: self.index, family: self.family, repeat: &mut *self.repeat }
    }
}

struct InnerRounds {
    number: u32,
    repetitions: u64,
    seed: u64,
}

fn work_on_files(
    work: FileWork, family: &dyn AnyFamily, workload: &Workload, folder: &Path, seed: u64,
) -> io::Result<Proof> {
    match work {
        FileWork::Generate => {
            family.generate(workload, folder, seed)?;
            family.expected(workload, folder)
        }
        FileWork::Expect => family.expected(workload, folder),
        FileWork::Inspect => family.inspect(workload, folder),
    }
}

fn stretch(family: &dyn AnyFamily, repeat: &mut dyn Repeat, times: u64) -> io::Result<Stretch> {
    if family.consumes_its_input() { time_apart(repeat, times) } else { time_together(repeat, times) }
}

/// Adds to `values` what the technique noted.
fn values_of(repeat: &dyn Repeat, mut values: Values) -> Values {
    repeat.values(&mut values);
    values
}

/// Returns the answer about a stretch. Without `inside`, the values of the stretch, the process is timed from outside: there is no
/// proof, and nothing that takes time.
fn finish(
    repeat: &mut dyn Repeat, stretch: Stretch, repetitions: u64, inside: Option<Values>,
) -> io::Result<Timed> {
    let prove = inside.is_some();
    let inside = inside.unwrap_or_else(|| values_of(repeat, Values::numbers_only()));
    let HandedOver { values, histograms } = inside.hand_over();
    let proof = if prove { Some(repeat.proof()?) } else { None };
    let sample = Sample {
        // Rounded up: work that took less than a nanosecond did not take none.
        work_ns: Some(stretch.elapsed_ns.div_ceil(repetitions.max(1))),
        repetitions,
        usage: stretch.usage,
        processor_before: stretch.processors.0,
        processor_after: stretch.processors.1,
        values,
        histograms,
        notes: notes_of(repeat, prove),
        ..Sample::default()
    };
    Ok(Timed { trial: 0, sample, proof })
}

/// Returns what the technique noted. A process timed from outside would pay for a `look` at the result; the coordinator looks.
fn notes_of(repeat: &dyn Repeat, look: bool) -> Vec<SampleNote> {
    let mut notes: Vec<SampleNote> = repeat.notes().into_iter().map(SampleNote::from).collect();
    if look {
        notes.extend(repeat.notes_on_the_output());
    }
    notes
}

fn timed(one: Timed) -> Answer {
    Answer::Timed(Box::new(one))
}

fn failed(trial: usize, error: &io::Error) -> Answer {
    Answer::Failed { trial, kind: sys::failure::kind_of(error), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use model::FailureKind;

    use super::*;

    #[test]
    fn an_error_of_a_technique_is_reported_with_its_kind() {
        let cases = [
            (io::ErrorKind::StorageFull, FailureKind::DiskFull),
            (io::ErrorKind::Unsupported, FailureKind::Refused),
        ];
        for (error, expected) in cases {
            let answer = failed(3, &error.into());
            assert!(
                matches!(answer, Answer::Failed { trial: 3, kind, .. } if kind == expected),
                "{answer:?}"
            );
        }
    }
}
