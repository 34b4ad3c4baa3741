use std::fs::{self, OpenOptions};
use std::io;
use std::process::abort;
use std::ptr::without_provenance_mut;
use std::thread::sleep;
use std::time::Duration;

use crate::contract::Technique;
use crate::control::job::{ControlJob, control, spin};
use crate::files::{OpenFile, SourceMapping, at, unsupported};
use crate::random::mix;

pub(in crate::control) const CONTROLS: &[Technique<ControlJob>] = &[
    // Ten that are one.
    longer::<0>("spin_a", SAME),
    longer::<0>("spin_b", SAME),
    longer::<0>("spin_c", SAME),
    longer::<0>("spin_d", SAME),
    longer::<0>("spin_e", SAME),
    longer::<0>("spin_f", SAME),
    longer::<0>("spin_g", SAME),
    longer::<0>("spin_h", SAME),
    longer::<0>("spin_i", SAME),
    longer::<0>("spin_j", SAME),
    longer::<10>("spin_plus_1", "the chain, 1 % longer"),
    longer::<20>("spin_plus_2", "the chain, 2 % longer"),
    // Eight of them: a field behind two that are best.
    longer::<50>("spin_plus_5", PLUS_5),
    longer::<50>("spin_plus_5_b", PLUS_5),
    longer::<50>("spin_plus_5_c", PLUS_5),
    longer::<50>("spin_plus_5_d", PLUS_5),
    longer::<50>("spin_plus_5_e", PLUS_5),
    longer::<50>("spin_plus_5_f", PLUS_5),
    longer::<50>("spin_plus_5_g", PLUS_5),
    longer::<50>("spin_plus_5_h", PLUS_5),
    tiny("tiny"),
    tiny("tiny_b"),
    control("drifting", "the chain, longer by 0.5 % every round up to 10 %", |job| {
        job.done_by(|job| job.spin_longer(drift_per_mille(job.round)))
    }),
    control("heavy_tail", "the chain, 30 % longer in one round of ten", |job| {
        job.done_by(|job| job.spin_longer(tail_per_mille(job.seed, job.round)))
    }),
    // The place costs every entry of a contest alike, so there are two that are the same.
    longer_in_first_place::<0>("first_is_slower", FIRST_IS_SLOWER),
    longer_in_first_place::<0>("first_is_slower_b", FIRST_IS_SLOWER),
    longer_in_first_place::<50>(
        "first_is_slower_plus_5",
        "the chain, 5 % longer, and 3 % more where it is first in its round",
    ),
    // Their time is real, but no processor's.
    sleeping::<5>("sleep_5ms", "sleeps for 5 ms"),
    sleeping::<7>("sleep_7ms", "sleeps for 7 ms"),
    sleeping::<20>("sleep_20ms", "sleeps for 20 ms"),
    control("wrong_answer", "returns at once with the proof of one iteration too many", |job| {
        job.done_wrong(|_| Ok(()), job.iterations.wrapping_add(1))
    }),
    control("instant", "does nothing, and proves it: no iteration", |job| job.done_wrong(|_| Ok(()), 0)),
    control("refused", "says that the system refuses what it needs", |job| job.done_by(|_| refuse())),
    control("hang", "never ends", |job| job.done_by(|_| hang())),
    control("crash", "ends its own process by abort", |job| job.done_by(|_| abort())),
    control("fault", "writes to memory that is not there", |job| job.done_by(|_| fault())),
    control("exhaust_memory", "allocates and touches memory until the limit of the setting is met", |job| {
        job.done_by(exhaust)
    }),
    control("shrinking_file", "reads a mapped file that was cut off after it was mapped", |job| {
        job.done_by(read_beyond_the_end)
    }),
];

const SAME: &str = "the chain, exactly as long as asked";
const PLUS_5: &str = "the chain, 5 % longer";
const FIRST_IS_SLOWER: &str = "the chain, 3 % longer where it is first in its round";

const fn longer<const PER_MILLE: u64>(name: &'static str, idea: &'static str) -> Technique<ControlJob> {
    control(name, idea, |job| job.done_by(|job| job.spin_longer(PER_MILLE)))
}

const fn longer_in_first_place<const PER_MILLE: u64>(
    name: &'static str, idea: &'static str,
) -> Technique<ControlJob> {
    control(name, idea, |job| job.done_by(|job| job.spin_longer(PER_MILLE + place_per_mille(job.position))))
}

