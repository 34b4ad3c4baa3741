//! Explains why one of two techniques may be faster, from what each of them did.
//!
//! A reason is a counter of which the faster one has clearly less, by enough to matter: a difference that could not make a tenth of the
//! time between them, even at a generous price for each call, fault or switch, is none. Where nothing was measured that says which one
//! is faster, all that differs clearly is given, as far as it could make a hundredth of the processor time.

use model::{Account, Kind, Metric, Source, SystemCall, Unit};

use crate::wording;
use crate::{Ranking, Standing};

/// Less is a coincidence: faults and switches differ between executions.
const CLEARLY: f64 = 1.25;
/// This part of the time between two techniques is worth naming.
const WORTH_NAMING: f64 = 0.1;
/// Where that time is unknown, this part of the processor time of the one that takes more.
const WORTH_NAMING_OF_ONE: f64 = 0.01;

/// What two techniques did, and which of them a kept run found to be faster.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The names, the faster one first where that is known.
    pub pair: [String; 2],
    /// What the kept run says.
    pub found: RunAnswer,
    /// By what it says so, where that is not the time of the work: ` by the bandwidth`.
    pub by: String,
    /// What is less with one of them. Of the faster one alone, where that is known.
    pub reasons: Vec<Reason>,
    /// True if the work of one was cut short: its counts are those of a part, and there are no reasons.
    pub is_cut: bool,
}

/// What a kept run says about two techniques.
#[derive(Debug, Clone, PartialEq)]
pub enum RunAnswer {
    /// The first one is faster.
    Faster {
        /// The run.
        run: String,
        /// By this factor.
        by: f64,
    },
    /// Both may be equally fast.
    Tied {
        /// The run.
        run: String,
    },
    /// None compares them at this workload.
    Unknown,
}

/// A counter in which two techniques differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reason {
    /// What was counted.
    pub counted: Counted,
    /// True if it speaks for the second of the two.
    pub for_second: bool,
    /// The figures of both.
    pub figures: [u64; 2],
    /// The bytes that a call moved on average, where calls of both moved some, and how many of these calls there were.
    pub moved: Option<[Transfers; 2]>,
}

/// What was counted. The order is that of the reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Waits until something is on the device: `fsync`, `fdatasync`, `msync`.
    Flushes,
    /// System calls.
    Calls,
    /// Reads and writes, where other calls were not seen.
    ReadsAndWrites,
    /// Page faults.
    Faults,
    /// Context switches.
    Switches,
    /// Bytes from the device.
    Fetched,
    /// Bytes to the device.
    Sent,
    /// Processes that were started.
    Processes,
    /// Threads that were started: fewer cost less.
    Threads,
    /// The same: more do more at once, where there are several processors.
    MoreThreads,
    /// Nanoseconds of processor time. Says where the time went, and not why: given only where nothing else is.
    ProcessorTime,
}

/// Calls that moved bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfers {
    /// How many there were.
    pub calls: u64,
    /// Bytes of one, on average.
    pub bytes_a_call: u64,
}

impl Counted {
    const ALL: [Self; 11] = [
        Self::Flushes,
        Self::Calls,
        Self::ReadsAndWrites,
        Self::Faults,
        Self::Switches,
        Self::Fetched,
        Self::Sent,
        Self::Processes,
        Self::Threads,
        Self::MoreThreads,
        Self::ProcessorTime,
    ];

    /// Returns the least difference that is no coincidence, and a generous price of one, in nanoseconds.
    fn least_and_price(self) -> (u64, f64) {
        match self {
            Self::Flushes => (1, 10e6),
            Self::Calls | Self::ReadsAndWrites => (16, 2e3),
            Self::Faults => (16, 4e3),
            Self::Switches => (16, 100e3),
            Self::Fetched | Self::Sent => (1_000_000, 10.0),
            Self::Processes => (1, 5e6),
            Self::Threads => (1, 200e3),
            // What is done at once has no price, and of processor time each nanosecond counts.
            Self::MoreThreads => (1, f64::INFINITY),
            Self::ProcessorTime => (1_000_000, 1.0),
        }
    }
}

