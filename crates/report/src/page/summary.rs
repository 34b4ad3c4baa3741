//! The answers of several contests in one table: a row for each work that has an answer of its own.

use std::collections::BTreeSet;

use judge::{Choice, Curve, Entry, Ranking, Ratio, State, between, is_time, marked, times};
use model::{axis_name, axis_value, parse_bytes};

use super::blocks::{Block, Cell, Extent, Remark, Row, Table, Tone};
use crate::words::curves::{self, Part};
use crate::words::phrase::{self, by_key, joined, once};
use crate::words::units::Scale;

struct Line<'a> {
    family: &'a str,
    /// The words that several works of the family share, as their axis, and those of this one.
    work: (String, String),
    time: String,
    is_by_time: bool,
    baseline: Option<&'a str>,
    choice: Option<&'a Choice>,
    /// It is for several levels: what it gains is the least.
    is_range: bool,
    /// What stands there without a choice.
    open: String,
    tied: Vec<&'a str>,
    /// Rows that are left out below this one.
    hidden: usize,
}

const CANNOT_TELL: &str = "cannot tell";
/// Times that differ by this factor or more are not shown in one unit.
const FAR_APART: f64 = 100.0;
/// A curve whose answer changes more often is shown in a table of its own.
const MOST_RANGES: usize = 3;

pub(crate) fn summary<'a>(parts: &[Part<'a>], rankings: &'a [Ranking], extent: Extent) -> Vec<Block> {
    let labels = curves::labels(parts);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (part, label) in parts.iter().zip(&labels) {
        match part {
            Part::Contest(ranking) => lines.push(of_contest(ranking, label)),
            Part::Curve(curve) => {
                let mut own = of_curve(curve, rankings);
                if extent.hints && own.len() > MOST_RANGES {
                    own[0].hidden = own.drain(1..own.len() - 1).count();
                }
                lines.extend(own);
            }
        }
    }
    for family in parts.iter().map(Part::family).collect::<BTreeSet<_>>() {
        let is_own = |line: &&Line<'_>| line.family == family && line.work.0.is_empty();
        let all = shared(lines.iter().filter(is_own).map(|line| &*line.work.1)).to_owned();
        for line in lines.iter_mut().filter(|line| line.family == family && line.work.0.is_empty()) {
            let own = line.work.1[all.len()..].trim_start().to_owned();
            line.work = (all.clone(), own);
        }
    }
    let value = if lines.iter().all(|line| line.is_by_time) { "time" } else { "value" };
    let is_slower = lines.iter().any(|line| line.is_by_time);
    let slower = if is_slower { " slower" } else { " worse" };
    let slower = if extent.is_narrow { "" } else { slower };
    let mut table = Table {
        about: "What to use",
        ..Table::of(&format!("~ job | ~ work | ~ use | > {value} | < baseline | < baseline{slower}"))
    };
    let mut before: Option<&Line<'_>> = None;
    for line in by_key(lines.iter().map(|line| (line.family, line))).into_iter().flat_map(|(_, lines)| lines)
    {
        table.rows.push(row(line, before.filter(|before| before.family == line.family), extent));
        if line.hidden > 0 {
            let more = format!("  {} more between", line.hidden);
            table.row([more, String::new(), format!("bakeoff report {}", line.family)], Tone::Faint);
        }
        before = Some(line);
    }
    let has_ties = lines.iter().any(|line| !line.tied.is_empty());
    let is_guess = |line: &Line<'_>| {
        let ratio = line.choice.and_then(|choice| choice.baseline.as_ref());
        line.time.contains('~') || ratio.is_some_and(|ratio| ratio.low.or(ratio.high).is_none())
    };
    let has_least =
        |line: &Line<'_>| line.is_range && line.choice.is_some_and(|choice| choice.baseline.is_some());
    let is_undecided = |line: &Line<'_>| line.choice.is_some_and(Choice::is_undecided);
    let signs = [
        (has_ties, "=N: N others are tied (bakeoff report FAMILY -v)"),
        (lines.iter().any(has_least), "1.5x+: the least of several levels"),
        (lines.iter().any(is_guess), "~: no interval, or extrapolated"),
        (lines.iter().any(is_undecided), "(undecided): others may be faster"),
    ];
    let signs = signs.into_iter().filter(|(is_there, _)| *is_there && extent.hints);
    let signs = joined(signs.map(|(_, text)| text.to_owned()), "; ").unwrap_or_default();
    let (first_sign, meaning) = signs.split_once(": ").unwrap_or_default();
    let tied = lines.iter().flat_map(|line| line.tied.iter().map(|name| (line.family, *name)));
    let baselines = lines.iter().filter_map(|line| Some((line.family, line.baseline?)));
    let below = [
        (first_sign, Some(meaning.to_owned()).filter(|text| !text.is_empty())),
        ("=N tied", by_family(tied, false).filter(|_| !extent.hints)),
        ("baseline", by_family(baselines, true).filter(|_| extent.hints && !extent.is_narrow)),
        ("ahead in one row, not measured in all", not_measured(parts).filter(|_| !extent.hints)),
    ];
    let remarks = below.into_iter().flat_map(|(head, text)| Remark::each(head, text, Tone::Faint));
    vec![Block::Table(table), Block::Remarks(remarks.collect())]
}

