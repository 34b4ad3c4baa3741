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
/// The queue is to be as fast at all levels together: a chance of error of 5 % is shared by them.
const ALPHA_OF_A_LEVEL: &str = "0.007";
const QUEUES: [&str; 6] = [
    "pipeline/own_queue",
    "pipeline/crossbeam",
    "pipeline/flume",
    "pipeline/kanal",
    "pipeline/std_sync_channel",
    "pipeline/parking_lot",
];
const OWN_QUEUE: &str = "own_queue";
/// What is asked of the same samples next to the time.
const PROCESSOR_TIME: &str = "cpu_per_million_units_ns";

/// Strategies that wake one thread, and over which threads their time is followed.
const SIGNALS: [&str; 3] =
    ["pipeline/signal_kernel_lock", "pipeline/signal_user_lock", "pipeline/signal_atomic_wait"];
const SLOPE_OVER: &str = "4..64";
/// With this much work a unit, threads compute about as long as the system works for them, as the published figures tell of the
/// published programs. With less, more of the units wake a thread the more threads there are, and the exponent tells that.
const SLOPE_WORK: &str = "work_steps=10000";
/// The time of this many times the units may grow so: as published, it is nearly proportional.
const EXPONENT_MAX: f64 = 1.1;

/// Counted rounds against perf.
const ROUNDS: Amount = Amount::new(60, 60, 300);
/// Either side may take this much longer than the other: they are to agree.
const WITHIN: f64 = 0.1;
const ROUND_TRIPS: u32 = 20_000;
const PIPE: &str = "pipe";
const PERF: &str = "perf_pipe";

/// T26: our own queue at each number of threads and each depth, one run for each depth; how the strategies that wake one thread
/// grow; and the switch.
pub(super) fn queue_and_switch(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for depth in DEPTHS {
        lines.extend(own_queue(session, depth)?);
    }
    lines.extend(slopes(session)?);
    lines.push(switch(session, On::OneProcessor)?);
    lines.push(switch(session, On::TwoProcessors)?);
    Ok(lines)
}

/// How the time of the strategies that wake one thread grows with the threads, each of which has units of its own.
fn slopes(session: &Session) -> Result<Vec<Line>> {
    let words = [&SIGNALS[..], &["--threads", SLOPE_OVER, "--set", SLOPE_WORK, "--budget", "2min"]].concat();
    let (run, _) = session.instrument.measure(&words)?;
    Ok(SIGNALS.iter().map(|name| slope(&run, name.trim_start_matches("pipeline/"))).collect())
}

/// The typical exponent of a technique, its interval next to it: it must not be surely above the limit.
fn slope(run: &Run, technique: &str) -> Line {
    let lines = run.curves.iter().filter(|curve| curve.family == "pipeline");
    let found = lines.flat_map(|curve| &curve.techniques).find(|line| line.technique == technique);
    let growth = found.and_then(|line| line.growth.as_ref());
    let end = |end: Option<f64>| end.map_or("?".to_owned(), |exponent| format!("{exponent:.2}"));
    let seen = growth.map_or("no curve tells it".to_owned(), |growth| {
        format!("{:.2} ({} to {})", growth.exponent, end(growth.exponent_low), end(growth.exponent_high))
    });
    let holds = growth.is_some_and(|growth| growth.exponent_low.unwrap_or(growth.exponent) <= EXPONENT_MAX);
    let asked = format!("{technique}, {SLOPE_OVER} threads: exponent of the time");
    Line::new(asked, seen, format!("not surely above {EXPONENT_MAX}"), holds)
}

fn own_queue(session: &Session, depth: &str) -> Result<[Line; 2]> {
    let set = format!("depth={depth}");
    let mut words = QUEUES.to_vec();
    // A baseline stays in a contest until it is told from the best, and gets a factor with an interval.
    words.extend(["--threads", "1..64", "--set", &set, "--budget", "90s", "--baseline", OWN_QUEUE]);
    words.extend(["--alpha", ALPHA_OF_A_LEVEL]);
    let (run, _) = session.instrument.measure(&words)?;
    let by_processor_time = session.instrument.reported(PROCESSOR_TIME)?;
    let line = |run: &Run, what: &str| {
        let levels: Vec<&Ranking> =
            run.rankings.iter().filter(|ranking| ranking.family == "pipeline").collect();
        at_every_level(&format!("own queue, depth {depth}, by {what}"), OWN_QUEUE, &levels, LEVELS, 1.0)
    };
    Ok([line(&run, "time"), line(&by_processor_time, "processor time")])
}

