//! The words that terminal and Markdown share.

use std::collections::{BTreeMap, BTreeSet};

use judge::{BestParameter, Entry, FailureLine, Ranking, Standing, State, at_least, at_most};
use model::{
    Class, FailureKind, Kind, Metric, Note, Setting, Workload, format_bytes, format_ns, parse_bytes,
};

use crate::pages::{Context, NoisePage};
use crate::units::{Scale, percent, three_digits};

/// The family with its question.
pub(crate) fn question(family: &str, context: &Context) -> String {
    match context.questions.get(family) {
        Some(question) => format!("{family}: {question}"),
        None => family.to_owned(),
    }
}

/// The conditions of a contest: `25.6 MB, warm cache, ext4 in ., returned`.
pub(crate) fn conditions(ranking: &Ranking) -> String {
    let mut parts = vec![workload(&ranking.workload)];
    parts.extend(conditions_beside(&ranking.setting, ranking.class, ranking.metric));
    parts.join(", ")
}

/// The conditions beside size and shape.
pub(crate) fn conditions_beside(of: &Setting, kind: Class, by: Metric) -> Vec<String> {
    let mut parts = Vec::new();
    if !is_anonymous(of) {
        parts.push(setting(of));
    }
    parts.extend(class(kind).map(str::to_owned));
    if by != Metric::Work {
        parts.push(format!("by {}", metric(by)));
    }
    parts
}

/// What a class is called where it is not the usual one.
pub(crate) fn class(class: Class) -> Option<&'static str> {
    match class {
        Class::MovesBytes => None,
        Class::SharesExtents => Some("techniques that share the input's extents"),
        Class::ReusesEarlierWork => Some("techniques that reuse earlier work"),
    }
}

/// What each contest is called beside the others of a report: its family, and what tells it from others of that family.
pub(crate) fn labels(all: &[&Ranking]) -> Vec<String> {
    let mut families: BTreeMap<&str, Vec<&Ranking>> = BTreeMap::new();
    for ranking in all {
        families.entry(&ranking.family).or_default().push(ranking);
    }
    // What differs at all in a family differs from its first contest.
    let differs = families.into_iter().map(|(family, contests)| {
        let first = contests[0];
        let any = |differs: &dyn Fn(&Ranking) -> bool| contests.iter().any(|other| differs(other));
        let parts = [
            any(&|other| other.workload != first.workload),
            any(&|other| other.setting.cache != first.setting.cache),
            any(&|other| other.setting.durability != first.setting.durability),
            any(&|other| other.setting.directory != first.setting.directory),
        ];
        (family, parts)
    });
    let differs: BTreeMap<&str, [bool; 4]> = differs.collect();
    all.iter().map(|ranking| label(ranking, differs[ranking.family.as_str()])).collect()
}

fn label(ranking: &Ranking, [workload, cache, durability, directory]: [bool; 4]) -> String {
    let setting = &ranking.setting;
    let mut parts = vec![ranking.family.clone()];
    parts.extend(workload.then(|| ranking.workload.name.clone()));
    parts.extend(cache.then(|| setting.cache.to_string()));
    parts.extend(durability.then(|| setting.durability.to_string()));
    parts.extend(directory.then(|| setting.directory.display().to_string()));
    parts.extend(match ranking.class {
        Class::MovesBytes => None,
        Class::SharesExtents => Some("shared extents".to_owned()),
        Class::ReusesEarlierWork => Some("earlier work".to_owned()),
    });
    parts.join(", ")
}

/// The answer of a contest in one sentence: what to do, or why nothing can be advised.
pub(crate) fn answer(ranking: &Ranking) -> &str {
    ranking.advice.as_deref().unwrap_or(&ranking.sentence)
}

/// Whether the samples came without a setting, as those of other programs do: then neither their conditions nor their unit is
/// known, and none is shown. A setting of ours always names its directory.
pub(crate) fn is_anonymous(setting: &Setting) -> bool {
    setting.directory.as_os_str().is_empty()
}

/// What is compared, in words.
pub(crate) fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Work => "the time of the work",
        Metric::Process => "the time of the whole process",
        Metric::Cpu => "user and system time together",
        Metric::User => "user time",
        Metric::System => "system time",
        Metric::Memory => "peak memory",
    }
}