/// A fault that waits for a device costs as much as this many others.
const MINOR_IN_A_MAJOR: u64 = 1_000;

/// Compares what two techniques did. `contest` is the name of a kept run and its contest with both; `has_processors` says that
/// threads run at the same time.
pub fn why(
    one: (&str, &Account), other: (&str, &Account), contest: Option<(&str, &Ranking)>, has_processors: bool,
) -> Why {
    let known = contest.and_then(|(run, ranking)| found(run, ranking, [one.0, other.0]));
    let by = contest.filter(|_| known.is_some()).map_or_else(String::new, |one| wording::by(&one.1.metric));
    let (found, is_swapped, gap_ns) = known.unwrap_or((RunAnswer::Unknown, false, None));
    let [first, second] = if is_swapped { [other, one] } else { [one, other] };
    let accounts = [first.1, second.1];
    let at_least_ns = match gap_ns {
        Some(gap_ns) => WORTH_NAMING * gap_ns,
        None => {
            let most_ns = accounts.iter().filter_map(|one| figure(Counted::ProcessorTime, one)).max();
            WORTH_NAMING_OF_ONE * most_ns.unwrap_or(0) as f64
        }
    };
    // Tracing costs processor time: the run's own figures say more.
    let cpu_ns = contest.and_then(|(_, ranking)| {
        let of = |name| Some(ranking.entry(name)?.cpu_ns? as u64);
        Some([of(first.0)?, of(second.0)?])
    });
    let mut reasons = reasons(accounts, cpu_ns, at_least_ns, has_processors);
    match found {
        RunAnswer::Faster { .. } => reasons.retain(|reason| !reason.for_second),
        // What differs makes no time.
        RunAnswer::Tied { .. } => reasons.clear(),
        // How many threads there are is one difference.
        RunAnswer::Unknown => reasons.retain(|reason| reason.counted != Counted::MoreThreads),
    }
    if reasons.iter().any(|reason| reason.counted != Counted::ProcessorTime) {
        reasons.retain(|reason| reason.counted != Counted::ProcessorTime);
    }
    let is_cut = accounts.iter().any(|account| account.is_cut);
    if is_cut {
        reasons.clear();
    }
    Why { pair: [first.0.to_owned(), second.0.to_owned()], found, by, reasons, is_cut }
}

/// Returns whether a metric says how fast the work is.
pub fn compares_speed(metric: &Metric) -> bool {
    let is_speed = matches!(metric.unit(), Unit::BytesPerSecond | Unit::PerSecond | Unit::Nanoseconds);
    is_speed && metric.source != Source::Usage
}

/// Returns the entries that the answer of a contest is about, among those that are known: its choice (else the best), the baseline,
/// the leader, and of each further technique the best.
pub fn in_question(ranking: &Ranking, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let compared = ranking.entries.iter().filter(|entry| {
        let is_out = matches!(entry.standing, Standing::Skipped | Standing::Ceiling | Standing::Failed);
        !is_out && entry.kind == Kind::BuiltIn && is_known(&entry.technique)
    });
    let names: Vec<&String> = compared.map(|entry| &entry.technique).collect();
    let choice = ranking.choice.as_ref().map(|choice| &choice.entry).or(ranking.leader.as_ref());
    let first = choice.filter(|name| names.contains(name)).or_else(|| names.first().copied());
    let own = ranking.baseline.iter().chain(&ranking.leader).filter(|name| names.contains(name));
    let mut all: Vec<String> = wording::once(first.into_iter().chain(own)).into_iter().cloned().collect();
    for name in &names {
        let technique = Kind::BuiltIn.technique_and_value(name).0;
        if all.iter().all(|one| Kind::BuiltIn.technique_and_value(one).0 != technique) {
            all.push((*name).clone());
        }
    }
    // The values of one technique alone.
    let next = names.into_iter().find(|name| all.len() == 1 && **name != all[0]).cloned();
    all.extend(next);
    all
}

