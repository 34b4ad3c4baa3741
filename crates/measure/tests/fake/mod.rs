//! A family whose techniques are made up, workers that answer as real ones would, and a run of them.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use measure::{
    Answer, Answers, Assignment, Ending, Environment, Event, FileWork, Launcher, MeasureError, Observer,
    Plan, Refusal, Request, ScratchRegister, Selection, Sink, Timed, WorkerCommand, never_measured,
    plan_together,
};
use model::{Design, FailureKind, Host, Increment, Proof, Record, RunId, Sample, TrialRecord};
use sys::process::{Ended, Input, Launch, Status};

mod family;

pub(crate) use family::{Behaviour, FakeFamily, LIMIT};

#[derive(Default)]
pub(crate) struct FakeWorkers {
    behaviours: Vec<(&'static str, Behaviour)>,
    calls: BTreeMap<String, u32>,
    /// Raises the flag before this launch, counted from 0.
    pub(crate) interrupt_at: Option<u32>,
    /// An interruption reaches the process before it reaches who would stop it.
    pub(crate) dies_of_interruption: bool,
    launches: u32,
    pub(crate) first_waits: Duration,
    pub(crate) launched_ns: Vec<u64>,
    start_ns: u64,
    pub(crate) stops_while: Option<FileWork>,
    pub(crate) files_take: Option<(FileWork, Duration)>,
    times: u64,
    pub(crate) session_repetitions: Vec<u64>,
    /// The technique of each process with a sample, and whether it worked once untimed before.
    pub(crate) untimed_first: Vec<(String, bool)>,
    bytes: u64,
    /// The store refuses this increment, counted from 0.
    pub(crate) store_fails_at: Option<usize>,
    state: u64,
}

impl FakeWorkers {
    pub(crate) fn new(family: &'static FakeFamily) -> Self {
        Self { behaviours: family.behaviours.clone(), state: 0x1234_5678_9ABC_DEF1, ..Self::default() }
    }

    fn behaviour(&self, technique: &str) -> Option<Behaviour> {
        self.behaviours.iter().find(|(name, _)| *name == technique).map(|(_, behaviour)| *behaviour)
    }

    /// Returns what a worker answers that made the inputs, or looked at a result, within the time that it was given.
    fn work_on_files(&self, work: FileWork, limit_ns: Option<u64>, interrupted: &AtomicBool) -> Ended {
        if self.stops_while == Some(work) {
            interrupted.store(true, Ordering::Relaxed);
        }
        if interrupted.load(Ordering::Relaxed) {
            return ended(Status::Cancelled, Vec::new());
        }
        let slow =
            self.files_take.filter(|(slow, _)| *slow == work).map(|(_, takes)| takes.as_nanos() as u64);
        match limit_ns.filter(|&limit_ns| slow.is_some_and(|takes_ns| takes_ns > limit_ns)) {
            Some(elapsed_ns) => Ended { elapsed_ns, ..ended(Status::TimedOut, Vec::new()) },
            None => ended(Status::Exit(0), line(&Answer::Proof { proof: FakeFamily::proof() })),
        }
    }

    fn draw(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 40) as f64 / f64::from(1 << 24)
    }

    fn jitter(&mut self) -> f64 {
        1.0 + 0.004 * self.draw()
    }

    fn refusal(&self, technique: &str) -> Option<(FailureKind, String)> {
        let error = match self.behaviour(technique)? {
            Behaviour::Refused => io::Error::other("not today"),
            Behaviour::FullDiskAfter(times)
                if self.calls.get(technique).is_some_and(|calls| *calls >= times) =>
            {
                sys::failure::in_context("write output", io::Error::from(io::ErrorKind::StorageFull))
            }
            _ => return None,
        };
        Some((sys::failure::kind_of(&error), error.to_string()))
    }

