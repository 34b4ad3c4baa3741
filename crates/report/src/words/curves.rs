//! The words of a curve that terminal and Markdown share, and which contests are shown as its levels.

use std::collections::{BTreeMap, BTreeSet};

use judge::{
    Absence, Curve, Decided, Gain, Line, Overhead, Point, Ranking, Ratio, Spread, Standing, State, between,
    times,
};
use model::{Kind, Metric, Setting, axis_name, axis_value, format_bytes};

use crate::pages::Context;
use crate::words::phrase::{self, joined, once, technique_of, typical, words_of};
use crate::words::units::three_digits;

/// This many techniques are shown of a curve unless all are asked for.
const MOST_LINES: usize = 6;
/// The sign where a technique was not compared.
const NOT_COMPARED: &str = "-";

/// A part of a report: a contest, or several that are the levels of a curve.
pub(crate) enum Part<'a> {
    Contest(&'a Ranking),
    Curve(&'a Curve),
}

impl<'a> Part<'a> {
    pub(crate) fn about(&self) -> (&'a str, &'a Setting, &'a Metric) {
        match self {
            Self::Contest(one) => (&one.family, &one.setting, &one.metric),
            Self::Curve(one) => (&one.family, &one.setting, &one.metric),
        }
    }

    pub(crate) fn family(&self) -> &'a str {
        self.about().0
    }

    /// Returns its contests, in the order of their levels.
    pub(crate) fn contests<'r: 'a>(&self, rankings: &'r [Ranking]) -> Vec<&'a Ranking> {
        match self {
            Self::Contest(one) => vec![one],
            Self::Curve(one) => levels(one, rankings).into_iter().map(|(_, ranking)| ranking).collect(),
        }
    }
}

/// The parts of a report. A curve stands where its first level was entered.
pub(crate) fn parts(decided: &Decided) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for ranking in &decided.rankings {
        match decided.curves.iter().find(|curve| curve.holds(ranking)) {
            None => parts.push(Part::Contest(ranking)),
            Some(curve) => {
                if !parts.iter().any(|part| matches!(part, Part::Curve(known) if *known == curve)) {
                    parts.push(Part::Curve(curve));
                }
            }
        }
    }
    parts
}

/// Returns bakeoff's own code where that is the answer, with what to take instead: `own_queue`, `bakeoff's own; else kanal`.
pub(crate) fn own_code(part: &Part<'_>, rankings: &[Ranking], context: &Context) -> Option<(String, String)> {
    let (family, contests) = (part.family(), part.contests(rankings));
    let is_own = |name: &str| context.own.contains(&(family.to_owned(), technique_of(name).to_owned()));
    let mut own: Option<&str> = None;
    let (mut others, mut most, mut worse) = (Vec::new(), 1.0_f64, "");
    for ranking in contests {
        let Some(choice) = ranking.choice.as_ref().filter(|choice| is_own(&choice.entry)) else { continue };
        own.get_or_insert(technique_of(&choice.entry));
        let next = ranking.entries.iter().find(|entry| {
            let is_compared = entry.standing.is_candidate() || entry.standing == Standing::Slower;
            entry.kind == Kind::BuiltIn && is_compared && !is_own(&entry.technique)
        });
        let Some(next) = next else { continue };
        let name = technique_of(&next.technique).to_owned();
        if !others.contains(&name) {
            others.push(name);
        }
        most = most.max(next.factor.unwrap_or(1.0));
        worse = words_of(&ranking.metric).worse;
    }
    let own = own?;
    let slower = match &others[..] {
        [_] if times(most) != "1.00" => format!(", about {}x {worse}", times(most)),
        _ => String::new(),
    };
    let instead = joined(others, ", ").map_or(String::new(), |others| format!("; else {others}{slower}"));
    Some((own.to_owned(), format!("bakeoff's own{instead}.")))
}

pub(crate) fn labels(parts: &[Part<'_>]) -> Vec<String> {
    let (mut contests, mut curves) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Part::Contest(ranking) => contests.push(*ranking),
            Part::Curve(curve) => curves.push(*curve),
        }
    }
    let mut of_contests = phrase::labels(&contests).into_iter();
    let labels = parts.iter().map(|part| match part {
        Part::Contest(_) => of_contests.next().unwrap_or_default(),
        Part::Curve(curve) => label(curve, &curves),
    });
    labels.collect()
}

fn label(curve: &Curve, all: &[&Curve]) -> String {
    let mut parts = vec![curve.family.clone(), format!("by {}", axis_name(&curve.axis))];
    let mut own = all.iter().filter(|other| other.family == curve.family);
    if own.clone().any(|other| other.setting != curve.setting) {
        parts.push(phrase::setting(&curve.setting, true));
    }
    if own.any(|other| other.workload != curve.workload) {
        parts.push(phrase::workload(&curve.workload));
    }
    parts.extend(phrase::class(curve.class));
    parts.join(", ")
}