/// Returns what a contest says of two of its entries, whether the second is the faster one, and the time between them in ns; `None`
/// where it did not compare both by a time.
fn found(run: &str, ranking: &Ranking, names: [&str; 2]) -> Option<(RunAnswer, bool, Option<f64>)> {
    let [one, other] = names.map(|name| {
        ranking.entry(name).filter(|one| one.standing.is_candidate() || one.standing == Standing::Slower)
    });
    let entries = [one?, other?];
    if !compares_speed(&ranking.metric) {
        return None;
    }
    let faster = [0, 1].into_iter().find(|&nth| {
        let (own, other) = (entries[nth], entries[1 - nth]);
        other.standing == Standing::Slower
            && (ranking.leader.as_deref() == Some(names[nth])
                || own.factor_high.zip(other.factor_low).is_some_and(|(own, other)| own < other))
    });
    let run = run.to_owned();
    let Some(faster) = faster else {
        return Some((RunAnswer::Tied { run }, false, None));
    };
    let [own, other] = [faster, 1 - faster].map(|nth| entries[nth].median.value());
    let (own, other) = (own?, other?);
    let by = ranking.metric.cost(other) / ranking.metric.cost(own);
    // Of a part of the work, or of a rate, the time between them does not follow.
    let is_whole = matches!(ranking.metric.source, Source::Work | Source::Process);
    Some((RunAnswer::Faster { run, by }, faster == 1, is_whole.then_some(other - own)))
}

fn figure(counted: Counted, account: &Account) -> Option<u64> {
    let (usage, counters) = (&account.usage, &account.counters);
    let (one, other) = match counted {
        Counted::Flushes => return account.calls.as_deref().map(flushes_of),
        Counted::Calls => return account.calls_made(),
        Counted::Fetched => return usage.read_bytes,
        Counted::Sent => return usage.written_bytes,
        Counted::Processes => return account.processes,
        Counted::Threads | Counted::MoreThreads => return account.threads,
        Counted::ReadsAndWrites => (counters.read_calls, counters.write_calls),
        Counted::Faults => (usage.minor_faults, usage.major_faults),
        Counted::Switches => (usage.voluntary_switches, usage.involuntary_switches),
        Counted::ProcessorTime => (usage.user_ns, usage.system_ns),
    };
    Some(one? + other?)
}

/// Returns the same, weighted: a fault that waits for a device counts as many others.
fn weight(counted: Counted, account: &Account) -> Option<u64> {
    let major = account.usage.major_faults.filter(|_| counted == Counted::Faults).unwrap_or(0);
    Some(figure(counted, account)? + major.saturating_mul(MINOR_IN_A_MAJOR))
}

fn flushes_of(calls: &[SystemCall]) -> u64 {
    let flushing = calls.iter().filter(|call| ["fsync", "fdatasync", "msync"].contains(&call.name.as_str()));
    flushing.map(|call| call.calls - call.errors).sum()
}

fn reasons(
    accounts: [&Account; 2], cpu_ns: Option<[u64; 2]>, at_least_ns: f64, has_processors: bool,
) -> Vec<Reason> {
    let both = |of: fn(Counted, &Account) -> Option<u64>, counted| match cpu_ns
        .filter(|_| counted == Counted::ProcessorTime)
    {
        None => Some([of(counted, accounts[0])?, of(counted, accounts[1])?]),
        known => known,
    };
    let is_seen = accounts.iter().all(|account| account.calls.is_some());
    let asked = Counted::ALL.into_iter().filter(|counted| match counted {
        Counted::ReadsAndWrites => !is_seen,
        Counted::MoreThreads => has_processors,
        _ => true,
    });
    let reasons = asked.filter_map(|counted| {
        let (figures, weights) = (both(figure, counted)?, both(weight, counted)?);
        if !differs(counted, figures) || !matters(counted, weights, at_least_ns) {
            return None;
        }
        let for_second = (figures[0] > figures[1]) != (counted == Counted::MoreThreads);
        Some(Reason { counted, for_second, figures, moved: moved(counted, accounts, for_second) })
    });
    reasons.collect()
}

