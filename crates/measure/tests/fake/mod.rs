//! A family whose techniques are made up, workers that answer as real ones would, and a run of them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};

use families::{Body, Curve, Entry, Family, Mode, Placeholder};
use measure::{
    Answer, Assignment, Conditions, Ending, Event, Launcher, MeasureError, Observer, Request,
    ScratchRegister, Selection, Sink, Timed, WorkerCommand, plan,
};
use model::{
    Availability, Cache, Class, Design, Durability, FailureKind, Host, Increment, Metric, Preset, Proof,
    Record, RunId, Setting, Tool, Trial, Usage, Workload,
};
use sys::process::{Ended, Input, Launch, Status};

/// What a worker does when it is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Behaviour {
    /// Takes so many nanoseconds, give or take a little.
    Steady(f64),
    /// Takes so many milliseconds, and really sleeps so long.
    Sleeps(u64),
    /// Takes so many nanoseconds at first and a thousandth more with every call.
    Drifts(f64),
    /// Takes so many nanoseconds at the smallest size, and at all others as many as `to`, give or take much.
    LevelsOff {
        from: f64,
        to: f64,
    },
    /// Takes up to a fifth more or less than so many nanoseconds, at random.
    Restless(f64),
    Lies,
    Hangs,
    Crashes,
    /// Is refused by the kernel.
    Refused,
    /// Does well so often, then crashes.
    CrashesAfter(u32),
    /// When it is entered twice, the second one is slower: the instrument is broken.
    TwinIsSlower(f64),
    /// The same, until it has been called so often.
    TwinIsSlowerUntil(f64, u32),
}

pub(crate) struct FakeFamily {
    name: &'static str,
    behaviours: Vec<(&'static str, Behaviour)>,
    mode: Mode,
    /// Directories in which its workers tried something out.
    pub(crate) probed_in: Mutex<Vec<PathBuf>>,
}

impl FakeFamily {
    pub(crate) fn leaked(
        name: &'static str,
        mode: Mode,
        behaviours: &[(&'static str, Behaviour)],
    ) -> &'static Self {
        Box::leak(Box::new(Self { name, behaviours: behaviours.to_vec(), mode, probed_in: Mutex::default() }))
    }

    fn proof() -> Proof {
        Proof { bytes: 3, digest: "abc".to_owned() }
    }
}

impl Family for FakeFamily {
    fn name(&self) -> &'static str {
        self.name
    }
    fn question(&self) -> &'static str {
        "Is this real?"
    }
    fn entries(&self) -> Vec<Entry> {
        let entry = |(name, _): &(&str, Behaviour)| Entry {
            name: (*name).to_owned(),
            aliases: Vec::new(),
            idea: "fake".to_owned(),
            source: "none".to_owned(),
            class: Class::MovesBytes,
            ceiling: false,
            parameter: None,
            variant_of: None,
        };
        self.behaviours.iter().map(entry).collect()
    }
    fn mode(&self) -> Mode {
        self.mode
    }
    fn reference(&self) -> &'static str {
        self.behaviours[0].0
    }
    fn workloads(&self, _preset: Preset) -> Vec<Workload> {
        vec![Workload { name: "fake".to_owned(), ..Workload::default() }]
    }
    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        Some(Workload::of_bytes(bytes.to_string(), bytes))
    }
    fn curve(&self) -> Option<&'static Curve> {
        Some(&Curve { along: "bytes", pairs: &[("pair_a", "pair_b")], levels: &[] })
    }
    fn scratch_bytes(&self, _workload: &Workload) -> u64 {
        0
    }
    fn generate(&self, _workload: &Workload, _scratch: &Path, _seed: u64) -> io::Result<()> {
        Ok(())
    }
    fn inputs(&self, _workload: &Workload, _scratch: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
    fn expected(&self, _workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(Self::proof())
    }
    fn clear(&self, _workload: &Workload, _scratch: &Path) -> io::Result<()> {
        Ok(())
    }
    fn inspect(&self, _workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(Self::proof())
    }
    fn placeholders(&self, _workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        vec![Placeholder::required("output", scratch.join("output"))]
    }
    fn probe(&self, _entry: &str, _host: &Host, setting: &Setting) -> Availability {
        self.probed_in.lock().expect("no panic").push(setting.directory.clone());
        Availability::Ready
    }
    fn perform(&self, _trial: &Trial, _body: &mut Body<'_>) -> io::Result<()> {
        Err(io::Error::other("fake is not performed"))
    }
}

