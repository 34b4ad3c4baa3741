//! The words that terminal and Markdown share.

use std::collections::{BTreeMap, BTreeSet};

use judge::{
    BestParameter, Entry, FailureLine, Median, Ranking, Standing, State, at_least, at_most, is_time, marked,
    times,
};
use model::{Class, FactValue, FailureKind, Kind, Metric, Note, Setting, Topic, Unit, Workload, title};

pub(crate) use judge::{counted, once};

use crate::pages::{Context, NoisePage};
pub(crate) use crate::words::conditions::{
    class, conditions, conditions_beside, processors, setting, workload, workload_in,
};
use crate::words::units::{Scale, amount, percent};

/// This many names of a list are reported unless all are asked for. What the user named is always reported.
pub(crate) const MOST_NAMES: usize = 5;

pub(crate) fn folded(names: &[&str], is_kept: impl Fn(&str) -> bool, all: bool) -> String {
    if all || names.len() <= MOST_NAMES {
        return names.join(", ");
    }
    let mut shown: Vec<&str> = names.iter().copied().filter(|name| is_kept(name)).collect();
    let others = names.iter().copied().filter(|name| !is_kept(name));
    shown.extend(others.take((MOST_NAMES - 1).saturating_sub(shown.len())));
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

pub(crate) fn question(family: &str, context: &Context) -> String {
    match context.questions.get(family) {
        Some(question) => format!("{family}: {question}"),
        None => family.to_owned(),
    }
}

/// Returns the name of each contest next to the others of a report: its family, and what distinguishes it from others of that family.
pub(crate) fn labels(all: &[&Ranking]) -> Vec<String> {
    let families = by_key(all.iter().map(|ranking| (ranking.family.as_str(), *ranking)));
    // What differs at all in a family differs from its first contest.
    let parts: [fn(&Ranking, &Ranking) -> bool; 4] = [
        |one, other| one.workload != other.workload,
        |one, other| one.setting.conditions.cache != other.setting.conditions.cache,
        |one, other| one.setting.conditions.durability != other.setting.conditions.durability,
        |one, other| one.setting.place != other.setting.place,
    ];
    let differs = families.into_iter().map(|(family, contests)| {
        (family, parts.map(|differ| contests.iter().any(|other| differ(other, contests[0]))))
    });
    let differs: BTreeMap<&str, [bool; 4]> = differs.collect();
    all.iter().map(|ranking| label(ranking, differs[ranking.family.as_str()])).collect()
}

fn label(ranking: &Ranking, [workload, cache, durability, directory]: [bool; 4]) -> String {
    let setting = &ranking.setting;
    let mut parts = vec![ranking.family.clone()];
    parts.extend(workload.then(|| ranking.workload.name.clone()));
    parts.extend(setting.conditions.cache.filter(|_| cache).map(|cache| cache.to_string()));
    parts.extend(setting.conditions.durability.filter(|_| durability).map(|end| end.to_string()));
    parts.extend(setting.directory().filter(|_| directory).map(|directory| directory.display().to_string()));
    parts.extend(short_class(ranking.class).map(str::to_owned));
    parts.join(", ")
}

pub(crate) fn short_class(class: Class) -> Option<&'static str> {
    match class {
        Class::MovesBytes => None,
        Class::SharesExtents => Some("shared extents"),
        Class::ReusesEarlierWork => Some("earlier work"),
        Class::FlushesEachPiece => Some("each flushed"),
        Class::Coarse => Some("steps of 1 ms+"),
    }
}

/// A longer run than this is no proposal.
const LONGEST_NS: f64 = 300e9;