/// Size and shape: the name, unless it only repeats the size, and every number.
pub(crate) fn workload(workload: &Workload) -> String {
    let repeats = workload.bytes().is_some() && parse_bytes(&workload.name).ok() == workload.bytes();
    let mut numbers: Vec<String> = workload.numbers.iter().map(|(key, value)| number(key, *value)).collect();
    // `100000 records` may be all that a name says.
    numbers.retain(|number| *number != workload.name);
    // What was set by hand stands in the name already.
    let shape = workload.shape.iter().filter(|(key, _)| !workload.name.contains(&format!(" {key}=")));
    numbers.extend(shape.map(|(key, value)| format!("{} {value}", key.replace('_', " "))));
    match (repeats || workload.name.is_empty(), numbers.is_empty()) {
        (true, _) => numbers.join(", "),
        (false, true) => workload.name.clone(),
        (false, false) => format!("{} ({})", workload.name, numbers.join(", ")),
    }
}

fn number(key: &str, value: u64) -> String {
    let words = |key: &str| key.replace('_', " ");
    if key == "bytes" {
        format_bytes(value)
    } else if let Some(size) = key.strip_suffix("_bytes") {
        format!("{} {}", words(size), format_bytes(value))
    } else if let Some(time) = key.strip_suffix("_ns") {
        format!("{} {}", words(time), format_ns(value as f64))
    } else if let Some(thing) = key.strip_suffix("_count") {
        format!("{value} {}{}", words(thing), if value == 1 { "" } else { "s" })
    } else {
        format!("{value} {}", words(key))
    }
}

/// The conditions that are not part of the size.
pub(crate) fn setting(setting: &Setting) -> String {
    let mut parts = vec![format!("{} cache", setting.cache)];
    parts.push(match &setting.file_system {
        Some(name) => format!("{name} in {}", setting.directory.display()),
        None => format!("in {}", setting.directory.display()),
    });
    parts.push(setting.durability.to_string());
    if !setting.processors.is_empty() {
        parts.push(format!("processors {}", processors(&setting.processors)));
    }
    if let Some(bytes) = setting.memory_limit_bytes {
        parts.push(format!("memory limited to {}", format_bytes(bytes)));
    }
    parts.join(", ")
}

/// Numbers of processors in the form of `taskset`: `0-3,8`.
pub(crate) fn processors(list: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &one in list {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(one) => *last = one,
            _ => runs.push((one, one)),
        }
    }
    let word = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.iter().map(word).collect::<Vec<_>>().join(",")
}

/// Where an entry stands, in a word or two.
pub(crate) fn standing(entry: &Entry, ranking: &Ranking) -> &'static str {
    match entry.standing {
        _ if ranking.leader.as_deref() == Some(&entry.technique) => match entry.standing {
            Standing::Fastest => "fastest",
            Standing::MayBeFastest => "leads",
            _ => "led so far",
        },
        Standing::Fastest | Standing::MayBeFastest => "may be fastest",
        Standing::Slower => "slower",
        Standing::Behind => "behind",
        Standing::FarBehind => "far behind",
        Standing::LeftOut => "left out",
        Standing::Limit => "limit",
        Standing::Failed => "failed",
        Standing::Unjudged => "",
    }
}

/// The same with the mark of the plain way.
pub(crate) fn tag(entry: &Entry, ranking: &Ranking) -> String {
    let standing = standing(entry, ranking);
    match (ranking.reference.as_deref() == Some(&entry.technique), standing) {
        (false, _) => standing.to_owned(),
        (true, "slower" | "behind" | "") => "plain way".to_owned(),
        (true, _) => format!("{standing}, plain way"),
    }
}

/// The mark in front of what may be fastest.
pub(crate) fn mark(entry: &Entry) -> &'static str {
    if entry.standing.is_candidate() { "*" } else { "" }
}

/// Its time over the fastest one's: the estimate, and the interval behind it.
pub(crate) fn factor(entry: &Entry) -> (String, String) {
    let Some(estimate) = entry.factor else { return (String::new(), interval(entry)) };
    (three_digits(estimate), interval(entry))
}