/// Returns what a call of each moved, where calls are fewer because they move more. A call that failed moved nothing.
fn moved(counted: Counted, accounts: [&Account; 2], for_second: bool) -> Option<[Transfers; 2]> {
    let [one, other] = accounts.map(|account| {
        let counters = &account.counters;
        let (calls, bytes) = match counted {
            Counted::Calls => {
                let moving =
                    account.calls.iter().flatten().filter(|call| call.bytes.is_some_and(|bytes| bytes > 0));
                moving.fold((0, 0), |(calls, bytes), call| {
                    (calls + call.calls - call.errors, bytes + call.bytes.unwrap_or(0))
                })
            }
            Counted::ReadsAndWrites => {
                (figure(counted, account)?, counters.read_bytes? + counters.written_bytes?)
            }
            _ => return None,
        };
        (calls > 0 && bytes > 0).then(|| Transfers { calls, bytes_a_call: bytes / calls })
    });
    let moved = [one?, other?];
    let (own, others) = (moved[usize::from(for_second)], moved[usize::from(!for_second)]);
    (own.bytes_a_call as f64 >= CLEARLY * others.bytes_a_call as f64).then_some(moved)
}

/// Returns whether two figures differ by more than a coincidence.
fn differs(counted: Counted, [one, other]: [u64; 2]) -> bool {
    let (least, _) = counted.least_and_price();
    one.abs_diff(other) >= least && one.max(other) as f64 >= CLEARLY * one.min(other) as f64
}

/// Returns whether a difference can make this much time.
fn matters(counted: Counted, [one, other]: [u64; 2], at_least_ns: f64) -> bool {
    let (_, price_ns) = counted.least_and_price();
    one.abs_diff(other) as f64 * price_ns >= at_least_ns
}

#[cfg(test)]
mod tests {
    use model::{CallCounters, Usage};
    use testkit::Run;

    use crate::{Choice, Median};

    use super::*;

    /// A technique that moved 25.6 MB by reads, and as much by writes, and took this many faults.
    fn account(calls: u64, faults: u64) -> Account {
        let calls = ["read", "write"].map(|name| SystemCall {
            name: name.to_owned(),
            calls,
            bytes: Some(25_600_000),
            ..SystemCall::default()
        });
        let usage = Usage { minor_faults: Some(faults), major_faults: Some(0), ..Usage::default() };
        let calls = Some(calls.to_vec());
        Account { usage, calls, processes: Some(0), threads: Some(0), ..Account::default() }
    }

    /// A contest of techniques that take these milliseconds.
    fn contest(of: &[(&str, f64)]) -> Ranking {
        let run = of.iter().fold(Run::new(), |run, (name, base_ms)| run.with(name, *base_ms));
        crate::rank(&run.rounds(30).record).remove(0)
    }

    fn compared(one: &Account, other: &Account, contest: Option<&Ranking>) -> Why {
        why(("one", one), ("other", other), contest.map(|ranking| ("r", ranking)), true)
    }

    fn counted(why: &Why) -> Vec<Counted> {
        why.reasons.iter().map(|reason| reason.counted).collect()
    }

    #[test]
    fn faster_technique_stands_first_with_what_speaks_for_it() {
        let contest = contest(&[("one", 20.0), ("other", 5.0)]);
        let why = compared(&account(6_250, 10), &account(25, 5_000), Some(&contest));
        assert_eq!(why.pair, ["other", "one"]);
        let RunAnswer::Faster { run, by } = &why.found else { panic!("{why:?}") };
        assert!(run == "r" && (3.5..4.5).contains(by), "{why:?}");
        // Its page faults are more: they speak against it.
        let [reason] = &why.reasons[..] else { panic!("{why:?}") };
        assert_eq!(
            (reason.counted, reason.for_second, reason.figures),
            (Counted::Calls, false, [50, 12_500])
        );
        let moved =
            [(50, 1_024_000), (12_500, 4_096)].map(|(calls, bytes_a_call)| Transfers { calls, bytes_a_call });
        assert_eq!(reason.moved, Some(moved));
    }

    #[test]
    fn difference_too_small_for_the_time_is_no_reason() {
        // 4 us for each of 5,000 faults are 20 ms at most.
        for (slower_ms, reasons) in [(25.0, vec![Counted::Faults]), (1_000.0, vec![])] {
            let contest = contest(&[("one", 5.0), ("other", slower_ms)]);
            let why = compared(&account(25, 10), &account(25, 5_010), Some(&contest));
            assert_eq!(counted(&why), reasons, "{slower_ms}");
        }
    }