/// The family's pipe and perf's, in one interleaved run. perf begins its clock before it starts its threads and ends it when it has
/// joined them; the work of the pipe contains these, too.
fn switch(session: &Session, on: On) -> Result<Line> {
    let asked = format!("round trips through a pipe {}, against perf bench sched pipe -T", on.in_words());
    if let Some(line) = missing(&asked, "perf", "linux-perf") {
        return Ok(line);
    }
    let (loops, rounds) = (ROUND_TRIPS.to_string(), session.wanted(ROUNDS).max(3).to_string());
    let command = ["perf", "bench", "sched", "pipe", "-T", "-l", &loops];
    let words = on.before().iter().chain(&command).map(|&word| word.to_owned()).collect();
    let perf = Entered { name: PERF.to_owned(), words };
    let file = entered::commands_file(&session.instrument, "pipeline", &[perf])?.display().to_string();
    let units = format!("units={ROUND_TRIPS}");
    let mut words = vec!["pipeline/pipe", "--commands-file", &file];
    let [processors, placement] = on.settings();
    let sets = ["route=round_trip", "threads=1", &units, "work_steps=0", processors, placement];
    words.extend(sets.iter().flat_map(|set| ["--set", set]));
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

/// Where both threads of a round trip run. Left to the system, they are together for a while and apart for a while, as it happens:
/// each run of either program then takes from 2 to 60 us for the same round trip, and nothing can be told.
#[derive(Clone, Copy)]
enum On {
    /// The processor changes from one thread to the other at each hand-over, and does nothing else.
    OneProcessor,
    /// Each thread is kept on a processor of its own, and is woken there.
    TwoProcessors,
}

/// Keeps the two threads that a command starts on the first two processors. `perf bench` cannot do that itself.
const KEEP_APART: &str = "\
    \"$@\" & program=$!
    while kill -0 $program; do set -- /proc/$program/task/*; [ $# -lt 3 ] || break; done
    taskset --pid --cpu-list 0 ${2##*/}; taskset --pid --cpu-list 1 ${3##*/}
    wait $program";

impl On {
    fn in_words(self) -> &'static str {
        match self {
            Self::OneProcessor => "on one processor",
            Self::TwoProcessors => "on two processors, a thread on each",
        }
    }

    fn settings(self) -> [&'static str; 2] {
        match self {
            Self::OneProcessor => ["processors=1", "placement=free"],
            Self::TwoProcessors => ["processors=2", "placement=spread"],
        }
    }

    /// What stands before the command of perf.
    fn before(self) -> &'static [&'static str] {
        match self {
            Self::OneProcessor => &["taskset", "--cpu-list", "0"],
            Self::TwoProcessors => &["sh", "-c", KEEP_APART, "sh"],
        }
    }
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

    fn grown(exponent: f64, low: Option<f64>) -> Run {
        serde_json::from_value(serde_json::json!({
            "run": {"complete": true, "design": {"looks": [8]}}, "contests": [], "trials": [],
            "curves": [{"family": "pipeline", "axis": "threads", "levels": [{"at": 4}, {"at": 64}], "techniques": [
                {"technique": "signal_user_lock", "points": [],
                    "growth": {"exponent": exponent, "exponent_low": low, "kind": "open"}},
                {"technique": "signal_kernel_lock", "points": []},
            ]}],
        }))
        .expect("a run")
    }

    #[test]
    fn a_strategy_may_not_surely_grow_with_an_exponent_of_more_than_a_tenth_above_one() {
        let line = slope(&grown(1.13, Some(1.1)), "signal_user_lock");
        assert!(line.holds && line.to_string().contains("1.13 (1.10 to ?)"), "{line}");
        assert!(!slope(&grown(1.13, Some(1.11)), "signal_user_lock").holds);
        assert!(slope(&grown(1.1, None), "signal_user_lock").holds);
        assert!(!slope(&grown(1.11, None), "signal_user_lock").holds);
    }

    #[test]
    fn a_strategy_whose_growth_is_not_told_does_not_hold() {
        for technique in ["signal_kernel_lock", "signal_atomic_wait"] {
            let line = slope(&grown(1.0, None), technique);
            assert!(!line.holds && line.to_string().contains("no curve tells it"), "{line}");
        }
    }

    #[test]
    fn the_time_of_all_round_trips_follows_from_that_of_one() {
        let ns = round_trips_ns(PRINTED).expect("told");
        assert!((ns - 79_610_000.0).abs() < 1e-3, "{ns}");
        assert!(round_trips_ns("# Running 'sched/pipe' benchmark:\n").is_err());
    }
}
