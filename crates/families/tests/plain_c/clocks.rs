//! Both read a clock in turn on one processor, each in its own process of one thread, so that the same disturbances meet them.
//! What is judged is the median of the ratios, round by round, to the plain loop whose place in memory suits as well. Two loops around the same call differ by a cycle of the processor, as
//! their compilers chose registers: of the shortest calls, no loop reports less than that. Calls take whole cycles, so that what
//! differs by less than one and a half differs by one.

use std::io;
use std::path::Path;
use std::process::Command;

use families::{CLOCK, Repeat};
use model::{Host, Preset, Setting};
use sys::clock::now_ns;

use crate::harness::{Check, trial};
use crate::program::{Plain, pinned_and_built};

/// The largest difference, as a share, where that is more than a cycle of the processor.
const LIMIT: f64 = 0.05;
const CYCLES: f64 = 1.5;
const ROUNDS: usize = 101;
/// Offsets of the plain loop from a cache line.
const PLACES: usize = 4;
/// Readings in a round of a clock that stays outside the kernel, and of one that enters it.
const CALLS: u64 = 100_000;
const CALLS_OF_THE_KERNEL: u64 = 5_000;

/// The entries for which C has the same call, and whether it enters the kernel.
const ENTRIES: [(&str, bool); 18] = [
    ("realtime", false),
    ("monotonic", false),
    ("monotonic_raw", false),
    ("boottime", false),
    ("tai", false),
    ("realtime_coarse", false),
    ("monotonic_coarse", false),
    ("gettimeofday", false),
    ("time_in_seconds", false),
    ("rdtsc", false),
    ("lfence_rdtsc", false),
    ("rdtscp", false),
    ("syscall", true),
    ("process_cputime", true),
    ("thread_cputime", true),
    ("times", true),
    ("getrusage", true),
    ("c_clock", true),
];

pub(crate) const TIMED: &[Check] =
    &[("a_reading_costs_within_5_percent_of_a_plain_loop_in_c", readings_cost_what_a_plain_loop_costs)];

fn readings_cost_what_a_plain_loop_costs() {
    // Linked as this program is: a call then takes the same way into the C library.
    let (_folder, program) = pinned_and_built("clocks.c", &["-O2", "-static"]);
    let (mut rows, mut off) = (Vec::new(), 0);
    for (entry, enters_the_kernel) in ENTRIES {
        let calls = if enters_the_kernel { CALLS_OF_THE_KERNEL } else { CALLS };
        let Some((own_ns, plain_ns, ratio)) = compared(entry, &program, calls) else {
            rows.push(format!("{entry:<20} not available here"));
            continue;
        };
        // Here, since the processor changes its speed.
        let cycle_ns = cycle_ns(&program).expect("timed");
        let is_off = (ratio - 1.0).abs() > LIMIT.max(CYCLES * cycle_ns / plain_ns);
        off += usize::from(is_off);
        let mark = if is_off { "  off" } else { "" };
        rows.push(format!("{entry:<20} {own_ns:>8.2} ns {plain_ns:>8.2} ns {ratio:.3}{mark}"));
    }
    let table = rows.join("\n");
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("clock_costs.txt"), &table).expect("written");
    assert!(off == 0, "own, plain, median ratio:\n{table}");
}

/// Lets the C program make this many calls; returns the nanoseconds of one at each place.
fn call_ns(plain: &mut Plain, calls: u64) -> io::Result<[f64; PLACES]> {
    let places = plain.ask(format!("{calls}\n").as_bytes())?;
    places.try_into().map_err(|places| io::Error::other(format!("the C program said {places:?}")))
}

/// Returns the nanoseconds of a cycle of the processor.
fn cycle_ns(program: &Path) -> io::Result<f64> {
    const ADDITIONS: f64 = 8.0;
    let mut plain = Plain::start(Command::new(program).arg("cycle"))?;
    let rounds: io::Result<Vec<f64>> = (0..ROUNDS).map(|_| Ok(call_ns(&mut plain, CALLS)?[0])).collect();
    plain.end()?;
    Ok(median(rounds?) / ADDITIONS)
}

/// Returns typical nanoseconds of both, and the median ratio, for the place that agrees best; `None` where this host lacks the
/// clock.
fn compared(entry: &str, program: &Path, calls: u64) -> Option<(f64, f64, f64)> {
    let setting = Setting::default();
    if !CLOCK.probe(entry, &Host::default(), &setting).is_ready() {
        return None;
    }
    let workload = CLOCK.workloads(Preset::Published).remove(0).with("calls", calls);
    let trial = trial("clock", entry, &workload, setting, Path::new("unused"));
    let mut pairs = Vec::new();
    CLOCK
        .perform(&trial, &mut |technique| {
            let mut plain = Plain::start(Command::new(program).arg(entry))?;
            for nth in 0..ROUNDS {
                pairs.push(round(technique, &mut plain, calls, nth % 2 == 0)?);
            }
            plain.end()
        })
        .expect(entry);
    let own = median(pairs.iter().map(|pair| pair.0).collect());
    let places = (0..PLACES).map(|place| {
        let plain = median(pairs.iter().map(|pair| pair.1[place]).collect());
        (own, plain, median(pairs.iter().map(|(own, plain)| own / plain[place]).collect()))
    });
    places.min_by(|(_, _, one), (_, _, other)| one.ln().abs().total_cmp(&other.ln().abs()))
}

/// Returns the nanoseconds of a call of both, in the order asked for.
fn round(
    technique: &mut dyn Repeat, plain: &mut Plain, calls: u64, own_first: bool,
) -> io::Result<(f64, [f64; PLACES])> {
    let (mut own_ns, mut plain_ns) = (0.0, [0.0; PLACES]);
    for is_own in [own_first, !own_first] {
        if is_own {
            // Either side has just slept: what the first calls find cold is in no time.
            technique.repeat(1)?;
            let begin_ns = now_ns();
            technique.repeat(1)?;
            own_ns = (now_ns() - begin_ns) as f64 / calls as f64;
        } else {
            plain_ns = call_ns(plain, calls)?;
        }
    }
    Ok((own_ns, plain_ns))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
