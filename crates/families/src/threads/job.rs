//! The job: this many iterations in this many shares.

use std::io;
use std::sync::Arc;

use model::{Point, Proof, Workload};
use sys::affinity;
use sys::clock::now_ns;
use sys::thread_limits::Room;

use super::course::{Course, PARTS};
use super::rand;
use super::share::{Generator, Share};
use super::workload::{C_LIBRARY, CONGRUENCE, GENERATOR, ITERATIONS, ITERATIONS_PER_YIELD, THREADS};
use crate::contract::Repeat;
use crate::files::proof_of_number;
use crate::parameters::{number_of, size_on};
use crate::processors::{self, Restriction};
use crate::values::Values;

pub(super) const STACK_BYTES: &str = "stack_bytes";

pub(super) struct ThreadsJob {
    /// Shares of the work: the threads of the baseline.
    pub(super) shares: usize,
    iterations: u64,
    iterations_per_yield: u64,
    generator: Generator,
    wanted: Option<usize>,
    pub(super) course: Arc<Course>,
    pub(super) room: Room,
    parameters: Point,
}

pub(super) type WorkOnce = fn(&ThreadsJob) -> io::Result<()>;

impl ThreadsJob {
    pub(super) fn of(workload: &Workload, parameters: Point) -> io::Result<Self> {
        let shares = size_on(&workload.point, THREADS)?;
        let generator = match workload.point.word(GENERATOR) {
            Some(C_LIBRARY) => Generator::CLibrary,
            Some(CONGRUENCE) => Generator::Congruence,
            _ => Generator::Own,
        };
        Ok(Self {
            shares,
            iterations: number_of(workload, ITERATIONS)?,
            iterations_per_yield: number_of(workload, ITERATIONS_PER_YIELD)?,
            generator,
            wanted: processors::wanted(workload),
            course: Arc::default(),
            room: Room::for_threads(shares, size_on(&parameters, STACK_BYTES).ok()),
            parameters,
        })
    }

    pub(super) fn done_by(&self, work_once: WorkOnce) -> io::Result<Box<dyn Repeat + '_>> {
        let restriction = Restriction::to(self.wanted)?;
        Ok(Box::new(Sharing { job: self, work_once, parts: Vec::new(), _restriction: restriction }))
    }

    fn begin(&self) {
        if self.generator == Generator::CLibrary {
            rand::begin();
        }
        self.course.begin(self.shares);
    }

    /// Returns the `nth` share, counted from 0: the first ones have one iteration more where it does not come out even.
    pub(super) fn share(&self, nth: usize) -> Share {
        let shares = self.shares as u64;
        let iterations = self.iterations / shares + u64::from((nth as u64) < self.iterations % shares);
        Share::new(self.generator, nth, iterations, self.iterations_per_yield)
    }

    /// Returns the threads for a pool: one a processor, but no more than shares.
    pub(super) fn workers(&self) -> usize {
        affinity::count(None).min(self.shares)
    }

    pub(super) fn stack_bytes(&self) -> io::Result<usize> {
        size_on(&self.parameters, STACK_BYTES)
    }
}

pub(super) fn expected(workload: &Workload) -> io::Result<Proof> {
    let job = ThreadsJob::of(workload, Point::default())?;
    job.begin();
    let sum = (0..job.shares).map(|nth| job.share(nth).run(|| ())).sum();
    Ok(proof_of_number(job.iterations, sum))
}

struct Sharing<'job> {
    job: &'job ThreadsJob,
    work_once: WorkOnce,
    parts: Vec<[u64; PARTS.len()]>,
    _restriction: Option<Restriction>,
}

impl Repeat for Sharing<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        self.parts.clear();
        for _ in 0..times {
            let start_ns = now_ns();
            self.job.begin();
            (self.work_once)(self.job)?;
            self.parts.push(self.job.course.parts(start_ns, now_ns()));
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        match self.job.course.sum() {
            Some(sum) if !self.parts.is_empty() => Ok(proof_of_number(self.job.iterations, sum)),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, "not every share has ended")),
        }
    }

    fn values(&self, out: &mut Values) {
        for (nth, part) in PARTS.into_iter().enumerate() {
            let all_ns: u64 = self.parts.iter().map(|parts| parts[nth]).sum();
            out.phase_ns(part, all_ns / (self.parts.len() as u64).max(1));
        }
    }
}
