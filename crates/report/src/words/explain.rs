//! What techniques say of their system calls, and what they did, in words.

use judge::{Counted, Reason, RunAnswer, Transfers, Why, times};
use model::{Expectation, SystemCall, Times, Wanted, axis_value, format_ns};

use crate::pages::{ExplainPage, ExplainedContest, ExplainedTechnique};
use crate::words::phrase;
use crate::words::units::{BELOW_TICK, bytes, grouped};

/// This many techniques stand side by side, with a row for each call.
pub(crate) const MOST_BESIDE: usize = 4;
/// This many calls are named in a sentence about one technique.
const MOST_NAMED: usize = 3;
/// This many reasons stand in a sentence.
const MOST_REASONS: usize = 3;

pub(crate) struct Seen<'a> {
    pub(crate) technique: &'a ExplainedTechnique,
    pub(crate) calls: &'a [SystemCall],
    pub(crate) sum: u64,
    pub(crate) is_cut: bool,
}

impl<'a> Seen<'a> {
    pub(crate) fn of(technique: &'a ExplainedTechnique) -> Option<Self> {
        let account = technique.account.as_ref()?;
        let (calls, sum) = (account.calls.as_ref()?, account.calls_made()?);
        Some(Self { technique, calls, sum, is_cut: account.is_cut })
    }
}

/// Says which kept run chose what is explained, and what its answer is.
pub(crate) fn of(of: &ExplainedContest) -> String {
    let ExplainedContest { run, ranking, is_other_work, other_levels } = of;
    let about = phrase::conditions(ranking, false);
    let about = if *is_other_work { format!(" to something else ({about})") } else { String::new() };
    let levels = other_levels.iter().filter(|(_, levels)| !levels.is_empty()).map(|(axis, levels)| {
        let option = if axis == "bytes" { "--size ".to_owned() } else { format!("--set {axis}=") };
        let levels: Vec<String> =
            levels.iter().map(|level| axis_value(axis, *level).replace(' ', "")).collect();
        format!(" Its other levels: {option}{}.", levels.join(" or "))
    });
    let levels: String = levels.collect();
    format!("the answer of {run}{about}: {}{levels}", phrase::answer(ranking))
}

/// Says whose work was cut short, and how it is done whole.
pub(crate) fn part(page: &ExplainPage) -> Option<String> {
    let cut = page.techniques.iter().filter(|one| one.account.as_ref().is_some_and(|account| account.is_cut));
    let names: Vec<&str> = cut.map(|one| one.name.as_str()).collect();
    let whole = page.whole_with.as_ref().map(|options| format!("; with a longer one: {options}"));
    let said = format!("a limit cut the work short, so that counts are of a part: {}", names.join(", "));
    (!names.is_empty()).then(|| said + &whole.unwrap_or_default())
}

/// Says in a sentence why one of two techniques is faster, or in what they differ.
pub(crate) fn why(why: &Why) -> String {
    let [first, second] = &why.pair;
    let is_known = matches!(why.found, RunAnswer::Faster { .. });
    let start = match &why.found {
        RunAnswer::Faster { run, by } => {
            format!("{first} is {}x faster{} than {second} in the run {run}", times(*by), why.by)
        }
        RunAnswer::Tied { run } => {
            format!("Neither {first} nor {second} is shown to be faster{} in the run {run}", why.by)
        }
        RunAnswer::Unknown => {
            format!("No kept run compares {first} with {second} at this work and under these conditions")
        }
    };
    let clauses = why.reasons.iter().take(MOST_REASONS).map(|reason| {
        let [own, other] = if reason.for_second { [second, first] } else { [first, second] };
        format!("{} {}", if is_known { "it" } else { own }, clause(reason, other))
    });
    let clauses = clauses.collect::<Vec<_>>().join("; ");
    let end = match why.reasons.first().map(|reason| reason.counted) {
        None if why.is_cut => {
            ", and the work of one was cut short, so that its counts say nothing".to_owned()
        }
        None if is_known => ", and nothing that was counted explains it".to_owned(),
        None if matches!(why.found, RunAnswer::Tied { .. }) => String::new(),
        None => ", and nothing that was counted differs clearly".to_owned(),
        Some(Counted::ProcessorTime) if is_known => format!(", and no count explains it, but {clauses}"),
        Some(_) => format!(": {clauses}"),
    };
    format!("{start}{end}.")
}

