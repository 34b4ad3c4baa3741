//! The words that terminal and Markdown share.

use std::collections::BTreeSet;

use judge::{BestParameter, FailureLine, Place, Ranking, Standing};
use model::{Class, FailureKind, Kind, Metric, Setting, Workload, format_bytes, format_ns, parse_bytes};

use crate::pages::{Context, NoisePage};
use crate::units::{Scale, percent, ratio, smallest};

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
    if !is_anonymous(&ranking.setting) {
        parts.push(setting(&ranking.setting));
    }
    match ranking.class {
        Class::MovesBytes => {}
        Class::SharesExtents => parts.push("techniques that share the input's extents".to_owned()),
        Class::ReusesEarlierWork => parts.push("techniques that reuse earlier work".to_owned()),
    }
    if ranking.metric != Metric::Work {
        parts.push(format!("by {}", metric(ranking.metric)));
    }
    parts.join(", ")
}

/// Whether the samples came without a setting, as anybody's figures do: then neither their conditions nor their unit is
/// known, and none is shown. A setting of ours always names its directory.
fn is_anonymous(setting: &Setting) -> bool {
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
    match (repeats, numbers.is_empty()) {
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

/// Where a technique stands, in a word. Without a winner nobody is called best.
pub(crate) fn standing(place: &Place, ranking: &Ranking) -> &'static str {
    match place.place {
        Standing::Best if ranking.winner.is_some() => "best",
        Standing::Best => "leads",
        Standing::Tied => "tied ~",
        Standing::Slower => "slower",
        Standing::Undecided => "undecided",
        Standing::Limit => "limit",
        Standing::Failed => "failed",
    }
}

/// The number in front of a line: those that nothing tells apart share the first, and who is not ranked has none.
pub(crate) fn rank(line: usize, place: &Place) -> String {
    match place.place {
        Standing::Best | Standing::Tied => "1".to_owned(),
        Standing::Slower => (line + 1).to_string(),
        Standing::Undecided => "?".to_owned(),
        Standing::Limit | Standing::Failed => "-".to_owned(),
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

/// What is added to the name of who is no built-in competitor. The limit is told by its verdict.
pub(crate) fn origin(kind: Kind) -> &'static str {
    match kind {
        Kind::BuiltIn | Kind::Ceiling => "",
        Kind::Contender => " (contender)",
        Kind::Twin => " (twin)",
    }
}

/// The unit of a contest's medians: that in which the leader shows three digits.
pub(crate) fn median_scale(ranking: &Ranking) -> Scale {
    let leader = leading(ranking).find_map(|place| place.median);
    let any = || smallest(ranking.places.iter().filter_map(|place| place.median));
    let median = leader.or_else(any).unwrap_or(0.0);
    if is_anonymous(&ranking.setting) {
        Scale::unknown(median)
    } else {
        Scale::of_metric(ranking.metric, median)
    }
}

/// The unit of a contest's throughputs; `None` when it moves no bytes, as one about threads or clocks.
pub(crate) fn speed_scale(ranking: &Ranking) -> Option<Scale> {
    let leader = leading(ranking).find_map(|place| place.bytes_per_s);
    let any = || smallest(ranking.places.iter().filter_map(|place| place.bytes_per_s));
    leader.or_else(any).map(Scale::of_speed)
}

fn leading(ranking: &Ranking) -> impl Iterator<Item = &Place> {
    ranking.places.iter().filter(|place| place.place == Standing::Best)
}

/// The interval of a line's ratio. The leader is what the others are measured by, so it has none of its own.
pub(crate) fn ratio_of(line: usize, place: &Place) -> String {
    let leads = place.place == Standing::Best || (line == 0 && place.ratio == Some(1.0));
    match place.place {
        Standing::Failed if place.ratio.is_none() => String::new(),
        _ if leads && place.ratio_low.is_none() && place.ratio_high.is_none() => "1".to_owned(),
        _ => ratio(place.ratio, place.ratio_low, place.ratio_high),
    }
}

/// The names of all phases in the order in which work is done; what is not known here stands last.
pub(crate) fn phases(ranking: &Ranking) -> Vec<String> {
    const ORDER: [&str; 8] = ["open", "read", "convert", "search", "sort", "merge", "permute", "write"];
    let names: BTreeSet<&String> = ranking.places.iter().flat_map(|place| place.phases_ns.keys()).collect();
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    names.sort_by_key(|name| ORDER.iter().position(|known| known == name).unwrap_or(ORDER.len()));
    names
}

/// The best value of a technique's own parameter, with those as good.
pub(crate) fn parameter(best: &BestParameter) -> String {
    let others: Vec<&str> =
        best.plateau.iter().filter(|value| **value != best.value).map(String::as_str).collect();
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

/// A technique that failed, how often, and why.
pub(crate) fn failed(failure: &FailureLine) -> String {
    let times = if failure.count > 1 { format!(" {} times", failure.count) } else { String::new() };
    format!("{} {}{times}: {}", failure.technique, kind_of(failure.kind), failure.reason)
}

/// What the verdict rests on.
pub(crate) fn controls(ranking: &Ranking) -> String {
    let floor = match ranking.measured_floor {
        Some(floor) => format!("twins differ by {}", percent(floor)),
        None => "no twin was judged".to_owned(),
    };
    format!(
        "{}; {floor}; alike within {}; chance of a false verdict here {}.",
        counted(ranking.rounds.into(), "round"),
        percent(ranking.delta),
        percent(ranking.alpha),
    )
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

/// Whether the instrument may be trusted where twins were, or were not, told apart.
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
    use std::collections::BTreeMap;

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