/// Returns the command of a run that narrows the result, where that is worth its time: of what is tied, and of the baseline. Before it
/// stands what it is for.
pub(crate) fn further(ranking: &Ranking, context: &Context) -> Option<(String, String)> {
    let further = ranking.further.filter(|one| one.more_ns <= LONGEST_NS)?;
    let mut words = context.command.iter().map(String::as_str).skip(1);
    let is_typed = ranking.workload.is_as_given();
    let (verb, option) = if is_typed { ("time", "--min-runs") } else { ("run", "--min-rounds") };
    let built_in = ranking.entries.iter().filter(|entry| entry.kind == Kind::BuiltIn && !is_typed);
    let first = ranking.candidates.iter().take(judge::MOST_MEASURED_LONGER).chain(&ranking.baseline);
    let first: Vec<&String> = first.collect();
    let kept = built_in.filter(|entry| first.contains(&&entry.technique));
    let names: Vec<String> = kept.map(|entry| format!("{}/{}", ranking.family, entry.technique)).collect();
    let rounds = further.rounds.to_string();
    let mut own = Some(names.iter().map(String::as_str).chain([option, &*rounds]));
    let mut again = vec!["bakeoff"];
    while let Some(word) = words.next() {
        let is_name = |family: &String| {
            word.strip_prefix(&**family).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match word {
            // What the budget pays for may be less.
            "--budget" | "--rounds" | "--runs" | "-n" | "--min-rounds" | "--min-runs" => drop(words.next()),
            "--fast" | "--deep" => {}
            _ if word == verb && own.is_some() => again.extend([verb].into_iter().chain(own.take()?)),
            _ if !is_typed && context.questions.keys().any(is_name) => {}
            _ => again.push(word),
        }
    }
    let within = percent(further.at_most_slower);
    let command = command_line(again.into_iter());
    own.is_none().then(|| (format!("to be within {within}"), command))
}

/// Returns the answer of a contest in one sentence: what to do, or why nothing can be advised.
pub(crate) fn answer(ranking: &Ranking) -> &str {
    ranking.advice.as_deref().unwrap_or(&ranking.sentence)
}

/// The words for places in a contest: those of time, or those that fit everything.
pub(crate) struct Words {
    pub(crate) worse: &'static str,
    pub(crate) factors: &'static str,
    pub(crate) value: &'static str,
}

pub(crate) fn words_of(metric: &Metric) -> Words {
    if is_time(metric) {
        Words { worse: "slower", factors: "slower by", value: "time" }
    } else {
        Words { worse: "worse", factors: "worse by", value: "value" }
    }
}

pub(crate) fn standing(entry: &Entry, ranking: &Ranking) -> &'static str {
    match entry.standing {
        _ if ranking.leader.as_deref() == Some(&entry.technique) => match ranking.state {
            State::Wins => "wins",
            State::Alone => "",
            _ => "leads",
        },
        Standing::Wins => "wins",
        Standing::Tied => "tied",
        Standing::Slower => words_of(&ranking.metric).worse,
        Standing::Skipped => "skipped",
        Standing::Ceiling => "ceiling",
        Standing::Failed => "failed",
        Standing::Unjudged => "",
    }
}

/// Returns the same as a remark on a row, with the mark of the baseline. The sign in front of the row says that it is tied, its factor
/// that it is slower.
pub(crate) fn tag(entry: &Entry, ranking: &Ranking, says_what_leads: bool) -> String {
    let leads = ranking.leader.as_deref() == Some(&entry.technique);
    let standing = match entry.standing {
        Standing::Slower => "",
        Standing::Tied if !leads => "",
        _ if leads && !says_what_leads => "",
        _ => standing(entry, ranking),
    };
    match (ranking.baseline.as_deref() == Some(&entry.technique), standing) {
        (false, _) => standing.to_owned(),
        (true, "") => "baseline".to_owned(),
        (true, _) => format!("{standing}, baseline"),
    }
}

/// Returns the sign in front of what may be fastest. What is alone was compared with nothing.
pub(crate) fn mark(entry: &Entry, ranking: &Ranking) -> &'static str {
    if entry.standing.is_candidate() && ranking.state != State::Alone { "=" } else { "" }
}