/// Returns the conditions of a curve: `size 4 KiB to 64 MiB, in the page cache, ext4 in ., not flushed`.
pub(crate) fn conditions(curve: &Curve, rankings: &[Ranking], with_place: bool) -> String {
    let (Some(low), Some(high)) = (curve.levels.first(), curve.levels.last()) else { return String::new() };
    let [low, high] = [low, high].map(|level| axis_value(&curve.axis, level.at));
    // A number of bytes says itself what it is.
    let name = if axis_name(&curve.axis) == "size" { "" } else { &format!("{} ", axis_name(&curve.axis)) };
    let mut parts = vec![format!("{name}{}", between(&low, &high))];
    let sizes = once(levels(curve, rankings).into_iter().filter_map(|(_, one)| one.workload.bytes()));
    if let [same] = sizes[..] {
        parts.push(format!("{} in all", format_bytes(same)));
    }
    parts.extend(Some(phrase::workload_in(&curve.workload, &curve.setting)).filter(|text| !text.is_empty()));
    parts.extend(phrase::conditions_beside(curve, with_place));
    parts.join(", ")
}

/// Returns the techniques that are shown: the choices, the baseline, those that the user named, and as many of those that are tied
/// somewhere as there is room for.
pub(crate) fn lines(curve: &Curve, all: bool) -> Vec<&Line> {
    if all || curve.techniques.len() <= MOST_LINES {
        return curve.techniques.iter().collect();
    }
    let always = curve.techniques.iter().filter(|line| {
        let mut ranges = curve.ranges.iter();
        line.is_named
            || curve.baseline.as_ref() == Some(&line.technique)
            || ranges.any(|range| line.points.iter().any(|point| point.entry == range.choice.entry))
    });
    let mut lines: Vec<&Line> = always.collect();
    for line in curve.techniques.iter().filter(|line| is_tied_somewhere(line)) {
        if lines.len() < MOST_LINES && !lines.iter().any(|known| known.technique == line.technique) {
            lines.push(line);
        }
    }
    // What the baseline costs is read first, and has room on every terminal.
    lines.sort_by_key(|line| {
        let is_baseline = curve.baseline.as_ref() == Some(&line.technique);
        (!is_baseline, curve.techniques.iter().position(|one| one.technique == line.technique))
    });
    lines
}

fn is_tied_somewhere(line: &Line) -> bool {
    line.points.iter().any(|point| point.may_be_fastest)
}

pub(crate) fn others(curve: &Curve, shown: &[&Line]) -> Option<String> {
    let hidden =
        curve.techniques.iter().filter(|line| !shown.iter().any(|one| one.technique == line.technique));
    let hidden: Vec<&Line> = hidden.collect();
    let all = phrase::counted(hidden.len() as u64, "more technique");
    match hidden.iter().filter(|line| is_tied_somewhere(line)).count() {
        0 => (!hidden.is_empty()).then_some(all),
        tied => Some(format!("{all} ({tied} tied)")),
    }
}

pub(crate) fn in_place_of_a_figure(line: &Line, at: u64) -> &'static str {
    match line.absent.iter().find(|absent| absent.at == at).map(|absent| absent.why) {
        Some(Absence::Failed) => "failed",
        Some(_) => NOT_COMPARED,
        None => "",
    }
}

/// A tied technique that typically takes this many times as long may be no choice at all.
pub(crate) const FAR_OFF: f64 = 1.25;

pub(crate) fn legend(curve: &Curve, lines: &[&Line], is_short: bool) -> Vec<String> {
    let has_star = lines.iter().any(|line| is_tied_somewhere(line));
    let has_gap =
        |line: &&Line| curve.levels.iter().any(|one| in_place_of_a_figure(line, one.at) == NOT_COMPARED);
    let mut points = lines.iter().flat_map(|line| &line.points);
    let is_open =
        |point: &Point| point.may_be_fastest && point.factor.is_some_and(|factor| factor >= FAR_OFF);
    let open = if is_short && points.any(is_open) { "; = 1.4x: undecided" } else { "" };
    let star = has_star.then(|| format!("= tied{open}."));
    let mark = lines.iter().any(has_gap).then(|| format!("{NOT_COMPARED} not measured."));
    let mut points = lines.iter().flat_map(|line| &line.points);
    let guess = points
        .any(|point| point.median.extrapolated || is_short && is_guess(point))
        .then(|| phrase::GUESS.to_owned());
    star.into_iter().chain(mark).chain(guess).collect()
}