    fn run_fake(
        &mut self, technique: &str, is_twin: bool, (trial, inner): (usize, u32),
    ) -> Result<Timed, Status> {
        let behaviour = self.behaviour(technique);
        let calls = self.calls.entry(technique.to_owned()).or_default();
        *calls += 1;
        let calls = *calls;
        let ns = match behaviour.expect("a worker of the family") {
            Behaviour::Steady(ns) => ns,
            Behaviour::LevelsOff { from, .. } if self.bytes <= 1 << 10 => from,
            Behaviour::DisturbedOnce(ns, at) => ns * if calls == at { 100.0 } else { 1.0 },
            Behaviour::Grows(ns) => ns * self.bytes as f64 / 1024.0,
            Behaviour::Restless(ns) | Behaviour::LevelsOff { to: ns, .. } => ns * (0.8 + 0.4 * self.draw()),
            Behaviour::Lasts(ms) => {
                time_passes(Duration::from_millis(ms * self.times));
                ms as f64 * 1e6
            }
            Behaviour::Drifts(ns) => ns * (1.0 + f64::from(calls) * 1e-3),
            Behaviour::TwinIsSlower(ns) => {
                let ns = ns * (0.5 + self.draw()) * if is_twin { 3.0 } else { 1.0 };
                time_passes(Duration::from_nanos(ns as u64 * self.times));
                ns
            }
            Behaviour::TwinIsSlowerUntil(ns, last) => {
                ns * (0.5 + self.draw()) * if is_twin && calls <= last { 3.0 } else { 1.0 }
            }
            Behaviour::CrashesAfter(times) if calls <= times => 1e6,
            Behaviour::HangsAfter(times) if calls <= times => 1e6,
            Behaviour::Lies | Behaviour::Refused | Behaviour::FullDiskAfter(_) => 1e6,
            Behaviour::Hangs | Behaviour::HangsAfter(_) => return Err(Status::TimedOut),
            Behaviour::Crashes | Behaviour::CrashesAfter(_) => {
                return Err(Status::Signal { number: 11, name: "SIGSEGV".to_owned() });
            }
        };
        let lies = behaviour == Some(Behaviour::Lies);
        let proof = if lies { Proof { bytes: 3, digest: "xyz".to_owned() } } else { FakeFamily::proof() };
        let work_ns = Some((ns * self.jitter()) as u64);
        let sample = Sample { inner, work_ns, repetitions: 1, ..Sample::default() };
        Ok(Timed { trial, sample, proof: Some(proof) })
    }
}

fn line(answer: &Answer) -> Vec<u8> {
    let mut line = serde_json::to_vec(answer).expect("plain data");
    line.push(b'\n');
    line
}

impl Launcher for FakeWorkers {
    fn run(&mut self, launch: &Launch, interrupted: &AtomicBool) -> io::Result<Ended> {
        let Input::Bytes(assignment) = &launch.input else { panic!("{launch:?} has no assignment") };
        let assignment: Assignment = serde_json::from_slice(assignment).expect("an assignment");
        if let Assignment::Files { work, .. } = assignment {
            return Ok(self.work_on_files(work, launch.time_limit_ns, interrupted));
        }
        if self.interrupt_at == Some(self.launches) {
            interrupted.store(true, Ordering::Relaxed);
        }
        self.launches += 1;
        self.launched_ns.push(now_ns() - self.start_ns);
        time_passes(PROCESS);
        if matches!(assignment, Assignment::Sample { .. }) {
            time_passes(std::mem::take(&mut self.first_waits));
        }
        self.times = match &assignment {
            Assignment::Calibrate { .. } => 2,
            Assignment::Sample { trial, repetitions, stretches, untimed_first } => {
                self.untimed_first.push((trial.technique.clone(), *untimed_first));
                repetitions * u64::from(*stretches) + u64::from(*untimed_first)
            }
            Assignment::Once { .. } | Assignment::Session { .. } => 1,
            Assignment::Explain { .. } | Assignment::Files { .. } | Assignment::Facts { .. } => 0,
        };
        let (trials, inner_rounds) = match assignment {
            Assignment::Calibrate { trial }
            | Assignment::Sample { trial, .. }
            | Assignment::Once { trial } => (vec![trial], 1),
            Assignment::Session { trials, inner_rounds, repetitions, .. } => {
                self.session_repetitions.push(repetitions);
                (trials, inner_rounds)
            }
            Assignment::Explain { .. } | Assignment::Files { .. } | Assignment::Facts { .. } => {
                unreachable!("done above, or never asked for")
            }
        };
        let (mut stdout, mut status) = (Vec::new(), Status::Exit(0));
        let mut seen: Vec<String> = Vec::new();
        'session: for inner in 0..inner_rounds {
            for (index, trial) in trials.iter().enumerate() {
                stdout.extend(line(&Answer::Begin { trial: index }));
                if let Some((kind, reason)) = self.refusal(&trial.technique) {
                    stdout.extend(line(&Answer::Failed { trial: index, kind, reason }));
                    continue;
                }
                // The twin is only known by its place: it is the last of the round, or of the session.
                let is_twin = seen.contains(&trial.technique)
                    || launch.environment.iter().any(|(_, value)| value == "twin");
                seen.push(trial.technique.clone());
                self.bytes = trial.workload.bytes().unwrap_or(0);
                match self.run_fake(&trial.technique, is_twin, (index, inner)) {
                    Ok(timed) => stdout.extend(line(&Answer::Timed(Box::new(timed)))),
                    Err(ended) => {
                        status = ended;
                        break 'session;
                    }
                }
            }
            seen.clear();
        }
        if interrupted.load(Ordering::Relaxed) {
            let signal = Status::Signal { number: 2, name: "SIGINT".to_owned() };
            status = if self.dies_of_interruption { signal } else { Status::Cancelled };
        }
        Ok(ended(status, stdout))
    }
}