/// Returns by how much it is slower than the leader: the estimate, and the interval. An estimate that claims nothing has a `~`. The
/// leader has none, and a ceiling does not compete.
pub(crate) fn factor(entry: &Entry, ranking: &Ranking) -> (String, String) {
    let is_leader = ranking.leader.as_deref() == Some(&entry.technique);
    if is_leader || matches!(entry.standing, Standing::Ceiling | Standing::Failed) {
        return Default::default();
    }
    let claims = !matches!(entry.standing, Standing::Skipped | Standing::Unjudged);
    let is_guess = !claims || entry.median.extrapolated || entry.factor_low.or(entry.factor_high).is_none();
    let estimate =
        entry.factor.map_or(String::new(), |factor| marked(format!("{}x", times(factor)), is_guess));
    let is_slower = entry.standing == Standing::Slower && entry.factor_high.is_some();
    (estimate, interval(entry.factor_low.or(is_slower.then_some(1f64.next_up())), entry.factor_high))
}

/// The meaning of a `~` in front of a factor.
pub(crate) const GUESS: &str = "~ extrapolated, or too few rounds.";

/// Returns the interval of a factor: `(1.5-2.1)`, `(1.0-1.4)`, `(>1.0-1.4)` of what is slower, `(>1.5)`; nothing where nothing is known.
pub(crate) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    let is_more = low.is_some_and(|low| low > 1.0) && high.is_some();
    let [low, high] = [(low.map(at_least), is_more), (high.map(at_most), false)].map(|(end, is_more)| {
        let one = if is_more { ">1.0" } else { "1.0" };
        end.map(|text| if text == "1.00" { one.to_owned() } else { text })
    });
    match (low, high) {
        (Some(low), Some(high)) if low == high => String::new(),
        (Some(low), Some(high)) => format!("({low}-{high})"),
        (None, Some(high)) => format!("(1.0-{high})"),
        (Some(low), None) if low != "1.0" => format!("(>{low})"),
        _ => String::new(),
    }
}

/// Returns name, published programs and origin: `small_buffer [cpW]`, `rsync (command)`.
pub(crate) fn technique(name: &str, aliases: &[String], kind: Kind) -> String {
    let aliases = if aliases.is_empty() { String::new() } else { format!(" [{}]", aliases.join(" ")) };
    format!("{name}{aliases}{}", origin(kind))
}

/// Returns where an entry comes from, as far as it is worth a word: not where all are commands.
pub(crate) fn told_kind(entry: &Entry, ranking: &Ranking) -> Kind {
    let mut kinds = ranking.entries.iter().map(|entry| entry.kind);
    let has_commands_only = kinds.all(|kind| matches!(kind, Kind::Command | Kind::Twin));
    if entry.kind == Kind::Command && has_commands_only { Kind::BuiltIn } else { entry.kind }
}

/// Returns what is added to the name of what is no built-in technique. The limit is reported by its standing.
pub(crate) fn origin(kind: Kind) -> &'static str {
    match kind {
        Kind::BuiltIn | Kind::Ceiling => "",
        Kind::Command => " (command)",
        Kind::Twin => " (twin)",
    }
}

/// Returns the typical value of an entry with its unit; of work that is a number of calls, that of one: `9.48 ns a call`.
pub(crate) fn median(entry: &Entry, ranking: &Ranking) -> String {
    let unit = ranking.unit_is_known.then(|| ranking.metric.unit());
    match (calls(ranking), entry.median.value()) {
        (Some(calls), Some(ns)) => format!("{} a call", amount(Unit::Nanoseconds, ns / calls)),
        _ => typical(&entry.median, unit),
    }
}

/// Returns the number of calls that a contest's work is, where its figures are times of one.
pub(crate) fn calls(ranking: &Ranking) -> Option<f64> {
    let is_time = ranking.unit_is_known && ranking.metric.unit() == Unit::Nanoseconds;
    let calls = ranking.workload.number("calls").filter(|calls| is_time && *calls > 0);
    calls.map(|calls| calls as f64)
}

/// Returns a typical value with its unit, where that is known; marked where it was extrapolated.
pub(crate) fn typical(median: &Median, unit: Option<Unit>) -> String {
    let Some(value) = median.value() else { return String::new() };
    let said = unit.map_or_else(|| Scale::unknown(value).number(value), |unit| amount(unit, value));
    marked(said, median.extrapolated)
}