/// Returns what speaks for a technique, without its name; `other` is the one that it is compared with.
fn clause(reason: &Reason, other: &str) -> String {
    let own = usize::from(reason.for_second);
    if let Some(moved) = reason.moved {
        let [own, others] = [moved[own], moved[1 - own]].map(|Transfers { calls, bytes_a_call }| {
            let calls = if calls == 1 { "1 call".to_owned() } else { format!("{} calls", grouped(calls)) };
            (bytes(bytes_a_call as f64), calls)
        });
        return format!("moves {} a call ({}) where {other} moves {} ({})", own.0, own.1, others.0, others.1);
    }
    let (own, others) = (reason.figures[own], reason.figures[1 - own]);
    let (verb, what) = match reason.counted {
        Counted::Flushes => ("waits for", "flushes to the device"),
        Counted::Calls => ("makes", "system calls"),
        Counted::ReadsAndWrites => ("makes", "reads and writes"),
        Counted::Faults => ("takes", "page faults"),
        Counted::Switches => ("makes", "context switches"),
        Counted::Processes => ("starts", "processes"),
        Counted::Threads => ("starts", "threads"),
        Counted::MoreThreads => {
            let others = if others == 0 { "none".to_owned() } else { grouped(others) };
            return format!(
                "starts {} to work at the same time, {other} {others}",
                phrase::counted(own, "thread")
            );
        }
        Counted::Fetched | Counted::Sent => {
            let [own, others] = [own, others].map(|size| bytes(size as f64));
            let is_fetched = reason.counted == Counted::Fetched;
            let (verb, way) = if is_fetched { ("fetches", "from") } else { ("sends", "to") };
            return format!("{verb} {own} {way} the device where {other} {verb} {others}");
        }
        Counted::ProcessorTime => {
            let time = |ns: u64| if ns > 0 { format_ns(ns as f64) } else { BELOW_TICK.to_owned() };
            let [own, others] = [time(own), time(others)];
            return format!("spends {own} of processor time where {other} spends {others}");
        }
    };
    if own == 0 {
        return format!("{verb} no {what} where {other} {verb} {}", grouped(others));
    }
    let ratio = times(others as f64 / own as f64);
    format!("{verb} {ratio} times fewer {what} ({}) than {other} ({})", grouped(own), grouped(others))
}

/// Says who makes how many calls: of a few all, of many those with the fewest and the most.
pub(crate) fn sentence(seen: &[Seen<'_>]) -> Option<String> {
    let told: Vec<&Seen<'_>> = match seen.len() {
        0 => return None,
        1..=MOST_BESIDE => seen.iter().collect(),
        _ => {
            // A part compares with nothing.
            let whole = || seen.iter().filter(|one| !one.is_cut);
            vec![whole().min_by_key(|one| one.sum)?, whole().max_by_key(|one| one.sum)?]
        }
    };
    let many = seen.len() > MOST_BESIDE;
    let parts = told.iter().enumerate().map(|(nth, one)| {
        let name = named(one.technique);
        match (nth, many) {
            (0, true) => format!("{name} makes the fewest system calls, {}", calls_of(one)),
            (_, true) => format!("{name} the most, {}", calls_of(one)),
            (0, false) if one.sum == 1 => format!("{name} makes 1 system call ({})", largest(one.calls)),
            (0, false) => format!("{name} makes {}", calls_of(one).replacen(" (", " system calls (", 1)),
            (_, false) => format!("{name} {}", calls_of(one)),
        }
    });
    Some(parts.collect::<Vec<_>>().join("; ") + ".")
}