/// Answers as workers would.
pub(crate) struct FakeWorkers {
    family: &'static FakeFamily,
    calls: BTreeMap<String, u32>,
    /// Raises the flag before this launch, counted from 0.
    pub(crate) interrupt_at: Option<u32>,
    /// Whether an interruption reaches the process before it reaches who would stop it.
    pub(crate) dies_of_interruption: bool,
    launches: u32,
    /// The user interrupts while the inputs are made.
    pub(crate) stops_while_generating: bool,
    /// To make the inputs takes for ever.
    pub(crate) hangs_while_generating: bool,
    /// How often the work is done in the launch at hand.
    times: u64,
    /// The size of the workload at hand.
    bytes: u64,
    state: u64,
}

impl FakeWorkers {
    pub(crate) fn new(family: &'static FakeFamily) -> Self {
        Self {
            family,
            calls: BTreeMap::new(),
            interrupt_at: None,
            dies_of_interruption: false,
            launches: 0,
            stops_while_generating: false,
            hangs_while_generating: false,
            times: 1,
            bytes: 0,
            state: 0x1234_5678_9ABC_DEF1,
        }
    }

    /// What a worker answers that made the inputs, or looked at a result.
    fn work_on_files(&self, interrupted: &AtomicBool) -> Ended {
        if self.stops_while_generating {
            interrupted.store(true, Ordering::Relaxed);
        }
        match (interrupted.load(Ordering::Relaxed), self.hangs_while_generating) {
            (true, _) => ended(Status::Cancelled, Vec::new()),
            (_, true) => ended(Status::TimedOut, Vec::new()),
            _ => ended(Status::Exit(0), line(&Answer::Proof { proof: FakeFamily::proof() })),
        }
    }