/// Returns the row of a line, without what it shares with the one before in its family. In a terminal, which is narrow, the family
/// stands in front of the work, and the baselines below the table.
fn row(line: &Line<'_>, before: Option<&Line<'_>>, extent: Extent) -> Row {
    let tied = if line.tied.is_empty() { String::new() } else { format!(" ={}", line.tied.len()) };
    let (what, baseline, slower, tone) = match line.choice {
        None => (&*line.open, "", Cell::from(""), Tone::Doubt),
        Some(choice) if choice.is_baseline => {
            let slower = match (choice.is_undecided(), extent.hints) {
                (true, true) => "(undecided)",
                (true, false) => "undecided",
                (false, true) => "(baseline)",
                (false, false) => "",
            };
            (choice.entry.as_str(), "itself", Cell::from(slower), Tone::Good)
        }
        Some(choice) => {
            let slower = choice
                .baseline
                .as_ref()
                .map_or(Cell::from(""), |ratio| estimate(ratio, line.is_range, extent));
            (choice.entry.as_str(), line.baseline.unwrap_or_default(), slower, Tone::Good)
        }
    };
    let (shared, own) = &line.work;
    let work = match before.filter(|before| before.work.0 == *shared) {
        // `back to back`, and in a terminal `steps of 1 ms+` below it.
        Some(before) => {
            let more = own.strip_prefix(&format!("{}, ", before.work.1)).filter(|_| extent.hints);
            more.map_or(own.clone(), |more| format!("  {more}"))
        }
        None => format!("{shared} {own}").trim().to_owned(),
    };
    let (job, work) = match before {
        None if extent.hints => (format!("{}, {work}", line.family), String::new()),
        Some(_) if extent.hints => (format!("  {work}"), String::new()),
        None => (line.family.to_owned(), work),
        Some(_) => (String::new(), work),
    };
    let cells = vec![
        job.into(),
        work.into(),
        format!("{what}{tied}").into(),
        if extent.is_narrow { "" } else { &line.time }.into(),
        if extent.hints { "" } else { baseline }.into(),
        slower,
    ];
    Row { cells, tone, ..Row::default() }
}

/// Returns what leads elsewhere in a family and was not measured in all of its rows.
fn not_measured(parts: &[Part<'_>]) -> Option<String> {
    let rivals = parts.iter().flat_map(|part| match part {
        Part::Curve(curve) => {
            let names = curve.levels.iter().flat_map(|level| &level.rivals_not_measured);
            names.map(|name| (part.family(), name.as_str())).collect()
        }
        Part::Contest(_) => Vec::new(),
    });
    by_family(rivals, true)
}

/// Returns the words with which all begin, at least two: a number alone says nothing.
fn shared<'a>(works: impl Iterator<Item = &'a str>) -> &'a str {
    let all: BTreeSet<&str> = works.collect();
    let first = all.first().copied().unwrap_or_default();
    let ends = first.match_indices(' ').map(|(at, _)| at).skip(1);
    let ends = ends.take_while(|end| all.iter().all(|other| other.starts_with(&first[..=*end])));
    &first[..ends.last().filter(|_| all.len() > 1).unwrap_or(0)]
}

/// `1.5x` with `(1.05-2.0)`; `~1.5x` where nothing is known of how far off it may be; `1.5x+`, or `or more`, is the least of several.
fn estimate(ratio: &Ratio, is_least: bool, extent: Extent) -> Cell {
    let interval = if extent.is_narrow { String::new() } else { phrase::interval(ratio.low, ratio.high) };
    let [plus, more] = ["+", " or more"].map(|text| if is_least { text } else { "" });
    let (plus, more) = if extent.hints { (plus, "") } else { ("", more) };
    let mark = if ratio.low.or(ratio.high).is_some() { "" } else { "~" };
    Cell::Estimate(format!("{mark}{}x{plus}", times(ratio.factor)), interval + more)
}

fn of_contest<'a>(ranking: &'a Ranking, label: &str) -> Line<'a> {
    let choice = ranking.choice.as_ref();
    let of_label = label.strip_prefix(&ranking.family).unwrap_or(label).trim_start_matches(", ");
    // The figures are those of one call.
    let calls = phrase::calls(ranking).map_or(String::new(), |calls| format!("{calls} calls "));
    let of_label = of_label.strip_prefix(&calls).unwrap_or(of_label);
    let work = match of_label {
        "" => short(&phrase::workload_in(&ranking.workload, &ranking.setting)),
        more => more.to_owned(),
    };
    let entry = choice.and_then(|choice| ranking.entry(&choice.entry));
    let others = ranking.candidates.iter().map(String::as_str);
    Line {
        family: &ranking.family,
        work: (String::new(), work),
        time: entry.map_or(String::new(), |entry| time(entry, ranking)),
        is_by_time: is_time(&ranking.metric),
        baseline: ranking.baseline.as_deref(),
        choice,
        is_range: false,
        open: open(std::iter::once(ranking)),
        tied: others.filter(|name| choice.is_some_and(|choice| choice.entry != *name)).collect(),
        hidden: 0,
    }
}