/// Returns the least and the largest value. One that left early has those of its own rounds, next to a median of all: it has none.
pub(crate) fn range(entry: &Entry, ranking: &Ranking) -> String {
    let unit = ranking.metric.unit();
    let has_all = entry.left_after_round.is_none();
    match (entry.min.filter(|_| has_all), entry.max) {
        (Some(min), Some(max)) => match Scale::of(unit, max) {
            Some(scale) if max < 100.0 * min => format!("{}-{}", scale.number(min), scale.value(max)),
            _ => format!("{}-{}", amount(unit, min), amount(unit, max)),
        },
        _ => String::new(),
    }
}

pub(crate) fn speed(entry: &Entry) -> String {
    let said = entry.bytes_per_s.map(|speed| amount(Unit::BytesPerSecond, speed));
    said.map_or(String::new(), |said| marked(said, entry.median.extrapolated))
}

/// User and system time: apart where both are known, else together; of work that is a number of calls, that of one. A part of 0 is less
/// than the counter's tick.
pub(crate) fn cpu(entry: &Entry, ranking: &Ranking) -> String {
    let calls = calls(ranking).unwrap_or(1.0);
    let time = |ns: f64| amount(Unit::Nanoseconds, ns / calls);
    match (entry.user_ns, entry.system_ns, entry.cpu_ns) {
        (Some(user), Some(system), _) if user > 0.0 && system > 0.0 => {
            format!("{} + {}", time(user), time(system))
        }
        (_, _, Some(both)) => time(both),
        _ => String::new(),
    }
}

pub(crate) fn cpu_title(ranking: &Ranking) -> &'static str {
    let apart = ranking.entries.iter().any(|entry| entry.user_ns.is_some() && entry.system_ns.is_some());
    if apart { "user + system" } else { "cpu time" }
}

/// Returns what techniques counted or timed themselves next to what is compared, each with its heading: all of it, or what the family
/// declares. Parts of the work come in the order in which it is done.
pub(crate) fn values(ranking: &Ranking, all: bool) -> Vec<(String, String)> {
    const ORDER: [&str; 8] = ["open", "read", "convert", "search", "sort", "merge", "permute", "write"];
    let declared = |key: &str| ranking.others.iter().find(|other| other.key == key);
    let known: BTreeSet<&String> = ranking.entries.iter().flat_map(|entry| entry.values.keys()).collect();
    let wanted =
        known.into_iter().filter(|key| ranking.metric.key != ***key && (all || declared(key).is_some()));
    let mut keys: Vec<&String> = wanted.collect();
    keys.sort_by_key(|key| {
        let declared = ranking.others.iter().position(|other| other.key == ***key);
        let part = ORDER.iter().position(|part| *part == title(key)).unwrap_or(ORDER.len());
        (declared.unwrap_or(usize::MAX), part)
    });
    let named = keys.into_iter().map(|key| {
        (key.clone(), declared(key).map_or(title(key).to_owned(), |other| other.what.to_string()))
    });
    named.collect()
}

pub(crate) fn value(entry: &Entry, key: &str) -> String {
    entry.values.get(key).map_or(String::new(), |value| amount(Unit::of_key(key), *value))
}

/// Says by what else a contest can be judged, where its family declares anything.
pub(crate) fn also_measured(ranking: &Ranking) -> Option<String> {
    let first = ranking.others.first()?.name();
    let names = ranking.others.iter().map(Metric::name).collect::<Vec<_>>().join(", ");
    Some(format!("{names}; '--metric {first}' of 'report' judges by it."))
}

pub(crate) fn fact(value: &FactValue) -> String {
    match value {
        FactValue::Words { words } => words.clone(),
        FactValue::Number { number, unit } => match unit.as_str() {
            "ns" => amount(Unit::Nanoseconds, *number),
            "bytes" => amount(Unit::Bytes, *number),
            unit => format!("{} {unit}", amount(Unit::Count, *number)).trim_end().to_owned(),
        },
    }
}

pub(crate) fn parameter(best: &BestParameter) -> String {
    let (mut said, mut known) =
        (format!("{} does best with {}", best.technique, best.value), vec![&best.value]);
    let [as_good, tied] =
        [(&best.as_good, ["does as well", "do as well"]), (&best.tied, ["is tied", "are tied"])];
    for (values, [one, several]) in [as_good, tied] {
        let others: Vec<String> = values.iter().filter(|value| !known.contains(value)).cloned().collect();
        if !others.is_empty() {
            let verb = if others.len() == 1 { one } else { several };
            said += &format!("; {} {verb}", enumerated(&others));
        }
        known.extend(values);
    }
    said + "."
}