/// The interval of a factor: `1.5-2.1`, `up to 1.4`, `from 1.5`; nothing where nothing is known.
fn interval(entry: &Entry) -> String {
    let low = entry.factor_low.map(|low| if low == 1.0 { "1".to_owned() } else { at_least(low) });
    let high = entry.factor_high.map(|high| if high == 1.0 { "1".to_owned() } else { at_most(high) });
    match (low, high) {
        (Some(low), Some(high)) if low == high => String::new(),
        (Some(low), Some(high)) => format!("{low}-{high}"),
        (Some(low), None) if low == "1" => String::new(),
        (Some(low), None) => format!("from {low}"),
        (None, Some(high)) => format!("up to {high}"),
        (None, None) => String::new(),
    }
}

/// Name, published programs and origin: `small_buffer [cpW]`, `rsync (contender)`.
pub(crate) fn technique(name: &str, aliases: &[String], kind: Kind) -> String {
    let mut text = name.to_owned();
    if !aliases.is_empty() {
        text.push_str(&format!(" [{}]", aliases.join(" ")));
    }
    text.push_str(origin(kind));
    text
}

/// What is added to the name of what is no built-in technique. The limit is told by its standing.
pub(crate) fn origin(kind: Kind) -> &'static str {
    match kind {
        Kind::BuiltIn | Kind::Ceiling => "",
        Kind::Contender => " (contender)",
        Kind::Twin => " (twin)",
    }
}

/// The typical value of an entry with its unit.
pub(crate) fn median(entry: &Entry, ranking: &Ranking) -> String {
    let Some(median) = entry.median else { return String::new() };
    match (is_anonymous(&ranking.setting), ranking.metric) {
        (true, _) => Scale::unknown(median).number(median),
        (false, metric) => Scale::of_metric(metric, median).value(median),
    }
}

/// How much it moves in a second.
pub(crate) fn speed(entry: &Entry) -> String {
    entry.bytes_per_s.map_or(String::new(), |speed| Scale::of_speed(speed).value(speed))
}

/// User and system time: apart where both are known, else together.
pub(crate) fn cpu(entry: &Entry) -> String {
    let time = |ns: f64| Scale::of_ns(ns).value(ns);
    match (entry.user_ns, entry.system_ns, entry.cpu_ns) {
        (Some(user), Some(system), _) => format!("{} + {}", time(user), time(system)),
        (_, _, Some(both)) => time(both),
        _ => String::new(),
    }
}

/// The title above those figures.
pub(crate) fn cpu_title(ranking: &Ranking) -> &'static str {
    let apart = ranking.entries.iter().any(|entry| entry.user_ns.is_some() && entry.system_ns.is_some());
    if apart { "user + system" } else { "cpu time" }
}

/// The names of all phases in the order in which work is done; what is not known here stands last.
pub(crate) fn phases(ranking: &Ranking) -> Vec<String> {
    const ORDER: [&str; 8] = ["open", "read", "convert", "search", "sort", "merge", "permute", "write"];
    let names: BTreeSet<&String> = ranking.entries.iter().flat_map(|entry| entry.phases_ns.keys()).collect();
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    names.sort_by_key(|name| ORDER.iter().position(|known| known == name).unwrap_or(ORDER.len()));
    names
}

/// The best value of a technique's own parameter, with those as good.
pub(crate) fn parameter(best: &BestParameter) -> String {
    let others: Vec<&str> =
        best.as_good.iter().filter(|value| **value != best.value).map(String::as_str).collect();
    match others.as_slice() {
        [] => format!("{} does best with {}.", best.technique, best.value),
        others => format!(
            "{} does best with {}; as good as that: {}.",
            best.technique,
            best.value,
            others.join(", ")
        ),
    }
}

/// The techniques whose best value is told unasked: those that may be fastest, and the plain way.
pub(crate) fn parameters(ranking: &Ranking, all: bool) -> Vec<&BestParameter> {
    let wanted = |best: &&BestParameter| {
        let maybe =
            ranking.groups.iter().any(|group| group.may_be_fastest && group.technique == best.technique);
        let plain = ranking.reference.as_deref().and_then(|name| name.split('@').next());
        all || maybe || plain == Some(&best.technique) || ranking.groups.len() == 1
    };
    ranking.best_parameters.iter().filter(wanted).collect()
}

