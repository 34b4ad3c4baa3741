//! Our own queue against the best of the known ones, and the cost of a switch in `pipeline` against that of perf (T26). On request.

use anyhow::{Context, Result};

use super::entered::{Against, commands_file, missing};
use super::instrument::words;
use super::threads::at_every_level;
use super::{Amount, Line, Session};

const DEPTHS: [&str; 3] = ["4", "100", "1000"];
/// 1, 2, 4, ... 64.
const LEVELS: usize = 7;
/// The queue is to be as fast at all levels together: a chance of error of 5 % is shared by them.
const ALPHA_OF_A_LEVEL: &str = "0.007";
const QUEUES: &str = "pipeline/own_queue pipeline/crossbeam pipeline/flume pipeline/kanal pipeline/std_sync_channel \
                      pipeline/parking_lot";
const OWN_QUEUE: &str = "own_queue";
/// The second metric of the same samples.
const PROCESSOR_TIME: &str = "cpu_per_million_units_ns";

/// Counted rounds against perf.
const ROUNDS: Amount = Amount::new(60, 60, 300);
/// Either side may take this much longer than the other: they are to agree.
const WITHIN: f64 = 0.1;
const ROUND_TRIPS: u32 = 20_000;
const PIPE: &str = "pipe";
const PERF: &str = "perf_pipe";

/// T26: our own queue at each depth and number of threads, and the switch.
pub(super) fn queue_and_switch(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for depth in DEPTHS {
        lines.extend(own_queue(session, depth)?);
    }
    lines.push(switch(session, ONE_PROCESSOR)?);
    lines.push(switch(session, TWO_PROCESSORS)?);
    Ok(lines)
}

fn own_queue(session: &Session, depth: &str) -> Result<[Line; 2]> {
    // A baseline stays in a contest until it is distinguished from the best, and gets a factor with an interval.
    let (run, _) = session.instrument.measure(&format!(
        "{QUEUES} --threads 1..64 --set depth={depth} --budget 90s --baseline {OWN_QUEUE} --alpha {ALPHA_OF_A_LEVEL}"
    ))?;
    let by_processor_time = session.instrument.reported(PROCESSOR_TIME)?;
    Ok([(run, "time"), (by_processor_time, "processor time")].map(|(run, what)| {
        let asked = format!("own queue, depth {depth}, by {what}");
        at_every_level(&asked, OWN_QUEUE, &run.rankings_of("pipeline"), LEVELS, 1.0)
    }))
}

/// Compares the family's pipe with perf's in one run. The time of both contains the start and the end of their threads.
fn switch(session: &Session, on: On) -> Result<Line> {
    let asked = format!("round trips through a pipe {}, against perf bench sched pipe -T", on.in_words);
    if let Some(line) = missing(&asked, "perf", "linux-perf") {
        return Ok(line);
    }
    let command = format!("{} perf bench sched pipe -T -l {ROUND_TRIPS}", on.before);
    let peers = vec![(PERF.to_owned(), words(&command))];
    let file = commands_file(&session.instrument, "pipeline", peers)?;
    let rounds = session.wanted(ROUNDS).max(3);
    // By the time of whole processes, which this run compares, perf might leave it early.
    let (run, _) = session.instrument.measure(&format!(
        "pipeline/{PIPE} --commands-file '{}' --set route=round_trip --set threads=1 --set units={ROUND_TRIPS} \
         --set work_steps=0 {} --rounds {rounds} --min-rounds {rounds}",
        file.display(),
        on.settings
    ))?;
    let against = Against { technique: PIPE, peer: PERF, slower: WITHIN, faster: WITHIN };
    Ok(against.line(&session.instrument, &run, asked, &round_trips_ns))
}

/// The processors of both threads of a round trip. Left to the system, they are now together, now apart: 2 to 60 us a round trip.
struct On {
    in_words: &'static str,
    settings: &'static str,
    /// The words before the command of perf.
    before: &'static str,
}

/// The processor changes from one thread to the other at each hand-over, and does nothing else.
const ONE_PROCESSOR: On = On {
    in_words: "on one processor",
    settings: "--set processors=1 --set placement=free",
    before: "taskset --cpu-list 0",
};

/// Each thread is kept on a processor of its own. `perf bench` cannot do that: the shell keeps its two threads there.
const TWO_PROCESSORS: On = On {
    in_words: "on two processors, a thread on each",
    settings: "--set processors=2 --set placement=spread",
    before: r#"sh -c '
        "$@" & program=$!
        while kill -0 $program; do set -- /proc/$program/task/*; [ $# -lt 3 ] || break; done
        taskset --pid --cpu-list 0 ${2##*/}; taskset --pid --cpu-list 1 ${3##*/}
        wait $program' sh"#,
};

/// Reads the time of all round trips in nanoseconds. The total that perf prints has milliseconds only, so the time of one is read.
fn round_trips_ns(printed: &str) -> Result<f64> {
    let of_one = printed.lines().find_map(|line| line.trim().strip_suffix("usecs/op"));
    let of_one_us = of_one.and_then(|number| number.trim().parse::<f64>().ok());
    let of_one_us =
        of_one_us.with_context(|| format!("perf bench sched pipe printed no time: {}", printed.trim()))?;
    Ok(of_one_us * 1e3 * f64::from(ROUND_TRIPS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_all_round_trips_follows_from_that_of_one() {
        // What perf 6.1 printed.
        let printed = "# Running 'sched/pipe' benchmark:\n# Executed 2000 pipe operations between two threads\n\n\
            \x20    Total time: 0.007 [sec]\n\n       3.980500 usecs/op\n         251224 ops/sec\n";
        let ns = round_trips_ns(printed).expect("a time");
        assert!((ns - 79_610_000.0).abs() < 1e-3, "{ns}");
        assert!(round_trips_ns("# Running 'sched/pipe' benchmark:\n").is_err());
    }
}
