//! Compares queues in the shape of the pipeline: N producers, a transmitter that makes blocks of five, a receiver that unpacks
//! them, and N consumers.
//!
//! ```sh
//! cargo run --release -p queue --example queues
//! cargo run --release -p queue --example queues -- --threads 64 --bounds 10/4/4,100 --work 64 --rounds 21 own kanal
//! ```
//!
//! The queues take turns, in another order every round. A line tells medians of the time and the processor time, the factor to our
//! own queue, and the switches between threads for each unit.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a comparison for developers that talks to them"
)]

mod channels;
mod shape;

use std::io::{self, Write};

use shape::{Plan, Seen};

/// One way to move the units.
struct Entry {
    name: &'static str,
    run: fn(&Plan) -> Seen,
}

const ENTRIES: &[Entry] = &[
    Entry { name: "own", run: shape::own },
    Entry { name: "own_plain", run: shape::through::<channels::Own> },
    Entry { name: "crossbeam", run: shape::through::<channels::Crossbeam> },
    Entry { name: "flume", run: shape::through::<channels::Flume> },
    Entry { name: "kanal", run: shape::through::<channels::Kanal> },
    Entry { name: "std", run: shape::through::<channels::Std> },
    Entry { name: "parking_lot", run: shape::through::<channels::ParkingLot> },
];

const USAGE: &str = "\
usage: queues [--threads 1,64] [--bounds 10/4/4,100] [--work 16] [--rounds 9] [NAME]...
  --threads  producers, and as many consumers
  --bounds   of the queues to the transmitter, to the receiver and to a consumer, or one for all
  --work     mean steps of work on a unit at either end: a power of two; a step takes about a nanosecond";

/// What the command line asks for.
struct Request {
    threads: Vec<usize>,
    bounds: Vec<[usize; 3]>,
    work: Vec<u64>,
    rounds: usize,
    entries: Vec<&'static Entry>,
}

fn main() -> io::Result<()> {
    let request = request(std::env::args().skip(1)).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "threads bounds         work  queue         wall ms  factor   cpu ms  factor  switches/unit"
    )?;
    for &threads in &request.threads {
        for &bounds in &request.bounds {
            for &work_steps in &request.work {
                compare(&request, &Plan { threads, bounds, work_steps, units_each: 1_000 }, &mut out)?;
            }
        }
    }
    Ok(())
}

fn compare(request: &Request, plan: &Plan, out: &mut impl Write) -> io::Result<()> {
    let mut seen: Vec<Vec<Seen>> = request.entries.iter().map(|_| Vec::new()).collect();
    for round in 0..request.rounds {
        for turn in 0..request.entries.len() {
            let at = (turn * (1 + round % 2 * (request.entries.len() - 2)) + round) % request.entries.len();
            seen[at].push((request.entries[at].run)(plan));
        }
    }
    let medians: Vec<_> = seen
        .iter()
        .map(|seen| [median(seen, |seen| seen.wall_ns), median(seen, |seen| seen.cpu_ns)])
        .collect();
    let bounds = plan.bounds.map(|bound| bound.to_string()).join("/");
    for (at, entry) in request.entries.iter().enumerate() {
        let [wall, cpu] = medians[at];
        writeln!(
            out,
            "{:>7} {:<14} {:>4}  {:<12} {:>8.2} {:>7.2} {:>8.2} {:>7.2} {:>14.3}",
            plan.threads,
            bounds,
            plan.work_steps,
            entry.name,
            wall / 1e6,
            wall / medians[0][0],
            cpu / 1e6,
            cpu / medians[0][1],
            median(&seen[at], |seen| seen.switches) / plan.units() as f64,
        )?;
    }
    Ok(())
}

fn median(seen: &[Seen], value: impl Fn(&Seen) -> u64) -> f64 {
    let mut values: Vec<u64> = seen.iter().map(value).collect();
    values.sort_unstable();
    values.get(values.len() / 2).map_or(f64::NAN, |&value| value as f64)
}

fn request(mut words: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut request = Request {
        threads: vec![1, 2, 4, 8, 16, 32, 64],
        bounds: vec![[10, 4, 4], [4; 3], [100; 3], [1_000; 3]],
        work: vec![16],
        rounds: 9,
        entries: Vec::new(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} is given no value"));
        match word.as_str() {
            "--threads" => request.threads = numbers(&value()?, ',')?,
            "--work" => request.work = numbers(&value()?, ',')?.iter().map(|&steps| steps as u64).collect(),
            "--rounds" => request.rounds = numbers(&value()?, ',')?[0],
            "--bounds" => request.bounds = value()?.split(',').map(bounds).collect::<Result<_, _>>()?,
            "--help" => return Err(USAGE.to_owned()),
            name => {
                let entry = ENTRIES.iter().find(|entry| entry.name == name);
                let names: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
                request.entries.push(entry.ok_or(format!("{name} is none of {}", names.join(", ")))?);
            }
        }
    }
    if request.entries.is_empty() {
        request.entries = ENTRIES.iter().collect();
    }
    Ok(request)
}

/// Three bounds, or one for all.
fn bounds(text: &str) -> Result<[usize; 3], String> {
    match numbers(text, '/')?[..] {
        [one] => Ok([one; 3]),
        [first, second, third] => Ok([first, second, third]),
        _ => Err(format!("{text}: one bound or three are expected, for example 10/4/4")),
    }
}

fn numbers(text: &str, between: char) -> Result<Vec<usize>, String> {
    let number = |word: &str| word.parse().ok().filter(|&number| number > 0);
    let numbers: Option<Vec<usize>> = text.split(between).map(number).collect();
    numbers.ok_or(format!("{text}: whole numbers above 0 are expected, for example 4{between}8"))
}