fn ended(status: Status, stdout: Vec<u8>) -> Ended {
    Ended { elapsed_ns: 5_000_000, stdout, ..Ended::new(status) }
}

#[derive(Default)]
struct Memory {
    record: Option<Record>,
    rounds: Vec<usize>,
    fails_at: Option<usize>,
}

impl Sink for Memory {
    fn begin(&mut self, record: &Record) -> io::Result<()> {
        self.record = Some(record.clone());
        Ok(())
    }
    fn append(&mut self, increment: &Increment) -> io::Result<()> {
        if self.fails_at == Some(self.rounds.len()) {
            return Err(io::Error::other("no space left"));
        }
        self.rounds.push(increment.samples.len());
        self.record.as_mut().expect("begun").apply(increment);
        Ok(())
    }
}

#[derive(Default)]
struct Silent {
    again: u32,
}

impl Observer for Silent {
    fn see(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Again { .. }) {
            self.again += 1;
        }
    }
}

pub(crate) fn request(family: &'static FakeFamily, rounds: u32) -> Request {
    Request { rounds, ..Request::usual(vec![Selection { family, entries: None }], 7) }
}

fn blank(design: &Design) -> Record {
    Record { id: RunId("fake".to_owned()), seed: 7, design: design.clone(), ..Record::default() }
}

pub(crate) struct Outcome {
    pub(crate) ending: Result<Ending, MeasureError>,
    pub(crate) record: Record,
    pub(crate) rounds: Vec<usize>,
    pub(crate) again: u32,
    pub(crate) workers: FakeWorkers,
}

const PROCESS: Duration = Duration::from_millis(1);

/// Time that workers made pass. How busy the machine is does not show in it.
static PASSED_NS: AtomicU64 = AtomicU64::new(0);

fn now_ns() -> u64 {
    PASSED_NS.load(Ordering::Relaxed)
}

fn time_passes(time: Duration) {
    PASSED_NS.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
}

/// The canaries share the machine's memory, and all runs one clock: one run at a time.
static ONE_AT_A_TIME: LazyLock<Mutex<()>> = LazyLock::new(Mutex::default);

pub(crate) fn run_fake(
    requests: &[Request], mut workers: FakeWorkers, answers: Option<&mut dyn Answers>,
) -> Outcome {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut sink = Memory { fails_at: workers.store_fails_at, ..Memory::default() };
    let state = tempfile::tempdir().expect("a folder");
    let register = ScratchRegister::open(state.path()).expect("a register");
    let (first, further) = requests.split_first().expect("a request");
    let plan = plan_together(first, further, &Host::default(), &[], &never_measured, Some(&register))
        .expect("a plan");
    let record = blank(&plan.design);
    let mut observer = Silent::default();
    let interrupted = AtomicBool::new(false);
    workers.start_ns = now_ns();
    let start_ns = workers.start_ns;
    let environment = Environment {
        worker: WorkerCommand { program: "bakeoff".into(), arguments: vec!["worker".into()] },
        register: &register,
        launcher: &mut workers,
        sink: &mut sink,
        observer: &mut observer,
        answers: answers.map(|answers| answers as _),
        interrupted: &interrupted,
        now_ns,
        start_ns,
    };
    let ending = measure::run(plan, record, environment);
    let left = std::fs::read_dir(state.path()).expect("readable").count();
    assert_eq!(left, 0, "scratch folders stay registered");
    Outcome {
        ending,
        record: sink.record.unwrap_or_else(|| blank(&Design::usual(Vec::new()))),
        rounds: sink.rounds,
        again: observer.again,
        workers,
    }
}

pub(crate) fn planned(requests: &[Request]) -> Result<Plan, Refusal> {
    plan_together(&requests[0], &requests[1..], &Host::default(), &[], &never_measured, None)
}

impl FakeFamily {
    pub(crate) fn ran(&'static self, rounds: u32, change: impl FnOnce(&mut Request)) -> Outcome {
        let show = self.run(rounds, |request, _| change(request));
        assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
        show
    }

    pub(crate) fn run(
        &'static self, rounds: u32, change: impl FnOnce(&mut Request, &mut FakeWorkers),
    ) -> Outcome {
        let (mut request, mut workers) = (request(self, rounds), FakeWorkers::new(self));
        change(&mut request, &mut workers);
        run_fake(&[request], workers, None)
    }
}

impl Outcome {
    pub(crate) fn trials(&self) -> impl Iterator<Item = &TrialRecord> {
        self.record.trials.iter()
    }

    pub(crate) fn trial(&self, technique: &str) -> &TrialRecord {
        self.trials().find(|trial| trial.technique == technique).expect(technique)
    }

    pub(crate) fn taken(&self, technique: &str) -> usize {
        self.trial(technique).samples.len()
    }
}