    #[test]
    fn difference_within_the_noise_is_no_reason() {
        for (faults, differs) in [(110, false), (124, false), (126, true), (81, false), (25, true)] {
            let why = compared(&account(25, 100), &account(25, faults), None);
            assert_eq!(!why.reasons.is_empty(), differs, "{faults}");
        }
        // 250 faults of 4 us are a hundredth of 100 ms.
        let slow = Account {
            usage: Usage { user_ns: Some(100_000_000), system_ns: Some(0), ..account(25, 900).usage },
            ..account(25, 900)
        };
        for (faults, differs) in [(700, false), (500, true)] {
            let why = compared(&slow, &account(25, faults), None);
            assert_eq!(!why.reasons.is_empty(), differs, "{faults}");
        }
        let why = compared(&account(1, 1), &account(2, 15), None);
        assert!(why.reasons.is_empty(), "a few more are a coincidence: {why:?}");
    }

    #[test]
    fn without_a_contest_both_sides_have_their_say() {
        let why = compared(&account(6_250, 10), &account(25, 5_000), None);
        assert_eq!((&why.found, &why.pair[0][..]), (&RunAnswer::Unknown, "one"));
        let sides: Vec<(Counted, bool)> =
            why.reasons.iter().map(|reason| (reason.counted, reason.for_second)).collect();
        assert_eq!(sides, [(Counted::Calls, true), (Counted::Faults, false)]);
    }

    #[test]
    fn equally_fast_techniques_are_tied() {
        let contest = contest(&[("one", 5.0), ("other", 5.0)]);
        // What they differ in makes no time.
        let why = compared(&account(25, 10), &account(25, 5_000), Some(&contest));
        assert_eq!((why.found, why.reasons), (RunAnswer::Tied { run: "r".to_owned() }, Vec::new()));
    }

    #[test]
    fn counts_of_work_that_was_cut_short_are_no_reasons() {
        let cut = Account { is_cut: true, ..account(6_250, 10) };
        for pair in [[&cut, &account(25, 10)], [&account(25, 10), &cut]] {
            let why = compared(pair[0], pair[1], None);
            assert!(why.is_cut && why.reasons.is_empty(), "{why:?}");
        }
        assert!(!compared(&account(6_250, 10), &account(25, 10), None).is_cut);
    }

    #[test]
    fn rate_is_a_speed_too_and_an_amount_is_none() {
        let mut contest = contest(&[("one", 5.0), ("other", 20.0)]);
        contest.metric = Metric::more("bytes_per_second", "the bandwidth");
        for (entry, rate) in contest.entries.iter_mut().zip([20e6, 5e6]) {
            entry.median = Median::new(Some(contest.metric.unit()), Some(rate));
        }
        let why = compared(&account(25, 10), &account(25, 10), Some(&contest));
        let found = RunAnswer::Faster { run: "r".to_owned(), by: 4.0 };
        assert_eq!((why.found, &*why.by), (found, " by the bandwidth"));
        contest.metric = Metric::MEMORY;
        let why = compared(&account(25, 10), &account(25, 10), Some(&contest));
        assert_eq!((why.found, &*why.by), (RunAnswer::Unknown, ""));
    }

    #[test]
    fn two_that_an_answer_is_about_are_its_choice_and_its_baseline() {
        let mut contest = contest(&[("one", 5.0), ("near", 5.0), ("third", 20.0), ("usual", 30.0)]);
        contest.leader = Some("one".to_owned());
        for (choice, baseline, unknown, two) in [
            (Some("near"), "usual", "", ["near", "usual"]),
            (Some("usual"), "usual", "", ["usual", "one"]),
            (Some("usual"), "usual", "one", ["usual", "near"]),
            (Some("near"), "absent", "", ["near", "one"]),
            (Some("one"), "usual", "one", ["near", "usual"]),
            (None, "absent", "", ["one", "near"]),
        ] {
            let known =
                Choice { entry: String::new(), is_baseline: false, baseline: None, at_most_slower: None };
            contest.choice = choice.map(|entry| Choice { entry: entry.to_owned(), ..known });
            contest.baseline = Some(baseline.to_owned());
            let all = in_question(&contest, |name| name != unknown);
            assert_eq!(all[..2], two, "{choice:?} {baseline} {unknown}");
        }
        // Of many, the best of each technique.
        let many = self::contest(&[("old", 20.0), ("read@64K", 9.0), ("read@1M", 7.0), ("map", 5.0)]);
        assert_eq!(in_question(&many, |_| true), ["map", "read@1M", "old"]);
        assert_eq!(in_question(&many, |name| name.starts_with("read")), ["read@1M", "read@64K"]);
    }