    /// From 0 to 1, never the same twice.
    fn draw(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 40) as f64 / f64::from(1 << 24)
    }

    /// A small spread.
    fn jitter(&mut self) -> f64 {
        1.0 + 0.004 * self.draw()
    }

    fn run_fake(&mut self, technique: &str, is_twin: bool, index: usize) -> Result<Timed, Status> {
        let behaviour = self
            .family
            .behaviours
            .iter()
            .find(|(name, _)| *name == technique)
            .map(|(_, behaviour)| *behaviour);
        let calls = self.calls.entry(technique.to_owned()).or_default();
        *calls += 1;
        let calls = *calls;
        let crash = || Status::Signal { number: 11, name: "SIGSEGV".to_owned() };
        let ns = match behaviour.expect("a worker of the family") {
            Behaviour::Steady(ns) => ns,
            Behaviour::LevelsOff { from, .. } if self.bytes <= 1 << 10 => from,
            Behaviour::Restless(ns) | Behaviour::LevelsOff { to: ns, .. } => ns * (0.8 + 0.4 * self.draw()),
            Behaviour::Sleeps(ms) => {
                std::thread::sleep(std::time::Duration::from_millis(ms * self.times));
                ms as f64 * 1e6
            }
            Behaviour::Drifts(ns) => ns * (1.0 + f64::from(calls) * 1e-3),
            Behaviour::TwinIsSlower(ns) => ns * (0.5 + self.draw()) * if is_twin { 3.0 } else { 1.0 },
            Behaviour::TwinIsSlowerUntil(ns, last) => {
                ns * (0.5 + self.draw()) * if is_twin && calls <= last { 3.0 } else { 1.0 }
            }
            Behaviour::CrashesAfter(times) if calls > times => return Err(crash()),
            Behaviour::CrashesAfter(_) | Behaviour::Lies | Behaviour::Refused => 1e6,
            Behaviour::Hangs => return Err(Status::TimedOut),
            Behaviour::Crashes => return Err(crash()),
        };
        let lies = behaviour == Some(Behaviour::Lies);
        Ok(Timed {
            trial: index,
            inner: 0,
            position: 0,
            work_ns: (ns * self.jitter()) as u64,
            repetitions: 1,
            usage: Usage::default(),
            processor_before: None,
            processor_after: None,
            proof: Some(if lies {
                Proof { bytes: 3, digest: "xyz".to_owned() }
            } else {
                FakeFamily::proof()
            }),
            phases_ns: BTreeMap::new(),
            notes: Vec::new(),
        })
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
        if matches!(assignment, Assignment::Files { .. }) {
            return Ok(self.work_on_files(interrupted));
        }
        if self.interrupt_at == Some(self.launches) {
            interrupted.store(true, Ordering::Relaxed);
        }
        self.launches += 1;
        self.times = match &assignment {
            Assignment::Calibrate { .. } => 2,
            Assignment::Sample { repetitions, stretches, untimed_first, .. } => {
                repetitions * u64::from(*stretches) + u64::from(*untimed_first)
            }
            Assignment::Once { .. } | Assignment::Session { .. } | Assignment::Files { .. } => 1,
        };
        let (trials, inner_rounds) = match assignment {
            Assignment::Calibrate { trial }
            | Assignment::Sample { trial, .. }
            | Assignment::Once { trial } => (vec![trial], 1),
            Assignment::Session { trials, inner_rounds, .. } => (trials, inner_rounds),
            Assignment::Files { .. } => unreachable!("done above"),
        };
        let (mut stdout, mut status) = (Vec::new(), Status::Exit(0));
        let mut seen: Vec<String> = Vec::new();
        'session: for inner in 0..inner_rounds {
            for (index, trial) in trials.iter().enumerate() {
                stdout.extend(line(&Answer::Begin { trial: index }));
                let refused =
                    self.family.behaviours.contains(&(trial.technique.clone().leak(), Behaviour::Refused));
                if refused {
                    let reason = "not today".to_owned();
                    let kind = FailureKind::Refused;
                    stdout.extend(line(&Answer::Failed { trial: index, kind, reason }));
                    continue;
                }
                // The twin is only known by its place: it is the last of the round, or of the session.
                let is_twin = seen.contains(&trial.technique)
                    || launch.environment.iter().any(|(_, value)| value == "twin");
                seen.push(trial.technique.clone());
                self.bytes = trial.workload.bytes().unwrap_or(0);
                match self.run_fake(&trial.technique, is_twin, index) {
                    Ok(timed) => stdout.extend(line(&Answer::Timed(Box::new(Timed { inner, ..timed })))),
                    Err(ended) => {
                        status = ended;
                        break 'session;
                    }
                }
            }
            seen.clear();
        }
        if interrupted.load(Ordering::Relaxed) {
            status = match self.dies_of_interruption {
                true => Status::Signal { number: 2, name: "SIGINT".to_owned() },
                false => Status::Cancelled,
            };
        }
        Ok(ended(status, stdout))
    }
}

fn ended(status: Status, stdout: Vec<u8>) -> Ended {
    Ended {
        status,
        elapsed_ns: 5_000_000,
        usage: Usage::default(),
        stdout,
        stderr: Vec::new(),
        survivors: 0,
        counted_by: String::new(),
    }
}

