//! The job: this many passes over each piece of memory, piece by piece.

use std::cell::RefCell;
use std::hint::black_box;
use std::io;
use std::rc::Rc;
use std::thread::Builder;

use model::{Availability, Proof, Workload};
use sys::clock::now_ns;
use sys::failure::reworded;
use sys::thread_limits::limit_reached;
use sys::thread_scope::{Handle, scope};

use super::kernels::{Kernel, Kernels, Work};
use super::mapping::{self, Pages};
use super::memory::{Memory, Wanted, lent, proof_of_sum, proof_of_words, value_of, word_at};
use super::workload::{PASSES, PIECE, THREADS, TOTAL, WORK};
use crate::contract::{Repeat, Technique};
use crate::files::{invalid, unsupported};
use crate::parameters::size_on;
use crate::values::Values;

/// The key of the bandwidth.
pub(super) const BANDWIDTH: &str = "bandwidth_bytes_per_second";

const WORD_BYTES: usize = size_of::<u32>();

#[derive(Debug)]
pub(super) struct BlocksJob {
    work: Work,
    words: usize,
    piece_words: usize,
    passes: u32,
    threads: usize,
}

/// Returns a technique without its name: pages of the usual size, whatever the work.
pub(super) const fn looping(
    prepare: for<'job> fn(&'job BlocksJob) -> io::Result<Box<dyn Repeat + 'job>>,
) -> Technique<BlocksJob> {
    Technique {
        calls: &["mmap", "!mmap MAP_HUGETLB", "!madvise MADV_HUGEPAGE"],
        calls_at,
        ..Technique::usual(prepare)
    }
}

pub(super) fn available(kernels: Result<Kernels, String>, pages: Pages) -> Availability {
    kernels.map_or_else(Availability::Missing, |_| mapping::availability(pages))
}

// Loops over memory that is there make no call of the system; threads take what threads take.
fn calls_at(workload: &Workload) -> Vec<String> {
    match workload.number(THREADS) {
        Some(threads) if threads > 1 => vec![format!("clone3|clone *{}", threads - 1)],
        _ => vec!["only mmap|madvise".to_owned()],
    }
}

pub(super) fn writes_and_copies(workload: &Workload) -> Availability {
    match workload.word(WORK) {
        Some(work @ ("read" | "update")) => {
            Availability::Missing(format!("it has no instruction for the work {work}; it can write and copy"))
        }
        _ => Availability::Ready,
    }
}

pub(super) fn fills_a_huge_page(workload: &Workload) -> Availability {
    match workload.number(TOTAL) {
        Some(total) if total < mapping::HUGE_PAGES_FROM_BYTES => {
            Availability::Missing("the memory is smaller than a huge page of 2 MiB".to_owned())
        }
        _ => Availability::Ready,
    }
}

impl BlocksJob {
    pub(super) fn of(workload: &Workload) -> io::Result<Self> {
        let invalid = |what| invalid(format!("the workload '{}' has no valid {what}", workload.name));
        let job = Self {
            work: workload.word(WORK).and_then(Work::named).ok_or_else(|| invalid(WORK))?,
            words: size_on(&workload.point, TOTAL)? / WORD_BYTES,
            piece_words: size_on(&workload.point, PIECE)? / WORD_BYTES,
            passes: size_on(&workload.point, PASSES)?.try_into().map_err(|_| invalid(PASSES))?,
            threads: size_on(&workload.point, THREADS)?,
        };
        let fits = job.piece_words > 0 && job.passes > 0 && (1..=job.pieces()).contains(&job.threads);
        fits.then_some(job).ok_or_else(|| invalid("piece, number of passes or number of threads"))
    }

    fn pieces(&self) -> usize {
        self.words.div_ceil(self.piece_words)
    }

    pub(super) fn expected(&self) -> Proof {
        let words = 0..self.words;
        match self.work {
            Work::Write => {
                let last = value_of(self.passes - 1);
                proof_of_words(self.words, words.map(|_| last))
            }
            Work::Read => {
                let sum = words.fold(0, |sum: u32, place| sum.wrapping_add(word_at(place)));
                proof_of_sum(self.words, sum.wrapping_mul(self.passes))
            }
            Work::Update => {
                proof_of_words(self.words, words.map(|place| word_at(place).wrapping_add(self.passes)))
            }
            Work::Copy => proof_of_words(self.words, words.map(word_at)),
        }
    }