fn calls_of(one: &Seen<'_>) -> String {
    match one.sum {
        0 => "no system call".to_owned(),
        sum => {
            let part = if one.is_cut { " in a part of its work" } else { "" };
            format!("{} ({}){part}", grouped(sum), largest(one.calls))
        }
    }
}

fn named(technique: &ExplainedTechnique) -> String {
    let role = match (technique.is_leader, technique.is_baseline) {
        (true, true) => " (the leader and the baseline)",
        (true, false) => " (the leader)",
        (false, true) => " (the baseline)",
        (false, false) => "",
    };
    format!("{}{role}", technique.name)
}

fn largest(calls: &[SystemCall]) -> String {
    let named = calls.iter().take(MOST_NAMED).map(|call| format!("{} {}", grouped(call.calls), call.name));
    let more = (calls.len() > MOST_NAMED).then(|| "...".to_owned());
    named.chain(more).collect::<Vec<_>>().join(", ")
}

pub(crate) fn all_calls(calls: &[SystemCall]) -> String {
    calls.iter().map(|call| format!("{} {}", call.name, figure(call))).collect::<Vec<_>>().join(", ")
}

/// Returns how often it was made, and what it moved: `98 (25.6 MB)`.
pub(crate) fn figure(call: &SystemCall) -> String {
    let mut said = Vec::new();
    said.extend(call.bytes.map(|moved| bytes(moved as f64)));
    said.extend(call.requests.map(|number| phrase::counted(number, "request")));
    said.extend(call.flags.iter().map(|(flag, &times)| {
        if times == call.calls { flag.clone() } else { format!("{} {flag}", grouped(times)) }
    }));
    said.extend((call.errors > 0).then(|| format!("{} failed", grouped(call.errors))));
    let count = grouped(call.calls);
    if said.is_empty() { count } else { format!("{count} ({})", said.join(", ")) }
}

/// Returns what an idea expects (`pread64 or read`, `no sched_yield`, `clone3 or clone at least 64 times`), and the same for calls that
/// were not as expected: `sched_yield was made`.
pub(crate) fn expected_and_broken(text: &str) -> (String, String) {
    let Expectation { kind, calls, times } = Expectation::parse(text);
    let (any, all) = (calls.join(" or "), calls.join(", "));
    let [enough, fewer] = match times {
        Some(Times::Number(number)) => {
            ["at least", "fewer than"].map(|than| format!("{than} {}", how_often(number)))
        }
        Some(Times::As(other)) => ["as often as", "less often than"].map(|than| format!("{than} {other}")),
        None => Default::default(),
    };
    match (kind, enough.is_empty()) {
        (Wanted::Only, _) => (format!("nothing but {all}"), format!("others than {all} were made")),
        (Wanted::Made, true) => (any.clone(), format!("{any} was not made")),
        (Wanted::NotMade, true) => (format!("no {any}"), format!("{any} was made")),
        (Wanted::Made, false) => (format!("{any} {enough}"), format!("{any} was made {fewer}")),
        (Wanted::NotMade, false) => (format!("{any} {fewer}"), format!("{any} was made {enough}")),
    }
}

fn how_often(number: u64) -> String {
    match number {
        1 => "once".to_owned(),
        number => format!("{} times", grouped(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_and_broken_calls_are_sentences() {
        for (text, expected, broken) in [
            ("read|pread64", "read or pread64", "read or pread64 was not made"),
            ("!openat O_DIRECT", "no openat O_DIRECT", "openat O_DIRECT was made"),
            (
                "clone3|clone *1000",
                "clone3 or clone at least 1,000 times",
                "clone3 or clone was made fewer than 1,000 times",
            ),
            ("!read *1", "read fewer than once", "read was made at least once"),
            (
                "fdatasync *pwrite64",
                "fdatasync as often as pwrite64",
                "fdatasync was made less often than pwrite64",
            ),
            ("only mmap|madvise", "nothing but mmap, madvise", "others than mmap, madvise were made"),
        ] {
            assert_eq!(expected_and_broken(text), (expected.to_owned(), broken.to_owned()));
        }
    }
}
