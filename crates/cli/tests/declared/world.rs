//! A run of the family: its workers are this process, its store is a file.

use std::io;
use std::sync::atomic::AtomicBool;

use measure::{
    Assignment, Environment, Event, Launcher, Observer, Plan, Refusal, Request, ScratchRegister, Selection,
    Sink, Untimed, WorkerCommand, plan, work,
};
use model::{Host, Increment, Record, RunId, Usage};
use store::Sqlite;
use sys::process::{Ended, Input, Launch, Status};

use crate::pipes::PIPES;

/// The fate of the process that looks for the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Facts {
    Found,
    Crash,
    Hang,
    Silence,
}

struct Workers {
    facts: Facts,
}

impl Launcher for Workers {
    fn run(&mut self, launch: &Launch, _interrupted: &AtomicBool) -> io::Result<Ended> {
        let Input::Bytes(bytes) = &launch.input else { panic!("{launch:?} has no assignment") };
        let assignment: Assignment = serde_json::from_slice(bytes).expect("an assignment");
        let start_ns = sys::clock::now_ns();
        let (mut stdout, mut status) = (Vec::new(), Status::Exit(0));
        match (assignment, self.facts) {
            (Assignment::Facts { .. }, Facts::Crash) => {
                status = Status::Signal { number: 11, name: "SIGSEGV".to_owned() };
            }
            (Assignment::Facts { .. }, Facts::Hang) => status = Status::TimedOut,
            (Assignment::Facts { .. }, Facts::Silence) => {}
            _ => work(&[&PIPES], bytes, &mut stdout)?,
        }
        let elapsed_ns = match status {
            Status::TimedOut => launch.time_limit_ns.expect("a limit"),
            _ => sys::clock::now_ns() - start_ns,
        };
        let usage = Usage { minor_faults: Some(3), ..Usage::default() };
        Ok(Ended { elapsed_ns, usage, stdout, ..Ended::new(status) })
    }
}

struct Kept(Sqlite, RunId);

impl Sink for Kept {
    fn begin(&mut self, record: &Record) -> io::Result<()> {
        self.0.begin(record).map_err(io::Error::other)
    }

    fn append(&mut self, increment: &Increment) -> io::Result<()> {
        self.0.append(&self.1, increment).map_err(io::Error::other)
    }
}

struct Silent;

impl Observer for Silent {
    fn see(&mut self, _event: &Event<'_>) {}
}

fn request(metric: Option<&str>) -> Request {
    let metric = metric.map(str::to_owned);
    let selections = vec![Selection { family: &PIPES, entries: None }];
    Request { metric, untimed: Untimed::Each(0), ..Request::usual(selections, 7) }
}

/// Returns what would be measured.
pub(crate) fn planned(metric: Option<&str>) -> Result<Plan, Refusal> {
    plan(&request(metric), &Host::default(), &[], &measure::never_measured, None)
}

/// Measures it and reads what was kept.
pub(crate) fn measured(facts: Facts) -> Record {
    let plan = planned(None).expect("a plan");
    let folder = tempfile::tempdir().expect("a folder");
    let register = ScratchRegister::open(folder.path()).expect("a register");
    let record =
        Record { design: plan.design.clone(), complete: false, ..testkit::record("20261121T100000-aa") };
    let store = Sqlite::open(folder.path().join("runs.sqlite")).expect("a store");
    let mut kept = Kept(store, record.id.clone());
    let interrupted = AtomicBool::new(false);
    let environment = Environment {
        worker: WorkerCommand { program: "bakeoff".into(), arguments: Vec::new() },
        register: &register,
        launcher: &mut Workers { facts },
        sink: &mut kept,
        observer: &mut Silent,
        answers: None,
        interrupted: &interrupted,
        now_ns: sys::clock::now_ns,
        start_ns: sys::clock::now_ns(),
    };
    measure::run(plan, record.clone(), environment).expect("measured");
    kept.0.load(&record.id).expect("kept")
}