    pub(super) fn done_by(
        &self, kernels: Result<Kernels, String>, pages: Pages,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        let kernels = kernels.map_err(unsupported)?;
        let kernel = kernels
            .of(self.work)
            .ok_or_else(|| unsupported(format!("it has no instruction for the work {}", self.work.name())))?;
        let has_source = self.work == Work::Copy;
        let memory = lent(Wanted { words: self.words, has_source, pages })?;
        Ok(Box::new(Looping {
            job: self,
            kernel,
            fence: kernels.fence,
            memory,
            sum: 0,
            repetitions: 0,
            ns: 0,
            last_times: 0,
        }))
    }

    /// Returns the sum of what one repetition over a part of the memory read.
    fn loop_over(&self, kernel: Kernel, target: &mut [u32], source: &[u32]) -> u32 {
        let mut sum: u32 = 0;
        let pieces = target.chunks_mut(self.piece_words);
        match kernel {
            Kernel::Write(write) => {
                for piece in pieces {
                    for pass in 0..self.passes {
                        write(black_box(&mut *piece), value_of(pass));
                    }
                }
            }
            Kernel::Read(read) => {
                for piece in pieces {
                    for _ in 0..self.passes {
                        sum = sum.wrapping_add(read(black_box(&*piece)));
                    }
                }
            }
            Kernel::Update(update) => {
                for piece in pieces {
                    for _ in 0..self.passes {
                        update(black_box(&mut *piece));
                    }
                }
            }
            Kernel::Copy(copy) => {
                for (piece, from) in pieces.zip(source.chunks(self.piece_words)) {
                    for _ in 0..self.passes {
                        copy(black_box(from), black_box(&mut *piece));
                    }
                }
            }
        }
        sum
    }

    /// Returns the last sum. Each thread repeats its own pieces and waits for no other between repetitions.
    fn repeated(
        &self, (kernel, fence): (Kernel, Option<fn()>), target: &mut [u32], source: &[u32], times: u64,
    ) -> io::Result<u32> {
        let own = |target: &mut [u32], source: &[u32]| {
            let mut sum = 0;
            for _ in 0..times {
                sum = self.loop_over(kernel, &mut *target, source);
                if let Some(fence) = fence {
                    fence();
                }
            }
            sum
        };
        if self.threads == 1 {
            return Ok(own(target, source));
        }
        let own = &own;
        scope(|scope| {
            let (mut rest, mut begin, mut others) = (target, 0, Vec::new());
            for nth in 1..=self.threads {
                let end = (nth * self.pieces() / self.threads * self.piece_words).min(self.words);
                let (part, behind) = rest.split_at_mut(end - begin);
                let source = source.get(begin..end).unwrap_or(&[]);
                (rest, begin) = (behind, end);
                if nth == self.threads {
                    let sum = own(part, source);
                    return Ok(others.into_iter().map(Handle::join).fold(sum, u32::wrapping_add));
                }
                let other = scope.spawn(Builder::new(), move || own(part, source)).map_err(|error| {
                    reworded(format!("start a thread: {error}{}", limit_reached(None)), &error)
                })?;
                others.push(other);
            }
            Ok(0)
        })
    }
}

struct Looping<'job> {
    job: &'job BlocksJob,
    kernel: Kernel,
    fence: Option<fn()>,
    memory: Rc<RefCell<Memory>>,
    sum: u32,
    /// Since the memory was filled.
    repetitions: u64,
    ns: u64,
    last_times: u64,
}

impl Repeat for Looping<'_> {
    /// Puts the same words into memory, and the same part of them into the caches: the last technique may have worked here.
    fn refresh(&mut self) -> io::Result<()> {
        self.memory.borrow_mut().fill();
        self.repetitions = 0;
        Ok(())
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        let mut memory = self.memory.borrow_mut();
        let (target, source) = memory.parts();
        let start_ns = now_ns();
        self.sum = self.job.repeated((self.kernel, self.fence), target, source, times)?;
        self.ns = now_ns() - start_ns;
        self.last_times = times;
        self.repetitions += times;
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        let job = self.job;
        if let Kernel::Read(_) = self.kernel {
            return Ok(proof_of_sum(job.words, self.sum));
        }
        let mut memory = self.memory.borrow_mut();
        let words = memory.parts().0.iter().copied();
        // Each repetition updates what the one before has left; only one is to be proven.
        let before = match self.kernel {
            Kernel::Update(_) => (self.repetitions.wrapping_sub(1) as u32).wrapping_mul(job.passes),
            _ => 0,
        };
        Ok(proof_of_words(job.words, words.map(|word| word.wrapping_sub(before))))
    }

    fn values(&self, out: &mut Values) {
        let bytes = (self.job.words * WORD_BYTES) as f64 * f64::from(self.job.passes);
        out.number(BANDWIDTH, bytes * self.last_times as f64 * 1e9 / self.ns as f64);
    }

    fn notes(&self) -> Vec<String> {
        self.memory.borrow().note.iter().cloned().collect()
    }
}