const fn sleeping<const MS: u64>(name: &'static str, idea: &'static str) -> Technique<ControlJob> {
    control(name, idea, |job| {
        job.done_by(|_| {
            sleep(Duration::from_millis(MS));
            Ok(())
        })
    })
}

/// Far too short for one reading of the clock, on a processor of 3 to 5 GHz.
const fn tiny(name: &'static str) -> Technique<ControlJob> {
    control(name, "20 iterations, about 50 ns: a stretch must hold many of them", |job| {
        job.done_by(|_| {
            spin(20);
            Ok(())
        })
    })
}

fn drift_per_mille(round: u64) -> u64 {
    round.saturating_mul(5).min(100)
}

/// Drawn from the seed and the round: the same run draws the same tail again.
fn tail_per_mille(seed: u64, round: u64) -> u64 {
    if mix(seed ^ mix(round)).is_multiple_of(10) { 300 } else { 0 }
}

fn place_per_mille(position: Option<u64>) -> u64 {
    if position == Some(0) { 30 } else { 0 }
}

fn refuse() -> io::Result<()> {
    Err(unsupported("this control is always refused; nothing is to be done about it"))
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
    // SAFETY: no memory of this program lies there: the system ends the process at this volatile store.
    unsafe { without_provenance_mut::<u8>(NOWHERE).write_volatile(1) };
    Err(io::Error::other("the first page of memory is mapped here: the fault did not happen"))
}

/// Takes memory until there is none. Stops at the setting's own limit even where nothing enforces it, so that the machine stays up.
fn exhaust(job: &ControlJob) -> io::Result<()> {
    /// Taken in one step: small enough to come close to any limit.
    const STEP_BYTES: usize = 1 << 20;
    /// No page is larger than a step, and none is smaller than this.
    const PAGE_BYTES: usize = 4096;
    let Some(limit_bytes) = job.memory_limit_bytes else {
        return Err(unsupported(
            "exhaust_memory runs only with a memory limit: without one it would take the whole machine",
        ));
    };
    let mut taken: Vec<Vec<u8>> = Vec::new();
    while (taken.len() * STEP_BYTES) as u64 <= limit_bytes {
        let mut step = Vec::new();
        let refused = taken.try_reserve(1).and_then(|()| step.try_reserve_exact(STEP_BYTES));
        if refused.is_err() {
            let got = model::format_bytes((taken.len() * STEP_BYTES) as u64);
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory after {got}")));
        }
        for page in step.spare_capacity_mut().iter_mut().step_by(PAGE_BYTES) {
            page.write(1);
        }
        taken.push(std::hint::black_box(step));
    }
    let limit = model::format_bytes(limit_bytes);
    let sentence = format!("took all of {limit}, and nothing stopped it before");
    Err(io::Error::new(io::ErrorKind::OutOfMemory, sentence))
}

/// Reads a mapped file that was cut off after it was mapped, as a program does whose input shrinks under it.
fn read_beyond_the_end(job: &ControlJob) -> io::Result<()> {
    const BYTES: usize = 1 << 20;
    let path = job.false_answer.with_file_name("control.mapped");
    fs::write(&path, vec![b'b'; BYTES]).map_err(at("write", &path))?;
    let file = OpenFile::open(&path)?;
    let mapping = SourceMapping::of_source(&file, BYTES as u64)?;
    // Windows refuses this as long as the mapping lives.
    OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(0)).map_err(at("cut", &path))?;
    // SAFETY: the byte lies inside the mapping; the page is gone, so the system ends the process at this volatile read.
    let byte = unsafe { mapping.address_of(0).read_volatile() };
    Err(io::Error::other(format!("the lost page still reads as {byte}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slower_controls_are_slower_by_what_they_announce() {
        assert_eq!([0, 1, 10, 20, 1_000].map(drift_per_mille), [0, 5, 50, 100, 100]);
        assert_eq!([None, Some(0), Some(1)].map(place_per_mille), [0, 30, 0]);
        let tails = (0..10_000).filter(|&round| tail_per_mille(7, round) == 300).count();
        assert!((850..1_150).contains(&tails), "{tails} of 10000 rounds have a tail");
        assert!((0..100).any(|round| tail_per_mille(7, round) != tail_per_mille(8, round)));
    }
}
