//! Our own queue against the best of the known ones, and the cost of a switch in `pipeline` against that of perf (T26). On request.

use anyhow::{Context, Result};

use super::entered::{Against, commands_file, missing};
use super::instrument::words;
use super::output::shown;
use super::threads::at_every_level;
use super::{Amount, Line, Run, Session};

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

/// Strategies that wake one thread, and over which threads their time is followed.
const SIGNALS: [&str; 3] = ["signal_kernel_lock", "signal_user_lock", "signal_atomic_wait"];
const SLOPE_OVER: &str = "4..64";
/// With this much work a unit, threads compute as long as the system works for them, as in the published programs. With less, more
/// of the units wake a thread the more threads there are, and the exponent shows that.
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

/// T26: our own queue at each depth and number of threads; the growth of the strategies that wake one thread; and the switch.
pub(super) fn queue_and_switch(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for depth in DEPTHS {
        lines.extend(own_queue(session, depth)?);
    }
    lines.extend(slopes(session)?);
    lines.push(switch(session, ONE_PROCESSOR)?);
    lines.push(switch(session, TWO_PROCESSORS)?);
    Ok(lines)
}

/// Measures how the time of the strategies that wake one thread grows with the threads, each of which has units of its own.
fn slopes(session: &Session) -> Result<Vec<Line>> {
    let techniques = SIGNALS.map(|name| format!("pipeline/{name}")).join(" ");
    let line = format!("{techniques} --threads {SLOPE_OVER} --set {SLOPE_WORK} --budget 2min");
    let (run, _) = session.instrument.measure(&line)?;
    Ok(SIGNALS.map(|name| slope(&run, name)).into())
}

/// Returns the line of a technique's typical exponent with its interval: it must not be surely above the limit.
fn slope(run: &Run, technique: &str) -> Line {
    let lines = run.curves.iter().filter(|curve| curve.family == "pipeline");
    let found = lines.flat_map(|curve| &curve.techniques).find(|line| line.technique == technique);
    let growth = found.and_then(|line| line.growth.as_ref());
    let seen = growth.map_or("no curve shows it".to_owned(), |growth| {
        let [low, high] = [growth.exponent_low, growth.exponent_high].map(|end| shown(end, 2));
        format!("{:.2} ({low} to {high})", growth.exponent)
    });
    let holds = growth.is_some_and(|growth| growth.exponent_low.unwrap_or(growth.exponent) <= EXPONENT_MAX);
    let asked = format!("{technique}, {SLOPE_OVER} threads: exponent of the time");
    Line::new(asked, seen, format!("not surely above {EXPONENT_MAX}"), holds)
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
    fn growth_above_the_limit_does_not_hold() {
        let cases = [(1.13, Some(1.1)), (1.13, Some(1.11)), (1.1, None), (1.11, None)];
        let [slopes, above, at_most, unsure] = cases.map(|(exponent, low): (f64, Option<f64>)| {
            let growth = serde_json::json!({"entry": "a", "exponent": exponent, "exponent_low": low});
            let run = super::super::output::run(&serde_json::json!({
                "curves": [{"family": "pipeline", "levels": [{}, {}], "techniques": [
                    {"technique": "signal_user_lock", "points": [], "growth": growth},
                    {"technique": "signal_kernel_lock", "points": []}]}]
            }));
            SIGNALS.map(|name| slope(&run, name))
        });
        let [kernel, user, atomic] = slopes;
        assert!(user.holds && user.to_string().contains("1.13 (1.10 to ?)"), "{user}");
        assert!(!kernel.holds && kernel.to_string().contains("no curve shows it"), "{kernel}");
        assert!(!atomic.holds);
        assert_eq!([above, at_most, unsure].map(|slopes| slopes[1].holds), [false, true, false]);
    }

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