/// Returns the techniques whose best value is shown unasked: those that are tied, and the baseline.
pub(crate) fn parameters(ranking: &Ranking, all: bool) -> Vec<&BestParameter> {
    let baseline = ranking.baseline.as_deref().and_then(|name| ranking.entry(name)).map(Entry::without_value);
    let compared =
        ranking.entries.iter().filter(|one| !matches!(one.standing, Standing::Ceiling | Standing::Failed));
    let techniques = once(compared.map(Entry::without_value));
    let is_shown = |best: &&BestParameter| {
        all || !best.tied.is_empty() || baseline == Some(&best.technique) || techniques.len() == 1
    };
    ranking.best_parameters.iter().filter(is_shown).collect()
}

pub(crate) fn failed(failure: &FailureLine) -> String {
    let times = if failure.count > 1 { format!(" {} times", failure.count) } else { String::new() };
    // The reason says how a process ended: a command that finds nothing has not crashed.
    let kind = if failure.kind == FailureKind::Crash {
        String::new()
    } else {
        format!(" {}", kind_of(failure.kind))
    };
    format!("{}{kind}{times}: {}", failure.technique, failure.reason)
}

/// Returns what does not exist here: the names, or with the reasons.
pub(crate) fn missing<'a>(contests: impl Iterator<Item = &'a Ranking>, is_short: bool) -> Vec<String> {
    if !is_short {
        return once(contests.flat_map(|one| not_available(&one.not_available)));
    }
    let names = once(contests.flat_map(|one| &one.not_available).map(|line| line.technique.as_str()));
    let all = (!names.is_empty()).then(|| folded(&names, |_| false, false));
    all.map(|names| format!("{names} (-v says why)")).into_iter().collect()
}

/// Returns what does not exist here, or was not tried, those with one reason together.
pub(crate) fn not_available(lines: &[FailureLine]) -> Vec<String> {
    let reasons = by_key(lines.iter().map(|line| (line.reason.as_str(), line.technique.as_str())));
    reasons.iter().map(|(reason, names)| format!("{} ({reason})", names.join(", "))).collect()
}

pub(crate) fn without_metric(names: &[&str], all: bool) -> Option<String> {
    let have = if names.len() == 1 { "has" } else { "have" };
    (!names.is_empty()).then(|| format!("{} {have} no such metric", folded(names, |_| false, all)))
}

/// Returns the number of rounds that count: the first one only where there is no other.
pub(crate) fn rounds(ranking: &Ranking) -> u64 {
    u64::from(ranking.rounds.max(u32::from(ranking.state == State::TooFewRounds)))
}

pub(crate) fn basis(ranking: &Ranking, verbose: bool) -> String {
    let mut parts = vec![counted(rounds(ranking), "round")];
    if verbose {
        parts.push(format!("differences up to {} do not matter", percent(ranking.delta)));
        parts.push(match ranking.twin_difference {
            Some(difference) => {
                format!("one entry measured twice differs from itself by {}", percent(difference))
            }
            None => "no entry was measured twice".to_owned(),
        });
    }
    parts.join("; ") + "."
}

/// Returns true if a note of a run may change what a reader does. The others explain figures.
pub(crate) fn is_important(note: &Note) -> bool {
    !matches!(
        note.topic,
        Topic::ReadAhead | Topic::Steal | Topic::SwapFew | Topic::Throttle | Topic::FreeMemoryKept
    )
}

pub(crate) fn kind_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Crash => "failed",
        FailureKind::Hang => "did not end in time",
        FailureKind::Wrong => "gave a wrong answer",
        FailureKind::Refused => "was refused by the system",
        FailureKind::DiskFull => "found the disk full",
        FailureKind::TooManyFiles => "reached the limit of open files",
        FailureKind::Missing => "is not available here",
        FailureKind::Skipped => "was skipped for time",
        FailureKind::TenfoldBehind => "was skipped",
    }
}