/// Returns whether a factor claims nothing.
pub(crate) fn is_guess(point: &Point) -> bool {
    let has_no_interval = point.factor_low.or(point.factor_high).is_none();
    point.median.extrapolated || point.factor.is_some_and(|factor| factor > 1.0) && has_no_interval
}

pub(crate) fn median(curve: &Curve, point: &Point) -> String {
    typical(&point.median, curve.unit_is_known.then(|| curve.metric.unit()))
}

/// Returns the levels that are best for each of the shown techniques, where all levels do the same work and not all are as good.
pub(crate) fn best(curve: &Curve, lines: &[&Line]) -> Option<String> {
    let said = spreads(lines).filter(|spread| spread.best.len() < curve.levels.len()).filter_map(|spread| {
        let others = spread.best.iter().copied().filter(|at| Some(*at) != spread.chosen);
        let others = levels_of(curve, &others.collect::<Vec<_>>(), "or");
        Some(match (spread.chosen.map(|at| axis_value(&curve.axis, at)), others) {
            (Some(at), Some(others)) => {
                format!("{} with {at} (not shown to be worse: {others})", spread.entry)
            }
            (at, others) => format!("{} with {}", spread.entry, at.or(others)?),
        })
    });
    joined(said, "; ")
}

/// Returns `2 to 64` where no level between is left out, else each: `2, 8 or 64`.
pub(crate) fn levels_of(curve: &Curve, best: &[u64], or: &str) -> Option<String> {
    let (first, last) = (best.first()?, best.last()?);
    let between = curve.levels.iter().filter(|level| (*first..=*last).contains(&level.at)).count();
    let names: Vec<String> = best.iter().map(|at| axis_value(&curve.axis, *at)).collect();
    Some(match &names[..] {
        [first, _, .., last] if between == best.len() => judge::between(first, last),
        [rest @ .., last] if !rest.is_empty() => format!("{} {or} {last}", rest.join(", ")),
        _ => names.concat(),
    })
}

fn spreads<'a>(lines: &'a [&Line]) -> impl Iterator<Item = &'a Spread> {
    lines.iter().filter_map(|line| line.spread.as_ref())
}

/// Returns how much the best level gains over the highest, where that is reported.
pub(crate) fn gain(curve: &Curve, lines: &[&Line]) -> Option<String> {
    let said = spreads(lines).filter_map(|spread| {
        let Gain { at, over, ratio } = *spread.gain.as_ref()?;
        Some(worse_with(curve, &spread.entry, [over, at], ratio))
    });
    joined(said, "; ")
}

/// Returns what the highest number of workers costs over one a processor.
pub(crate) fn overhead(curve: &Curve, lines: &[&Line]) -> Option<String> {
    let said = spreads(lines).filter_map(|spread| {
        let Overhead { at, base, ratio, .. } = *spread.overhead.as_ref()?;
        (ratio.factor >= 1.0).then(|| worse_with(curve, &spread.entry, [at, base], ratio))
    });
    joined(said, "; ")
}

fn worse_with(curve: &Curve, entry: &str, levels: [u64; 2], ratio: Ratio) -> String {
    let [with, than] = levels.map(|at| axis_value(&curve.axis, at));
    let by = format!("{}x {}", times(ratio.factor), phrase::interval(ratio.low, ratio.high));
    format!("{entry} is {} with {with} than with {than}, by {}", words_of(&curve.metric).worse, by.trim_end())
}

/// Returns the places on the axis that explain what happens there.
pub(crate) fn marks(curve: &Curve) -> Option<String> {
    let marks = curve.marks.iter();
    joined(marks.map(|mark| format!("{} {}", mark.name, axis_value(&curve.axis, mark.at))), ", ")
}

/// Returns the marks among the levels: between which of them each lies, as a number of levels from the lowest; without those outside.
pub(crate) fn places_of_marks(curve: &Curve) -> Vec<(f64, String)> {
    let places = curve.marks.iter().filter_map(|mark| {
        let below = curve.levels.iter().rposition(|level| level.at <= mark.at)?;
        let low = curve.levels[below].at;
        let Some(high) = curve.levels.get(below + 1) else {
            return (low == mark.at).then(|| (below as f64, mark.name.clone()));
        };
        let [at, low, high] = [mark.at, low, high.at].map(|at| (at as f64).max(0.5).ln());
        Some((below as f64 + (at - low) / (high - low), mark.name.clone()))
    });
    places.collect()
}