/// Returns what stands there without a choice. A technique that was measured alone is named: it has no rival yet.
fn open<'a>(rankings: impl Iterator<Item = &'a Ranking>) -> String {
    let alone =
        rankings.map(|one| Some(&*one.entries.first().filter(|_| one.state == State::Alone)?.technique));
    let names: Option<BTreeSet<&str>> = alone.collect();
    let only = names.and_then(|names| names.first().copied().filter(|_| names.len() == 1));
    only.map_or(CANNOT_TELL.to_owned(), |name| format!("only {name} was measured"))
}

/// Returns the amount of work: a size, with a number of files; or a number of records.
fn short(workload: &str) -> String {
    let mut parts = workload.split([',', '(']).map(|part| part.trim().trim_end_matches(')'));
    let first = parts.next().unwrap_or_default();
    let is_count = first.starts_with(|c: char| c.is_ascii_digit()) && parse_bytes(first).is_err();
    parts.next().filter(|_| !is_count).map_or(first.to_owned(), |second| format!("{first}, {second}"))
}

/// Returns a line for each run of neighbouring levels with one answer.
fn of_curve<'a>(curve: &'a Curve, rankings: &'a [Ranking]) -> Vec<Line<'a>> {
    let levels = curves::levels(curve, rankings);
    let runs = curve.levels.chunk_by(|one, next| {
        one.choice.as_ref().map(|choice| &choice.entry) == next.choice.as_ref().map(|choice| &choice.entry)
    });
    let class = phrase::short_class(curve.class).map_or(String::new(), |class| format!(", {class}"));
    let axis = Some(axis_name(&curve.axis)).filter(|axis| *axis != curve.family).unwrap_or_default();
    let axis = axis.trim_end_matches(" size").to_owned();
    runs.map(|run| {
        let ends = [&run[0], &run[run.len() - 1]];
        let [first, last] = ends.map(|level| axis_value(&curve.axis, level.at));
        let between = if run.len() == 1 { first } else { between(&first, &last).replacen(" to ", "-", 1) };
        let has_choice = ends[0].choice.is_some();
        let range = curve.ranges.iter().find(|range| range.from == ends[0].at && has_choice);
        let choice = range.map(|range| &range.choice);
        let ends_of = once(ends.map(|level| level.at)).into_iter().filter_map(|level| {
            let (_, ranking) = levels.iter().find(|(at, _)| *at == level)?;
            Some((ranking.entry(&choice?.entry)?, *ranking))
        });
        let tied = ends[0].tied.iter().filter(|name| {
            choice.is_some_and(|choice| choice.entry != **name)
                && run.iter().all(|level| level.tied.contains(name))
        });
        Line {
            family: &curve.family,
            work: (axis.clone(), format!("{between}{class}")),
            time: span(&ends_of.collect::<Vec<_>>()),
            is_by_time: is_time(&curve.metric),
            baseline: curve.baseline.as_deref(),
            choice,
            is_range: run.len() > 1,
            open: open(
                levels.iter().filter(|(at, _)| run.iter().any(|level| level.at == *at)).map(|one| one.1),
            ),
            tied: tied.map(String::as_str).collect(),
            hidden: 0,
        }
    })
    .collect()
}

/// Returns the times at both ends of a range of levels, the least first: `0.69-20 ms`.
fn span(ends: &[(&Entry, &Ranking)]) -> String {
    let mut known: Vec<_> = ends.iter().filter_map(|one| Some((one.0.median.value()?, *one))).collect();
    known.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let [(least, (first, ranking)), (most, (last, _))] = known[..]
        && ranking.unit_is_known
        && phrase::calls(ranking).is_none()
        && most < FAR_APART * least
        && let Some(scale) = Scale::of(ranking.metric.unit(), most)
        && scale.short(least) != scale.short(most)
    {
        let said = format!("{}-{} {}", scale.short(least), scale.short(most), scale.name);
        return marked(said, first.median.extrapolated || last.median.extrapolated);
    }
    let said = known.iter().map(|(_, (entry, ranking))| time(entry, ranking));
    joined(once(said), " to ").unwrap_or_default()
}

fn time(entry: &Entry, ranking: &Ranking) -> String {
    phrase::median(entry, ranking).replace(" a call", "/call")
}

/// Names what there is of each family, each once.
fn by_family<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>, all: bool) -> Option<String> {
    let said = by_key(pairs).into_iter();
    let said =
        said.map(|(family, names)| format!("{family} {}", phrase::folded(&once(names), |_| false, all)));
    joined(said, "; ")
}