/// Says whether to trust the instrument where identical techniques were, or were not, distinguished in this many rounds.
pub(crate) fn instrument(rounds: u32, told_apart: bool) -> &'static str {
    match (rounds, told_apart) {
        (_, true) => "found identical techniques different: do not trust it; stop other work and repeat",
        (0, false) => "not tested: nothing was compared",
        (_, false) => "holds",
    }
}

pub(crate) fn noise_controls(page: &NoisePage) -> String {
    format!(
        "chance of finding identical techniques different {} a row; seed {}",
        percent(page.alpha),
        page.seed
    )
}

pub(crate) fn of_task(size: &Workload, at: &Setting) -> String {
    filled([workload_in(size, at), setting(at, true)], ", ")
}

/// Returns the technique of a built-in entry: its name without a value.
pub(crate) fn technique_of(entry: &str) -> &str {
    entry.split('@').next().unwrap_or(entry)
}

/// Joins the parts that are not empty with this between them.
pub(crate) fn filled(parts: impl IntoIterator<Item = String>, by: &str) -> String {
    joined(parts.into_iter().filter(|part| !part.is_empty()), by).unwrap_or_default()
}

/// Joins parts of a sentence with this between them; `None` where there is none.
pub(crate) fn joined(parts: impl IntoIterator<Item = String>, by: &str) -> Option<String> {
    parts.into_iter().reduce(|all, part| all + by + &part)
}

/// Gathers what has one key, in the order in which the keys come.
pub(crate) fn by_key<K: PartialEq, T>(pairs: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut all: Vec<(K, Vec<T>)> = Vec::new();
    for (key, one) in pairs {
        match all.iter_mut().find(|(known, _)| *known == key) {
            Some((_, own)) => own.push(one),
            None => all.push((key, vec![one])),
        }
    }
    all
}

pub(crate) fn command_line<'a>(words: impl Iterator<Item = &'a str> + Clone) -> String {
    // What no shell can take as a word, a NUL, stands in no command line either.
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn enumerated(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn tied_values_are_named_with_the_best_one() {
        let mut best = fixture::ranking().best_parameters.remove(0);
        best.tied = vec!["64K".into(), "256K".into()];
        let said = "read_write does best with 256K; 128K and 512K do as well; 64K is tied.";
        assert_eq!(parameter(&best), said);
        best.as_good.retain(|value| value == "256K");
        assert_eq!(parameter(&best), "read_write does best with 256K; 64K is tied.");
    }

    #[test]
    fn a_longer_run_is_of_what_is_tied() {
        let said = |ranking: &Ranking, words: &[&str]| {
            let command = words.iter().map(|word| (*word).to_owned()).collect();
            further(ranking, &Context { command, ..fixture::context() })
        };
        let mut ranking = fixture::ranking();
        let run = ["bakeoff", "--store", "s", "run", "copy/a", "--size", "1M", "--budget", "9s", "--deep"];
        let own = "copy/copy_file_range copy/sendfile copy/read_write@256K --min-rounds 65";
        let of_run = format!("bakeoff --store s run {own} --size 1M");
        assert_eq!(said(&ranking, &run), Some(("to be within 2 %".to_owned(), of_run)));
        assert_eq!(said(&ranking, &[]), None);
        ranking.workload.name = Workload::AS_GIVEN.to_owned();
        let of_time = said(&ranking, &["bakeoff", "time", "-n", "9", "run a", "copy"]);
        assert!(of_time.is_some_and(|said| said.1 == "bakeoff time --min-runs 65 'run a' copy"));
    }

    #[test]
    fn time_below_a_tick_is_not_shown_as_none() {
        let mut ranking = fixture::clear();
        let leader = ranking.entries[0].clone();
        assert_eq!(cpu(&leader, &ranking), "310 us + 4.90 ms");
        assert_eq!(cpu(&Entry { user_ns: Some(0.0), ..leader.clone() }, &ranking), "5.21 ms");
        ranking.workload = ranking.workload.with("calls", 1000);
        assert_eq!(cpu(&leader, &ranking), "310 ns + 4.90 us");
    }
}