/// Returns the Universal Scalability Law of the shown techniques that it fits.
pub(crate) fn scalability(lines: &[&Line]) -> Option<String> {
    let said = spreads(lines).filter_map(|spread| {
        let law = spread.law.as_ref()?;
        let beyond = if law.is_oversubscribed { " beyond one a processor" } else { "" };
        let peak = law.peak.map_or(String::new(), |peak| format!(", most throughput at {peak:.0}"));
        let [contention, coherence] = [
            [law.contention, law.contention_low, law.contention_high],
            [law.coherence, law.coherence_low, law.coherence_high],
        ]
        .map(|range| {
            // Small ones too are reported with two digits.
            let [value, low, high] = range.map(|value| {
                let is_small = value != 0.0 && value.abs() < 0.01;
                if is_small { format!("{value:.1e}") } else { three_digits(value) }
            });
            format!("{value} ({low} to {high})")
        });
        Some(format!("{}{beyond} contention {contention}, coherence {coherence}{peak}", spread.entry))
    });
    joined(said, "; ")
}

/// Returns the levels of a curve, ascending, with their contests.
pub(crate) fn levels<'a>(curve: &Curve, rankings: &'a [Ranking]) -> Vec<(u64, &'a Ranking)> {
    let own = rankings.iter().filter(|ranking| curve.holds(ranking));
    let mut levels: Vec<(u64, &Ranking)> =
        own.filter_map(|ranking| Some((ranking.workload.number(&curve.axis)?, ranking))).collect();
    levels.sort_by_key(|(at, _)| *at);
    levels
}

pub(crate) fn refused<'a>(curve: &Curve, rankings: &'a [Ranking]) -> Vec<(String, &'a str)> {
    let refused = levels(curve, rankings).into_iter().filter(|(_, one)| one.state == State::Refused);
    refused.map(|(at, one)| (axis_value(&curve.axis, at), one.sentence.as_str())).collect()
}

pub(crate) fn without_metric(curve: &Curve, rankings: &[Ranking], all: bool) -> Option<String> {
    let own = rankings.iter().filter(|ranking| curve.holds(ranking));
    let names: BTreeSet<&str> = own.flat_map(|ranking| &ranking.without_metric).map(String::as_str).collect();
    phrase::without_metric(&names.into_iter().collect::<Vec<_>>(), all)
}

/// Returns what was not tried at upper levels, with the first of them.
pub(crate) fn not_tried(curve: &Curve, rankings: &[Ranking]) -> Option<String> {
    let mut levels: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    let mut since: BTreeMap<&str, u64> = BTreeMap::new();
    for (at, ranking) in self::levels(curve, rankings) {
        for line in &ranking.not_tried {
            since.entry(&line.technique).or_insert(at);
        }
    }
    since.into_iter().for_each(|(technique, at)| levels.entry(at).or_default().push(technique));
    let told = levels
        .iter()
        .map(|(at, names)| format!("{} from {}", names.join(", "), axis_value(&curve.axis, *at)));
    let behind = "ten times slower than the fastest at the level below";
    let named = "name a technique to measure it at every level";
    Some(format!("{}: {behind}; {named}", joined(told, ", ")?))
}

pub(crate) fn basis(curve: &Curve) -> String {
    format!("{} levels, {} at each.", curve.levels.len(), rounds(curve))
}

/// Returns the number of rounds of the levels: `20 rounds`, `8 to 25 rounds`.
pub(crate) fn rounds(curve: &Curve) -> String {
    match least_and_most_rounds(curve) {
        (least, most) if least == most => phrase::counted(least.into(), "round"),
        (least, most) => format!("{least} to {most} rounds"),
    }
}

/// Returns the least and the largest number of rounds at a level, which count the first one only where there is no other.
pub(crate) fn least_and_most_rounds(curve: &Curve) -> (u32, u32) {
    let first = u32::from(curve.confidence.is_none());
    let rounds = curve.levels.iter().map(|level| level.rounds.max(first));
    (rounds.clone().min().unwrap_or(0), rounds.max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::curve;

    #[test]
    fn named_technique_is_shown_even_where_it_is_fastest_nowhere() {
        let mut curve = curve();
        let last = curve.techniques.len() - 1;
        let mut never_fastest = curve.techniques[last].clone();
        never_fastest.technique = "beaten".to_owned();
        never_fastest.points.iter_mut().for_each(|point| point.may_be_fastest = false);
        for nth in 0..MOST_LINES {
            let technique = format!("as_slow_{nth}");
            curve.techniques.push(Line { technique, ..never_fastest.clone() });
        }
        curve.techniques.insert(last + 1, never_fastest);
        assert!(!lines(&curve, false).iter().any(|line| line.technique == "beaten"));
        curve.techniques[last + 1].is_named = true;
        assert!(lines(&curve, false).iter().any(|line| line.technique == "beaten"));
    }
}