    #[test]
    fn contest_without_one_of_them_says_nothing() {
        let contest = contest(&[("one", 5.0), ("third", 20.0)]);
        assert_eq!(compared(&account(25, 10), &account(25, 10), Some(&contest)).found, RunAnswer::Unknown);
    }

    #[test]
    fn threads_speak_for_more_only_with_processors() {
        let contest = contest(&[("one", 5.0), ("other", 10.0)]);
        let (one, other) = (Account { threads: Some(3), ..account(25, 10) }, account(25, 10));
        for (has_processors, reasons) in [(true, vec![Counted::MoreThreads]), (false, vec![])] {
            let why = why(("one", &one), ("other", &other), Some(("r", &contest)), has_processors);
            assert_eq!(counted(&why), reasons);
        }
        let reversed = why(
            ("one", &other),
            ("other", &Account { threads: Some(300), ..one }),
            Some(("r", &contest)),
            true,
        );
        assert_eq!(counted(&reversed), [Counted::Threads], "each that is started costs something");
    }

    #[test]
    fn flushes_and_other_counters_are_reasons() {
        let flushed =
            |times| SystemCall { name: "fdatasync".to_owned(), calls: times, ..SystemCall::default() };
        let with = |times| Account { calls: Some(vec![flushed(times)]), ..Account::default() };
        assert_eq!(counted(&compared(&with(1), &with(768), None)), [Counted::Flushes, Counted::Calls]);
        let used = |usage| Account { usage, ..Account::default() };
        let nothing = Usage {
            voluntary_switches: Some(0),
            involuntary_switches: Some(1),
            read_bytes: Some(0),
            written_bytes: Some(0),
            user_ns: Some(0),
            system_ns: Some(1_000_000),
            ..Usage::default()
        };
        for (usage, expected) in [
            (Usage { voluntary_switches: Some(50), ..nothing }, Counted::Switches),
            (Usage { read_bytes: Some(25_600_000), ..nothing }, Counted::Fetched),
            (Usage { written_bytes: Some(25_600_000), ..nothing }, Counted::Sent),
            (Usage { user_ns: Some(9_000_000), ..nothing }, Counted::ProcessorTime),
        ] {
            assert_eq!(counted(&compared(&used(nothing), &used(usage), None)), [expected]);
        }
        // Where the time went is no reason next to one.
        let both = Usage { user_ns: Some(9_000_000), voluntary_switches: Some(50), ..nothing };
        assert_eq!(counted(&compared(&used(nothing), &used(both), None)), [Counted::Switches]);
    }

    #[test]
    fn unseen_calls_leave_the_systems_own_counts() {
        let [few, many] = [4, 256].map(|read_calls| {
            let (read_bytes, written_bytes) = (Some(1 << 20), Some(1 << 20));
            let (read_calls, write_calls) = (Some(read_calls), Some(read_calls));
            let counters = CallCounters {
                read_calls,
                write_calls,
                read_bytes,
                written_bytes,
                ..CallCounters::default()
            };
            Account { counters, ..Account::default() }
        });
        let why = compared(&few, &many, None);
        assert_eq!(counted(&why), [Counted::ReadsAndWrites]);
        assert_eq!(why.reasons[0].moved.map(|[one, _]| one.bytes_a_call), Some(256 << 10));
        assert!(compared(&few, &account(256, 10), None).reasons.is_empty(), "unlike counts do not compare");
    }
}