#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) record: Option<Record>,
    pub(crate) rounds: Vec<usize>,
    pub(crate) fails_at: Option<usize>,
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
pub(crate) struct Silent {
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
    Request {
        selections: vec![Selection { family, entries: None }],
        preset: Preset::Quick,
        sizes_bytes: Vec::new(),
        files: Vec::new(),
        axes: Vec::new(),
        caches: vec![Cache::Warm],
        durabilities: vec![Durability::Returned],
        directories: vec![std::env::temp_dir()],
        processors: Vec::new(),
        contenders: Vec::new(),
        metric: None,
        alpha: 0.05,
        alpha_is_shared: false,
        delta: 0.02,
        rounds,
        reference: None,
        budget_ns: 3_600_000_000_000,
        budget_stretches: false,
        time_limit_ns: 1_000_000_000,
        memory_limit_bytes: None,
        seed: 7,
    }
}

fn blank(design: &Design) -> Record {
    Record {
        tool: Tool { name: "bakeoff".to_owned(), version: "0".to_owned(), commit: None },
        id: RunId("fake".to_owned()),
        started: "2026-01-01T00:00:00+00:00".to_owned(),
        seed: 7,
        preset: Preset::Quick,
        complete: false,
        command: Vec::new(),
        design: design.clone(),
        host: Host::default(),
        volumes: Vec::new(),
        trials: Vec::new(),
        canaries: Vec::new(),
        notes: Vec::new(),
    }
}

pub(crate) struct Outcome {
    pub(crate) ending: Result<Ending, MeasureError>,
    pub(crate) record: Record,
    pub(crate) rounds: Vec<usize>,
    pub(crate) again: u32,
}

/// The canaries share the machine's memory: one run at a time keeps the peak small.
static ONE_AT_A_TIME: LazyLock<Mutex<()>> = LazyLock::new(Mutex::default);

pub(crate) fn run_fake_with(
    family: &'static FakeFamily,
    request: &Request,
    mut workers: FakeWorkers,
    mut sink: Memory,
) -> Outcome {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    assert_eq!(workers.family.name, family.name);
    let state = tempfile::tempdir().expect("a folder");
    let register = ScratchRegister::open(state.path()).expect("a register");
    let plan = plan(request, &Host::default(), &[], &never, Some(&register)).expect("a plan");
    let record = blank(&plan.design);
    let mut observer = Silent::default();
    let interrupted = AtomicBool::new(false);
    let conditions = Conditions {
        worker: WorkerCommand { program: "bakeoff".into(), arguments: vec!["worker".into()] },
        register: &register,
        launcher: &mut workers,
        sink: &mut sink,
        observer: &mut observer,
        interrupted: &interrupted,
        start_ns: sys::clock::now_ns(),
    };
    let ending = measure::run(plan, record, conditions);
    let left = std::fs::read_dir(state.path()).expect("readable").count();
    assert_eq!(left, 0, "scratch folders stay registered");
    Outcome {
        ending,
        record: sink.record.unwrap_or_else(|| blank(&no_design())),
        rounds: sink.rounds,
        again: observer.again,
    }
}

/// Nothing was measured before.
pub(crate) fn never(_: &str, _: &Workload, _: &Setting) -> BTreeMap<String, u64> {
    BTreeMap::new()
}

fn no_design() -> Design {
    Design {
        metric: Metric::Work,
        alpha: 0.05,
        shared_by: 1,
        delta: 0.02,
        looks: vec![],
        references: BTreeMap::new(),
        curves: BTreeMap::new(),
    }
}

pub(crate) fn run_fake(name: &'static str, mode: Mode, behaviours: &[(&'static str, Behaviour)]) -> Outcome {
    let family = FakeFamily::leaked(name, mode, behaviours);
    run_fake_with(family, &request(family, 20), FakeWorkers::new(family), Memory::default())
}

impl Outcome {
    pub(crate) fn trial(&self, technique: &str) -> &model::TrialRecord {
        self.record.trials.iter().find(|trial| trial.technique == technique).expect(technique)
    }
}
