//! The words that terminal and Markdown share.

use std::collections::{BTreeMap, BTreeSet};

use judge::{BestParameter, Entry, FailureLine, Ranking, Standing, State, at_least, at_most};
use model::{
    Better, Class, FactValue, FailureKind, Kind, Note, Quantity, Setting, Source, Topic, Unit, Workload,
    title,
};

use crate::pages::{Context, NoisePage};
pub(crate) use crate::words::conditions::{
    class, conditions, conditions_beside, processors, setting, workload, workload_in,
};
pub(crate) use crate::words::expectations::{broken_call, expected_call};
pub(crate) use crate::words::left_aside::folded;
use crate::words::units::{Scale, amount, percent, three_digits};

/// The family with its question.
pub(crate) fn question(family: &str, context: &Context) -> String {
    match context.questions.get(family) {
        Some(question) => format!("{family}: {question}"),
        None => family.to_owned(),
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
            any(&|other| other.setting.conditions.cache != first.setting.conditions.cache),
            any(&|other| other.setting.conditions.durability != first.setting.conditions.durability),
            any(&|other| other.setting.place != first.setting.place),
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
    parts.extend(setting.conditions.cache.filter(|_| cache).map(|cache| cache.to_string()));
    parts.extend(setting.conditions.durability.filter(|_| durability).map(|end| end.to_string()));
    parts.extend(setting.directory().filter(|_| directory).map(|directory| directory.display().to_string()));
    parts.extend(match ranking.class {
        Class::MovesBytes => None,
        Class::SharesExtents => Some("shared extents".to_owned()),
        Class::ReusesEarlierWork => Some("earlier work".to_owned()),
        Class::FlushesEachPiece => Some("each piece flushed".to_owned()),
        Class::Coarse => Some("coarse results".to_owned()),
    });
    parts.join(", ")
}

/// The answer of a contest in one sentence: what to do, or why nothing can be advised.
pub(crate) fn answer(ranking: &Ranking) -> &str {
    ranking.advice.as_deref().unwrap_or(&ranking.sentence)
}

/// The words for places in a contest: those of time, or those that fit everything.
pub(crate) struct Words {
    pub(crate) best: &'static str,
    pub(crate) may_be_best: &'static str,
    pub(crate) as_good: &'static str,
    pub(crate) worse: &'static str,
    /// What heads the factors.
    pub(crate) factors: &'static str,
    /// What stands behind a factor.
    pub(crate) times: &'static str,
}

pub(crate) fn words(ranking: &Ranking) -> Words {
    words_of(&ranking.quantity)
}

/// The same for what is compared over the levels of a curve.
pub(crate) fn words_of(quantity: &Quantity) -> Words {
    let is_time = matches!(quantity.source, Source::Work | Source::Process);
    match (is_time, quantity.better) {
        (true, Better::Less) => Words {
            best: "fastest",
            may_be_best: "may be fastest",
            as_good: "as fast",
            worse: "slower",
            factors: "times the fastest",
            times: "times the fastest",
        },
        (false, Better::Less) => OF_ANY,
        (_, Better::More) => {
            Words { factors: "times below the best", times: "times below the best", ..OF_ANY }
        }
    }
}

const OF_ANY: Words = Words {
    best: "best",
    may_be_best: "may be best",
    as_good: "as good",
    worse: "worse",
    factors: "times the best",
    times: "times the best",
};

/// Where an entry stands, in a word or two.
pub(crate) fn standing(entry: &Entry, ranking: &Ranking) -> &'static str {
    match entry.standing {
        _ if ranking.leader.as_deref() == Some(&entry.technique) => match entry.standing {
            Standing::Fastest => words(ranking).best,
            Standing::MayBeFastest => "leads",
            _ => "led so far",
        },
        Standing::Fastest | Standing::MayBeFastest => words(ranking).may_be_best,
        Standing::Slower => words(ranking).worse,
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
    // The first command of a user's own job is no plainer than the others.
    let plain = if has_commands_only(ranking) { "reference" } else { "plain way" };
    match (ranking.reference.as_deref() == Some(&entry.technique), standing) {
        (false, _) => standing.to_owned(),
        (true, "slower" | "worse" | "behind" | "") => plain.to_owned(),
        (true, _) => format!("{standing}, {plain}"),
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

/// Whether all that compete are commands: then nothing is gained by saying so of each.
pub(crate) fn has_commands_only(ranking: &Ranking) -> bool {
    ranking.entries.iter().all(|entry| matches!(entry.kind, Kind::Contender | Kind::Twin))
}

/// Where an entry comes from, as far as it is worth a word.
pub(crate) fn told_kind(entry: &Entry, ranking: &Ranking) -> Kind {
    match entry.kind {
        Kind::Contender if has_commands_only(ranking) => Kind::BuiltIn,
        kind => kind,
    }
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
    let Some(median) = entry.median.value() else { return String::new() };
    match ranking.unit_is_known {
        false => Scale::unknown(median).number(median),
        true => amount(ranking.quantity.unit(), median),
    }
}

/// How much it moves in a second.
pub(crate) fn speed(entry: &Entry) -> String {
    entry.bytes_per_s.map_or(String::new(), |speed| Scale::of_speed(speed).value(speed))
}

/// User and system time: apart where both are known, else together. A part of 0 is less than the counter's tick.
pub(crate) fn cpu(entry: &Entry) -> String {
    let time = |ns: f64| Scale::of_ns(ns).value(ns);
    match (entry.user_ns, entry.system_ns, entry.cpu_ns) {
        (Some(user), Some(system), _) if user > 0.0 && system > 0.0 => {
            format!("{} + {}", time(user), time(system))
        }
        (_, _, Some(both)) => time(both),
        _ => String::new(),
    }
}

/// The title above those figures.
pub(crate) fn cpu_title(ranking: &Ranking) -> &'static str {
    let apart = ranking.entries.iter().any(|entry| entry.user_ns.is_some() && entry.system_ns.is_some());
    if apart { "user + system" } else { "cpu time" }
}

/// What techniques counted or timed themselves beside what is compared, each with its heading: all of it, or what the family
/// declares. Parts of the work come in the order in which it is done.
pub(crate) fn values(ranking: &Ranking, all: bool) -> Vec<(String, String)> {
    const ORDER: [&str; 8] = ["open", "read", "convert", "search", "sort", "merge", "permute", "write"];
    let declared = |key: &str| ranking.others.iter().find(|other| other.key == key);
    let known: BTreeSet<&String> = ranking.entries.iter().flat_map(|entry| entry.values.keys()).collect();
    let wanted = |key: &&String| ranking.quantity.key != **key && (all || declared(key).is_some());
    let mut keys: Vec<&String> = known.into_iter().filter(wanted).collect();
    let place = |key: &str| {
        let declared = ranking.others.iter().position(|other| other.key == key);
        let part = ORDER.iter().position(|part| *part == title(key)).unwrap_or(ORDER.len());
        (declared.unwrap_or(usize::MAX), part)
    };
    keys.sort_by_key(|key| place(key));
    let heading = |key: &String| declared(key).map_or(title(key).to_owned(), |other| other.what.to_string());
    keys.into_iter().map(|key| (key.clone(), heading(key))).collect()
}

/// One of these values with its unit.
pub(crate) fn value(entry: &Entry, key: &str) -> String {
    entry.values.get(key).map_or(String::new(), |value| amount(Unit::of_key(key), *value))
}

/// By what else a contest can be judged, where its family declares anything.
pub(crate) fn also_measured(ranking: &Ranking) -> Option<String> {
    let names: Vec<&str> = ranking.others.iter().map(Quantity::name).collect();
    (!names.is_empty())
        .then(|| format!("{}; '--metric {}' of 'report' judges by it.", names.join(", "), names[0]))
}

/// What was found: a number with its unit, or words.
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

/// What does not exist here, or was not tried, those with one reason together.
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

/// Who has nothing of what is compared.
pub(crate) fn without_quantity(names: &[&str], all: bool) -> String {
    let have = if names.len() == 1 { "has" } else { "have" };
    format!("{} {have} no such quantity", folded(names, |_| false, all))
}

/// What the answer rests on.
pub(crate) fn basis(ranking: &Ranking, verbose: bool) -> String {
    // Where nothing is tested, the first round speaks too.
    let first = u64::from(ranking.state == State::TooFewRounds);
    let mut parts = vec![counted(u64::from(ranking.rounds) + first, "round")];
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
    !matches!(note.topic, Topic::Steal | Topic::SwapFew | Topic::Throttle | Topic::FreeMemoryKept)
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
pub(crate) fn kind_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Crash => "crashed",
        FailureKind::Hang => "did not end in time",
        FailureKind::Wrong => "gave a wrong answer",
        FailureKind::Refused => "was refused by the system",
        FailureKind::DiskFull => "found the disk full",
        FailureKind::TooManyFiles => "reached the limit of open files",
        FailureKind::Missing => "is not available here",
        FailureKind::LeftOut => "was left out",
        FailureKind::TenfoldBehind => "was not tried",
    }
}

/// Whether the instrument may be trusted where identical techniques were, or were not, told apart in so many rounds.
pub(crate) fn instrument(rounds: u32, told_apart: bool) -> &'static str {
    match (rounds, told_apart) {
        (_, true) => "found identical techniques different: do not trust it here",
        (0, false) => "not tested: nothing was compared",
        (_, false) => "holds",
    }
}

/// What a page of noise rests on.
pub(crate) fn noise_controls(page: &NoisePage) -> String {
    format!(
        "chance of finding identical techniques different {} a row; seed {}",
        percent(page.alpha),
        page.seed
    )
}

/// Size, shape and conditions of a task.
pub(crate) fn of_task(size: &Workload, at: &Setting) -> String {
    let parts = [workload_in(size, at), setting(at)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// `1 round`, `2 rounds`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
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
    fn a_part_of_the_time_that_is_less_than_a_tick_is_not_told_as_none() {
        let leader = &fixture::clear().entries[0];
        assert_eq!(cpu(leader), "310 us + 4.90 ms");
        assert_eq!(cpu(&Entry { user_ns: Some(0.0), ..leader.clone() }), "5.21 ms");
    }
}
