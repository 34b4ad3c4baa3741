//! Whether our own queue is as fast as the best of the known ones, and whether `pipeline` tells the same cost of a switch as perf
//! (T26). On request, for a host that does nothing else.

use anyhow::{Context, Result};

use super::entered::{self, Entered, missing};
use super::line::Line;
use super::seen::{Ranking, Run};
use super::session::{Amount, Session};
use super::threads::at_every_level;

const DEPTHS: [&str; 3] = ["4", "100", "1000"];
/// 1, 2, 4, ... 64.
const LEVELS: usize = 7;
const QUEUES: [&str; 6] = [
    "pipeline/own_queue",
    "pipeline/crossbeam",
    "pipeline/flume",
    "pipeline/kanal",
    "pipeline/std_sync_channel",
    "pipeline/parking_lot",
];
/// What is asked of the same samples beside the time.
const PROCESSOR_TIME: &str = "cpu_per_million_units_ns";

/// Counted rounds against perf.
const ROUNDS: Amount = Amount::new(20, 20, 300);
/// Either side may take so much longer than the other: they are to agree.
const WITHIN: f64 = 0.1;
const ROUND_TRIPS: u32 = 20_000;
const PIPE: &str = "pipe";
const PERF: &str = "perf_pipe";

/// T26: our own queue at each number of threads and each depth, one run for each depth; and the switch.
pub(super) fn queue_and_switch(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for depth in DEPTHS {
        lines.extend(own_queue(session, depth)?);
    }
    lines.push(switch(session)?);
    Ok(lines)
}

fn own_queue(session: &Session, depth: &str) -> Result<[Line; 2]> {
    let set = format!("depth={depth}");
    let mut words = QUEUES.to_vec();
    words.extend(["--threads", "1..64", "--set", &set, "--budget", "90s"]);
    let (run, _) = session.instrument.measure(&words)?;
    let by_processor_time = session.instrument.reported(PROCESSOR_TIME)?;
    let line = |run: &Run, what: &str| {
        let levels: Vec<&Ranking> =
            run.rankings.iter().filter(|ranking| ranking.family == "pipeline").collect();
        at_every_level(&format!("own queue, depth {depth}, by {what}"), "own_queue", &levels, LEVELS, 1.0)
    };
    Ok([line(&run, "time"), line(&by_processor_time, "processor time")])
}

/// The family's pipe and perf's, in one interleaved run. perf begins its clock before it starts its threads and ends it when it has
/// joined them; the work of the pipe contains these, too.
fn switch(session: &Session) -> Result<Line> {
    let asked = "round trips through a pipe, against perf bench sched pipe -T";
    if let Some(line) = missing(asked, "perf", "linux-perf") {
        return Ok(line);
    }
    let (loops, rounds) = (ROUND_TRIPS.to_string(), session.wanted(ROUNDS).max(3).to_string());
    let words = ["perf", "bench", "sched", "pipe", "-T", "-l", &loops].map(str::to_owned).to_vec();
    let perf = Entered { name: PERF.to_owned(), words };
    let file = entered::contenders_file(&session.instrument, "pipeline", &[perf])?.display().to_string();
    let units = format!("units={ROUND_TRIPS}");
    let mut words = vec!["pipeline/pipe", "--contenders-file", &file];
    words.extend(
        ["route=round_trip", "threads=1", &units, "work_steps=0"].iter().flat_map(|set| ["--set", set]),
    );
    // By the time of whole processes, which this run compares, perf might leave it early.
    words.extend(["--rounds", &rounds, "--min-rounds", &rounds]);
    let (run, _) = session.instrument.measure(&words)?;
    let apart = || {
        let ours = entered::own_ns(&run, PIPE)?;
        let theirs = entered::told(&session.instrument, &run, PERF, round_trips_ns)?;
        entered::apart(&session.instrument, (PIPE, &ours), (PERF, &theirs))
    };
    let limit = format!("at most {} times", 1.0 + WITHIN);
    Ok(match apart() {
        Ok(apart) => Line::new(asked, apart.to_string(), limit, apart.is_within(WITHIN)),
        Err(error) => Line::new(asked, format!("{error:#}"), limit, false),
    })
}

/// The time of all round trips in nanoseconds. The total that perf prints has milliseconds only, so that the time of one is read.
fn round_trips_ns(printed: &str) -> Result<f64> {
    let of_one = printed.lines().find_map(|line| line.trim().strip_suffix("usecs/op"));
    let of_one_us: f64 = of_one
        .and_then(|number| number.trim().parse().ok())
        .with_context(|| format!("perf bench sched pipe told no time: {}", printed.trim()))?;
    Ok(of_one_us * 1e3 * f64::from(ROUND_TRIPS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What perf 6.1 printed.
    const PRINTED: &str = "\
# Running 'sched/pipe' benchmark:
# Executed 2000 pipe operations between two threads

     Total time: 0.007 [sec]

       3.980500 usecs/op
         251224 ops/sec
";

    #[test]
    fn the_time_of_all_round_trips_follows_from_that_of_one() {
        let ns = round_trips_ns(PRINTED).expect("told");
        assert!((ns - 79_610_000.0).abs() < 1e-3, "{ns}");
        assert!(round_trips_ns("# Running 'sched/pipe' benchmark:\n").is_err());
    }
}