/// A technique that failed, how often, and why.
pub(crate) fn failed(failure: &FailureLine) -> String {
    let times = if failure.count > 1 { format!(" {} times", failure.count) } else { String::new() };
    format!("{} {}{times}: {}", failure.technique, kind_of(failure.kind), failure.reason)
}

/// What does not exist here, those with one reason together.
pub(crate) fn not_available(lines: &[FailureLine]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        match reasons.iter_mut().find(|(reason, _)| *reason == line.reason) {
            Some((_, names)) => names.push(&line.technique),
            None => reasons.push((&line.reason, vec![&line.technique])),
        }
    }
    reasons.iter().map(|(reason, names)| format!("{} ({reason})", names.join(", "))).collect()
}

/// What the answer rests on.
pub(crate) fn basis(ranking: &Ranking, verbose: bool) -> String {
    let mut parts = vec![counted(ranking.rounds.into(), "round")];
    if let Some(confidence) = ranking.confidence {
        parts.push(format!("all intervals hold together with {} confidence", percent(confidence)));
    }
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

/// Whether a note of a run may change what a reader does. The others explain figures.
pub(crate) fn is_important(note: &Note) -> bool {
    !["steal", "swap-few", "throttle", "canary"].contains(&note.topic.as_str())
}

/// How an answer is coloured: one that is settled, one that is open, none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    Yes,
    Partly,
    No,
}

/// Whether an answer settles the question.
pub(crate) fn settled(state: State) -> Settled {
    match state {
        State::Fastest | State::LeadOpen | State::OneTechnique | State::Few | State::Alike => Settled::Yes,
        State::Many | State::NoLimit | State::VeryShort | State::TooFewRounds | State::OnlyOne => {
            Settled::Partly
        }
        State::Refused => Settled::No,
    }
}

/// The kind of a failure in a word or two.
fn kind_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Crash => "crashed",
        FailureKind::Hang => "did not end in time",
        FailureKind::Wrong => "gave a wrong answer",
        FailureKind::Refused => "was refused by the system",
        FailureKind::Missing => "is not available here",
    }
}

/// Whether the instrument may be trusted where identical techniques were, or were not, told apart.
pub(crate) fn instrument(told_apart: bool) -> &'static str {
    if told_apart { "told twins apart: do not trust it here" } else { "holds" }
}

/// What a page of noise rests on.
pub(crate) fn noise_controls(page: &NoisePage) -> String {
    format!("chance of telling twins apart in a row {}; seed {}", percent(page.alpha), page.seed)
}

/// `1 round`, `2 rounds`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_is_told_once() {
        assert_eq!(workload(&Workload::of_bytes("25.6MB", 25_600_000)), "25.6 MB");
        assert_eq!(workload(&Workload::of_bytes("published", 25_600_000)), "published (25.6 MB)");
        let numbers = BTreeMap::from([
            ("piece_bytes".into(), 65_536),
            ("threads".into(), 8),
            ("pause_ns".into(), 1500),
        ]);
        let odd = Workload { name: "x".into(), numbers, ..Workload::default() };
        assert_eq!(workload(&odd), "x (pause 1.5 us, piece 64 KiB, 8 threads)");
        assert_eq!(workload(&odd.beside("threads")), "pause 1.5 us, piece 64 KiB");
        assert_eq!(workload(&Workload { name: "clock".into(), ..Workload::default() }), "clock");
        let records = Workload::of_bytes("100 records", 6_400).with_number("records", 100);
        assert_eq!(workload(&records), "100 records (6.4 kB)");
        for (files, told) in [(20, "published (64 KiB, 20 files)"), (1, "published (64 KiB, 1 file)")] {
            assert_eq!(
                workload(&Workload::of_bytes("published", 65_536).with_number("file_count", files)),
                told
            );
        }
    }

    #[test]
    fn processors_are_listed_like_taskset_does() {
        assert_eq!(processors(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
        assert_eq!(processors(&[u32::MAX, 0]), "4294967295,0");
    }
}
